#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What `state.json` of an installation says: how far the client has followed its channel, and which release is
/// installed.
///
/// The two are apart: what was seen is stored before anything is done by it, so that no kill and no refused update
/// lets an older pointer pass.
package struct InstallState: Equatable, Sendable {
    package let app: AppName
    package let channel: Channel
    /// The highest sequence the client has seen; a lower one is a replay.
    package let sequence: Int
    /// The payload that was seen under it; `nil` in a state that does not say so yet.
    package let payloadHash: Digest?
    /// `nil` before the first release is installed.
    package let installed: Installed?

    package init(
        app: AppName, channel: Channel, sequence: Int, payloadHash: Digest?, installed: Installed?
    ) {
        self.app = app
        self.channel = channel
        self.sequence = sequence
        self.payloadHash = payloadHash
        self.installed = installed
    }

    /// The installed release.
    package struct Installed: Equatable, Sendable {
        package let version: Version
        package let packageHash: Digest
        /// The sequence of the pointer that it was installed by.
        package let sequence: Int
        package let label: String?
        /// How it was fetched; the file calls this `road`.
        package let route: Route
        package let installedAt: Timestamp

        package init(
            version: Version, packageHash: Digest, sequence: Int, label: String?, route: Route,
            installedAt: Timestamp
        ) {
            self.version = version
            self.packageHash = packageHash
            self.sequence = sequence
            self.label = label
            self.route = route
            self.installedAt = installedAt
        }
    }

    package enum Route: String, Sendable {
        case package, delta
    }

    static let fileName = "state.json"
    private static let sizeLimit = 64 << 10
    private static let schema = 1

    package func encode() -> [UInt8] {
        JSONWriter.write(
            .members([
                "schema": .integer(Self.schema), "app": .string(app.description),
                "channel": .string(channel.description),
                "version": installed.map { .string($0.version.description) },
                "packageHash": installed.map { .string($0.packageHash.description) },
                "sequence": .integer(sequence),
                "payloadHash": payloadHash.map { .string($0.description) },
                "releaseSequence": installed.map { .integer($0.sequence) },
                "label": installed.map(\.label.json),
                "road": installed.map { .string($0.route.rawValue) },
                "installedAt": installed.map { .string($0.installedAt.description) },
            ]))
    }

    /// Reads the state of an installation; `nil` where there is none yet.
    ///
    /// - Throws: ``ClientError/damagedState(place:problem:)``.
    package static func read(in directory: Directory) throws -> InstallState? {
        guard try directory.status(fileName) != nil else { return nil }
        do {
            let bytes = try directory.readFile(fileName, limit: sizeLimit)
            return try decode(JSONObject(JSONParser.parse(bytes)))
        } catch let error as FileSystemError where error.number != EFBIG {
            // The file itself may be fine; without it an old pointer would be accepted as a new
            // one.
            throw error
        } catch {
            throw ClientError.damagedState(place: directory.display(fileName), problem: "\(error)")
        }
    }

    private static func decode(_ root: JSONObject) throws -> InstallState {
        _ = try root.integer("schema", in: schema...schema)
        let sequence = try root.integer("sequence", in: 1...Pointer.sequenceLimit)
        return InstallState(
            app: try AppName(root.string("app")), channel: try Channel(root.string("channel")),
            sequence: sequence,
            payloadHash: root.optional("payloadHash") == nil ? nil : try root.digest("payloadHash"),
            installed: try decodeInstalled(root, seen: sequence))
    }

    private static func decodeInstalled(
        _ root: JSONObject, seen: Int
    ) throws -> Installed? {
        // A state that says what was seen may have nothing installed; an older one always has.
        if root.optional("version") == nil, root.optional("payloadHash") != nil { return nil }
        guard let route = Route(rawValue: try root.string("road")) else {
            throw root.error("road", "is not known to this packtool")
        }
        guard let installedAt = Timestamp(try root.string("installedAt")) else {
            throw root.error("installedAt", "is not a time")
        }
        return Installed(
            version: try root.version("version"), packageHash: try root.digest("packageHash"),
            sequence: root.optional("releaseSequence") == nil
                ? seen : try root.integer("releaseSequence", in: 1...seen),
            label: try root.optionalString("label"), route: route, installedAt: installedAt)
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
