package import PackGround
package import PackOrigin
import PackRelease

/// The rules for signing and activating a proposed pointer: `keys sign`, `keys check` and `publish
/// --pointer`.
///
/// The proposal may have been made with a stolen key, so all its content is checked.
package struct ProposalRules: Sendable {
    package let proposal: PointerProposal
    /// The file, for messages.
    let path: String
    let bases: [BaseURL]

    var pointer: Pointer { proposal.pointer }

    /// The largest number of skipped sequences if the channel's log was not read.
    ///
    /// A client accepts no lower sequence than the highest it has seen, so skipped numbers are
    /// lost.
    static let longestGap = 1_000
    /// The longest lifetime of a pointer, in days.
    package static let longestLifetime = 3650

    /// Reads a proposed pointer and runs the checks that need only its file.
    ///
    /// - Parameter path: The file, for messages.
    /// - Throws: ``Failure``.
    package init(_ file: [UInt8], path: String) throws(Failure) {
        guard file.count <= Pointer.sizeLimit else {
            throw .proposalInvalid(
                path: path,
                problem: "it has \(readableSize(UInt64(file.count))); the limit is "
                    + readableSize(UInt64(Pointer.sizeLimit)))
        }
        do {
            proposal = try PointerProposal(file)
            bases = try OriginReader.baseURLs(of: proposal.pointer, path: path)
        } catch {
            throw .proposalInvalid(path: path, problem: "\(error)")
        }
        self.path = path
        try checkForm()
    }

    private func checkForm() throws(Failure) {
        guard pointer.isProposed else {
            throw .proposalInvalid(path: path, problem: "it is a pointer that was not proposed")
        }
        if let name = foreignMember {
            throw refusal(
                "packtool does not write its member '\(name)' and cannot show its meaning")
        }
        var texts: [(String, String?, Int)] = [("by", pointer.by, Pointer.byLimit)]
        for entry in pointer.entries {
            texts.append(("label", entry.label, Pointer.labelLimit))
            texts.append(("rolloutSalt", entry.rolloutSalt, Pointer.saltLimit))
        }
        for (name, text, limit) in texts {
            guard let text else { continue }
            guard !text.isEmpty, text.utf8.count <= limit, printable(text.utf8) == text else {
                throw refusal("its '\(name)' is empty, too long, or has control characters")
            }
        }
        if pointer.isMandatory, pointer.mandatorySequence == nil {
            throw refusal("it is mandatory, but has no mandatory sequence")
        }
        if let expires = pointer.expires,
            expires > pointer.createdAt.adding(days: Self.longestLifetime)
        {
            throw refusal(
                "it expires at \(expires); packtool makes pointers that last at most "
                    + "\(grouped(Self.longestLifetime)) days")
        }
    }

    /// The first member that this version of packtool would write differently or not at all.
    private var foreignMember: String? {
        guard let given = try? JSONParser.parse(proposal.envelope.payload),
            let own = try? JSONParser.parse(PointerCoding.encode(pointer))
        else { return "schema" }
        return Self.difference(given, own, "")
    }

    private static func difference(
        _ given: JSONValue, _ own: JSONValue, _ path: String
    ) -> String? {
        switch (given, own) {
        case (.object(let members), .object(let known)):
            for member in members {
                let name = path.isEmpty ? member.name : "\(path).\(member.name)"
                guard let other = known.first(where: { $0.name == member.name }) else {
                    return name
                }
                if let found = difference(member.value, other.value, name) { return found }
            }
            return nil
        case (.array(let values), .array(let others)) where values.count == others.count:
            for (index, (value, other)) in zip(values, others).enumerated() {
                if let found = difference(value, other, "\(path)[\(index)]") { return found }
            }
            return nil
        default: return given == own ? nil : path
        }
    }

    func refusal(_ problem: String) -> Failure {
        .proposalRefused(path: path, problem: problem)
    }

    // MARK: Under a root, at a time

    /// Checks the proposal against the root whose keys will sign it.
    package func check(root: TrustRoot) throws(Failure) {
        let floor = root.floor(pointer.channel)
        guard pointer.sequence >= floor else {
            throw refusal(
                "its sequence is \(pointer.sequence), and devices accept none below \(floor)")
        }
        if let expires = pointer.expires, expires <= root.createdAt {
            throw refusal("it expires before root \(root.version) was made, at \(root.createdAt)")
        }
    }

    /// Checks the age of a proposal.
    ///
    /// - Parameter clock: The machine's clock, even if `SOURCE_DATE_EPOCH` sets `now`.
    package func checkTime(now: Timestamp, clock: Timestamp) throws(Failure) {
        let age = now.seconds - pointer.createdAt.seconds
        guard age <= Pointer.proposalDays * 86_400 else {
            throw .proposalTooOld(path: path, createdAt: pointer.createdAt.description)
        }
        guard age >= 0 else {
            throw .proposalClockBehind(path: path, createdAt: pointer.createdAt.description)
        }
        if let expires = pointer.expires, expires <= max(now, clock) {
            throw .proposalExpired(path: path, at: expires.description)
        }
    }

    // MARK: After the live pointer

    /// Checks that the proposal follows the channel's live pointer.
    ///
    /// - Parameters:
    ///   - base: `nil` if the live pointer is unknown; then only the checks without it run.
    ///   - allowsMove: Whether the base URL may change.
    package func check(
        after base: ProposalBase?, root: TrustRoot, allowsMove: Bool
    ) throws(Failure) {
        let live = base?.live?.pointer
        if let live, pointer.previous != live.sequence {
            throw overtaken(by: "sequence \(live.sequence)")
        }
        let lowest = max((pointer.previous ?? 0) + 1, root.floor(pointer.channel))
        let next = base?.next
        if let next, pointer.sequence < next { throw overtaken(by: "sequence \(next - 1)") }
        guard pointer.sequence <= next ?? (lowest + Self.longestGap) else {
            throw refusal(
                "its sequence is \(grouped(pointer.sequence)), and the next one is \(grouped(next ?? lowest)): a device "
                    + "that accepts it accepts no lower one again")
        }
        guard let live, let published = base?.live else { return }
        try check(after: live)
        if !allowsMove { try checkBaseURLs(after: published) }
    }

    func overtaken(by current: String) -> Failure {
        .proposalOvertaken(
            path: path, channel: pointer.channel.description,
            follows: pointer.previous.map { "sequence \($0)" } ?? "nothing", current: current)
    }

    private func check(after live: Pointer) throws(Failure) {
        guard pointer.app == live.app else {
            throw refusal("it is of app '\(pointer.app)', and the live pointer of '\(live.app)'")
        }
        guard pointer.createdAt >= live.createdAt else {
            throw refusal(
                "it was made at \(pointer.createdAt), before the live pointer (\(live.createdAt))")
        }
        guard let operation = pointer.operation,
            [.renew, .pause, .resume].contains(operation), offers(pointer) != offers(live)
        else { return }
        throw refusal("its operation is '\(operation.rawValue)', but it changes the offers")
    }

    /// The entries offered to devices, without the parts that clients can do without.
    private func offers(_ pointer: Pointer) -> [Pointer.Entry] {
        Pointer.shortened(pointer.entries).map {
            var entry = $0
            entry.deltas = []
            return entry
        }
    }

    /// Refuses files below a base URL that the channel's releases do not use.
    package func checkBaseURLs(after live: OriginReader.Published) throws(Failure) {
        let known = live.baseURLs
        guard let other = bases.first(where: { !known.contains($0) }) else { return }
        throw .proposalIdentityChanged(
            path: path, from: known[0].description, to: other.description)
    }
}
