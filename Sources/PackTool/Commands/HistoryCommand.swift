import ArgumentParser
import PackGround
import PackOrigin
import PackRelease
import PackSettings
import PackTrust

/// `packtool history`.
struct HistoryCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Lists the pointers of a channel and their offers, newest first.",
        usage: "packtool history [<origin>] [<options>]",
        discussion: """
            One line for each pointer that was live: its sequence, time, operation, release and share, and \
            whether a prune has deleted the release.

            Example:
              packtool history cdn
              packtool history cdn --channel beta --limit 5
            """)

    @OptionGroup var location: OriginArgument

    @Option(
        help: ArgumentHelp(
            "The maximum number of lines; 0 for all (default: 20).", valueName: "count"))
    var limit: Int?

    @OptionGroup var line: ChannelOption
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        location.apply(to: &settings)
        line.apply(to: &settings)
    }

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit takes 0 or more.") }
    }

    func run(_ console: Console) async throws -> Int32 {
        let settings = try settings(console)
        let history = OriginHistory(
            try location.store(settings, console, .hashes), policy: .recordedInLog)
        guard try await history.isOrigin() else {
            throw try Failure.originNotAnOrigin(path: location.origin(settings))
        }
        let channel = try settings.channel()
        let past = try await history.past(channel, limit: limit == 0 ? Int.max : limit ?? 20)
        let pruned = try await history.pruned(among: past, of: channel)
        let refusal = try await refusal(of: past, history.reader)
        if let refusal {
            console.note("clients with a trust root refuse the current pointer: \(refusal)")
        }
        if output.json {
            console.print(
                json: .members([
                    "channel": .string(channel.description), "refused": refusal.json,
                    "pointers": .array(past.map { json($0, pruned) }),
                ]))
        } else {
            for entry in past { console.print(Text(text(entry, pruned))) }
        }
        return 0
    }

    /// The reason why clients with the origin's newest root refuse the channel's live pointer.
    private func refusal(
        of past: [OriginHistory.Past], _ reader: OriginReader
    ) async throws -> String? {
        // The list already shows unreadable pointers.
        guard let newest = past.first?.published else { return nil }
        return try await OriginTrust.read(reader.store).problem(
            of: newest, before: past.dropFirst().first?.published)
    }

    private func text(_ past: OriginHistory.Past, _ pruned: Set<Version>) -> String {
        guard let pointer = past.pointer else {
            return "\(past.sequence)  cannot be read; run 'packtool verify'"
        }
        var parts = [
            "\(past.sequence)", pointer.createdAt.description,
            pointer.operation?.rawValue ?? "publish", pointer.entry.summary,
        ]
        if pruned.contains(pointer.version) { parts.append("pruned") }
        if pointer.isClosed {
            parts.append("closed")
        } else if !pointer.isEnabled {
            parts.append(pointer.bypasses ? "paused, bypass" : "paused")
        }
        if let source = pointer.source { parts.append("from \(source.channel) \(source.sequence)") }
        if let by = pointer.by { parts.append("by \(by)") }
        return parts.joined(separator: "  ")
    }

    private func json(_ past: OriginHistory.Past, _ pruned: Set<Version>) -> JSONValue {
        guard let pointer = past.pointer else {
            return .members(["sequence": .integer(past.sequence), "readable": .bool(false)])
        }
        return .members([
            "sequence": .integer(past.sequence), "readable": .bool(true),
            "createdAt": .string(pointer.createdAt.description),
            "operation": (pointer.operation?.rawValue).json, "by": pointer.by.json,
            "source": pointer.source?.json ?? .null,
            "enabled": .bool(pointer.isEnabled), "bypass": .bool(pointer.bypasses),
            "closed": .bool(pointer.isClosed),
            "offers": .array(pointer.entries.map(\.json)),
            "pruned": .array(
                pointer.entries.map(\.version).filter(pruned.contains).map { .string("\($0)") }),
        ])
    }
}
