import PackGround
import PackOrigin
import PackRelease

/// The JSON of `state.json`, schema 2. Schema 1 is read.
extension InstallState {
    private static let schema = 2
    /// Distinguishes this file from another program's `state.json`.
    private static let kind = "packtool-installation"
    private static let embeddedName = "embedded"
    private static let treeLimit = 100
    private static let failedLimit = 1000

    /// Encodes the state.
    package func encode() -> [UInt8] {
        JSONWriter.write(
            .members([
                "schema": .integer(Self.schema), "kind": .string(Self.kind),
                "app": .string(app.description),
                "channel": .string(channel.description),
                "device": device.map { .string($0) },
                "current": current.map { .string(Self.text($0)) },
                "started": started.map { .string(Self.text($0)) },
                "nativeVersion": nativeVersion.map { .string($0.description) },
                "channels": .array(channels.map(\.json)),
                "trees": .array(trees.map(\.json)),
                "embedded": embedded.map(\.json),
                "failed": .strings(failed.map(\.description)),
                "tried": tried.isEmpty
                    ? nil
                    : .array(
                        tried.sorted { $0.key.description < $1.key.description }.map {
                            .members([
                                "version": .string($0.key.description),
                                "attempts": .integer($0.value),
                            ])
                        }),
                "root": trust.map { .integer($0.root) },
                "epoch": trust.map { .integer($0.epoch) },
                "rootCheckedAt": trust.map { .string($0.checkedAt.description) },
                "speed": speed.map { .integer($0) },
            ]))
    }

    private static func text(_ place: Place) -> String {
        switch place {
        case .embedded: embeddedName
        case .tree(let version): version.description
        }
    }

    /// Whether a file is the state of an installation, of any schema, so that newer schemas are
    /// reported.
    static func isState(_ bytes: [UInt8]) -> Bool {
        guard let root = try? JSONObject(JSONParser.parse(bytes)) else { return false }
        return (try? root.string("kind")) == kind
    }

    /// Decodes a state.
    ///
    /// - Throws: `JSONError`, `JSONShapeError`.
    static func decode(_ bytes: [UInt8]) throws -> InstallState {
        let root = try JSONObject(JSONParser.parse(bytes))
        let schema = try root.integer("schema", in: 1...Self.schema)
        guard try root.string("kind") == kind else {
            throw root.error("kind", "is not '\(kind)'")
        }
        var state = schema == 1 ? try decodeFirstSchema(root) : try decodeSecondSchema(root)
        state.device = try root.optionalString("device")
        // It only saves time, so damage must not lose the rest.
        state.speed = (try? root.optionalInteger("speed", in: 1...10_000)).flatMap { $0 }
        return state
    }

    private static func decodeSecondSchema(_ root: JSONObject) throws -> InstallState {
        let trust = try decodeTrust(root)
        let channels = try root.array("channels", atMost: mostChannels)
            .map { try ChannelState(JSONObject($0)) }
        guard let first = channels.first, first.channel.description == (try root.string("channel"))
        else { throw root.error("channels", "does not begin with the current channel") }
        var state = InstallState(app: try AppName(root.string("app")), channel: first)
        state.channels = channels
        state.trees = try root.array("trees", atMost: treeLimit).map { try Copy(JSONObject($0)) }
        state.embedded = try root.optionalObject("embedded").map { try Copy($0) }
        state.current = try place("current", root)
        state.started = try place("started", root)
        state.failed = try root.array("failed", atMost: failedLimit).map { value in
            guard case .string(let text) = value, let version = Version(text) else {
                throw root.error("failed", "has something other than versions")
            }
            return version
        }
        if root.optional("tried") != nil {
            for value in try root.array("tried", atMost: failedLimit) {
                let object = try JSONObject(value)
                state.tried[try object.version("version")] = try object.integer(
                    "attempts", in: 1...StartDecision.mostAttempts)
            }
        }
        state.nativeVersion = try root.optionalString("nativeVersion").map { try NativeVersion($0) }
        state.trust = trust
        return state
    }

    private static func place(_ name: String, _ root: JSONObject) throws -> Place? {
        guard let text = try root.optionalString(name) else { return nil }
        if text == embeddedName { return .embedded }
        guard let version = Version(text) else { throw root.error(name, "is not a version") }
        return .tree(version)
    }

    private static func decodeTrust(_ root: JSONObject) throws -> Trust? {
        guard root.optional("root") != nil else { return nil }
        return Trust(
            root: try root.integer("root", in: 1...Pointer.sequenceLimit),
            epoch: try root.integer("epoch", in: 1...Pointer.sequenceLimit),
            checkedAt: try root.time("rootCheckedAt"))
    }

    /// Reads the state of an older packtool: one channel and one tree, which was never started.
    ///
    /// Its release has been in use, so it counts as confirmed.
    private static func decodeFirstSchema(_ root: JSONObject) throws -> InstallState {
        let trust = try decodeTrust(root)
        var seen = ChannelState(
            channel: try Channel(root.string("channel")),
            sequence: try root.integer("sequence", in: 1...Pointer.sequenceLimit),
            payloadHash: root.optional("payloadHash") == nil
                ? nil : try root.digest("payloadHash"), epoch: trust?.epoch)
        seen.answer = Answer.read(root)
        var state = InstallState(app: try AppName(root.string("app")), channel: seen)
        state.trust = trust
        // States with a payload hash may have nothing installed; older states always have a
        // release.
        if root.optional("version") == nil, seen.payloadHash != nil { return state }
        // States written by older versions have the route as `road`.
        var copy = Copy(
            version: try root.version("version"), packageHash: try root.digest("packageHash"),
            channel: seen.channel, epoch: trust?.epoch,
            sequence: root.optional("releaseSequence") == nil
                ? seen.sequence
                    // In a new epoch, sequences may start below that of the installed release.
                : try root.integer("releaseSequence", in: 1...Pointer.sequenceLimit),
            label: try root.optionalString("label"),
            route: try root.route(root.optional("route") == nil ? "road" : "route"),
            installedAt: try root.time("installedAt"))
        copy.isConfirmed = true
        state.choose(copy)
        return state
    }
}

extension InstallState.ChannelState {
    fileprivate var json: JSONValue {
        .members([
            "channel": .string(channel.description), "sequence": .integer(sequence),
            "payloadHash": payloadHash.map { .string($0.description) },
            "epoch": epoch.map { .integer($0) }, "enabled": .bool(isEnabled),
            "bypass": .bool(bypasses), "mandatorySequence": mandatorySequence.map { .integer($0) },
            "expires": expires.map { .string($0.description) },
            "offered": offered.map { .string($0.description) }, "answer": answer.map(\.json),
        ])
    }

    fileprivate init(_ object: JSONObject) throws {
        self.init(
            channel: try Channel(object.string("channel")),
            sequence: try object.integer("sequence", in: 1...Pointer.sequenceLimit),
            payloadHash: object.optional("payloadHash") == nil
                ? nil : try object.digest("payloadHash"),
            epoch: try object.optionalInteger("epoch", in: 1...Pointer.sequenceLimit))
        isEnabled = try object.bool("enabled")
        bypasses = try object.bool("bypass")
        mandatorySequence = try object.optionalInteger(
            "mandatorySequence", in: 1...Pointer.sequenceLimit)
        expires = object.optional("expires") == nil ? nil : try object.time("expires")
        offered = object.optional("offered") == nil ? nil : try object.version("offered")
        answer = InstallState.Answer.read(object)
    }
}

extension InstallState.Answer {
    fileprivate var json: JSONValue {
        .members([
            "address": .string(file.address), "tag": .string(file.tag),
            "receivedAt": .string(receivedAt.description),
            "bytes": .string(Base64.string(file.bytes)),
        ])
    }

    /// Reads the member `answer`; `nil` if there is none, or it is damaged: it only saves time.
    fileprivate static func read(_ root: JSONObject) -> InstallState.Answer? {
        guard let object = (try? root.optionalObject("answer")).flatMap({ $0 }),
            let bytes = try? Envelope.base64(object, "bytes"),
            let address = try? object.string("address"), let tag = try? object.string("tag"),
            let file = HTTPAnswer(address: address, tag: tag, bytes: bytes),
            let time = try? object.time("receivedAt")
        else { return nil }
        return InstallState.Answer(file: file, receivedAt: time)
    }
}

extension InstallState.Copy {
    fileprivate var json: JSONValue {
        .members([
            "version": .string(version.description),
            "packageHash": .string(packageHash.description),
            "channel": .string(channel.description), "epoch": epoch.map { .integer($0) },
            "sequence": .integer(sequence), "label": label.json,
            "minNativeVersion": native.lowest.map { .string($0.description) },
            "maxNativeVersion": native.highest.map { .string($0.description) },
            "launch": launch.map { .string($0.description) },
            "route": .string(route.rawValue), "installedAt": .string(installedAt.description),
            "confirmed": .bool(isConfirmed), "attempts": .integer(attempts),
        ])
    }

    fileprivate init(_ object: JSONObject) throws {
        self.init(
            version: try object.version("version"), packageHash: try object.digest("packageHash"),
            channel: try Channel(object.string("channel")),
            epoch: try object.optionalInteger("epoch", in: 1...Pointer.sequenceLimit),
            sequence: try object.integer("sequence", in: 1...Pointer.sequenceLimit),
            label: try object.optionalString("label"), route: try object.route("route"),
            installedAt: try object.time("installedAt"))
        native = NativeRange(
            lowest: try object.optionalString("minNativeVersion").map { try NativeVersion($0) },
            highest: try object.optionalString("maxNativeVersion").map { try NativeVersion($0) })
        do { launch = try object.optionalString("launch").map { try AssetPath($0) } } catch {
            throw object.error("launch", "is not a path")
        }
        isConfirmed = try object.bool("confirmed")
        attempts = try object.integer("attempts", in: 0...StartDecision.mostAttempts)
    }
}

extension JSONObject {
    fileprivate func route(_ name: String) throws -> InstallState.Route {
        guard let route = InstallState.Route(rawValue: try string(name)) else {
            throw error(name, "is not known to this packtool")
        }
        return route
    }

    fileprivate func time(_ name: String) throws -> Timestamp {
        guard let time = Timestamp(try string(name)) else { throw error(name, "is not a time") }
        return time
    }
}
