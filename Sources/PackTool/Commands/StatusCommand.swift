import ArgumentParser
import PackGround
import PackOrigin
import PackRelease
import PackSettings
import PackTrust

/// `packtool status`.
struct StatusCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Lists the offers of each channel of an origin, with their conditions.",
        usage: "packtool status [<origin>] [<options>]",
        discussion: """
            Reads only the pointers; 'packtool verify' also checks their files.

            Example:
              packtool status cdn
              packtool status cdn --json
            """)

    @OptionGroup var location: OriginArgument
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) { location.apply(to: &settings) }

    func run(_ console: Console) async throws -> Int32 {
        let settings = try settings(console)
        let now = try console.environment.clientTime()
        let history = OriginHistory(
            try location.store(settings, console, .hashes), policy: .recordedInLog)
        let (channels, trust) = try await history.store.together(history.overview) { _ in
            try await OriginTrust.read(history.store)
        }
        guard !channels.isEmpty else {
            throw try Failure.originNothingPublished(
                channel: nil, origin: location.origin(settings))
        }
        let origin = try location.origin(settings)
        var refusals: [Channel: String] = [:]
        for case let published? in channels.map(\.published) {
            refusals[published.pointer.channel] =
                try await trust.problem(of: published, history.reader)
        }
        if output.json {
            console.print(
                json: .members([
                    "origin": .string(origin),
                    "root": trust.root.map { .integer($0.root.version) },
                    "rootExpires": trust.root.map { .string($0.root.expires.description) },
                    "rootProblem": trust.problem(now).json,
                    "channels": .array(channels.map { json($0, refusals[$0.channel], now) }),
                ]))
        } else {
            for channel in channels {
                console.print(text(channel, at: origin, trust, refusals[channel.channel], now))
            }
            if let note = trust.note(now) { console.note(note) }
        }
        let isRefused = !refusals.isEmpty || channels.contains { $0.published == nil }
        return isRefused || trust.problem(now) != nil ? ExitCode.verification.rawValue : 0
    }

    private func text(
        _ channel: ChannelOverview, at origin: String, _ trust: OriginTrust, _ refusal: String?,
        _ now: Timestamp
    ) -> Text {
        guard let published = channel.published else {
            return Lines("\(channel.channel): \(channel.problem ?? "nothing was published")").text
        }
        let pointer = published.pointer
        var lines = Lines("\(channel.channel), sequence \(pointer.sequence)")
        for (index, entry) in pointer.entries.enumerated() {
            lines.add(pointer.isClosed ? "had" : index == 0 ? "offers" : "else", entry.summary)
        }
        if pointer.isClosed {
            lines.add("state", "closed: no updates; prune deletes its releases")
        } else if pointer.bypasses {
            lines.add("state", "paused; apps load the https pages")
        } else if !pointer.isEnabled {
            lines.add("state", "paused")
        }
        if let sequence = pointer.mandatorySequence {
            lines.add("mandatory", "for devices with a release from before sequence \(sequence)")
        }
        lines.add("since", pointer.createdAt.description + (pointer.by.map { ", by \($0)" } ?? ""))
        lines.add("expires", expiry(pointer, now))
        if let signers = trust.signers(of: published) { lines.add("signed", signers) }
        if let refusal { lines.add("refused", "by clients with a root: \(refusal)") }
        if let unconditional = pointer.unconditional, channel.channel == .production,
            unconditional != pointer.entry
        {
            lines.add("info.json", unconditional.name)
        }
        lines.add("origin", origin)
        lines.add("base URL", published.baseURL.description)
        if channel.isUnderWay {
            let what =
                switch channel.isAtWork {
                case true?: "a command is changing the channel"
                case false?: "a command on the channel was interrupted; run it again to finish it"
                case nil: "a command is changing the channel, or was interrupted"
                }
            lines.add("note", what)
        }
        return lines.text
    }

    private func expiry(_ pointer: Pointer, _ now: Timestamp) -> String {
        guard let expires = pointer.expires else { return "never" }
        let days = (expires.seconds - now.seconds) / 86_400
        if expires <= now { return "\(expires): it has expired; run 'packtool renew'" }
        return days < 14
            ? "\(expires), in \(counted(days, "day")); run 'packtool renew'" : expires.description
    }

    private func json(
        _ channel: ChannelOverview, _ refusal: String?, _ now: Timestamp
    ) -> JSONValue {
        guard let published = channel.published else {
            return .members([
                "channel": .string(channel.channel.description), "problem": channel.problem.json,
            ])
        }
        let pointer = published.pointer
        return .members([
            "channel": .string(channel.channel.description),
            "sequence": .integer(pointer.sequence), "previous": pointer.previous.json,
            "operation": (pointer.operation?.rawValue).json, "by": pointer.by.json,
            "createdAt": .string(pointer.createdAt.description),
            "expires": pointer.expires.map { .string($0.description) } ?? .null,
            "expired": .bool(pointer.expires.map { $0 <= now } ?? false),
            "refused": refusal.json,
            "enabled": .bool(pointer.isEnabled), "bypass": .bool(pointer.bypasses),
            "closed": .bool(pointer.isClosed),
            "mandatory": .bool(pointer.isMandatory),
            "mandatorySequence": pointer.mandatorySequence.json,
            "offers": .array(pointer.entries.map(\.json)),
            "unconditional": (pointer.unconditional?.version.description).json,
            "baseURL": .string(published.baseURL.description),
            "inProgress": .bool(channel.isUnderWay),
        ])
    }
}
