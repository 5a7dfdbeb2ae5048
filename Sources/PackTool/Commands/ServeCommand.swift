import ArgumentParser
import PackCore
import PackServe
import PackSettings

/// `packtool serve`.
struct ServeCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves an origin or a build over HTTP, to try an app with.",
        usage: "packtool serve <origin-or-build> [--watch] [<options>]",
        discussion: """
            Answers as a well set up CDN does: caching, ranges, types, CORS, real 404s. A build is \
            published to a temporary origin first, without being checked, and with --watch again after \
            every change, so that an app follows by its ordinary update. It is for your desk, not for the \
            internet: only this machine is answered, unless --listen says otherwise.

            Example:
              packtool serve cdn
              packtool serve dist --watch --listen 0.0.0.0:8080
              packtool serve dist --page
            """)

    @Argument(
        help: ArgumentHelp("The origin's or build's directory.", valueName: "origin-or-build"),
        completion: .path)
    var source: String?

    @Option(
        help: ArgumentHelp(
            "IP address and port; port 0 takes a free one (default: \(Defaults.listen)).",
            valueName: "address"))
    var listen: String?

    @Flag(help: "Publish a build again after every change.")
    var watch = false

    @Flag(help: "Show a build in a desktop browser, as the profile's handler would answer.")
    var page = false

    @Option(
        help: ArgumentHelp(
            "What to do wrong: stale (the pointer before), 404 (releases and objects), slow, cut.",
            valueName: "fault"))
    var fault: ServeFault?

    @OptionGroup var line: ChannelOption
    @OptionGroup var identity: IdentityOptions
    @OptionGroup var pages: PageOptions
    @OptionGroup var launch: LaunchOption
    @OptionGroup var exclude: ExcludeOption
    @OptionGroup var output: OutputOptions

    func give(to settings: inout Configuration) {
        settings.set(.build, source)
        line.give(to: &settings)
        identity.give(to: &settings)
        pages.give(to: &settings)
        launch.give(to: &settings)
        exclude.give(to: &settings)
    }

    func validate() throws {
        if page, watch { throw ValidationError("--page shows every change; omit --watch.") }
        if page, fault != nil { throw ValidationError("--page and --fault contradict each other.") }
    }

    func run(_ console: Console) async throws -> Int32 {
        let settings = try settings()
        let address = try ListenAddress(listen ?? Defaults.listen)
        let path = try localOrigin(try settings.build())
        let directory = try Directory.open(path)
        Interruption.isExpected()
        if page {
            try await servePages(directory, settings, address, console)
        } else if try await OriginHistory(StoreOpener.list(path), policy: .recordedInLog).isOrigin()
        {
            if watch { throw NeedsBuild(path: path) }
            try await serveOrigin(directory, path, address, console)
        } else {
            try await serveBuild(path, settings, address, console)
        }
        return 0
    }

    // MARK: What is served

    private func serveOrigin(
        _ directory: Directory, _ path: String, _ address: ListenAddress, _ console: Console
    ) async throws {
        try await serve(OriginServer(directory, fault: fault), address, console) { own in
            tell(own, "serving \(path)", base: nil, console)
        }
    }

    private func serveBuild(
        _ path: String, _ settings: Settings, _ address: ListenAddress, _ console: Console
    ) async throws {
        try await TemporaryDirectory.with { scratch in
            let origin = "\(scratch.path)/origin"
            let directory = try Directory.openOrCreate(origin)
            try await serve(OriginServer(directory, fault: fault), address, console) { own in
                let publisher = try ServedBuild(
                    path: path, origin: origin, scratch: scratch.path, settings: settings,
                    address: own)
                try await publisher.publish(console)
                tell(own, "serving \(path)", base: publisher.baseURL, console)
                if watch { try await publisher.watch(console) }
            }
        }
    }

    private func servePages(
        _ build: Directory, _ settings: Settings, _ address: ListenAddress, _ console: Console
    ) async throws {
        let server = PageServer(build, settings.profile, excluding: settings.exclusions)
        try await WebServer(address) { request in
            let answer = try server.answer(request)
            log(request, answer, console)
            return answer
        }.run { own in
            let url = "http://\(own)\(server.start)"
            guard !output.json else {
                console.print(json: .members(["url": .string(url)]))
                return console.flush()
            }
            var lines = Lines("serving \(build.path) as the app's handler would")
            lines.add("open", url)
            lines.add("profile", settings.profile.name)
            lines.add("stop", "Ctrl-C")
            console.print(lines.text)
            console.flush()
        }
    }

    private func serve(
        _ server: OriginServer, _ address: ListenAddress, _ console: Console,
        ready: @escaping @Sendable (ListenAddress) async throws -> Void
    ) async throws {
        try await WebServer(address, fault: fault) { request in
            let answer = try server.answer(request)
            log(request, answer, console)
            return answer
        }.run(ready: ready)
    }

    // MARK: What is said

    private func log(_ request: ServeRequest, _ answer: ServeAnswer, _ console: Console) {
        guard !output.quiet else { return }
        let target = withoutSecrets(String(request.target.prefix(200)))
        console.talk("\(request.method) \(target) \(answer.status)")
    }

    private func tell(
        _ address: ListenAddress, _ headline: String, base: BaseURL?, _ console: Console
    ) {
        let channel = (try? settings().channel())?.description ?? Channel.production.description
        let root = base?.description ?? "http://\(address)"
        let pointer = "\(root)/channels/\(channel)/pointer.json"
        guard !output.json else {
            console.print(
                json: .members([
                    "address": .string("http://\(address)"), "pointer": .string(pointer),
                ]))
            return console.flush()
        }
        var lines = Lines(headline)
        lines.add("pointer", pointer)
        if let fault { lines.add("fault", fault.rawValue) }
        if address.isAny {
            lines.add("devices", "reach it by this machine's own address; see --base-url")
        }
        lines.add(
            "iOS",
            "plain http needs NSAllowsLocalNetworking (or NSAllowsArbitraryLoads) in a debug build")
        lines.add("Android", "plain http needs usesCleartextTraffic=\"true\" in a debug build")
        lines.add("try", "packtool install http://\(address) --into phone")
        lines.add("stop", "Ctrl-C")
        console.print(lines.text)
        console.flush()
    }
}

extension ServeFault: ExpressibleByArgument {}

/// Something is to be watched that no command publishes from.
private struct NeedsBuild: Remedied {
    let path: String

    var code: String { "serve.watch-origin" }
    var description: String { "'\(path)' is an origin; --watch publishes a build" }
    var remedy: String {
        "name the build's directory, or omit --watch: an origin is read again for every request"
    }
    var exitCode: ExitCode { .usage }
}
