/// A note in the workspace that a publish on a channel is under way.
///
/// It is durable before anything public changes and goes last of all. One that is found without a running publisher
/// marks an interrupted publish.
package struct PublishIntent: Sendable {
    let channel: Channel
    let version: Version
    let startedAt: Timestamp

    /// The file to create; each run has a name of its own.
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

    /// Removes every intent of a channel: all of them are done now.
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
}
