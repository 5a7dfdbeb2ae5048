/// The part of an origin that is never served: lock, intents and staging (contract section 5).
///
/// An intent says that a publish on a channel is under way; it is durable before anything public changes
/// and goes last of all. One that is found without a running publisher marks an interrupted publish.
final class Workspace: Sendable {
    let root: Directory
    let staging: Directory
    private let channel: Channel
    private let identifier = uniqueName()

    /// Writes the intent and makes a staging directory of this run's own.
    init(root: Directory, channel: Channel, version: Version, now: Timestamp) throws {
        self.root = root
        self.channel = channel
        let intents = try root.makeDirectories(OriginLayout.intents)
        let name = "\(channel).\(identifier)"
        let intent = JSONWriter.write(
            .members([
                "channel": .string(channel.description), "version": .string(version.description),
                "startedAt": .string(now.description),
            ]))
        let file = try intents.createFile(name)
        try file.write(intent)
        try file.sync()
        try file.close()
        try intents.sync()
        try root.directory(OriginLayout.workspace).sync()
        try root.sync()
        // Last, so that a failure above leaves none; a power cut may take the staging with it.
        let parent = try root.makeDirectories(OriginLayout.staging)
        try parent.makeDirectory(identifier)
        staging = try parent.directory(identifier)
    }

    /// Removes what this run staged; its intent stays until ``finish()``.
    func discardStaging() throws(FileSystemError) {
        try root.directory(OriginLayout.staging).removeTree(identifier)
    }

    /// Notes that recorded sequences never went live, before a pointer goes past them: afterwards nobody
    /// could tell.
    func noteAbandoned(_ sequences: [Int]) throws(FileSystemError) {
        guard !sequences.isEmpty else { return }
        let notes = try root.makeDirectories(OriginLayout.abandoned)
        for sequence in sequences {
            let place = OriginLayout.abandoned(channel, sequence)
            if try root.status(place) == nil { try root.createFile(place).close() }
        }
        try notes.sync()
        try root.directory(OriginLayout.workspace).sync()
    }

    /// Takes the workspace away from an origin in which nothing was published, and which was empty
    /// before.
    ///
    /// Only the holder of the lock may do so. The lock's file goes last: whoever gets a lock sees all
    /// that lies there.
    static func withdraw(root: Directory) throws(FileSystemError) {
        guard try root.names() == [Array(OriginLayout.workspace.utf8)] else { return }
        let workspace = try root.directory(OriginLayout.workspace)
        for name in try workspace.names() where name != Array(OriginLayout.lock.utf8) {
            try workspace.removeTree(name)
        }
        try workspace.removeFile(OriginLayout.lock)
        try root.removeEmptyDirectory(OriginLayout.workspace)
    }

    /// Ends the publish: staging, then every intent of this channel, for all of them are done now.
    func finish() throws {
        try discardStaging()
        try Self.removeIntents(of: channel, root: root)
    }

    /// The channels that have an intent.
    static func channelsUnderWay(root: Directory) throws(FileSystemError) -> Set<String> {
        guard try root.status(OriginLayout.intents)?.kind == .directory else { return [] }
        return Set(try root.directory(OriginLayout.intents).names().map(channelName))
    }

    /// Removes the staging of runs that were killed.
    ///
    /// Only the holder of the lock may do so.
    static func removeStaleStaging(root: Directory) throws(FileSystemError) {
        guard try root.status(OriginLayout.staging)?.kind == .directory else { return }
        try root.directory(OriginLayout.staging).removeContents()
    }

    static func removeIntents(of channel: Channel, root: Directory) throws(FileSystemError) {
        guard try root.status(OriginLayout.intents)?.kind == .directory else { return }
        let intents = try root.directory(OriginLayout.intents)
        for name in try intents.names() where channelName(name) == channel.description {
            // Whatever it is: what has such a name is nobody else's.
            try intents.removeTree(name)
        }
    }

    /// An intent's name is its channel, a dot and 32 digits.
    private static func channelName(_ name: [UInt8]) -> String {
        String(decoding: name.dropLast(33), as: UTF8.self)
    }
}
