import PackGround
import PackRelease

/// A file in the workspace that marks a running prune of a store without a lock.
package struct PruneIntent: ExclusiveIntent {
    package static let name = "+prune"
    package static let lifetime = 3600
    package static let working = 1800

    package let startedAt: Timestamp
    package let place = "\(OriginLayout.intents)/\(name).\(uniqueName())"

    package init(startedAt: Timestamp) { self.startedAt = startedAt }
}

extension WritableStore {
    /// A time of this machine's clock as the store's clock has it.
    package func time(_ clock: Timestamp) -> Timestamp {
        Timestamp(seconds: clock.seconds + secondsAhead)
    }
}
