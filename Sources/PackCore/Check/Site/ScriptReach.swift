import PackGround
import PackProfile
import PackWeb

/// The scripts run by the pages of a build, and the engines parsing them.
///
/// A page with a `nomodule` script has code for engines without modules, and those run none of its
/// modules.
struct ScriptReach {
    /// The first release that runs the modules of a page with a `nomodule` script.
    ///
    /// Vite's legacy plugin also tests `import.meta` and asynchronous generators, and the engines
    /// between both releases are few.
    static let modules = Releases(EngineRelease(12), 64)

    /// Whether a page runs a script.
    enum Strength: Int, Comparable, Sendable {
        case possible, certain

        static func < (one: Strength, other: Strength) -> Bool { one.rawValue < other.rawValue }
    }

    /// The strength for all engines, and for those with modules.
    private struct Found {
        var all: Strength?
        var modern: Strength?
    }

    private var found: [Int: Found] = [:]
    private var waiting: [(file: Int, strength: Strength, isModern: Bool)] = []
    /// The scripts loaded by `nomodule` scripts, if no supported engine runs these.
    private var legacy: Set<Int> = []

    /// Whether the oldest engine knows modules and passes over `nomodule` scripts.
    private let skipsLegacy: Bool

    /// Whether the oldest engine runs `nomodule` scripts.
    var runsLegacy: Bool { !skipsLegacy }

    init(_ context: SiteContext) {
        let profile = context.profile
        skipsLegacy = profile.oldestEngine >= Releases(EngineRelease(11), 61).first(for: profile)
        for page in context.summaries where context.site.files[page.index].kind == .html {
            let hasLegacy = Self.hasLegacy(page)
            for link in page.links { add(link, hasLegacy: hasLegacy) }
            waiting += page.namedByScripts.map { ($0, .possible, hasLegacy) }
        }
        while let next = waiting.popLast() {
            guard reach(next.file, next.strength, next.isModern) else { continue }
            for (target, strength) in Self.loads(context.summaries[next.file]) {
                waiting.append((target, min(strength, next.strength), next.isModern))
            }
        }
        var rest = Array(legacy)
        while let next = rest.popLast() {
            for (target, _) in Self.loads(context.summaries[next])
            where legacy.insert(target).inserted { rest.append(target) }
        }
    }

    /// The scripts loaded by a script, and those named in it.
    private static func loads(_ script: DocumentSummary) -> [(target: Int, strength: Strength)] {
        script.links.compactMap { link in strength(of: link).map { (link.target, $0) } }
            + script.namedByScripts.map { ($0, .possible) }
    }

    static func hasLegacy(_ page: DocumentSummary) -> Bool {
        page.links.contains { $0.kind == .html(.script) && $0.traits.contains(.unasked) }
    }

    private mutating func add(_ link: DocumentSummary.Link, hasLegacy: Bool) {
        guard let strength = Self.strength(of: link) else { return }
        let isLegacy = link.kind == .html(.script) && link.traits.contains(.unasked)
        if isLegacy, skipsLegacy {
            legacy.insert(link.target)
            return
        }
        let isModule = link.kind == .html(.moduleScript) || link.kind == .html(.modulePreload)
        let isModern = hasLegacy && isModule
        waiting.append((link.target, strength, isModern))
    }

    /// - Returns: Whether this is more than was known.
    private mutating func reach(_ file: Int, _ strength: Strength, _ isModern: Bool) -> Bool {
        let known = found[file] ?? Found()
        if let all = known.all, all >= strength { return false }
        if isModern, let modern = known.modern, modern >= strength { return false }
        if isModern {
            found[file, default: Found()].modern = strength
        } else {
            found[file, default: Found()].all = strength
        }
        return true
    }

    /// The strength of a link; `nil` if it runs nothing.
    private static func strength(of link: DocumentSummary.Link) -> Strength? {
        guard !link.traits.contains(.inNoscript) else { return nil }
        let isWeak = !link.traits.isDisjoint(with: [.inTemplate, .guarded, .spare, .compared])
        switch link.kind {
        case .html(.script), .html(.moduleScript), .script(.staticImport), .script(.importScripts),
            .script(.chunk), .script(.dynamicImport), .script(.worker), .script(.workerModuleURL):
            return isWeak ? .possible : .certain
        case .html(.modulePreload), .script(.preloadDependency), .script(.literal),
            .script(.moduleURL), .script(.asset), .script(.publicAsset):
            return .possible
        default: return nil
        }
    }

    /// Whether only engines that are not supported run a script.
    func isLegacy(_ script: Int) -> Bool { found[script] == nil && legacy.contains(script) }

    /// Whether pages run a script, and the first engine that parses it; `nil` if none is known to
    /// load it.
    func runs(_ script: Int, _ profile: Profile) -> (strength: Strength, from: EngineRelease)? {
        guard let known = found[script] else { return nil }
        let modules = Self.modules.first(for: profile)
        switch (known.all, known.modern) {
        case (let all?, let modern?) where modern > all: return (modern, modules)
        case (let all?, _): return (all, EngineRelease(0))
        case (nil, let modern?): return (modern, modules)
        case (nil, nil): return nil
        }
    }
}
