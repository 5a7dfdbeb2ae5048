/// A file in the workspace that marks that a trust root is being published to a store without a lock.
///
/// Like a ``PruneIntent`` it is written before intents of publishers are looked for, and publishers look for it after
/// they have written theirs, and for the root after that. So of two that run at once, one sees the other, or the root.
struct RootIntent: Sendable {
    let startedAt: Timestamp
    let place = "\(OriginLayout.intents)/\(name).\(uniqueName())"

    /// In place of a channel's name, and none.
    static let name = "+root"

    /// How long a run that was killed keeps publishers away, in seconds.
    static let lifetime = 15 * 60

    /// How long after its intent a run sends the root: the rest of the lifetime is for a store that is slow to take it.
    static let working = lifetime / 2

    var upload: Upload {
        Upload(
            place, JSONWriter.write(.members(["startedAt": .string(startedAt.description)])))
    }

    /// Whether the root may still be sent.
    func isTimeLeft(_ now: Timestamp) -> Bool {
        now.seconds - startedAt.seconds < Self.working
    }

    /// The places of intents that count no more: their runs were killed.
    static func left(_ store: any ListingStore, now: Timestamp) async throws -> [String] {
        try await PublishIntent.recorded(store, of: name).filter { $0.isOver(now, after: lifetime) }
            .map(\.place)
    }
}
