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
            try await store.settle()
            let following = try await prepare(follower(of: current), in: staging)
            try await finish(current.pointer, isCommitted: false, staging, following, &notes)
        }
        report.notes = notes
    }

    /// Whether an earlier run of this or another change did not come to its end.
    func isUnfinished(
        _ current: OriginReader.Published, _ report: inout ChannelReport
    ) async throws -> Bool {
        var isBehind = false
        if let follower = try await follower(of: current) {
            let plan = try await follower.sitePlan()
            report.count(plan)
            isBehind = try await follower.isBehind(plan)
        }
        if isBehind { return true }
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
