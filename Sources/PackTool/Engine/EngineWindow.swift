import PackCheck
import PackEngine
import PackGround
import PackProfile

/// A window that shows a build, and the list of its requests.
struct EngineWindow {
    /// A request with its answer.
    struct Request: Equatable {
        let url: String
        /// The file that answered; `nil` if none did.
        let file: String?
        let answer: String

        var json: JSONValue {
            .members([
                "url": .string(url), "file": file.map { .string($0) }, "answer": .string(answer),
            ])
        }
    }

    /// The largest number of remembered requests.
    private static let limit = 10_000

    private let site: SiteIndex
    private let hasNetwork: Bool
    private let console: Console
    private let handler: Handler

    init(_ site: SiteIndex, hasNetwork: Bool, _ console: Console) {
        self.site = site
        self.hasNetwork = hasNetwork
        self.console = console
        handler = Handler(site.resolver)
    }

    /// Shows the window until the user closes it.
    ///
    /// - Parameter temporary: The content of a temporary directory.
    func show(_ build: Directory, in temporary: Directory) throws -> [Request] {
        var plan = VisitPlan(handler, pages: site.files.map(\.path), limit: 1)
        guard let first = plan.next() else { return [] }
        let launch = try EngineLaunch(
            site.profile, build: resolvedPath(build.path), in: temporary, named: "window",
            hasNetwork: hasNetwork, hasWindow: true)
        let engine = try EngineProcess(launch, console.environment)
        defer { engine.end() }
        let version: String
        do {
            version = try EngineRun.version(engine, console.environment)
        } catch let failure as Failure where failure["name"] == "a display" {
            throw Failure.engineNoDisplay()
        }
        console.stdout("showing \(first.url) in \(version); close the window to stop")
        console.flush()
        engine.send(.visit(page: 1, url: first.url, width: 430, height: 800))
        return try follow(engine)
    }

    private func follow(_ engine: EngineProcess) throws -> [Request] {
        var requests: [Request] = []
        var pages: Set<String> = []
        while true {
            try Task.checkCancellation()
            let event: EngineEvent?
            do throws(EngineProcess.Fault) {
                engine.reset()
                event = try engine.next(milliseconds: 200)
            } catch {
                // The user has closed the window, or the engine has crashed.
                return requests
            }
            var request: Request?
            switch event?.kind {
            case .left: return requests
            case .navigation(let url): pages.insert(url)
            case .request(let number, let url, _, let range):
                let decision = handler.answer(url, range: range, isPage: pages.contains(url))
                engine.send(.answer(number: number, decision.answer))
                request = Request(url: url, file: decision.file, answer: Self.text(decision))
            case .failed(let url, let reason) where !url.hasPrefix(scheme):
                request = Request(
                    url: url, file: nil,
                    answer: hasNetwork ? "another host: \(reason)" : "another host, not reached")
            default: break
            }
            if let request {
                engine.send(.list(Self.line(request)))
                if requests.count < Self.limit { requests.append(request) }
            }
        }
    }

    private var scheme: String {
        String(decoding: site.profile.canonicalScheme, as: UTF8.self) + ":"
    }

    private static func text(_ decision: Handler.Decision) -> String {
        if decision.isStartPage { return "the start page instead" }
        if decision.isMiss { return "not in the package" }
        return decision.file == nil ? "by the framework" : decision.answer.type
    }

    private static func line(_ request: Request) -> String {
        let answer =
            request.file.map { "\(printable($0.utf8)), \(request.answer)" } ?? request.answer
        return "\(request.file == nil ? "✗" : "✓") \(printable(request.url.utf8))\n    \(answer)"
    }
}
