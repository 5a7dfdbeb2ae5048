import PackOrigin
import PackRelease

/// Finishes what an interrupted run left undone.
extension PointerTransaction {
    /// Completes the live pointer, which already says what the command asks for.
    func complete(
        _ current: OriginReader.Published, _ report: inout ChannelReport
    ) async throws {
        report.after = current.pointer
        let (isBehind, plan) = try await isBehind(current)
        if let plan { report.count(plan) }
        let isUnfinished = if isBehind { true } else { try await wasInterrupted() }
        guard isUnfinished else {
            report.outcome = .unchanged
            return
        }
        report.outcome = .completed
        report.notes += try await withStaging(of: current.pointer.version) { staging in
            try await carryOut(
                Decision(
                    target: .complete(current.pointer),
                    follower: { try await follower(of: current) }), in: staging
            ).notes
        }
    }

    /// Whether `info.json` or `site/` still shows a previous release.
    func isBehind(
        _ current: OriginReader.Published
    ) async throws -> (isBehind: Bool, plan: SitePlan?) {
        guard let follower = try await follower(of: current) else { return (false, nil) }
        let plan = try await follower.sitePlan()
        return (try await follower.isBehind(plan), plan)
    }

    /// Whether the live pointer is a rollback that was interrupted after its commit.
    func isUnfinishedRollback(_ current: OriginReader.Published) async throws -> Bool {
        guard current.pointer.operation == .rollback else { return false }
        if try await isBehind(current).isBehind { return true }
        return try await wasInterrupted()
    }

    /// Whether a killed run on the channel left its intent.
    func wasInterrupted() async throws -> Bool {
        try await !store.leftIntents(now: store.time(clock), except: run.intent.place) {
            $0 == channel.description
        }.isEmpty
    }
}
