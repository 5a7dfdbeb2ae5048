package import PackOrigin
package import PackRelease

/// What a change of a channel did, or in a dry run would do.
package struct ChannelReport: Sendable {
    package enum Outcome: String, Sendable {
        /// A new pointer is live.
        case changed
        /// The pointer said so already; an interrupted run of it was finished.
        case completed
        /// The pointer said so already: nothing was written.
        case unchanged
        /// The new pointer waits for others to sign it.
        case proposed
    }

    package var outcome: Outcome
    package let operation: Pointer.Operation
    package let before: Pointer?
    package var after: Pointer
    /// The bytes of the new pointer's file; 0 where none was made.
    package var pointerSize: UInt64 = 0
    /// The file of a pointer that was proposed.
    package var proposal: [UInt8]?
    /// Deltas that were made.
    package var deltasNew = Amount()
    package var siteNew = Amount()
    package var siteReplaced = Amount()
    package var feeds = FeedChanges()
    /// Notes for the reader that are not failures.
    package var notes: [String] = []

    package var differences: [PointerDifference] { PointerDifference.between(before, after) }

    mutating func count(_ made: DeltaMaker.Outcome) {
        for delta in made.deltas where delta.staged != nil {
            deltasNew.add(delta.pointer.content.size)
        }
        notes += made.notes
    }

    mutating func count(_ following: SiteFollower.Prepared) {
        count(following.site)
        feeds = following.feeds.changes
    }

    mutating func count(_ plan: SitePlan) {
        for asset in plan.new { siteNew.add(asset.size) }
        for asset in plan.replaced { siteReplaced.add(asset.size) }
    }

    /// Says what clients see that know only `info.json`, and the https pages.
    mutating func tellOfOldClients() {
        guard after.channel == .production else { return }
        let (old, new) = (before?.unconditional, after.unconditional)
        let who = "clients that know only info.json, and the https pages,"
        switch operation {
        case .pause, .resume, .renew:
            notes.append("\(who) do not see this; they get \(new?.name ?? "what they had")")
        case .close:
            notes.append(
                "\(who) do not see this; they keep \(new?.name ?? "what they have"), and no prune deletes it"
            )
        case .publish, .promote, .rollback, .rollout:
            if let new, new.packageHash != old?.packageHash {
                notes.append("\(who) get \(new.name) at once")
            } else {
                notes.append("\(who) stay on \(new?.name ?? "what they had")")
            }
        }
    }
}
