import ArgumentParser
import PackClient
import PackGround
import PackOrigin
import PackRelease
import PackSettings
import PackTrust

/// `packtool explain`.
struct ExplainCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Shows the update that one device would make now, and the reasons.",
        usage: "packtool explain [<origin>] [<options>]",
        discussion: """
            Prints each decision of the client with the compared values: sequence, pause, expiry, \
            the app version and the device's share for each offered release. Exit code 0 if the \
            device would update, 1 if not. --client basename-cache explains a client that reads \
            only info.json: it ignores shares, pauses and app versions, and fetches single files. \
            --start shows which release of an installation the app would run, without an origin.

            Example:
              packtool explain cdn --device 5f3c --native 3.2
              packtool explain cdn --platform android --native 3.3
              packtool explain cdn --installed 1.0
              packtool explain cdn --installed 1.0 --link 50mbit --cpu 0.3
              packtool explain cdn --installed 1.0 --client basename-cache
              packtool explain --start phone --embedded offline --native 3.2
            """)

    @OptionGroup var location: OriginArgument

    @Option(help: ArgumentHelp("The version of the app, such as 3.2.", valueName: "version"))
    var native: NativeVersion?

    @OptionGroup var app: PlatformOption

    @Option(
        help: ArgumentHelp("The device's id, as in its state.json.", valueName: "id"))
    var device: String?

    @Option(
        help: ArgumentHelp("The installed release: its label or version.", valueName: "release"))
    var installed: String?

    @Option(
        help: ArgumentHelp("The sequence that the device has seen last.", valueName: "sequence"))
    var seen: Int?

    @Option(
        help: ArgumentHelp(
            "The client of the device (default: reference).", valueName: "client"))
    var client: ExplainedClient?

    @Option(
        help: ArgumentHelp(
            "The device's link, such as 50mbit, to choose between delta and package by time.",
            valueName: "speed"))
    var link: LinkSpeed?

    @Option(
        help: ArgumentHelp(
            """
            The device's processor; 1 is a core that decodes a byte in 0.8 µs (default: 0.3, a phone \
            of about 2021).
            """, valueName: "factor"))
    var cpu: Double?

    @Option(
        help: ArgumentHelp(
            "Show what the app starts from this installation.", valueName: "dir"),
        completion: .path)
    var start: String?

    @Option(
        help: ArgumentHelp(
            "With --start: the release in the app, as 'packtool embed' wrote it.", valueName: "dir"),
        completion: .path)
    var embedded: String?

    @OptionGroup var trust: TrustOption
    @OptionGroup var line: ChannelOption
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        location.apply(to: &settings)
        line.apply(to: &settings)
    }

    func validate() throws {
        try checkDevice(device)
        if let seen, seen < 0 { throw ValidationError("--seen takes 0 or more.") }
        if cpu != nil, link == nil {
            throw ValidationError("--cpu needs --link: without it, the fewest bytes decide.")
        }
        if let cpu, !(0.01...100).contains(cpu) {
            throw ValidationError("--cpu takes 0.01 to 100.")
        }
        if embedded != nil, start == nil { throw ValidationError("--embedded needs --start.") }
        if start != nil {
            let unused = [
                ("the origin", location.given != nil), ("--platform", app.platform != nil),
                ("--device", device != nil),
                ("--installed", installed != nil), ("--seen", seen != nil),
                ("--client", client != nil), ("--link", link != nil),
                ("--trust", trust.trust != nil), ("--channel", line.channel != nil),
            ].first(where: \.1)
            guard let unused else { return }
            throw ValidationError("A start reads only the device; leave out \(unused.0).")
        }
        guard client == .basenameCache else { return }
        let unused = [
            ("--native", native != nil), ("--platform", app.platform != nil),
            ("--device", device != nil), ("--seen", seen != nil),
            ("--trust", trust.trust != nil), ("--link", link != nil),
            ("--channel", line.channel != nil && line.channel != Channel.production.description),
        ].first(where: \.1)
        guard let unused else { return }
        throw ValidationError(
            "A basename-cache client knows only info.json, which shows channel 'production'; leave out \(unused.0)."
        )
    }

    func run(_ console: Console) async throws -> Int32 {
        if let start { return try StartExplanation.show(start, embedded, native, output, console) }
        let store = try location.store(settings(console), console)
        let history = OriginHistory(store, policy: .recordedInLog)
        if client == .basenameCache {
            let explanation = try await BasenameCacheExplanation.of(history, installed: installed)
            if output.json {
                console.print(json: explanation.json)
            } else {
                console.print(explanation.text)
            }
            return code(explanation.verdict)
        }
        var request = ExplainRequest(
            channel: try settings().channel(), nativeVersion: native, platform: app.platform,
            device: device, seen: seen,
            now: try console.environment.clientTime(), pin: try trust.pin(),
            time: link.map {
                UpdateTime(speed: cpu ?? UpdateTime.usualSpeed, link: $0.bytesPerSecond)
            })
        if let installed {
            if let version = Version(installed) {
                request.installed = version
            } else {
                request.installed = try await history.offer(named: installed).pointer.version
            }
        }
        let explanation = try await Explanation.of(request, at: store)
        let refusal = request.pin == nil ? try await refusal(of: request, history) : nil
        if let refusal { console.note("clients with a trust root refuse this pointer: \(refusal)") }
        if output.json {
            console.print(json: json(explanation, refusal))
        } else {
            console.print(text(explanation, refusal))
        }
        return refusal == nil ? code(explanation.verdict) : ExitCode.verification.rawValue
    }

    /// The reason why clients with the newest root refuse the pointer; a client without a root does
    /// not notice.
    private func refusal(
        of request: ExplainRequest, _ history: OriginHistory
    ) async throws -> String? {
        let trust = try await OriginTrust.read(history.reader.store)
        if let problem = trust.problem(request.now) { return problem }
        guard let published = try await history.reader.pointer(request.channel) else { return nil }
        return try await trust.problem(of: published, history.reader)
    }

    private func code(_ verdict: Explanation.Verdict) -> Int32 {
        verdict == .updates ? 0 : ExitCode.verification.rawValue
    }

    private func text(_ explanation: Explanation, _ refusal: String?) -> Text {
        let headline = headline(explanation)
        var lines = Lines(
            refusal == nil
                ? headline : "does not update if it has a trust root; without one: \(headline)")
        for step in explanation.steps {
            lines.add("  \(step.passes ? "yes" : "no ")  \(step.what): \(step.finding)")
        }
        if explanation.mustUpdate {
            lines.add("  the installed release must be updated before the app continues")
        }
        if explanation.verdict == .updates {
            lines.add("fetches", readableSize(explanation.fetched.total))
        }
        return lines.text
    }

    private func headline(_ explanation: Explanation) -> String {
        let name = explanation.entry?.name ?? ""
        switch explanation.verdict {
        case .updates:
            return "updates to \(name) by \(explanation.route?.rawValue ?? "package")"
        case .installed: return "\(name) is already installed"
        case .kept: return "keeps the installed release: nothing is offered to this device"
        case .refused: return "does not update"
        }
    }

    /// - Parameter refusal: The reason why clients with a root refuse the pointer.
    private func json(_ explanation: Explanation, _ refusal: String?) -> JSONValue {
        .members([
            "client": .string("reference"), "verdict": .string(explanation.verdict.rawValue),
            "channel": .string(explanation.pointer.channel.description),
            "sequence": .integer(explanation.pointer.sequence),
            "version": (explanation.entry?.version.description).json,
            "label": (explanation.entry?.label).json,
            "route": (explanation.route?.rawValue).json,
            "refused": refusal.json, "mustUpdate": .bool(explanation.mustUpdate),
            "fetched": .integer(explanation.fetched.total),
            "steps": .array(
                explanation.steps.map {
                    .members([
                        "what": .string($0.what), "finding": .string($0.finding),
                        "passes": .bool($0.passes),
                    ])
                }),
        ])
    }
}

/// The speed of a link, such as `50mbit`.
struct LinkSpeed: ExpressibleByArgument {
    let bytesPerSecond: Double

    private static let units = ["kbit": 1e3, "mbit": 1e6, "gbit": 1e9]

    init?(argument: String) {
        let number = argument.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let unit = Self.units[String(argument.dropFirst(number.count)).lowercased()],
            let count = Double(number), (0.001...100_000).contains(count)
        else { return nil }
        bytesPerSecond = count * unit / 8
    }
}

/// The clients whose decisions can be explained.
enum ExplainedClient: String, ExpressibleByArgument, CaseIterable {
    /// The reference client, `install`.
    case reference
    /// A client that only reads `info.json`.
    case basenameCache = "basename-cache"
}

/// Rejects an invalid device id.
func checkDevice(_ device: String?) throws {
    guard let device else { return }
    guard !device.isEmpty, device.utf8.count <= InstallState.deviceLimit,
        printable(device.utf8) == device
    else {
        throw ValidationError(
            "--device takes 1 to \(InstallState.deviceLimit) bytes without control characters.")
    }
}
