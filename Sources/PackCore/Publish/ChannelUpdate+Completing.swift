import PackOrigin
import PackRelease

/// A command whose pointer is live already: what an interrupted run left undone.
extension ChannelUpdate {
    /// Finishes what an interrupted run left undone, if one did.
    func complete(
        _ current: OriginReader.Published, _ report: inout ChannelReport
    ) async throws {
        report.after = current.pointer
        guard try await isUnfinished(current, &report) else {
            report.outcome = .unchanged
            return
        }
        report.outcome = .completed
        var notes = report.notes
        try await withStaging(of: current.pointer.version) { staging in
            // Files that an interrupted run put in place may not be durable yet.
            try await store.flush()
            let following = try await prepare(follower(of: current), in: staging)
            try await finish(current.pointer, isCommitted: false, staging, following, &notes)
        }
        report.notes = notes
    }

    /// Whether an earlier run of this or another change did not come to its end.
    func isUnfinished(
        _ current: OriginReader.Published, _ report: inout ChannelReport
    ) async throws -> Bool {
        if try await isBehind(current, counting: { report.count($0) }) { return true }
        return try await wasInterrupted()
    }

    /// Whether `info.json` and `site/` still show what was live before.
    private func isBehind(
        _ current: OriginReader.Published, counting count: (SitePlan) -> Void = { _ in }
    ) async throws -> Bool {
        guard let follower = try await follower(of: current) else { return false }
        let plan = try await follower.sitePlan()
        count(plan)
        return try await follower.isBehind(plan)
    }

    /// Whether the live pointer is a rollback that did not come to its end.
    ///
    /// In a store without a lock an old intent may be of any run: only what clients are shown counts there.
    func isUnfinishedRollback(_ current: OriginReader.Published) async throws -> Bool {
        guard current.pointer.operation == .rollback else { return false }
        if try await isBehind(current) { return true }
        guard store.hasLock else { return false }
        return try await wasInterrupted()
    }

    /// Whether an intent says that a run on the channel was interrupted.
    ///
    /// Without a lock it may be at work, unless it is old.
    func wasInterrupted() async throws -> Bool {
        if store.hasLock {
            return try await PublishIntent.channelsUnderWay(store).contains(channel.description)
        }
        let others = try await PublishIntent.recorded(
            store, of: channel.description, except: announced?.place)
        return others.contains { $0.isOverOrForeign(store.time(clock)) }
    }
}
