/// `delta.json`, the first member of a delta (contract section 6, `docs/formats.md`).
package struct DeltaManifest: Equatable, Sendable {
    /// The release that the delta starts from, and its package hash.
    package var from: Version
    package var fromHash: Digest
    /// The release that comes out, and its package hash.
    package var to: Version
    package var toHash: Digest
    /// Old paths that go, but for those that a stream renames.
    package var delete: [AssetPath]
    /// New paths whose content lies at an old path.
    package var copy: [(new: AssetPath, old: AssetPath)]
    /// Files sent whole, each below ``filesPrefix``.
    package var add: [AssetPath]
    /// The members that hold streams, in the order in which they are applied.
    package var patch: [Patch]

    /// One stream.
    package struct Patch: Equatable, Sendable {
        package var stream: String
        /// The most bytes of memory that decoding takes.
        package var memory: Int
    }

    package static let fileName = "delta.json"
    package static let filesPrefix = "files/"
    package static let patchesPrefix = "patches/"
    package static let codec = "aligned/1"
    static let sizeLimit = 64 << 20
    private static let schema = 1

    package static func == (a: DeltaManifest, b: DeltaManifest) -> Bool { a.encode() == b.encode() }

    /// What applying takes beside decoding: for the delta's members, and for the hashes of base and tree.
    private static let memoryBesideDecoding = 4 << 20

    /// The most bytes of memory that applying takes, beside those of the program itself.
    package var memory: Int { (patch.map(\.memory).max() ?? 0) + Self.memoryBesideDecoding }

    /// The same manifest gives the same bytes.
    package func encode() -> [UInt8] {
        JSONWriter.write(
            .members([
                "schema": .integer(Self.schema),
                "from": .string(from.description), "fromHash": .string(fromHash.description),
                "to": .string(to.description), "toHash": .string(toHash.description),
                "codec": .string(Self.codec),
                "delete": .strings(delete.map(\.description)),
                "copy": .object(
                    copy.map { .init($0.new.description, .string($0.old.description)) }
                ),
                "add": .strings(add.map(\.description)),
                "patch": .array(
                    patch.map {
                        .members([
                            "stream": .string($0.stream), "memory": .integer($0.memory),
                        ])
                    }),
            ]))
    }

    /// Decodes and checks a manifest.
    ///
    /// - Parameter place: where it came from, for messages.
    /// - Throws: ``DeltaError/invalidManifest(place:problem:)``.
    package static func decode(_ bytes: [UInt8], place: String) throws(DeltaError) -> DeltaManifest
    {
        do {
            return try decode(JSONObject(JSONParser.parse(bytes)))
        } catch {
            throw .invalidManifest(place: place, problem: "\(error)")
        }
    }

    private static func decode(_ root: JSONObject) throws -> DeltaManifest {
        let number = try root.integer("schema", in: 0...Int(Int32.max))
        guard number == schema else {
            throw root.error("schema", "is \(number); this packtool reads \(schema)")
        }
        guard try root.string("codec") == codec else {
            throw root.error("codec", "is not \(codec)")
        }
        let manifest = DeltaManifest(
            from: try root.version("from"), fromHash: try root.digest("fromHash"),
            to: try root.version("to"), toHash: try root.digest("toHash"),
            delete: try paths(root, "delete"), copy: try copies(root), add: try paths(root, "add"),
            patch: try root.array("patch", atMost: 10_000).enumerated().map {
                let object = try JSONObject($1, place: "patch[\($0)]")
                let stream = try object.string("stream")
                guard stream == "\(patchesPrefix)\($0)" else {
                    throw object.error("stream", "is not \(patchesPrefix)\($0)")
                }
                return Patch(
                    stream: stream, memory: try object.integer("memory", in: 0...(1 << 40)))
            })
        guard Version(packageHash: manifest.fromHash) == manifest.from,
            Version(packageHash: manifest.toHash) == manifest.to
        else { throw root.error("from", "and to are not the first 20 digits of their hashes") }
        return manifest
    }

    private static func paths(_ root: JSONObject, _ name: String) throws -> [AssetPath] {
        try root.array(name, atMost: Manifest.assetLimit).map {
            guard case .string(let text) = $0 else {
                throw root.error(name, "holds something that is not a string")
            }
            return try path(text, root, name)
        }
    }

    private static func path(_ text: String, _ root: JSONObject, _ name: String) throws -> AssetPath
    {
        do throws(NameProblem) {
            return try AssetPath(text)
        } catch {
            throw root.error(name, "holds a path that is refused: \(error.reason)")
        }
    }

    private static func copies(_ root: JSONObject) throws -> [(new: AssetPath, old: AssetPath)] {
        try root.members("copy", atMost: Manifest.assetLimit).map { member in
            guard case .string(let old) = member.value else {
                throw root.error("copy", "holds something that is not a string")
            }
            return (try path(member.name, root, "copy"), try path(old, root, "copy"))
        }
    }
}
