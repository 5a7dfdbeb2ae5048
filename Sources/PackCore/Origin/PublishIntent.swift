/// A file in the workspace that marks a running publish on a channel.
///
/// It is durable before anything public changes and is removed last of all. An intent without a running publisher
/// means that a publish was interrupted.
package struct PublishIntent: Sendable {
    let channel: Channel
    let version: Version
    let startedAt: Timestamp

    /// The file to create; each run has its own name.
    var upload: Upload {
        Upload(
            "\(OriginLayout.intents)/\(channel).\(uniqueName())",
            JSONWriter.write(
                .members([
                    "channel": .string(channel.description),
                    "version": .string(version.description),
                    "startedAt": .string(startedAt.description),
                ])))
    }

    /// The channels that have an intent.
    static func channelsUnderWay(_ store: any ListingStore) async throws -> Set<String> {
        Set(try await store.names(in: OriginLayout.intents).map(channelName))
    }

    /// Removes every intent of a channel.
    static func clear(of channel: Channel, _ store: any WritableStore) async throws {
        let names = try await store.names(in: OriginLayout.intents)
        try await store.remove(
            names.filter { channelName($0) == channel.description }
                .map { "\(OriginLayout.intents)/\($0)" })
    }

    /// An intent's name is its channel, a dot and 32 digits.
    private static func channelName(_ name: String) -> String {
        String(decoding: name.utf8.dropLast(33), as: UTF8.self)
    }

    // MARK: Age

    /// An intent at an origin.
    struct Recorded: Sendable {
        let channel: String
        let place: String
        /// `nil` for one that cannot be read: it was being written when its run ended.
        let startedAt: Timestamp?
    }

    /// All intents of an origin.
    static func all(_ store: any ListingStore) async throws -> [Recorded] {
        var found: [Recorded] = []
        for name in try await store.names(in: OriginLayout.intents) {
            let place = "\(OriginLayout.intents)/\(name)"
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
