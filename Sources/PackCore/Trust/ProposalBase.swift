import PackGround
package import PackOrigin
import PackRelease

/// The base of comparison for a proposed pointer: its channel's live pointer, and the next
/// sequence.
package struct ProposalBase: Sendable {
    /// `nil` if the channel has no valid pointer.
    package let live: OriginReader.Published?
    /// The sequence of the next pointer; `nil` if the log was not read.
    let next: Int?
    /// Skipped comparisons, with the reason.
    package private(set) var notes: [String] = []

    package init(live: OriginReader.Published?, next: Int?) {
        self.live = live
        self.next = next
    }

    /// Reads an origin.
    ///
    /// - Parameter root: The root that signers have; the origin must also have it.
    /// - Throws: ``Failure``; an error of the store.
    package static func read(
        for proposal: PointerProposal, at store: any OriginStore, root: SignedRoot
    ) async throws -> ProposalBase {
        let channel = proposal.pointer.channel
        let reader = OriginReader(store, policy: .recordedInLog)
        guard let chain = try await RootChain.read(store, with: root) else {
            throw Failure.trustNoRoot(path: store.display(OriginLayout.root(1)))
        }
        let newest = chain.newest.root
        var notes: [String] = []
        if newest.version > root.root.version {
            notes.append(
                "the origin's newest root is \(newest.version), not \(root.root.version): its keys count"
            )
        }
        var live = try await reader.pointer(channel)
        if let published = live {
            try OriginTrust(chain).check(entry: published)
            if case .earlierEpoch = try chain.standing(of: published) {
                live = nil
                notes.append(
                    "the live pointer was signed before epoch \(newest.epoch) began, so the new one was not compared "
                        + "with it")
            }
        } else {
            notes.append("channel '\(channel)' has no pointer at '\(store.address)'")
        }
        var base = ProposalBase(
            live: live,
            next: live == nil && !notes.isEmpty
                ? nil
                : try await next(
                    from: max((live?.pointer.sequence ?? 0) + 1, newest.floor(channel)),
                    proposal, reader))
        base.notes = notes
        return base
    }

    /// Reads a saved copy of the live pointer.
    ///
    /// - Throws: ``Failure``.
    package static func read(
        _ file: [UInt8], path: String, for proposal: PointerProposal, root: SignedRoot
    ) throws -> ProposalBase {
        let live = try OriginReader.published(
            StoredObject(bytes: file, revision: Revision(.number(0))), at: path,
            of: proposal.pointer.channel, policy: .recordedInLog)
        let trust = OriginTrust(RootChain(of: root))
        if live.pointer.root == nil {
            try trust.check(entry: live)
        } else if let problem = trust.problem(of: live) {
            throw Failure.trustRefusedByRoot(path: path, problem: problem)
        }
        var base = ProposalBase(live: live, next: nil)
        base.notes = [
            "'\(path)' may be older than the live pointer, and the channel's log was not read"
        ]
        return base
    }

    /// The first free number of a log; interrupted or unauthorized runs may have used some.
    private static func next(
        from lowest: Int, _ proposal: PointerProposal, _ reader: OriginReader
    ) async throws -> Int {
        let channel = proposal.pointer.channel
        var listed: Set<Int>?
        if let store = reader.store as? any ListingStore {
            listed = Set(
                try await OriginHistory(store, policy: .recordedInLog).logSequences(channel))
        }
        var next = lowest
        while next - lowest < ProposalRules.longestGap {
            if let listed, !listed.contains(next) { break }
            guard let entry = try await reader.envelope(OriginLayout.logEntry(channel, next)) else {
                break
            }
            // An interrupted run has already committed the same proposal.
            let present = try? Envelope(
                decoding: entry.bytes, payloadType: Envelope.pointerType)
            if present?.payload == proposal.envelope.payload { break }
            next += 1
        }
        return next
    }
}
