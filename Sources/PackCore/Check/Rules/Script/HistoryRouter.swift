import PackGround
import PackProfile
import PackURL
import PackWeb

/// The router of the launch page, if it reads the path of the page's address.
struct HistoryRouter {
    /// What the router shows for the launch URL.
    enum Outcome {
        /// The start page, or another page meant by the app's author.
        case page
        /// The page for unknown addresses; the pattern as written.
        case notFound(RouterParts.Route)
        /// Nothing: no route matches.
        case nothing
        /// A route opening another one by changing the path.
        case redirect(RouterParts.Route)
        /// A route with the file name as a parameter.
        case parameter(RouterParts.Route)
        /// The path does not start with the router's base.
        case outsideBase([UInt8])
        /// The routes are unknown.
        case unknown
        /// The program ends: Elm reads only addresses of http and https.
        case failure
    }

    /// The file with the code reading the path.
    let file: Int
    let range: Range<Int>?
    let outcome: Outcome
    /// The number of routes read.
    let count: Int
    /// Whether all routes are known.
    let isComplete: Bool

    /// A file of the page.
    private struct Part {
        let file: Int
        let parts: RouterParts
    }

    /// `nil` without such a router.
    init?(of context: SiteContext) {
        guard let page = context.site.listing.index(of: context.profile.launch.utf8) else {
            return nil
        }
        let files = Self.files(of: page, context)
        guard !files.isEmpty else { return nil }
        let marks = files.reduce(into: RouterCode.Marks()) { $0.formUnion($1.parts.marks) }
        if marks.contains(.elm), context.profile.hasCustomPages {
            let place = files.first { $0.parts.marks.contains(.elm) } ?? files[0]
            (file, range) = (place.file, place.parts.place)
            (outcome, count, isComplete) = (.failure, 0, true)
            return
        }
        let pageMarks = files.first { $0.file == page }?.parts.pageMarks ?? []
        guard !context.profile.opensRoot,
            Self.readsPath(marks, pageMarks, context.profile)
                || Self.comparesPath(marks, files.flatMap(\.parts.routes), context.profile)
        else { return nil }
        let isKit = marks.contains(.kitStart)
        let routes = files.flatMap { part in
            part.parts.routes.filter { $0.route.form == (isKit ? .numbered : .object) }
        }
        count = routes.count
        isComplete =
            !files.contains { $0.parts.unreadRoutes > 0 || $0.parts.hasUnreadBase }
        let reading = RouterCode.Marks.libraries.union([.namesPath, .vueModes, .kitStart])
        let place =
            files.first { $0.parts.place != nil && !$0.parts.marks.isDisjoint(with: reading) }
            ?? files.first { $0.parts.place != nil } ?? files[0]
        let result = Self.outcome(
            routes, marks, base: files.lazy.compactMap(\.parts.base).first,
            isComplete: isComplete, context.profile)
        outcome = result
        switch result {
        case .page: return nil
        // Pages of http and https may change their path.
        case .redirect where context.profile.isIntercepted: return nil
        case .notFound(let route), .redirect(let route), .parameter(let route):
            file =
                files.first { part in
                    part.parts.routes.contains {
                        $0.range == route.range && $0.route.pattern == route.route.pattern
                    }
                }?.file ?? place.file
            range = route.range
        default: (file, range) = (place.file, place.parts.place)
        }
    }

    /// The page and its scripts.
    private static func files(of page: Int, _ context: SiteContext) -> [Part] {
        var found: [Part] = []
        var seen: Set<Int> = [page]
        var rest = [page]
        while let index = rest.popLast() {
            guard let summary = context.summary(of: index) else { continue }
            if let parts = summary.router { found.append(Part(file: index, parts: parts)) }
            for link in summary.links
            where context.site.files[link.target].kind == .script && !link.kind.isWorker
                && seen.insert(link.target).inserted
            {
                rest.append(link.target)
            }
        }
        return found.sorted { $0.file < $1.file }
    }

    /// Whether the path of the page's address decides what the app shows.
    private static func readsPath(
        _ marks: RouterCode.Marks, _ page: RouterParts.PageMarks, _ profile: Profile
    ) -> Bool {
        let isIndex =
            profile.launch == "index.html" || profile.launch.hasSuffix("/index.html")
        if isIndex, marks.contains(.stripsIndex) { return false }
        if !page.isDisjoint(with: [.ember, .blazor]) { return true }
        if page.contains(.nuxtRendered) || marks.contains(.namesOther) { return false }
        if marks.contains(.kitStart) { return !marks.contains(.kitFragment) }
        if marks.contains(.namesPath) || marks.contains(.aurelia) { return true }
        if marks.contains(.vueModes) { return marks.contains(.vueHistoryMode) }
        if !marks.isDisjoint(with: .libraries) { return !marks.contains(.fragment) }
        return marks.isSuperset(of: [.selectsByPath, .listens, .pushes])
            && marks.isDisjoint(with: [.readsFragment, .fragment, .selectsRoot])
    }

    /// Whether the app's own code looks up the path in a table with `/` and other routes, of which
    /// none matches.
    private static func comparesPath(
        _ marks: RouterCode.Marks, _ routes: [RouterParts.Route], _ profile: Profile
    ) -> Bool {
        let segments = PercentEncoding.decode(profile.launchPath[...])
            .split(separator: UInt8(ascii: "/"))
        let library = RouterCode.Marks.libraries.union([.vueModes, .kitStart, .namesOther])
        return marks.isSuperset(of: [.readsPath, .listens])
            && marks.isDisjoint(
                with: library.union([.readsFragment, .fragment, .selectsRoot, .stripsIndex]))
            && routes.count > 1 && routes.contains { $0.route.pattern.elementsEqual("/".utf8) }
            && routes.allSatisfy { RoutePattern($0.route).match(segments) == .none }
    }

    private static func outcome(
        _ routes: [RouterParts.Route], _ marks: RouterCode.Marks, base: [UInt8]?,
        isComplete: Bool, _ profile: Profile
    ) -> Outcome {
        let isLibrary =
            !marks.isDisjoint(
                with: RouterCode.Marks.libraries.union([.vueModes, .namesPath, .kitStart]))
        guard isLibrary else { return .unknown }
        var path = PercentEncoding.decode(profile.launchPath[...])
        if let base {
            if path.starts(with: base) {
                path.removeFirst(base.count)
            } else if marks.contains(.react) {
                return .outsideBase(base)
            }
        }
        let segments = path.split(separator: UInt8(ascii: "/"))
        guard !segments.isEmpty else { return .page }
        // Without routes, Vue Router 3 only keeps the query.
        guard !routes.isEmpty else {
            return marks.contains(.kitStart) || marks.contains(.vueModes) && isComplete
                ? .page : .unknown
        }
        let patterns = routes.map { RoutePattern($0.route) }
        let matches = patterns.map { $0.match(segments) }
        if matches.contains(.whole) { return .page }
        // Without `exact`, the root matches every path.
        if marks.contains(.history4),
            zip(routes, patterns).contains(where: {
                $1.isRoot && $1.isAnchored && !$0.route.isExact
            })
        {
            return .page
        }
        let isSure = { (number: Int) in
            matches[number] == .parameter && patterns[number].isAnchored
        }
        if let number = routes.indices.first(where: isSure) { return .parameter(routes[number]) }
        let wildcards = routes.indices.filter { matches[$0] == .wildcard }
        let layouts = routes.indices.filter { matches[$0] == .layout }
        if let number = (wildcards + layouts).first(where: { routes[$0].route.redirects }) {
            return .redirect(routes[number])
        }
        if wildcards.isEmpty, !layouts.isEmpty { return .page }
        guard let number = wildcards.first else {
            let hasStart = patterns.contains(where: \.isRoot)
            return matches.contains(.parameter) || !hasStart ? .unknown : .nothing
        }
        let component = routes[number].route.component
        let isStart = zip(routes, patterns).contains {
            $1.isRoot && component != nil && $0.route.component == component
        }
        // A single route for everything is the app itself.
        if isStart || routes.count == 1 && isComplete { return .page }
        return matches.contains(.parameter) || !layouts.isEmpty
            ? .unknown : .notFound(routes[number])
    }
}
