import PackCheck
import PackEngine
import PackGround
import PackProfile

/// A build in memory under a profile.
struct OpenedBuild {
    let handler: Handler
    static let base = "customscheme://shop.example.com/"

    init(_ paths: [String], _ profile: Profile = .pathStrict) throws {
        var profile = profile
        if profile.hosts.isEmpty { profile.hosts = ["shop.example.com"] }
        handler = Handler(
            Resolver(
                profile: profile, listing: PackageListing(try paths.map { try AssetPath($0) })))
    }

    /// A visit of the launch page.
    func visit(
        _ url: String = base + "index.html", lazy: LazyChunks? = nil, alias: AssetPath? = nil,
        limits: PageVisit.Limits = .init()
    ) throws -> PageVisit {
        PageVisit(
            VisitReport(url: url, file: "index.html", route: .launch), page: 1, handler: handler,
            lazy: lazy ?? LazyChunks([]) { _ in nil }, picture: "/p.png", alias: alias,
            limits: limits, now: 0)
    }
}

extension PageVisit {
    /// Sends events at a time, and returns the commands.
    @discardableResult
    mutating func take(_ kinds: EngineEvent.Kind..., at now: Double = 0) -> [EngineCommand] {
        kinds.flatMap { receive(EngineEvent($0, page: 1), now: now) }
    }

    /// Answers all scripts until the visit ends; returns all commands.
    @discardableResult
    mutating func complete(
        from start: Double = 1, facts: String = #"{"text":4,"title":"Shop","links":[]}"#,
        colours: Int = 4
    ) -> [EngineCommand] {
        var now = start
        var all: [EngineCommand] = []
        while !isFinished, now < start + 60 {
            now += 0.2
            let commands = tick(now: now)
            all += commands
            for command in commands {
                switch command {
                case .evaluate(let number, _):
                    take(
                        .value(number: number, text: number == 1 || number == 4 ? facts : ""),
                        at: now)
                    if number == 2 { take(.message(#"{"kind":"scrolled"}"#), at: now) }
                    if number == 3 { take(.message(#"{"kind":"fired"}"#), at: now) }
                case .snapshot(let number, let path):
                    take(.snapshot(number: number, colours: colours, path: path), at: now)
                default: break
                }
            }
        }
        return all
    }
}

extension EngineEvent.Kind {
    static func request(_ path: String, range: String? = nil) -> EngineEvent.Kind {
        .request(number: 1, url: OpenedBuild.base + path, method: "GET", range: range)
    }

    static let loaded: [EngineEvent.Kind] = [
        .load(state: "committed", url: OpenedBuild.base + "index.html"),
        .load(state: "finished", url: OpenedBuild.base + "index.html"),
        .message(#"{"kind":"rested"}"#),
    ]
}
