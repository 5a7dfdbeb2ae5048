import PackGround
import PackOrigin
import PackRelease
import PackSettings
import PackTrust

/// A proposed pointer as text and as data: everything covered by a signature.
struct PointerText {
    let proposal: PointerProposal
    let file: String
    /// The root that defines the signers.
    let root: TrustRoot
    /// The changes relative to the live pointer, one sentence each; `nil` if it is unknown.
    private(set) var changes: [String]?
    /// Notes about skipped comparisons.
    private(set) var notes: [String] = []
    private var check: (Timestamp) throws -> Void = { _ in }

    init(proposal: PointerProposal, file: String, root: TrustRoot) {
        self.proposal = proposal
        self.file = file
        self.root = root
    }

    private var pointer: Pointer { proposal.pointer }

    private var role: TrustRoot.Role? { root.signers(of: pointer.channel) }

    private var signed: [Digest] {
        let found = root.signers(of: proposal.envelope, as: role)
        return (role?.keys ?? []).filter(found.contains)
    }

    /// The signatures missing for the threshold; empty if it is reached.
    var missing: [String] {
        guard let role else {
            return ["no role of root \(root.version) signs '\(pointer.channel)'"]
        }
        guard signed.count < role.threshold else { return [] }
        let others = role.keys.filter { !signed.contains($0) }.map(root.shownKey)
        return ["\(role.threshold - signed.count) of \(others.joined(separator: ", "))"]
    }

    /// Rejects a pointer that must not be signed or go live.
    ///
    /// - Throws: ``Failure``.
    func checkRules(_ now: Timestamp) throws { try check(now) }

    var text: Text {
        let operation = pointer.operation?.rawValue ?? "pointer"
        var lines = Lines(
            "\(file): \(operation) on channel '\(pointer.channel)' of app '\(pointer.app)'")
        let previous = pointer.previous.map { "follows sequence \($0)" } ?? "the first one"
        lines.add("sequence", "\(pointer.sequence), \(previous)")
        if let source = pointer.source {
            lines.add("source", "sequence \(source.sequence) of channel '\(source.channel)'")
        }
        for (index, entry) in pointer.entries.enumerated() {
            lines.add(index == 0 ? "offers" : "then", entry.summary)
            lines.add("", "packageHash \(entry.packageHash)")
            lines.add("", entry.info.url)
        }
        var flags: [String] = []
        if pointer.isClosed {
            flags.append("closed: no more updates")
        } else if !pointer.isEnabled {
            flags.append("paused")
        }
        if pointer.bypasses { flags.append("apps load the https pages") }
        if pointer.isMandatory { flags.append("mandatory") }
        if let since = pointer.mandatorySequence { flags.append("mandatory since \(since)") }
        if !flags.isEmpty { lines.add("devices", flags.joined(separator: ", ")) }
        if let by = pointer.by { lines.add("by", by) }
        lines.add("made", pointer.createdAt.description)
        lines.add("expires", pointer.expires?.description ?? "never")
        lines.add("root", pointer.root.map(String.init) ?? "none")
        for (index, change) in (changes ?? []).enumerated() {
            lines.add(index == 0 ? "changes" : "", change)
        }
        lines.add(
            "signed",
            signed.isEmpty
                ? "by nobody" : "by " + signed.map(root.shownKey).joined(separator: ", "))
        return lines.text
    }

    var json: JSONValue {
        .members([
            "app": .string(pointer.app.description),
            "channel": .string(pointer.channel.description),
            "sequence": .integer(pointer.sequence), "previous": pointer.previous.json,
            "operation": (pointer.operation?.rawValue).json, "by": pointer.by.json,
            "source": (pointer.source?.json) ?? .null,
            "createdAt": .string(pointer.createdAt.description),
            "expires": (pointer.expires?.description).json, "root": pointer.root.json,
            "enabled": .bool(pointer.isEnabled), "bypass": .bool(pointer.bypasses),
            "closed": .bool(pointer.isClosed),
            "mandatory": .bool(pointer.isMandatory),
            "offers": .array(pointer.entries.map(\.json)),
            "signed": .strings(signed.map(\.description)),
            "changes": changes.map { .strings($0) } ?? .null, "notes": .strings(notes),
        ])
    }
}

extension PointerText {
    /// Reads a proposed pointer and compares it with the live one; `nil` if the file is of another
    /// kind.
    ///
    /// - Throws: ``Failure`` for a malformed pointer, or without a root that defines its
    ///   signers.
    static func read(
        _ bytes: [UInt8], _ file: String, _ trust: TrustOption, _ live: LiveOptions,
        _ settings: Settings, _ console: Console
    ) async throws -> PointerText? {
        guard Envelope.payloadType(of: bytes) == Envelope.pointerType else { return nil }
        let rules = try ProposalRules(bytes, path: file)
        let proposal = rules.proposal
        guard let root = try trust.root() else {
            throw Failure.proposalNeedsRoot(path: file, version: proposal.pointer.root ?? 1)
        }
        guard root.root.app == proposal.pointer.app else {
            throw Failure.proposalOtherRoot(
                path: file,
                reason: "is of app '\(proposal.pointer.app)', and the root of '\(root.root.app)'")
        }
        guard let named = proposal.pointer.root else {
            throw Failure.proposalOtherRoot(path: file, reason: "names no root")
        }
        guard named <= root.root.version else {
            throw Failure.proposalNeedsRoot(path: file, version: named)
        }
        var text = PointerText(proposal: proposal, file: file, root: root.root)
        let (base, note) = try await live.base(for: proposal, root: root, settings, console)
        if let base, base.live?.payloadHash == proposal.payloadHash {
            text.notes.append("this pointer is already live")
            return text
        }
        text.changes = (base?.live).map { rules.changes(from: $0) }
        text.notes = base?.notes ?? []
        if let note {
            text.notes.append(
                "\(note), so the proposal was not compared with the live pointer: a wrong sequence, base URL or share "
                    + "would not be noticed; name the origin with --to, or a saved pointer.json with --live"
            )
        }
        text.check = { (now: Timestamp) in
            try rules.checkTime(now: now, clock: now)
            try rules.check(root: root.root)
            try rules.check(after: base, root: root.root, allowsMove: live.allowIdentityChange)
        }
        return text
    }
}
