package import PackGround
package import PackRelease

/// `delta.json`, the first member of a delta (`docs/formats.md`).
package struct DeltaManifest: Equatable, Sendable {
    /// The old release and its package hash.
    package var from: Version
    package var fromHash: Digest
    /// The new release and its package hash.
    package var to: Version
    package var toHash: Digest
    /// Old paths to delete, except those that a stream renames.
    package var delete: [AssetPath]
    /// New paths with the content of an old path.
    package var copy: [(new: AssetPath, old: AssetPath)]
    /// Files sent in full, each below ``filesPrefix``.
    package var add: [AssetPath]
    /// The stream members, in the order of their application.
    package var patch: [Patch]
    /// The memory for applying, in bytes, if it is more than the streams declare.
    package var wholeMemory: Int?
    /// The new release's `info.json`, without the parts determined by its files; `nil` if the delta
    /// has none.
    package var info: ManifestTemplate?

    /// One stream.
    package struct Patch: Equatable, Sendable {
        package var stream: String
        /// The memory for decoding, in bytes.
        package var memory: Int

        package init(stream: String, memory: Int) {
            self.stream = stream
            self.memory = memory
        }
    }

    package init(
        from: Version, fromHash: Digest, to: Version, toHash: Digest, delete: [AssetPath],
        copy: [(new: AssetPath, old: AssetPath)], add: [AssetPath], patch: [Patch],
        wholeMemory: Int? = nil, info: ManifestTemplate? = nil
    ) {
        self.from = from
        self.fromHash = fromHash
        self.to = to
        self.toHash = toHash
        self.delete = delete
        self.copy = copy
        self.add = add
        self.patch = patch
        self.wholeMemory = wholeMemory
        self.info = info
    }

    package static let fileName = "delta.json"
    package static let filesPrefix = "files/"
    package static let patchesPrefix = "patches/"
    package static let codec = "aligned/1"
    package static let sizeLimit = 64 << 20
    private static let schema = 1

    package static func == (a: DeltaManifest, b: DeltaManifest) -> Bool { a.encode() == b.encode() }

    /// The memory for a small release besides decoding: the delta's members, and the hashes of base
    /// and tree.
    private static let memoryBesideDecoding = 4 << 20

    /// The memory for applying, in bytes, without the program itself.
    package var memory: Int {
        max(wholeMemory ?? 0, largestStream + Self.memoryBesideDecoding)
    }

    /// The memory of the most demanding stream.
    package var largestStream: Int { patch.map(\.memory).max() ?? 0 }

    /// Encodes the manifest; the same manifest always gives the same bytes.
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
                "memory": wholeMemory.map { .integer($0) },
                "info": info?.json,
            ]))
    }

    /// Decodes and checks a manifest.
    ///
    /// - Parameter path: The source of the manifest, for messages.
    /// - Throws: ``Failure/deltaInvalidManifest(path:problem:)``.
    package static func decode(_ bytes: [UInt8], path: String) throws(Failure) -> DeltaManifest {
        do {
            var lists = Lists()
            let root = try JSONObject(
                JSONParser.parse(bytes, lists: Lists.known, isBounded: true) { try lists.add($0) })
            return try decode(root, lists)
        } catch {
            throw .deltaInvalidManifest(path: path, problem: "\(error)")
        }
    }

    private static func decode(_ root: JSONObject, _ lists: Lists) throws -> DeltaManifest {
        let number = try root.integer("schema", in: 0...Int(Int32.max))
        guard number == schema else {
            throw root.error("schema", "is \(number); this packtool reads \(schema)")
        }
        guard try root.string("codec") == codec else {
            throw root.error("codec", "is not \(codec)")
        }
        for name in ["delete", "add", "patch"] { _ = try root.array(name, atMost: 0) }
        _ = try root.members("copy", atMost: 0)
        let manifest = DeltaManifest(
            from: try root.version("from"), fromHash: try root.digest("fromHash"),
            to: try root.version("to"), toHash: try root.digest("toHash"),
            delete: lists.delete, copy: try lists.distinctCopies(), add: lists.add,
            patch: lists.patch,
            wholeMemory: try root.optional("memory") == nil
                ? nil : root.integer("memory", in: mostMemory),
            info: try root.optionalObject("info").map { try ManifestTemplate($0) })
        guard Version(packageHash: manifest.fromHash) == manifest.from,
            Version(packageHash: manifest.toHash) == manifest.to
        else { throw root.error("from", "and to are not the first 20 digits of their hashes") }
        return manifest
    }

    /// The largest number of bytes that the member `memory` adds to a manifest.
    package static let memoryMemberSize = 64
    private static let mostMemory = 0...(1 << 40)

    /// Collects the long members element by element.
    private struct Lists {
        static let known: [String: JSONParser.List] = [
            "delete": .array(atMost: Manifest.assetLimit),
            "copy": .object(atMost: Manifest.assetLimit),
            "add": .array(atMost: Manifest.assetLimit), "patch": .array(atMost: 10_000),
        ]

        var delete: [AssetPath] = []
        var copy: [(new: AssetPath, old: AssetPath)] = []
        var add: [AssetPath] = []
        var patch: [Patch] = []

        mutating func add(_ element: JSONParser.ListElement) throws {
            let list = element.list
            if list == "patch" {
                patch.append(try stream(element))
                return
            }
            guard case .string(let text) = element.value else {
                throw JSONShapeError(
                    path: list, problem: "contains something that is not a string")
            }
            let path = try path(text, list)
            switch list {
            case "delete": delete.append(path)
            case "add": add.append(path)
            default: copy.append((try self.path(element.name, list), path))
            }
        }

        private func stream(_ element: JSONParser.ListElement) throws -> Patch {
            let number = element.number
            let object = try JSONObject(element.value, path: "patch[\(number)]")
            let stream = try object.string("stream")
            guard stream == "\(patchesPrefix)\(number)" else {
                throw object.error("stream", "is not \(patchesPrefix)\(number)")
            }
            return Patch(stream: stream, memory: try object.integer("memory", in: mostMemory))
        }

        private func path(_ text: String, _ member: String) throws -> AssetPath {
            do throws(NameProblem) {
                return try AssetPath(text)
            } catch {
                throw JSONShapeError(
                    path: member, problem: "contains a path that is refused: \(error.reason)")
            }
        }

        /// The copies, after checking that their new paths are distinct.
        func distinctCopies() throws -> [(new: AssetPath, old: AssetPath)] {
            var paths = copy.map(\.new)
            paths.sort()
            if let twice = zip(paths, paths.dropFirst()).first(where: { $0 == $1 })?.0 {
                throw JSONShapeError(
                    path: "copy", problem: "has the key \"\(printable(twice.bytes))\" twice")
            }
            return copy
        }
    }
}
