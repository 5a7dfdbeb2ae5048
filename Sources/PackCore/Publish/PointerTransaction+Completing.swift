import PackOrigin
import PackRelease

/// Finishes what an interrupted run left undone.
extension PointerTransaction {
    /// Completes the live pointer, which already says what the command asks for.
    func complete(
        _ current: OriginReader.Published, _ report: inout ChannelReport
    ) async throws {
        report.after = current.pointer
        let (isUnfinished, plan) = try await isUnfinished(current)
        if let plan { report.count(plan) }
        guard isUnfinished else {
            report.outcome = .unchanged
            return
        }
        report.outcome = .completed
        report.notes += try await withStaging(of: current.pointer.version) { staging in
            let done = try await carryOut(Decision(target: .complete(current)), in: staging)
            if let site = done.site { report.feeds = site.feeds.changes }
            return done.notes
        }
    }

    /// Whether `info.json` or `site/` still shows a previous release, or a killed run left its intent.
    ///
    /// - Parameter known: A manifest that need not be read.
    func isUnfinished(
        _ current: OriginReader.Published, known: Manifest? = nil
    ) async throws -> (isUnfinished: Bool, plan: SitePlan?) {
        guard let follower = try await follower(of: current, known: known) else {
            return (try await wasInterrupted(), nil)
        }
        let plan = try await follower.sitePlan()
        if try await follower.isBehind(plan) { return (true, plan) }
        return (try await wasInterrupted(), plan)
    }

    private func wasInterrupted() async throws -> Bool {
        try await !store.leftIntents(now: store.time(clock), except: run.intent.path) {
            $0 == channel.description
        }.isEmpty
    }
}
