/// The wire format of the pointer's payload, schema 1 (`docs/formats.md`).
package enum PointerCoding {
    private static let schema = 1

    package static func encode(_ pointer: Pointer) -> [UInt8] {
        JSONWriter.write(
            .members([
                "schema": .integer(schema),
                "app": .string(pointer.app.description),
                "channel": .string(pointer.channel.description),
                "sequence": .integer(pointer.sequence),
                "createdAt": .string(pointer.createdAt.description),
                "expires": pointer.expires.map { .string($0.description) } ?? .null,
                "version": .string(pointer.version.description),
                "packageHash": .string(pointer.packageHash.description),
                "label": pointer.label.json,
                "info": ManifestCoding.encode(pointer.info),
                "package": ManifestCoding.encode(pointer.package),
                "deltas": .array(pointer.deltas.map(encode)),
                "rollout": .integer(pointer.rollout),
                "mandatory": .bool(pointer.isMandatory),
                "enabled": .bool(pointer.isEnabled),
                "minNativeVersion": pointer.minNativeVersion.json,
            ]))
    }

    private static func encode(_ delta: Pointer.Delta) -> JSONValue {
        .members([
            "from": .string(delta.from.description),
            "fromHash": .string(delta.fromHash.description),
            "url": .string(delta.content.url), "sha256": .string(delta.content.sha256.description),
            "size": .integer(delta.content.size), "memory": .integer(delta.memory),
        ])
    }

    /// Decodes a payload.
    ///
    /// - Throws: ``JSONError``, ``JSONShapeError``, ``InvalidWord``.
    package static func decode(_ bytes: [UInt8]) throws -> Pointer {
        let root = try JSONObject(JSONParser.parse(bytes))
        let number = try root.integer("schema", in: 0...Int(Int32.max))
        guard number == schema else {
            throw root.error("schema", "is \(number); this packtool reads \(schema)")
        }
        let pointer = Pointer(
            app: try AppName(root.string("app")), channel: try Channel(root.string("channel")),
            sequence: try root.integer("sequence", in: 1...Pointer.sequenceLimit),
            createdAt: try timestamp(root.string("createdAt"), root, "createdAt"),
            expires: try root.optionalString("expires").map { try timestamp($0, root, "expires") },
            version: try root.version("version"), packageHash: try root.digest("packageHash"),
            label: try root.optionalString("label"),
            info: try ManifestCoding.decodeReference(root.object("info")),
            package: try ManifestCoding.decodeReference(root.object("package")),
            deltas: try root.array("deltas", atMost: 100).enumerated().map {
                try decodeDelta(JSONObject($1, place: "deltas[\($0)]"))
            },
            rollout: try root.integer("rollout", in: 0...100),
            isMandatory: try root.bool("mandatory"), isEnabled: try root.bool("enabled"),
            minNativeVersion: try root.optionalString("minNativeVersion"))
        guard pointer.version == Version(packageHash: pointer.packageHash) else {
            throw root.error("version", "is not the first 20 digits of packageHash")
        }
        return pointer
    }

    private static func decodeDelta(_ object: JSONObject) throws -> Pointer.Delta {
        Pointer.Delta(
            from: try object.version("from"), fromHash: try object.digest("fromHash"),
            content: try ManifestCoding.decodeReference(object),
            memory: UInt64(try object.integer("memory", in: 0...(1 << 53 - 1))))
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
