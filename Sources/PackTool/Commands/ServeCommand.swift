import ArgumentParser
import PackGround
import PackOrigin
import PackProfile
import PackRelease
import PackServe
import PackSettings
import PackSockets
import PackTrust

/// `packtool serve`.
struct ServeCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves an origin or a build over HTTP, for testing an app.",
        usage: "packtool serve <origin-or-build> [--watch] [<options>]",
        discussion: """
            Answers like a well-configured CDN: caching, ranges, types, CORS, real 404s. An origin \
            is a directory, or an s3:// or https:// address whose files are fetched on request. A \
            build is published to a temporary origin without a check; --watch publishes every \
            change, so that an app follows with its normal update. Use it on your desk, not on the \
            internet: by default it answers only this machine (see --listen). Browsers can read it \
            from the app's own pages, according to the profile; for others see --allow-origin.

            Example:
              packtool serve cdn
              packtool serve dist --watch --listen 0.0.0.0:8080
              packtool serve cdn --listen 0.0.0.0:8080 --allow-host my-machine.local
              packtool serve dist --page
            """)

    @Argument(
        help: ArgumentHelp(
            "The origin's or build's directory, or the address of an origin.",
            valueName: "origin-or-build"),
        completion: .path)
    var source: String?

    @Option(
        help: ArgumentHelp(
            "IP address and port; port 0 selects a free one (default: \(Defaults.listen)).",
            valueName: "address"))
    var listen: String?

    @Flag(help: "Publish a build again after every change.")
    var watch = false

    @Flag(help: "Show a build in a desktop browser, with the answers of the profile's handler.")
    var page = false

    @Option(
        help: ArgumentHelp(
            "The fault to simulate: stale (the previous pointer), 404 (releases and objects), slow, cut.",
            valueName: "fault"))
    var fault: ServeFault?

    @Option(
        help: ArgumentHelp(
            "Another host name of this server, besides localhost and IP addresses; repeatable.",
            valueName: "name"))
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "A web origin whose pages may read the answers, besides the profile's; repeatable.",
            valueName: "web-origin"))
    var allowOrigin: [String] = []

    @OptionGroup var line: ChannelOption
    @OptionGroup var identity: IdentityOptions
    @OptionGroup var pages: PageOptions
    @OptionGroup var launch: LaunchOption
    @OptionGroup var exclude: ExcludeOption
    @OptionGroup var origins: OriginOptions
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        settings.set(.build, source)
        line.apply(to: &settings)
        identity.apply(to: &settings)
        pages.apply(to: &settings)
        launch.apply(to: &settings)
        exclude.apply(to: &settings)
        origins.apply(to: &settings)
    }

    func validate() throws {
        if page, watch { throw ValidationError("--page shows every change; omit --watch.") }
        if page, fault != nil { throw ValidationError("--page and --fault contradict each other.") }
        for host in allowHost where host.contains(where: { "/:*@".contains($0) }) || host.isEmpty {
            throw ValidationError("--allow-host takes a name alone, such as my-machine.local.")
        }
        for origin in allowOrigin where origin != "null" && !Self.isWebOrigin(origin) {
            throw ValidationError(
                "--allow-origin takes a scheme and a host, such as https://shop.example.com.")
        }
    }

    private static func isWebOrigin(_ text: String) -> Bool {
        guard let slashes = text.firstRange(of: "://"), slashes.lowerBound > text.startIndex else {
            return false
        }
        let host = text[slashes.upperBound...]
        return !host.isEmpty && !host.contains { "/?#@* ".contains($0) }
    }

    /// The pages allowed to read served files.
    ///
    /// Pages of `--page` come from this server. An app's own pages have the web origins of the
    /// profile.
    private func browserAccess(_ settings: Settings) -> BrowserAccess {
        let base = identity.baseURL.flatMap { HTTPAddress.hostName(of: $0) }
        return BrowserAccess(
            hosts: allowHost + (base.map { [$0] } ?? []),
            origins: allowOrigin + (page ? [] : settings.webOrigins))
    }

    func run(_ console: Console) async throws -> Int32 {
        let settings = try settingsWithBuild(console)
        let address = try ListenAddress(listen ?? Defaults.listen)
        let source = try settings.build()
        let opener = try origins.opener(settings, for: [source], console)
        let origin = OriginAddress(source)
        if origin.isRemote {
            try refuseOptionsOfABuild()
            let shown = withoutSecrets(source)
            if watch {
                throw Failure.serveNeedsBuild(path: shown, flag: "--watch publishes a build")
            }
            if page { throw Failure.serveNeedsBuild(path: shown, flag: "--page shows a build") }
            console.interruption.isExpected()
            try await serveStore(opener.open(origin), address, console)
            return 0
        }
        let path = try localOrigin(source)
        let directory = try Directory.open(path)
        console.interruption.isExpected()
        if page {
            // A build for `--page` may contain a directory 'channels'.
            if try BuildDirectory.isOrigin(path) {
                throw Failure.serveNeedsBuild(path: path, flag: "--page shows a build")
            }
            try await servePages(directory, settings, address, console)
        } else if try await OriginHistory(StoreOpener.list(path), policy: .recordedInLog).isOrigin()
        {
            if watch {
                throw Failure.serveNeedsBuild(path: path, flag: "--watch publishes a build")
            }
            try refuseOptionsOfABuild()
            try await serveOrigin(directory, path, address, console)
        } else {
            try await serveBuild(path, settings, address, console)
        }
        return 0
    }

    /// Rejects options of a build, because an origin is served unchanged.
    private func refuseOptionsOfABuild() throws {
        try UnusedFlag.refuse(
            [
                ("--app", identity.app != nil), ("--base-url", identity.baseURL != nil),
                ("--profile", !pages.profile.isEmpty),
                ("--scheme", pages.scheme != nil),
                ("--host", !pages.host.isEmpty),
                ("--page-origin", pages.pageOrigin != nil),
                ("--launch", launch.launch != nil), ("--exclude", !exclude.exclude.isEmpty),
            ], because: "an origin is served as it is")
    }

    // MARK: Serving

    private func serveOrigin(
        _ directory: Directory, _ path: String, _ address: ListenAddress, _ console: Console
    ) async throws {
        let history = OriginHistory(try StoreOpener.list(path), policy: .recordedInLog)
        for channel in try await history.channels() {
            await warn(of: channel, history.reader, console)
        }
        try await serve(OriginServer(directory, fault: fault), address, console) { own in
            announce(own, "serving \(path)", base: nil, console)
        }
    }

    private func serveStore(
        _ store: any OriginStore, _ address: ListenAddress, _ console: Console
    ) async throws {
        // Report a wrong address at once, not at the first request.
        let channel = try settings().channel()
        let reader = OriginReader(store, policy: .recordedInLog)
        guard try await reader.pointer(channel) != nil else {
            throw Failure.originNothingPublished(
                channel: channel.description, origin: store.address)
        }
        await warn(of: channel, reader, console)
        try await TemporaryDirectory.with(console) { scratch in
            let server = OriginServer(store, scratch: scratch, fault: fault)
            try await serve(server, address, console) { own in
                announce(own, "serving \(store.address)", base: nil, console)
            }
        }
    }

    /// Warns of a pointer that devices refuse.
    ///
    /// It is served regardless, so that an app can be tested with it.
    private func warn(of channel: Channel, _ reader: OriginReader, _ console: Console) async {
        guard let refusal = await OriginTrust.refusal(of: channel, reader) else { return }
        console.stderr("warning: \(withoutSecrets(refusal))")
    }

    private func serveBuild(
        _ path: String, _ settings: Settings, _ address: ListenAddress, _ console: Console
    ) async throws {
        try await TemporaryDirectory.with(console) { scratch in
            let origin = "\(scratch.path)/origin"
            let directory = try Directory.openOrCreate(origin)
            try await serve(OriginServer(directory, fault: fault), address, console) { own in
                let publisher = try ServedBuild(
                    path: path, origin: origin, scratch: scratch.path, settings: settings,
                    address: own, base: identity.baseURL.map { try BaseURL($0) })
                let ready = { announce(own, "serving \(path)", base: publisher.baseURL, console) }
                if watch { return try await publisher.watch(console, ready: ready) }
                try await publisher.publish(console)
                ready()
            }
        }
    }

    private func servePages(
        _ build: Directory, _ settings: Settings, _ address: ListenAddress, _ console: Console
    ) async throws {
        let profiles = try settings.usableProfiles()
        let server = PageServer(build, settings.profile, excluding: settings.exclusions)
        let browsers = browserAccess(settings)
        try await WebServer(address, webSettings(console)) { request in
            try await answer(request, browsers, console) {
                try server.answer(request, now: console.environment.monotonicSeconds())
            }
        }.run { own in
            let url = "http://\(own)\(server.start)"
            guard !output.json else {
                console.print(json: .members(["url": .string(url)]))
                return console.flush()
            }
            var lines = Lines("serving \(build.path) as the app's handler would")
            lines.add("open", url)
            lines.add(
                "profile",
                settings.profile.name
                    + (profiles.count > 1 ? " (--profile shows the pages of another)" : ""))
            lines.add("stop", "Ctrl-C")
            console.print(lines.text)
            console.flush()
        }
    }

    private func serve(
        _ server: OriginServer, _ address: ListenAddress, _ console: Console,
        ready: @escaping @Sendable (ListenAddress) async throws -> Void
    ) async throws {
        let browsers = browserAccess(try settings())
        try await WebServer(address, webSettings(console)) { request in
            try await answer(request, browsers, console) { try await server.answer(request) }
        }.run(ready: ready)
    }

    private func webSettings(_ console: Console) throws -> WebServer.Settings {
        var settings = WebServer.Settings(now: { console.environment.clock.seconds })
        settings.fault = fault
        if let seconds = try console.environment.networkPatience() { settings.patience = seconds }
        settings.refused = { refusal in
            if !output.quiet { console.stderr("refused: \(refusal.reason) \(refusal.status)") }
        }
        return settings
    }

    // MARK: Logging

    /// Answers and logs a request; the reason of a failure is only logged, not sent to the client.
    private func answer(
        _ request: ServeRequest, _ browsers: BrowserAccess, _ console: Console,
        _ make: () async throws -> ServeAnswer
    ) async throws -> ServeAnswer {
        let line = "\(request.method) \(withoutSecrets(String(request.target.prefix(200))))"
        if let refusal = browsers.refusal(of: request) {
            if !output.quiet { console.stderr("\(line) \(refusal.status): \(refusal.reason)") }
            return refusal.answer
        }
        do {
            let answer = browsers.opened(try await make(), for: request)
            if !output.quiet { console.stderr("\(line) \(answer.status)") }
            return answer
        } catch {
            console.stderr("\(line) 500: \(withoutSecrets("\(error)"))")
            throw error
        }
    }

    private func announce(
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
            lines.add("devices", "use this machine's own address; see --base-url")
        }
        lines.add(
            "iOS",
            "plain http needs NSAllowsLocalNetworking (or NSAllowsArbitraryLoads) in a debug build")
        lines.add("Android", "plain http needs usesCleartextTraffic=\"true\" in a debug build")
        let line = channel == Channel.production.description ? "" : " --channel \(channel)"
        lines.add("try", "packtool install \(address.ownURL)\(line) --into phone")
        lines.add("stop", "Ctrl-C")
        console.print(lines.text)
        console.flush()
    }
}

extension ServeFault: ExpressibleByArgument {}

extension Failure.Code {
    static let serveNeedsBuild = Self("serve.needs-build")
}

extension Failure {
    /// A flag that only applies to a build.
    ///
    /// - Parameter flag: The flag and its effect.
    fileprivate static func serveNeedsBuild(path: String, flag: String) -> Failure {
        Failure(.serveNeedsBuild, "'\(path)' is an origin; \(flag)", exitCode: .usage)
    }
}
