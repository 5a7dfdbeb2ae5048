import PackGround
package import PackRelease

/// A file in the workspace that marks a running publish on a channel.
///
/// It is durable before anything public changes and is removed last of all. An intent without a running publisher
/// means that a publish was interrupted.
package struct PublishIntent: Sendable {
    package let channel: Channel
    /// `nil` where that is not known yet.
    package let version: Version?
    let startedAt: Timestamp
    /// Each run has its own.
    package let place: String

    package init(channel: Channel, version: Version?, startedAt: Timestamp) {
        self.channel = channel
        self.version = version
        self.startedAt = startedAt
        place = "\(OriginLayout.intents)/\(channel).\(uniqueName())"
    }

    /// The file to create.
    package var upload: Upload {
        Upload(
            place,
            JSONWriter.write(
                .members([
                    "channel": .string(channel.description),
                    "version": (version?.description).json,
                    "startedAt": .string(startedAt.description),
                ])))
    }

    /// The channels that have an intent.
    ///
    /// - Parameter own: the place of an intent that does not count.
    package static func channelsUnderWay(
        _ store: any ListingStore, except own: String? = nil
    ) async throws -> Set<String> {
        let names = try await store.names(in: OriginLayout.intents)
        return Set(names.filter { "\(OriginLayout.intents)/\($0)" != own }.map(channelName))
    }

    /// Removes the intents of a channel whose runs are over.
    ///
    /// Under a lock that is every one. Without a lock another publisher may be at work, and its intent keeps prunes
    /// away: only its own is removed, and those that are too old to mean anything.
    package static func clear(
        of channel: Channel, _ store: any WritableStore, own: String?, now: Timestamp
    ) async throws {
        if store.hasLock {
            let names = try await store.names(in: OriginLayout.intents)
            return try await store.remove(
                names.filter { channelName($0) == channel.description }
                    .map { "\(OriginLayout.intents)/\($0)" })
        }
        let over = try await recorded(store, of: channel.description, except: own)
            .filter { $0.isOverOrForeign(now) }
        try await store.remove(over.map(\.place) + (own.map { [$0] } ?? []))
    }

    /// An intent's name is its channel, a dot and 32 digits.
    private static func channelName(_ name: String) -> String {
        String(decoding: name.utf8.dropLast(33), as: UTF8.self)
    }

    // MARK: Age

    /// How long an interrupted publish may still be finished by running it again, and how long one to a store without
    /// a lock may take, in seconds.
    static let lifetime = 24 * 3600

    /// An intent at an origin.
    package struct Recorded: Sendable {
        package let channel: String
        package let place: String
        /// `nil` for one that cannot be read: it was being written when its run ended.
        let startedAt: Timestamp?

        /// Whether its run must have ended, which takes at most `lifetime` seconds.
        package func isOver(_ now: Timestamp, after lifetime: Int = lifetime) -> Bool {
            guard let startedAt else { return false }
            return now.seconds - startedAt.seconds >= lifetime
        }

        /// The same in a store that writes a file whole or not at all: one that cannot be read is nobody's.
        package func isOverOrForeign(_ now: Timestamp) -> Bool { startedAt == nil || isOver(now) }
    }

    /// All intents of publishers.
    package static func all(_ store: any ListingStore) async throws -> [Recorded] {
        try await recorded(store) { !isOther($0) }
    }

    /// The intents of an origin that keep publishers away.
    package static func others(_ store: any ListingStore) async throws -> [Recorded] {
        try await recorded(store, where: isOther)
    }

    /// Whether the first part of an intent's name is no channel's: ``PruneIntent/name`` or ``RootIntent/name``.
    private static func isOther(_ channel: String) -> Bool { channel.hasPrefix("+") }

    /// - Parameters:
    ///   - wanted: the first part of the intents' names.
    ///   - own: the place of an intent that is not read.
    package static func recorded(
        _ store: any ListingStore, of wanted: String, except own: String? = nil
    ) async throws -> [Recorded] {
        try await recorded(store, except: own) { $0 == wanted }
    }

    private static func recorded(
        _ store: any ListingStore, except own: String? = nil,
        where isWanted: (String) -> Bool
    ) async throws -> [Recorded] {
        var found: [Recorded] = []
        for name in try await store.names(in: OriginLayout.intents) {
            let place = "\(OriginLayout.intents)/\(name)"
            guard place != own, isWanted(channelName(name)) else { continue }
            guard let file = try await store.read(place, limit: sizeLimit) else { continue }
            let text = try? JSONObject(JSONParser.parse(file.bytes)).string("startedAt")
            found.append(
                Recorded(
                    channel: channelName(name), place: place,
                    startedAt: text.flatMap { Timestamp($0) }))
        }
        return found
    }

    private static let sizeLimit = 4 << 10
}
