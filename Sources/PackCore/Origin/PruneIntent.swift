/// A file in the workspace that marks a running prune of a store without a lock.
///
/// A publisher writes its intent and then looks for this one; a prune writes this one and then looks for intents of
/// publishers. So of two that run at once, one sees the other, and stops before anything is lost.
struct PruneIntent: Sendable {
    let startedAt: Timestamp
    let place = "\(OriginLayout.intents)/\(name).\(uniqueName())"

    /// In place of a channel's name, and none: those start with a letter or digit.
    static let name = "+prune"

    /// How long a prune that was killed keeps publishers away, in seconds.
    static let lifetime = 3600

    /// How long a prune deletes: the rest of its lifetime is for deletions that the store is slow to make.
    static let working = 1800

    var upload: Upload {
        Upload(
            place, JSONWriter.write(.members(["startedAt": .string(startedAt.description)])))
    }

    /// The place of a prune's intent that still counts.
    static func underWay(
        _ store: any ListingStore, now: Timestamp, except own: String? = nil
    ) async throws -> String? {
        try await PublishIntent.recorded(store, of: name, except: own)
            .first { !$0.isOver(now, after: lifetime) }?.place
    }

    /// The places of intents that count no more: their prunes were killed.
    static func left(
        _ store: any ListingStore, now: Timestamp, except own: String
    ) async throws -> [String] {
        try await PublishIntent.recorded(store, of: name, except: own)
            .filter { $0.isOver(now, after: lifetime) }.map(\.place)
    }
}

extension WritableStore {
    /// A time of this machine's clock as the store's clock has it.
    func time(_ clock: Timestamp) -> Timestamp {
        Timestamp(seconds: clock.seconds + secondsAhead)
    }
}
