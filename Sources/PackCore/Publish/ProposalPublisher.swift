import PackGround
package import PackOrigin
import PackRelease
import PackSigning
import PackTrust

/// Makes a proposed pointer live: the second half of a command with `--propose`, once enough keys have signed.
///
/// Everything is checked again, because days may have passed: that the channel is where it was, that the roots are, and
/// every file that the pointer names. The commit is that of every other command.
package struct ProposalPublisher: Sendable {
    private let request: ProposalRequest
    private let store: any WritableStore
    private let history: OriginHistory
    private let steps: PointerTransaction
    private let signing: PointerSigning
    private let rules: ProposalRules
    /// With the signatures of this run.
    private let proposal: PointerProposal
    private let isPlan: Bool

    /// Makes it live at an origin.
    ///
    /// - Throws: ``Failure``; an error of the store. Before the commit point nothing that a client reads has changed.
    package static func run(
        _ request: ProposalRequest, on store: any WritableStore
    ) async throws -> ChannelReport {
        try await checked(request, store).run()
    }

    private func run() async throws -> ChannelReport {
        try await store.alone {
            try await steps.announcing(reading: start, publish)
        }
    }

    /// What ``run(_:on:)`` would do; nothing is written, and no program is started to sign.
    package static func plan(
        _ request: ProposalRequest, on store: any WritableStore
    ) async throws -> ChannelReport {
        let overlay = OverlayStore(over: store, scratch: request.temporaryDirectory)
        return try await checked(request, overlay, isPlan: true).run()
    }

    private init(
        _ request: ProposalRequest, _ rules: ProposalRules, _ proposal: PointerProposal,
        _ signing: PointerSigning, _ store: any WritableStore, isPlan: Bool
    ) {
        self.request = request
        self.rules = rules
        self.isPlan = isPlan
        self.proposal = proposal
        self.signing = signing
        self.store = store
        history = OriginHistory(store, policy: .recordedInLog)
        steps = PointerTransaction(
            proposal.pointer.channel, of: proposal.pointer.version, feeds: request.feeds, history,
            store, jobs: request.jobs, clock: request.clock)
    }

    private var pointer: Pointer { proposal.pointer }

    // MARK: What needs no lock

    private static func checked(
        _ request: ProposalRequest, _ store: any WritableStore, isPlan: Bool = false
    ) async throws -> ProposalPublisher {
        guard try await OriginHistory(store, policy: .recordedInLog).isOrigin() else {
            throw Failure.originNotAnOrigin(path: store.address)
        }
        let rules = try ProposalRules(request.file, path: request.path)
        var proposal = rules.proposal
        let inquiry = PointerSigning.Inquiry(
            origin: store.address, channel: proposal.pointer.channel, clock: request.clock,
            signers: request.signers, pin: request.pin, isPlan: isPlan, isProposal: true)
        let signing = try await PointerSigning.prepare(inquiry, for: proposal.pointer.app, store)
        guard let signing else { throw Failure.signingNoRoot(origin: store.address) }
        try checkRoot(proposal.pointer, signing, request.path)
        try rules.check(root: signing.root)
        let message = Envelope.signedBytes(
            payloadType: Envelope.pointerType, payload: proposal.envelope.payload)
        if !request.signers.isEmpty { proposal.add(try signing.signer(message)) }
        return ProposalPublisher(request, rules, proposal, signing, store, isPlan: isPlan)
    }

    /// The root that it names is of the present epoch, or what it keeps of the pointer before may be a thief's.
    private static func checkRoot(
        _ pointer: Pointer, _ signing: PointerSigning, _ path: String
    ) throws(Failure) {
        guard let named = pointer.root, let root = signing.chain.root(named)?.root else {
            throw .proposalOtherRoot(
                path: path,
                reason: pointer.root.map { "names root \($0), which the origin does not have" }
                    ?? "names no root")
        }
        guard root.epoch == signing.root.epoch else {
            throw .proposalOtherRoot(
                path: path,
                reason: "was made under root \(named), before epoch \(signing.root.epoch) began")
        }
    }

    /// Counts the signatures: clients go by the newest root, and whoever reads the channel's log by the one that it
    /// names.
    ///
    /// A dry run starts no program, and so cannot count what one would sign.
    private func checkSignatures(_ envelope: Envelope) throws(Failure) {
        let root = signing.root
        guard let role = root.signers(of: pointer.channel) else {
            throw .proposalOtherRoot(
                path: request.path, reason: "is of a channel that no key may sign")
        }
        guard !isPlan || request.signers.commands.isEmpty else { return }
        let signed = root.signers(of: envelope, as: role)
        guard signed.count >= role.threshold else {
            throw .proposalNotEnough(
                path: request.path, role: role.name, have: signed.count,
                threshold: role.threshold,
                missing: role.keys.filter { !signed.contains($0) }.map(root.shownKey))
        }
        guard let named = pointer.root.flatMap({ signing.chain.root($0)?.root }),
            named.version != root.version
        else { return }
        let before = named.signers(of: pointer.channel)
        let count = before.map { named.signers(of: envelope, as: $0).count } ?? 0
        guard let before, count >= before.threshold else {
            throw .proposalOtherRoot(
                path: request.path,
                reason: "names root \(named.version), which needs \(before?.threshold ?? 1) "
                    + "signatures of its own keys and has \(count): keys were replaced since, in root "
                    + "\(root.version)")
        }
    }

    private func checkTime(after current: Pointer?) throws {
        try rules.checkTime(now: request.now, clock: request.clock)
        try Publisher.checkTime(
            now: pointer.createdAt, clock: request.clock, expires: pointer.expires, after: current,
            root: signing.root)
    }

    // MARK: Under the lock

    /// What is known before anything is read back.
    private struct Start {
        let state: ChannelState
        var report: ChannelReport
        /// The pointer's file: the one that an interrupted run recorded, where there is one.
        var file: [UInt8]
        /// The live pointer, if it is this one.
        var live: OriginReader.Published?
    }

    private func start() async throws -> Start {
        let state = try await ChannelState.read(
            pointer.channel, signing: signing, steps.run, store, history)
        var report = ChannelReport(
            outcome: .changed, operation: pointer.operation ?? .publish,
            before: state.replaced?.pointer, after: pointer)
        report.notes = state.notes
        if let live = state.current, live.payloadHash == proposal.payloadHash {
            return Start(
                state: state, report: report, file: live.bytes, live: live)
        }
        let recorded = try await self.recorded(state)
        let file = recorded?.bytes ?? proposal.bytes
        try checkFollows(state, isRecorded: recorded != nil)
        try checkSignatures(
            Envelope(decoding: file, payloadType: Envelope.pointerType))
        try checkTime(after: state.current?.pointer)
        try rules.check(
            after: ProposalBase(live: state.current, next: pointer.sequence), root: signing.root,
            allowsMove: request.allowsMove)
        if !pointer.isEnabled, !pointer.isClosed, pointer.operation != .pause {
            report.notes.append(
                "channel '\(pointer.channel)' is paused: devices see this once it is resumed")
        }
        report.tellOfOldClients()
        report.pointerSize = UInt64(file.count)
        return Start(state: state, report: report, file: file)
    }

    /// The log entry of an interrupted run of the same proposal.
    private func recorded(_ state: ChannelState) async throws -> OriginReader.Published? {
        guard pointer.sequence == state.nextSequence - 1,
            let entry = try await history.reader.recorded(pointer.channel, pointer.sequence),
            entry.payloadHash == proposal.payloadHash
        else { return nil }
        return entry
    }

    private func checkFollows(_ state: ChannelState, isRecorded: Bool) throws(Failure) {
        let next = isRecorded ? pointer.sequence : state.nextSequence
        guard pointer.previous == state.previous, pointer.sequence == next else {
            let last = max(state.nextSequence - 1, state.previous ?? 0)
            throw .proposalOvertaken(
                path: request.path, channel: pointer.channel.description,
                follows: pointer.previous.map { "sequence \($0)" } ?? "nothing",
                current: last > 0 ? "sequence \(last)" : "nothing")
        }
    }

    private func publish(_ start: Start) async throws -> ChannelReport {
        var report = start.report
        if let live = start.live {
            try await steps.complete(live, &report)
            return report
        }
        let published = try published(start.file)
        let done = try await steps.withStaging(of: pointer.version) { staging in
            let commit = try await PointerCommit.stage(
                pointer, start.file, after: start.state.replaced, signing, store, in: staging)
            return try await steps.carryOut(
                .init(
                    target: .commit(commit), upload: { try await prove(published) },
                    // The log now names everything the record names.
                    obsolete: [OriginLayout.proposal(pointer.channel)]), in: staging)
        }
        if let site = done.site { report.count(site) }
        report.notes += done.notes
        return report
    }

    private func published(_ file: [UInt8]) throws -> OriginReader.Published {
        do {
            return try history.reader.published(
                StoredObject(bytes: file, revision: Revision(.number(0))),
                at: OriginLayout.proposal(pointer.channel), of: pointer.channel)
        } catch let error as Failure where error.code.isOf("origin") {
            throw Failure.proposalInvalid(path: request.path, problem: "\(error)")
        }
    }

    /// Re-reads everything that devices will read of what it offers.
    private func prove(_ published: OriginReader.Published) async throws {
        for offer in published.offers {
            do {
                let manifest = try await history.reader.manifest(of: offer)
                try await ReleaseUploader(
                    release: manifest.release, store: store, jobs: request.jobs,
                    progress: request.progress
                ).prove(manifest, offer.pointer.deltas)
            } catch {
                if error.isLocalOrTransient { throw error }
                throw Failure.channelReleaseDamaged(
                    name: offer.pointer.entry.name, problem: "\(error)")
            }
        }
    }
}
