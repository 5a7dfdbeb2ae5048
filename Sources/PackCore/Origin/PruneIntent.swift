/// A file in the workspace that marks a running prune of a store without a lock.
struct PruneIntent: ExclusiveIntent {
    static let name = "+prune"
    static let lifetime = 3600
    static let working = 1800

    let startedAt: Timestamp
    let place = "\(OriginLayout.intents)/\(name).\(uniqueName())"
}

extension WritableStore {
    /// A time of this machine's clock as the store's clock has it.
    func time(_ clock: Timestamp) -> Timestamp {
        Timestamp(seconds: clock.seconds + secondsAhead)
    }
}
