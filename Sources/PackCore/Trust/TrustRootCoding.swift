import PackGround
import PackKeys
import PackOrigin
import PackRelease

/// The wire format of a root's payload, schema 1 (`docs/formats.md`).
package enum TrustRootCoding {
    private static let schema = 1

    /// Encodes a root; the same root always gives the same bytes.
    package static func encode(_ root: TrustRoot) -> [UInt8] {
        JSONWriter.write(
            .members([
                "schema": .integer(schema), "app": .string(root.app.description),
                "version": .integer(root.version), "epoch": .integer(root.epoch),
                "createdAt": .string(root.createdAt.description),
                "expires": .string(root.expires.description),
                "keys": .object(
                    root.keys.map {
                        .init(
                            $0.keyID.description,
                            .members([
                                "algorithm": .string($0.algorithm),
                                "public": .string(Base64.string($0.spki)),
                                "name": $0.name.map { .string($0) },
                            ]))
                    }),
                "roles": .object(
                    root.roles.map {
                        .init(
                            $0.name,
                            .members([
                                "keys": .strings($0.keys.map(\.description)),
                                "threshold": .integer($0.threshold),
                            ]))
                    }),
                "floors": .object(
                    root.floors.map { .init($0.channel.description, .integer($0.sequence)) }),
            ]))
    }

    /// Decodes a payload and checks all rules for a root.
    ///
    /// - Throws: ``JSONError``, ``JSONShapeError``, ``Failure``.
    package static func decode(_ bytes: [UInt8]) throws -> TrustRoot {
        let object = try JSONObject(JSONParser.parse(bytes))
        let number = try object.integer("schema", in: 0...Int(Int32.max))
        guard number == schema else {
            throw object.error("schema", "is \(number); this packtool reads \(schema)")
        }
        let keys = try decodeKeys(object)
        let root = TrustRoot(
            app: try AppName(object.string("app")),
            version: try object.integer("version", in: 1...Pointer.sequenceLimit),
            epoch: try object.integer("epoch", in: 1...Pointer.sequenceLimit),
            createdAt: try time(object, "createdAt"), expires: try time(object, "expires"),
            keys: keys, roles: try decodeRoles(object, Set(keys.map(\.keyID))),
            floors: try decodeFloors(object))
        guard root.createdAt < root.expires else {
            throw object.error("expires", "is not later than createdAt")
        }
        guard root.expires <= root.createdAt.adding(days: TrustRoot.longestLifetime) else {
            throw object.error("expires", "is more than five years after createdAt")
        }
        guard root.role(TrustRoot.rootRole) != nil else {
            throw object.error("roles.\(TrustRoot.rootRole)", "is missing")
        }
        return root
    }

    private static func decodeKeys(_ object: JSONObject) throws -> [TrustRoot.Key] {
        try object.members("keys", atMost: TrustRoot.keyLimit).map { member in
            let path = "keys.\(printable(member.name.utf8))"
            let key = try JSONObject(member.value, path: path)
            let spki = try Envelope.base64(key, "public")
            let id = StreamHasher.digest(of: spki)
            guard id.description == member.name else {
                throw key.error("public", "does not have the id \(printable(member.name.utf8))")
            }
            let algorithm = try key.string("algorithm")
            var publicKey: PublicKey?
            if let known = PublicKey.Algorithm(rawValue: algorithm) {
                publicKey = PublicKey(spki: spki)
                guard publicKey?.algorithm == known else {
                    throw key.error("public", "is not a key of \(algorithm), or a weak one")
                }
            }
            let name = try key.optionalString("name")
            guard name?.utf8.count ?? 0 <= TrustRoot.nameLimit else {
                throw key.error("name", "has more than \(TrustRoot.nameLimit) bytes")
            }
            return TrustRoot.Key(
                keyID: id, algorithm: algorithm, spki: spki, name: name, publicKey: publicKey)
        }
    }

    private static func decodeRoles(
        _ object: JSONObject, _ known: Set<Digest>
    ) throws -> [TrustRoot.Role] {
        try object.members("roles", atMost: TrustRoot.roleLimit).map { member in
            let role = try JSONObject(
                member.value, path: "roles.\(printable(member.name.utf8))")
            let keys = try role.array("keys", atMost: TrustRoot.keyLimit).map { value in
                guard case .string(let text) = value, let id = Digest(text) else {
                    throw role.error("keys", "has an element that is not a key's id")
                }
                guard known.contains(id) else {
                    throw role.error("keys", "names \(id), which is not in keys")
                }
                return id
            }
            guard Set(keys).count == keys.count else {
                throw role.error("keys", "names a key twice")
            }
            // A threshold above the number of keys, or of zero, is a mistake.
            let threshold = try role.integer("threshold", in: 1...TrustRoot.keyLimit)
            guard threshold <= keys.count else {
                throw role.error(
                    "threshold", "is \(threshold), but the role has \(counted(keys.count, "key"))")
            }
            return TrustRoot.Role(name: member.name, keys: keys, threshold: threshold)
        }
    }

    private static func decodeFloors(_ object: JSONObject) throws -> [TrustRoot.Floor] {
        guard object.optional("floors") != nil else { return [] }
        let floors = try object.object("floors")
        return try object.members("floors", atMost: 100).map { member in
            TrustRoot.Floor(
                channel: try Channel(member.name),
                sequence: try floors.integer(member.name, in: 1...Pointer.sequenceLimit))
        }
    }

    private static func time(_ object: JSONObject, _ name: String) throws -> Timestamp {
        guard let time = Timestamp(try object.string(name)) else {
            throw object.error(name, "is not a time such as 2026-11-21T08:00:00Z")
        }
        return time
    }
}
