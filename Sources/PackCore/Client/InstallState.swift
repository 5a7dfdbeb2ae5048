#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What `state.json` of an installation says: which release is installed, and how far the client has
/// followed its channel.
package struct InstallState: Equatable, Sendable {
    package let app: AppName
    package let channel: Channel
    package let version: Version
    package let packageHash: Digest
    /// The highest sequence the client has seen; a lower one is a replay.
    package let sequence: Int
    package let label: String?
    /// The road the release came by.
    package let road: Road
    package let installedAt: Timestamp

    package enum Road: String, Sendable {
        case package, delta
    }

    static let fileName = "state.json"
    private static let sizeLimit = 64 << 10
    private static let schema = 1

    func encode() -> [UInt8] {
        JSONWriter.write(
            .members([
                "schema": .integer(Self.schema), "app": .string(app.description),
                "channel": .string(channel.description), "version": .string(version.description),
                "packageHash": .string(packageHash.description), "sequence": .integer(sequence),
                "label": label.json, "road": .string(road.rawValue),
                "installedAt": .string(installedAt.description),
            ]))
    }

    /// Reads the state of an installation; `nil` where there is none yet.
    ///
    /// - Throws: ``ClientError/damagedState(place:problem:)``.
    static func read(in directory: Directory) throws -> InstallState? {
        guard try directory.status(fileName) != nil else { return nil }
        do {
            let bytes = try directory.readFile(fileName, limit: sizeLimit)
            return try decode(JSONObject(JSONParser.parse(bytes)))
        } catch let error as FileSystemError where error.number != EFBIG {
            // Nothing is known against the file; without it an old pointer would pass for a new one.
            throw error
        } catch {
            throw ClientError.damagedState(place: directory.display(fileName), problem: "\(error)")
        }
    }

    private static func decode(_ root: JSONObject) throws -> InstallState {
        _ = try root.integer("schema", in: schema...schema)
        guard let road = Road(rawValue: try root.string("road")) else {
            throw root.error("road", "is not one this packtool knows")
        }
        guard let installedAt = Timestamp(try root.string("installedAt")) else {
            throw root.error("installedAt", "is not a time")
        }
        return InstallState(
            app: try AppName(root.string("app")), channel: try Channel(root.string("channel")),
            version: try root.version("version"), packageHash: try root.digest("packageHash"),
            sequence: try root.integer("sequence", in: 1...(1 << 53 - 1)),
            label: try root.optionalString("label"), road: road, installedAt: installedAt)
    }

    /// Replaces the state durably.
    func write(in directory: Directory, staging: Directory) throws {
        let name = uniqueName()
        let file = try staging.createFile(name)
        try file.write(encode())
        try file.sync()
        try file.close()
        try staging.rename(name, to: directory, as: Self.fileName)
        try directory.sync()
    }
}
