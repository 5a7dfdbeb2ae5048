import PackGround

/// A file in the workspace of a store without a lock that keeps publishers away while a run is at work.
///
/// A publisher writes its intent and then looks for these; such a run writes this one and then looks for intents of
/// publishers. So of two that run at once, one sees the other, and stops before anything is lost.
package protocol ExclusiveIntent: Sendable {
    /// In place of a channel's name, and none: those start with a letter or digit.
    static var name: String { get }
    /// How long a run that was killed keeps publishers away, in seconds.
    static var lifetime: Int { get }
    /// How long a run works: the rest of its lifetime is for requests that the store is slow to answer.
    static var working: Int { get }

    var startedAt: Timestamp { get }
    var place: String { get }
}

extension ExclusiveIntent {
    package var upload: Upload {
        Upload(
            place, JSONWriter.write(.members(["startedAt": .string(startedAt.description)])))
    }

    /// Whether the run may still do what it announced.
    package func isTimeLeft(_ now: Timestamp) -> Bool {
        now.seconds - startedAt.seconds < Self.working
    }

    /// The place of an intent that still counts.
    package static func underWay(
        _ store: any ListingStore, now: Timestamp, except own: String? = nil
    ) async throws -> String? {
        try await PublishIntent.recorded(store, of: name, except: own)
            .first { !$0.isOver(now, after: lifetime) }?.place
    }

    /// The places of intents that count no more: their runs were killed.
    package static func left(
        _ store: any ListingStore, now: Timestamp, except own: String? = nil
    ) async throws -> [String] {
        try await PublishIntent.recorded(store, of: name, except: own)
            .filter { $0.isOver(now, after: lifetime) }.map(\.place)
    }
}
