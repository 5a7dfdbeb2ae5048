package import PackGround
package import PackOrigin
package import PackRelease

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The content of an installation's `state.json`: the last pointer seen, and the installed release.
///
/// The two are separate: the seen pointer is stored before acting on it, so that older pointers are
/// rejected even after a kill or a refused update.
package struct InstallState: Equatable, Sendable {
    package let app: AppName
    package let channel: Channel
    /// The highest sequence the client has seen; a lower one is a replay.
    package let sequence: Int
    /// The hash of the payload with that sequence; `nil` in states written by older versions.
    package let payloadHash: Digest?
    /// Random, created at the first run and never sent; `nil` in states written by older versions.
    package let device: String?
    /// `nil` before the first release is installed.
    package var installed: Installed?
    /// The root at the time the sequence was seen; `nil` if none is trusted.
    package let trust: Trust?
    /// The last accepted pointer as received, for a conditional request; `nil` if its server gave no
    /// tag.
    package let answer: Answer?
    /// The processor's speed measured by the last delta, in percent of ``UpdateTime``'s.
    package var speed: Int?

    /// The last trusted root.
    package struct Trust: Equatable, Sendable {
        package let root: Int
        package let epoch: Int
        /// The last time that a newer root was requested.
        package let checkedAt: Timestamp

        package init(root: Int, epoch: Int, checkedAt: Timestamp) {
            self.root = root
            self.epoch = epoch
            self.checkedAt = checkedAt
        }
    }

    package init(
        app: AppName, channel: Channel, sequence: Int, payloadHash: Digest?, device: String?,
        installed: Installed?, trust: Trust? = nil, answer: Answer? = nil,
        speed: Int? = nil
    ) {
        self.app = app
        self.channel = channel
        self.sequence = sequence
        self.payloadHash = payloadHash
        self.device = device
        self.installed = installed
        self.trust = trust
        self.answer = answer
        self.speed = speed
    }

    /// A pointer as received over HTTP.
    package struct Answer: Equatable, Sendable {
        package let file: HTTPAnswer
        package let receivedAt: Timestamp

        init(file: HTTPAnswer, receivedAt: Timestamp) {
            self.file = file
            self.receivedAt = receivedAt
        }

        fileprivate init(_ object: JSONObject) throws {
            let bytes = try Envelope.base64(object, "bytes")
            guard
                let file = HTTPAnswer(
                    address: try object.string("address"), tag: try object.string("tag"),
                    bytes: bytes)
            else { throw object.error("tag", "is not an entity tag") }
            guard let time = Timestamp(try object.string("receivedAt")) else {
                throw object.error("receivedAt", "is not a time")
            }
            self.init(file: file, receivedAt: time)
        }

        /// Whether a server may confirm it.
        ///
        /// Once a day the pointer is fetched whole, in case a server gave one tag to two files.
        func isFresh(at now: Timestamp) -> Bool {
            receivedAt <= now && now < receivedAt.adding(days: 1)
        }
    }

    /// The installed release.
    package struct Installed: Equatable, Sendable {
        package let version: Version
        package let packageHash: Digest
        /// The sequence of the pointer that led to its installation.
        package let sequence: Int
        package let label: String?
        /// The kind of download.
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

    /// The kinds of downloads.
    package enum Route: String, Sendable {
        case package, delta
    }

    static let fileName = "state.json"
    /// The longest device id, in bytes.
    package static let deviceLimit = 200
    /// More than a pointer in base64.
    private static let sizeLimit = 256 << 10
    private static let schema = 1
    /// Distinguishes this file from another program's `state.json`.
    private static let kind = "packtool-installation"

    /// Encodes the state.
    package func encode() -> [UInt8] {
        JSONWriter.write(
            .members([
                "schema": .integer(Self.schema), "kind": .string(Self.kind),
                "app": .string(app.description),
                "channel": .string(channel.description),
                "version": installed.map { .string($0.version.description) },
                "packageHash": installed.map { .string($0.packageHash.description) },
                "sequence": .integer(sequence),
                "payloadHash": payloadHash.map { .string($0.description) },
                "device": device.map { .string($0) },
                "root": trust.map { .integer($0.root) },
                "epoch": trust.map { .integer($0.epoch) },
                "rootCheckedAt": trust.map { .string($0.checkedAt.description) },
                "releaseSequence": installed.map { .integer($0.sequence) },
                "label": installed.map(\.label.json),
                "route": installed.map { .string($0.route.rawValue) },
                "installedAt": installed.map { .string($0.installedAt.description) },
                "speed": speed.map { .integer($0) },
                "answer": answer.map {
                    .members([
                        "address": .string($0.file.address), "tag": .string($0.file.tag),
                        "receivedAt": .string($0.receivedAt.description),
                        "bytes": .string(Base64.string($0.file.bytes)),
                    ])
                },
            ]))
    }

    /// Whether a directory has the state of an installation, of any schema, so that newer schemas
    /// are reported.
    static func isMarked(in directory: Directory) -> Bool {
        guard let bytes = try? directory.readFile(fileName, limit: sizeLimit),
            let root = try? JSONObject(JSONParser.parse(bytes))
        else { return false }
        return (try? root.string("kind")) == kind
    }

    /// Reads the state of an installation; `nil` if there is none yet.
    ///
    /// - Throws: ``Failure/installDamagedState(path:problem:)``.
    package static func read(in directory: Directory) throws -> InstallState? {
        guard try directory.status(fileName) != nil else { return nil }
        do {
            let bytes = try directory.readFile(fileName, limit: sizeLimit)
            return try decode(JSONObject(JSONParser.parse(bytes)))
        } catch let error as Failure where (error.number ?? EFBIG) != EFBIG {
            // The file may be intact. Treating it as missing would accept an old pointer as a new
            // one.
            throw error
        } catch {
            throw Failure.installDamagedState(
                path: directory.display(fileName), problem: "\(error)")
        }
    }

    private static func decode(_ root: JSONObject) throws -> InstallState {
        _ = try root.integer("schema", in: schema...schema)
        guard try root.string("kind") == kind else {
            throw root.error("kind", "is not '\(kind)'")
        }
        let sequence = try root.integer("sequence", in: 1...Pointer.sequenceLimit)
        return InstallState(
            app: try AppName(root.string("app")), channel: try Channel(root.string("channel")),
            sequence: sequence,
            payloadHash: root.optional("payloadHash") == nil ? nil : try root.digest("payloadHash"),
            device: try root.optionalString("device"),
            installed: try decodeInstalled(root, seen: sequence), trust: try decodeTrust(root),
            // Both only save time, so damage must not lose the rest.
            answer: (try? root.optionalObject("answer")).flatMap { try? Answer($0) },
            speed: (try? root.optionalInteger("speed", in: 1...10_000)).flatMap { $0 })
    }

    private static func decodeTrust(_ root: JSONObject) throws -> Trust? {
        guard root.optional("root") != nil else { return nil }
        guard let checkedAt = Timestamp(try root.string("rootCheckedAt")) else {
            throw root.error("rootCheckedAt", "is not a time")
        }
        return Trust(
            root: try root.integer("root", in: 1...Pointer.sequenceLimit),
            epoch: try root.integer("epoch", in: 1...Pointer.sequenceLimit), checkedAt: checkedAt)
    }

    private static func decodeInstalled(
        _ root: JSONObject, seen: Int
    ) throws -> Installed? {
        // States with a payload hash may have nothing installed; older states always have a
        // release.
        if root.optional("version") == nil, root.optional("payloadHash") != nil { return nil }
        // States written by older versions have the route as `road`.
        let member = root.optional("route") == nil ? "road" : "route"
        guard let route = Route(rawValue: try root.string(member)) else {
            throw root.error(member, "is not known to this packtool")
        }
        guard let installedAt = Timestamp(try root.string("installedAt")) else {
            throw root.error("installedAt", "is not a time")
        }
        return Installed(
            version: try root.version("version"), packageHash: try root.digest("packageHash"),
            sequence: root.optional("releaseSequence") == nil
                ? seen
                // In a new epoch, sequences may start below that of the installed release.
                : try root.integer("releaseSequence", in: 1...Pointer.sequenceLimit),
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
