package import PackGround
import PackRelease

/// The wire format of the pointer's payload, schema 1 (`docs/formats.md`).
package enum PointerCoding {
    private static let schema = 1

    package static func encode(_ pointer: Pointer) -> [UInt8] {
        let head = members([
            "schema": .integer(schema),
            "app": .string(pointer.app.description),
            "channel": .string(pointer.channel.description),
            "sequence": .integer(pointer.sequence),
            "previous": pointer.previous.json,
            "root": pointer.root.json,
            "operation": (pointer.operation?.rawValue).json,
            "by": pointer.by.json,
            "source": (pointer.source?.json) ?? .null,
            "createdAt": .string(pointer.createdAt.description),
            "expires": (pointer.expires?.description).json,
        ])
        let states = members([
            "mandatory": .bool(pointer.isMandatory),
            "mandatorySequence": pointer.mandatorySequence.json,
            "enabled": .bool(pointer.isEnabled),
            "bypass": .bool(pointer.bypasses),
        ])
        var rest = members(["fallbacks": .array(pointer.fallbacks.map(encode))])
        if pointer.isProposed { rest += members(["proposed": .bool(true)]) }
        if pointer.isClosed { rest += members(["closed": .bool(true)]) }
        let entry = pointer.entry
        return JSONWriter.write(
            .object(head + release(entry) + states + range(entry.native) + rest))
    }

    private static func encode(_ entry: Pointer.Entry) -> JSONValue {
        .object(release(entry) + range(entry.native))
    }

    /// The members of an entry except those of ``range(_:)``, which a pointer encodes after other
    /// members.
    private static func release(_ entry: Pointer.Entry) -> [JSONValue.Member] {
        members([
            "version": .string(entry.version.description),
            "packageHash": .string(entry.packageHash.description),
            "tree": encode(entry.tree),
            "label": entry.label.json,
            "launch": (entry.launch?.description).json,
            "info": ManifestCoding.encode(entry.info),
            "package": ManifestCoding.encode(entry.package),
            "deltas": .array(entry.deltas.map(encode)),
            "rollout": .integer(entry.rollout),
            "rolloutSalt": entry.rolloutSalt.json,
        ])
    }

    private static func range(_ native: NativeRanges) -> [JSONValue.Member] {
        let ranges = members([
            "minNativeVersion": (native.others.lowest?.description).json,
            "maxNativeVersion": (native.others.highest?.description).json,
        ])
        return native.platforms.map { ranges + members(["platforms": $0]) } ?? ranges
    }

    private static func members(
        _ pairs: KeyValuePairs<String, JSONValue>
    ) -> [JSONValue.Member] {
        pairs.map(JSONValue.Member.init)
    }

    private static func encode(_ tree: TreeSize) -> JSONValue {
        .members(["assets": .integer(tree.assets), "size": .integer(tree.size)])
    }

    private static func encode(_ delta: Pointer.Delta) -> JSONValue {
        .members([
            "from": .string(delta.from.description),
            "fromHash": .string(delta.fromHash.description),
            "url": .string(delta.content.url), "sha256": .string(delta.content.sha256.description),
            "size": .integer(delta.content.size), "memory": .integer(delta.needs.memory),
            "coded": .integer(delta.needs.coded), "copied": .integer(delta.needs.copied),
        ])
    }
}

extension NativeRanges {
    /// The ranges of each platform; `nil` if all clients have the same.
    package var platforms: JSONValue? {
        isUniform ? nil : .members(["ios": ios.json, "android": android.json])
    }
}

extension NativeRange {
    fileprivate var json: JSONValue {
        .members([
            "minNativeVersion": (lowest?.description).json,
            "maxNativeVersion": (highest?.description).json,
        ])
    }
}

extension Pointer.Source {
    package var json: JSONValue {
        .members(["channel": .string(channel.description), "sequence": .integer(sequence)])
    }
}

// MARK: Decoding

extension PointerCoding {
    /// Decodes a payload.
    ///
    /// Members added after packtool 1.0 are optional.
    ///
    /// - Throws: ``JSONError``, ``JSONShapeError``, ``Failure``.
    package static func decode(_ bytes: [UInt8]) throws -> Pointer {
        let root = try JSONObject(JSONParser.parse(bytes))
        let number = try root.integer("schema", in: 0...Int(Int32.max))
        guard number == schema else {
            throw root.error("schema", "is \(number); this packtool reads \(schema)")
        }
        let sequences = 1...Pointer.sequenceLimit
        var pointer = Pointer(
            app: try AppName(root.string("app")), channel: try Channel(root.string("channel")),
            sequence: try root.integer("sequence", in: sequences),
            createdAt: try timestamp(root.string("createdAt"), root, "createdAt"),
            expires: try root.optionalString("expires").map { try timestamp($0, root, "expires") },
            entry: try decodeEntry(root))
        pointer.previous = try root.optionalInteger("previous", in: sequences)
        if let previous = pointer.previous, previous >= pointer.sequence {
            throw root.error("previous", "is \(previous), not below the sequence")
        }
        pointer.root = try root.optionalInteger("root", in: sequences)
        pointer.operation = try root.optionalString("operation").flatMap(
            Pointer.Operation.init(rawValue:))
        pointer.by = try text(root, "by", atMost: Pointer.byLimit)
        pointer.source = try root.optionalObject("source").map(decodeSource)
        pointer.isMandatory = try root.bool("mandatory")
        pointer.mandatorySequence = try root.optionalInteger(
            "mandatorySequence", in: 1...pointer.sequence)
        pointer.isEnabled = try root.bool("enabled")
        pointer.bypasses = try root.optional("bypass") != nil && root.bool("bypass")
        pointer.isProposed = try root.optional("proposed") != nil && root.bool("proposed")
        pointer.isClosed = try root.optional("closed") != nil && root.bool("closed")
        // Clients that ignore the member treat the channel as paused.
        if pointer.isClosed, pointer.isEnabled || pointer.expires != nil {
            throw root.error("closed", "is true, and the pointer is enabled or expires")
        }
        if root.optional("fallbacks") != nil {
            pointer.fallbacks = try root.array("fallbacks", atMost: Pointer.fallbackLimit)
                .enumerated().map {
                    try decodeEntry(JSONObject($1, path: "fallbacks[\($0)]"))
                }
        }
        return pointer
    }

    private static func decodeEntry(_ object: JSONObject) throws -> Pointer.Entry {
        var entry = Pointer.Entry(
            version: try object.version("version"),
            packageHash: try object.digest("packageHash"),
            tree: try decodeTree(object.object("tree")),
            label: try object.optionalString("label"),
            launch: try ManifestCoding.decodeLaunch(object),
            info: try ManifestCoding.decodeReference(object.object("info")),
            package: try ManifestCoding.decodeReference(object.object("package")),
            deltas: try object.array("deltas", atMost: Pointer.deltaLimit).enumerated().map {
                let path = object.path.isEmpty ? "deltas" : "\(object.path).deltas"
                return try decodeDelta(JSONObject($1, path: "\(path)[\($0)]"))
            })
        entry.rollout = try object.integer("rollout", in: 0...100)
        entry.rolloutSalt = try text(object, "rolloutSalt", atMost: Pointer.saltLimit)
        entry.native = try decodeNative(object)
        guard entry.version == Version(packageHash: entry.packageHash) else {
            throw object.error("version", "is not the first 20 digits of packageHash")
        }
        return entry
    }

    private static func decodeNative(_ object: JSONObject) throws -> NativeRanges {
        let others = try decodeRange(object)
        guard let platforms = try object.optionalObject("platforms") else {
            return NativeRanges(others)
        }
        let range = { (platform: AppPlatform) in
            try platforms.optionalObject(platform.rawValue).map(decodeRange) ?? others
        }
        return NativeRanges(ios: try range(.ios), android: try range(.android), others: others)
    }

    private static func decodeRange(_ object: JSONObject) throws -> NativeRange {
        let range = NativeRange(
            lowest: try nativeVersion(object, "minNativeVersion"),
            highest: try nativeVersion(object, "maxNativeVersion"))
        guard !range.isEmpty else {
            throw object.error("maxNativeVersion", "is below minNativeVersion")
        }
        return range
    }

    private static func decodeTree(_ object: JSONObject) throws -> TreeSize {
        TreeSize(
            assets: try object.integer("assets", in: 0...Manifest.assetLimit),
            size: UInt64(try object.integer("size", in: 0...(1 << 53 - 1))))
    }

    private static func decodeSource(_ object: JSONObject) throws -> Pointer.Source {
        Pointer.Source(
            channel: try Channel(object.string("channel")),
            sequence: try object.integer("sequence", in: 1...Pointer.sequenceLimit))
    }

    private static func decodeDelta(_ object: JSONObject) throws -> Pointer.Delta {
        Pointer.Delta(
            from: try object.version("from"), fromHash: try object.digest("fromHash"),
            content: try ManifestCoding.decodeReference(object),
            needs: Pointer.Needs(
                memory: try size(object, "memory"),
                coded: try object.optional("coded") == nil ? 0 : size(object, "coded"),
                copied: try object.optional("copied") == nil ? 0 : size(object, "copied")))
    }

    private static func size(_ object: JSONObject, _ name: String) throws -> UInt64 {
        UInt64(try object.integer(name, in: 0...(1 << 53 - 1)))
    }

    private static func nativeVersion(
        _ object: JSONObject, _ name: String
    ) throws -> NativeVersion? {
        guard let text = try object.optionalString(name) else { return nil }
        do {
            return try NativeVersion(text)
        } catch {
            throw object.error(name, "is not a version such as \(error["example"])")
        }
    }

    /// An optional text for people.
    private static func text(
        _ object: JSONObject, _ name: String, atMost limit: Int
    ) throws -> String? {
        guard let text = try object.optionalString(name) else { return nil }
        guard text.utf8.count <= limit else {
            throw object.error(name, "is longer than \(limit) bytes")
        }
        return text
    }

    private static func timestamp(
        _ text: String, _ object: JSONObject, _ name: String
    ) throws -> Timestamp {
        guard let time = Timestamp(text) else {
            throw object.error(name, "is not a time such as 2026-11-21T08:00:00Z")
        }
        return time
    }
}
