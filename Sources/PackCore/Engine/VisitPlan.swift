package import PackGround
import PackProfile
import PackURL

/// The order of visits: the launch page, in-app links as they are met, then the other pages.
package struct VisitPlan: Sendable {
    package let limit: Int
    private let handler: Handler
    private var queue: [VisitReport] = []
    private var files: [AssetPath]
    private var known: Set<String> = []
    /// The number of pages given out.
    package private(set) var count = 0

    /// - Parameters:
    ///   - limit: The largest number of pages.
    ///   - pages: The whole pages, in listing order.
    package init(_ handler: Handler, pages: [AssetPath], limit: Int) {
        self.handler = handler
        self.limit = limit
        files = pages.reversed()
        let profile = handler.resolver.profile
        if let path = try? AssetPath(profile.launch), let url = profile.url(of: path) {
            add(url, .launch)
        }
    }

    /// The next page; `nil` after the last.
    package mutating func next() -> VisitReport? {
        guard count < limit else { return nil }
        while queue.isEmpty, let path = files.popLast() {
            let url = handler.resolver.profile.url(of: path)
            if let url { add(url, .file) }
        }
        guard !queue.isEmpty else { return nil }
        count += 1
        return queue.removeFirst()
    }

    /// The launch page at the URL of its directory, which a router of the page may know, and the
    /// page's file; `nil` if the app opens that URL itself.
    package var launchDirectory: (visit: VisitReport, file: AssetPath)? {
        let profile = handler.resolver.profile
        guard !profile.opensRoot, let path = try? AssetPath(profile.launch),
            let url = profile.url(of: path)?.href,
            let slash = url.lastSlash, url.index(after: slash) < url.endIndex
        else { return nil }
        return (
            VisitReport(url: String(url[...slash]), file: profile.launch, route: .launch), path
        )
    }

    /// The number of known pages not given out.
    package var left: Int {
        var rest = queue.count
        for path in files {
            guard let url = handler.resolver.profile.url(of: path) else { continue }
            let decision = handler.answer(url.href, range: nil, isPage: true)
            if let file = decision.file, !known.contains(file) { rest += 1 }
        }
        return rest
    }

    /// Adds the links of a page.
    package mutating func add(links: [String]) {
        for link in links {
            guard let url = URLRecord.parse(link),
                url.scheme == handler.resolver.profile.canonicalScheme,
                handler.resolver.profile.ownsHost(url.host)
            else { continue }
            add(url, .link)
        }
    }

    /// Pages that only differ in query or fragment are one page; a path that the handler answers
    /// with the start page is a page of its own.
    private mutating func add(_ url: URLRecord, _ route: VisitReport.Route) {
        var url = url
        url.fragment = nil
        url.query = nil
        let decision = handler.answer(url.href, range: nil, isPage: true)
        let key = decision.resolution?.isStartPage == true ? url.href : decision.file ?? url.href
        // A link to a picture or an archive is not a page.
        if route == .link, let type = decision.file.map({ _ in decision.answer.type }),
            !["text/html", "application/xhtml+xml"].contains(type)
        {
            return
        }
        guard known.insert(key).inserted else { return }
        // A link without a file is the static check's finding, and opens nothing.
        if route == .link, decision.isMiss { return }
        queue.append(VisitReport(url: url.href, file: decision.file, route: route))
    }
}

extension VisitPlan {
    /// Whether an HTML file is a page, and not a part that a script inserts.
    ///
    /// - Parameter head: The first bytes of the file.
    package static func isWholePage(_ head: [UInt8]) -> Bool {
        let text = head.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return marks.contains { text.firstRange(of: $0) != nil }
    }

    private static let marks = [
        "<!doctype", "<html", "<head", "<body", "<title", "<meta", "<script", "<link",
    ].map { Array($0.utf8) }
}
