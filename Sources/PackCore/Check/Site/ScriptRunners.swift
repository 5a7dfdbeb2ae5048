import PackGround
import PackProfile
import PackURL
import PackWeb

/// The pages and workers that run each script of a build.
///
/// A script's relative requests resolve against the page or worker running it, not against its own
/// file (docs/sources.md#html-standard, "API base URL").
struct ScriptRunners {
    /// A page or worker.
    struct Runner {
        /// The index in ``SiteIndex/files``.
        let file: Int
        /// The base of relative URLs.
        let base: URLRecord?
        /// An alternative base: the page's own URL, for a script before its `base`.
        var earlier: URLRecord?
    }

    /// The runners of one script.
    struct Found {
        /// Runners that execute it whenever they are opened.
        var certain: [Runner] = []
        /// Runners that may load it later.
        var possible: [Runner] = []

        var isEmpty: Bool { certain.isEmpty && possible.isEmpty }
    }

    /// The maximum number of runners recorded for a script: most are pages in one directory.
    private static let most = 16

    private let launchFile: Int?
    private let launchURL: URLRecord?
    private let found: [Int: Found]
    /// The style sheets with uses of custom properties.
    let properties: PropertyUsers

    init(_ site: SiteIndex, _ summaries: [DocumentSummary]) {
        launchFile = site.listing.index(of: site.profile.launch.utf8)
        launchURL =
            launchFile.flatMap { summaries[$0].base }
            ?? (try? AssetPath(site.profile.launch)).flatMap { site.profile.url(of: $0) }
        var found: [Int: Found] = [:]
        var waiting: [(script: Int, runner: Runner, isCertain: Bool)] = []
        for summary in summaries {
            let isPage = site.files[summary.index].kind == .html
            let page = Runner(file: summary.index, base: summary.base)
            let early = Runner(
                file: summary.index, base: summary.base,
                earlier: summary.baseStart == nil
                    ? nil : site.profile.url(of: site.path(summary.index)))
            for link in summary.links where site.files[link.target].kind == .script {
                if link.kind.isWorker {
                    let base = site.profile.url(of: site.path(link.target))
                    waiting.append((link.target, Runner(file: link.target, base: base), true))
                } else if isPage, let isCertain = link.kind.runsScript {
                    let isEarly = summary.baseStart.map { link.range.lowerBound < $0 } ?? false
                    let isDeferred = link.kind == .html(.moduleScript)
                    waiting.append((link.target, isEarly && !isDeferred ? early : page, isCertain))
                }
            }
        }
        while let (script, runner, isCertain) = waiting.popLast() {
            guard Self.add(runner, isCertain, to: &found[script, default: Found()]) else {
                continue
            }
            for link in summaries[script].links where site.files[link.target].kind == .script {
                guard !link.kind.isWorker, let isCertainHere = link.kind.runsScript else {
                    continue
                }
                waiting.append((link.target, runner, isCertain && isCertainHere))
            }
        }
        self.found = found
        properties = PropertyUsers(site, summaries)
    }

    /// Whether the runner was added.
    private static func add(_ runner: Runner, _ isCertain: Bool, to found: inout Found) -> Bool {
        guard !found.certain.contains(where: { $0.file == runner.file }) else { return false }
        if isCertain {
            guard found.certain.count < most else { return false }
            found.certain.append(runner)
            return true
        }
        guard found.possible.count < most,
            !found.possible.contains(where: { $0.file == runner.file })
        else { return false }
        found.possible.append(runner)
        return true
    }

    /// The runners of a script; the launch page if no page is known to load it.
    func runners(of script: Int) -> Found {
        if let known = found[script], !known.isEmpty { return known }
        return Found(possible: [Runner(file: launchFile ?? script, base: launchURL)])
    }
}

extension ReferenceKind {
    /// Whether a link starts a worker, which is not part of the page.
    var isWorker: Bool {
        self == .script(.worker) || self == .script(.workerModuleURL)
    }

    /// Whether a link runs a script: immediately (`true`), possibly later (`false`), or never
    /// (`nil`).
    fileprivate var runsScript: Bool? {
        switch self {
        case .html(.script), .html(.moduleScript), .script(.staticImport), .script(.importScripts):
            true
        case .html(.modulePreload), .script(.dynamicImport), .script(.chunk),
            .script(.preloadDependency), .script(.literal), .script(.moduleURL):
            false
        default: nil
        }
    }
}
