package import PackGround

/// The wire format of `info.json`, schema 1 (`docs/formats.md`).
package enum ManifestCoding {
    private static let schema = 1

    /// Encodes a manifest; the same manifest always gives the same bytes.
    ///
    /// - Throws: ``Failure/manifestTooManyFiles(count:limit:)`` and
    ///   ``Failure/manifestTooLarge(what:size:limit:)`` if it exceeds the limits of readers.
    package static func encode(_ manifest: Manifest) throws(Failure) -> [UInt8] {
        guard manifest.entries.count <= Manifest.assetLimit else {
            throw .manifestTooManyFiles(count: manifest.entries.count, limit: Manifest.assetLimit)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(estimatedSize(manifest.entries))
        write(
            Head(manifest), count: manifest.entries.count, entry: { manifest.entries[$0] }
        ) { bytes += $0 }
        guard bytes.count <= Manifest.sizeLimit else {
            throw .manifestTooLarge(
                what: "manifest of \(counted(manifest.entries.count, "file"))", size: bytes.count,
                limit: Manifest.sizeLimit)
        }
        return bytes
    }

    /// A little more than the size of the text without escapes; growing it would copy it several
    /// times.
    private static func estimatedSize(_ entries: [ManifestEntry]) -> Int {
        entries.reduce(4096) { sum, entry in
            sum + 2 * entry.url.utf8.count + entry.asset.path.bytes.count + entry.type.utf8.count
                + 160
        }
    }

    /// The fields of a manifest besides its entries.
    struct Head {
        let version: Version
        let packageHash: Digest
        let app: AppName
        let launch: AssetPath?
        let scheme: String
        let package: ContentReference?
        let build: Manifest.BuildInfo
    }

    /// Writes a manifest piece by piece.
    ///
    /// - Parameters:
    ///   - entry: Makes the entry at an index; called twice for each.
    ///   - sink: Receives the text in pieces.
    static func write(
        _ head: Head, count: Int, entry: @escaping (Int) -> ManifestEntry,
        to sink: ([UInt8]) throws -> Void
    ) rethrows {
        try JSONWriter.write(
            [
                "version": .value(.string(head.version.description)),
                "files": .list(count: count) { .string(entry($0).url) },
                "schema": .value(.integer(schema)),
                "app": .value(.string(head.app.description)),
                "packageHash": .value(.string(head.packageHash.description)),
                "launch": .value(head.launch.map { .string($0.description) }),
                "scheme": .value(.string(head.scheme)),
                "assets": .list(count: count) { encode(entry($0)) },
                "package": .value(head.package.map(encode)),
                "build": .value(encode(head.build)),
            ], to: sink)
    }

    /// The JSON of a build's provenance.
    package static func encode(_ build: Manifest.BuildInfo) -> JSONValue {
        .members([
            "commit": build.commit.map { .string($0) }, "tool": .string(build.tool),
        ])
    }

    private static func encode(_ entry: ManifestEntry) -> JSONValue {
        .members([
            "path": .string(entry.asset.path.description), "url": .string(entry.url),
            "sha256": .string(entry.asset.sha256.description), "size": .integer(entry.asset.size),
            "type": .string(entry.type),
        ])
    }

    /// The JSON of a reference.
    package static func encode(_ reference: ContentReference) -> JSONValue {
        .members([
            "url": .string(reference.url), "sha256": .string(reference.sha256.description),
            "size": .integer(reference.size),
        ])
    }

    /// Decodes and checks a manifest.
    ///
    /// Unknown members are ignored, so that older clients accept newer manifests.
    ///
    /// - Parameter path: The source of the manifest, for messages.
    /// - Throws: ``Failure/manifestInvalid(path:problem:)``.
    package static func decode(_ bytes: [UInt8], path: String) throws(Failure) -> Manifest {
        var list = EntryList()
        do {
            let root = try JSONParser.parse(
                bytes, lists: ["assets": .array(atMost: .max), "files": .array(atMost: .max)],
                isBounded: false
            ) {
                if $0.list == "files" {
                    list.urls.add($0.value)
                } else {
                    list.add($0.value, number: $0.number)
                }
            }
            return try decode(JSONObject(root), list)
        } catch {
            throw .manifestInvalid(path: path, problem: "\(error)")
        }
    }

    /// Collects the assets while parsing, so their JSON is not kept.
    private struct EntryList {
        var entries: [ManifestEntry] = []
        var count = 0
        var urls = URLList()
        var error: (any Error)?

        mutating func add(_ element: JSONValue, number: Int) {
            count = number + 1
            guard error == nil, count <= Manifest.assetLimit else { return }
            do {
                entries.append(try decodeEntry(JSONObject(element)))
            } catch {
                // Again, with the entry's path in the error.
                do {
                    _ = try decodeEntry(JSONObject(element, path: "assets[\(number)]"))
                } catch { self.error = error }
            }
        }
    }

    /// The hash of a list of URLs, which would take as much memory as the assets.
    private struct URLList {
        var count = 0
        private var hasher = StreamHasher()
        private var isText = true
        private var pending: [UInt8] = []

        mutating func add(_ element: JSONValue) {
            count += 1
            guard case .string(let url) = element else { return isText = false }
            add(url)
        }

        private mutating func add(_ url: String) {
            pending += url.utf8
            // No URL contains a NUL that could stand for the end of another one.
            pending.append(0)
            guard pending.count >= 16 << 10 else { return }
            hasher.update(pending)
            pending.removeAll(keepingCapacity: true)
        }

        /// Whether these are the URLs of the entries.
        func isEqual(to entries: [ManifestEntry]) -> Bool {
            guard isText, count == entries.count else { return false }
            var other = URLList()
            for entry in entries { other.add(entry.url) }
            return other.digest == digest
        }

        private var digest: Digest {
            var hasher = hasher
            hasher.update(pending)
            return hasher.finish()
        }
    }

    private static func decode(_ root: JSONObject, _ list: EntryList) throws -> Manifest {
        let number = try root.integer("schema", in: 0...Int(Int32.max))
        guard number == schema else {
            throw root.error("schema", "is \(number); this packtool reads \(schema)")
        }
        _ = try root.array("assets", atMost: Manifest.assetLimit)
        guard list.count <= Manifest.assetLimit else {
            throw root.tooMany("assets", list.count, Manifest.assetLimit)
        }
        if let error = list.error { throw error }
        let manifest = Manifest(
            app: try AppName(root.string("app")), entries: list.entries,
            launch: try decodeLaunch(root),
            scheme: try root.string("scheme"),
            package: try root.optionalObject("package").map(decodeReference),
            build: try decodeBuild(root.object("build")))
        try check(manifest, list.urls, against: root)
        return manifest
    }

    package static func decodeLaunch(_ root: JSONObject) throws -> AssetPath? {
        guard let name = try root.optionalString("launch") else { return nil }
        guard let path = try? AssetPath(name) else {
            throw root.error("launch", "is not one of the assets")
        }
        return path
    }

    private static func decodeEntry(_ object: JSONObject) throws -> ManifestEntry {
        let name = try object.string("path")
        let path: AssetPath
        do throws(NameProblem) {
            path = try AssetPath(name)
        } catch {
            throw object.error("path", "is refused: \(error.reason)")
        }
        if let problem = path.portabilityProblem {
            throw object.error("path", "is refused: \(problem.reason)")
        }
        let url = try object.string("url")
        guard ends(url, inNameOf: path) else {
            throw object.error("url", "does not end in the asset's file name")
        }
        let asset = Asset(
            path: path, size: UInt64(try object.integer("size", in: 0...(1 << 53 - 1))),
            sha256: try object.digest("sha256"))
        return ManifestEntry(asset: asset, url: url, type: try object.string("type"))
    }

    /// Whether the last component of a URL, decoded, is the file name of a path.
    private static func ends(_ url: String, inNameOf path: AssetPath) -> Bool {
        let last = url.utf8.lastIndex(of: UInt8(ascii: "/")).map(url.utf8.index(after:))
        let name = url[(last ?? url.startIndex)...]
        if !name.utf8.contains(UInt8(ascii: "%")) {
            return name.utf8.elementsEqual(path.lastComponent)
        }
        return PercentCoding.decode(name) == path.fileName
    }

    /// Decodes a reference.
    package static func decodeReference(_ object: JSONObject) throws -> ContentReference {
        ContentReference(
            url: try object.string("url"), sha256: try object.digest("sha256"),
            size: UInt64(try object.integer("size", in: 0...(1 << 53 - 1))))
    }

    static func decodeBuild(_ object: JSONObject) throws -> Manifest.BuildInfo {
        Manifest.BuildInfo(
            commit: try object.optionalString("commit"), tool: try object.string("tool"))
    }

    /// Checks that the parts of a manifest agree.
    private static func check(
        _ manifest: Manifest, _ urls: URLList, against root: JSONObject
    ) throws {
        let paths = manifest.entries.map(\.asset.path)
        guard zip(paths, paths.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw root.error("assets", "are not in listing order with each path once")
        }
        // A later sum of the sizes must not overflow.
        var total: UInt64 = 0
        for entry in manifest.entries {
            total += entry.asset.size
            guard total < 1 << 53 else {
                throw root.error("assets", "add up to more than 2^53 - 1 bytes")
            }
        }
        if let collision = NameCollisions.find(in: paths).first {
            throw root.error("assets", "contain '\(collision.path)': \(collision.problem.reason)")
        }
        _ = try root.array("files", atMost: Manifest.assetLimit)
        guard urls.count <= Manifest.assetLimit else {
            throw root.tooMany("files", urls.count, Manifest.assetLimit)
        }
        guard urls.isEqual(to: manifest.entries) else {
            throw root.error("files", "are not the URLs of the assets in their order")
        }
        guard try root.digest("packageHash") == manifest.release.packageHash else {
            throw root.error("packageHash", "is not the hash of the listing of the assets")
        }
        guard try root.version("version") == manifest.release.version else {
            throw root.error("version", "is not the first 20 digits of packageHash")
        }
        if let launch = manifest.launch, !paths.contains(launch) {
            throw root.error("launch", "is not one of the assets")
        }
    }
}

extension ManifestCoding.Head {
    init(_ manifest: Manifest) {
        self.init(
            version: manifest.release.version, packageHash: manifest.release.packageHash,
            app: manifest.app, launch: manifest.launch, scheme: manifest.scheme,
            package: manifest.package, build: manifest.build)
    }
}
