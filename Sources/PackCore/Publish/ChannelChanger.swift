import PackGround
package import PackOrigin
import PackTrust

/// Changes what a channel offers, without a build: one new pointer, by the same commit as a publish.
///
/// Killed anywhere, clients see what was offered before or what is offered now. Run again, it converges.
package struct ChannelChanger: Sendable {
    private(set) var request: ChannelRequest
    let store: any WritableStore
    let history: OriginHistory
    let steps: PointerTransaction
    /// How the pointer is signed; `nil` for an origin without a trust root.
    let signing: PointerSigning?

    private init(
        _ request: ChannelRequest, _ store: any WritableStore, _ signing: PointerSigning?
    ) {
        self.request = request
        self.store = store
        self.signing = signing
        history = OriginHistory(store, policy: .recordedInLog)
        steps = PointerTransaction(
            request.channel, history, store, jobs: request.jobs, clock: request.clock)
    }

    /// Changes a channel of an origin.
    ///
    /// - Throws: ``Failure``. Before the commit point nothing that a client reads has changed.
    package static func run(
        _ request: ChannelRequest, on store: any WritableStore
    ) async throws -> ChannelReport {
        let ahead = ChannelPrefetch(request: request, store: store)
        async let _ = ahead.run()
        return try await checked(request, store).run()
    }

    private func run() async throws -> ChannelReport {
        try await store.alone {
            try await steps.announcing(reading: read) { state in
                try await refreshed(with: state).change(state)
            }
        }
    }

    /// What a change would do; nothing is written to the origin.
    package static func plan(
        _ request: ChannelRequest, on store: any WritableStore
    ) async throws -> ChannelReport {
        let overlay = OverlayStore(over: store, scratch: request.temporaryDirectory)
        var report = try await checked(request, overlay, isPlan: true).run()
        // Nobody may sign what no run proposed.
        report.proposal = nil
        return report
    }

    private static func checked(
        _ request: ChannelRequest, _ store: any WritableStore, isPlan: Bool = false
    ) async throws -> ChannelChanger {
        guard try await OriginHistory(store, policy: .recordedInLog).isOrigin() else {
            throw Failure.originNotAnOrigin(path: store.address)
        }
        let inquiry = PointerSigning.Inquiry(
            origin: store.address, channel: request.channel, clock: request.clock,
            signers: request.signers, pin: request.pin, isPlan: isPlan,
            isProposal: request.isProposal)
        let signing = try await PointerSigning.prepare(inquiry, for: nil, store)
        return ChannelChanger(request, store, signing)
    }

    // MARK: The change

    private func read() async throws -> ChannelState {
        try await ChannelState.read(request.channel, signing: signing, steps.run, store, history)
    }

    private func change(_ state: ChannelState) async throws -> ChannelReport {
        let target = try await target(state)
        var report = try report(state, target, target.deltas)
        if let current = state.current, !isNew(report.after, current.pointer) {
            try await steps.complete(current, &report)
            return report
        }
        try checkTime(report.after, after: state.current?.pointer)
        return try await steps.withStaging(of: report.after.version) { staging in
            let made = try await makeDeltas(to: target, state, in: staging.directory)
            if let made {
                report = try self.report(state, target, target.deltas(with: made))
                report.count(made)
            }
            let commit = try await PointerCommit.stage(
                report.after, after: state.replaced, signer: signing?.signer, signing, store,
                in: staging)
            report.pointerSize = UInt64(commit.bytes.count)
            if request.isProposal {
                report.outcome = .proposed
                report.proposal = commit.bytes
            }
            let done = try await steps.carryOut(
                .init(
                    target: request.isProposal ? .propose(commit) : .commit(commit),
                    upload: {
                        if let made { try await upload(made, of: target, staging) }
                        try await prove(target, made?.deltas.map(\.pointer) ?? [])
                    }), in: staging)
            if let site = done.site { report.count(site) }
            report.notes += done.notes
            return report
        }
    }

    /// With the time of a run that follows what the channel has now.
    private func refreshed(with state: ChannelState) -> ChannelChanger {
        var changer = self
        changer.request.now = request.now.refreshed(
            with: state.current?.pointer, request.later)
        return changer
    }

    private func report(
        _ state: ChannelState, _ target: Target, _ deltas: [Pointer.Delta]
    ) throws -> ChannelReport {
        let next = try next(state, target, deltas)
        var report = ChannelReport(
            outcome: .changed, operation: target.operation, before: state.replaced?.pointer,
            after: next)
        report.notes = state.notes + target.notes
        report.notes += next.noteOfLead(over: request.clock).map { [$0] } ?? []
        if let before = report.before?.expires, before <= request.now, let after = next.expires {
            report.notes.append("the pointer had expired; the new one expires at \(after)")
        }
        if !next.isEnabled, !next.isClosed, target.operation != .pause {
            report.notes.append(
                "channel '\(request.channel)' is paused: devices see this once it is resumed")
        }
        if let current = state.current, !isNew(next, current.pointer) { return report }
        report.tellOfOldClients()
        return report
    }

    private func next(
        _ state: ChannelState, _ target: Target, _ deltas: [Pointer.Delta]
    ) throws -> Pointer {
        let stamp = state.stamp(
            now: request.now, expires: expires(after: state.current?.pointer, target.operation),
            by: request.by)
        let change = target.change(with: deltas)
        var next: Pointer
        if let current = state.current?.pointer {
            next = .next(after: current, stamp, change)
        } else {
            next = .first(
                app: target.app, channel: request.channel, stamp, change, target.entry)
        }
        guard let signing else { return next }
        try signing.root.checkApp(next.app, origin: store.address)
        let keeps =
            switch target.operation {
            case .rollback: false
            case .promote, .publish: state.keepsSomething(next)
            case .rollout, .pause, .resume, .renew, .close: true
            }
        try signing.check(keeps: keeps, of: request.channel)
        next.root = signing.root.version
        next.isProposed = request.isProposal
        return next
    }

    /// When the new pointer expires: as long after its own time as the one before.
    ///
    /// A life that each command shortened would end between two weekly renewals.
    private func expires(
        after current: Pointer?, _ operation: Pointer.Operation
    ) -> Timestamp? {
        // Nobody renews a closed channel.
        if operation == .close || operation == .renew && current?.isClosed == true { return nil }
        if let days = request.lifetimeDays { return request.now.adding(days: days) }
        guard let current, let expires = current.expires else {
            // A signed pointer expires: a client that is kept away from the CDN must notice.
            return signing.map { _ in request.now.adding(days: PointerSigning.lifetimeDays) }
        }
        let lifetime = expires.seconds - current.createdAt.seconds
        return Timestamp(seconds: request.now.seconds + lifetime)
    }

    /// Whether a pointer is worth making.
    private func isNew(_ next: Pointer, _ current: Pointer) -> Bool {
        if !next.saysTheSame(as: current) { return true }
        switch request.command {
        case .renew: return next.expires != nil || current.expires != nil
        default: return false
        }
    }

    private func checkTime(_ next: Pointer, after current: Pointer?) throws(Failure) {
        try Publisher.checkTime(
            now: request.now, clock: request.clock, expires: next.expires, after: current,
            root: signing?.root)
    }
}
