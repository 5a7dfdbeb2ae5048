import PackDelta
package import PackGround
import PackRelease
import PackZip

/// The content of a delta, and the size of each part.
package struct DeltaExplanation: Sendable {
    /// A file produced by a stream.
    package struct Coded: Sendable {
        package let path: String
        /// The old file that it is aligned with.
        package let base: String?
        package let size: Int
        /// Its size in the stream, in bytes; `nil` if the coder does not separate files.
        package var cost: Int?

        package init(path: String, base: String?, size: Int, cost: Int? = nil) {
            self.path = path
            self.base = base
            self.size = size
            self.cost = cost
        }
    }

    package let manifest: DeltaManifest
    /// Size of the whole delta in bytes.
    package let size: UInt64
    /// Every member with the sizes of its content and compressed form.
    package let members: [(name: String, size: UInt64, compressed: UInt64)]
    /// The files produced by streams; `nil` without the base that their listings refer to.
    package private(set) var coded: [Coded]?
    /// New paths with the content of an old path; without the base, only those of `delta.json`.
    package private(set) var copies: [(new: AssetPath, old: AssetPath)]

    /// Explains a newly built delta.
    package init(
        of name: String, in directory: Directory, _ manifest: DeltaManifest, coded: [Coded],
        copies: [(new: AssetPath, old: AssetPath)]
    ) throws {
        self.manifest = manifest
        self.copies = copies
        (size, members) = try Self.members(of: name, in: directory)
        self.coded = coded
    }

    private static func members(
        of name: String, in directory: Directory
    ) throws -> (size: UInt64, [(name: String, size: UInt64, compressed: UInt64)]) {
        let file = try directory.openFile(name)
        let structure = try ZipStructure.read(file, limits: .standard)
        return (
            try file.status().size,
            structure.files.map {
                (String(decoding: $0.name, as: UTF8.self), $0.size, $0.compressedSize)
            }
        )
    }

    /// Reads a delta.
    ///
    /// - Parameter base: The old release; without it the streams are not decoded.
    /// - Throws: ``Failure``.
    package init(of name: String, in directory: Directory, base: AssetSource?) throws {
        manifest = try DeltaManifest.read(name, in: directory)
        copies = manifest.copy
        (size, members) = try Self.members(of: name, in: directory)
        guard let base else { return }
        guard manifest.fromHash == base.release.packageHash else {
            throw Failure.deltaWrongBase(
                delta: directory.display(name), needs: manifest.from.description,
                found: base.release.version.description)
        }
        var limits = DeltaLimits()
        // Deltas made with a higher limit can be explained, though not applied.
        limits.codedBytes = .max
        let path = directory.display(name)
        func read(_ patch: DeltaManifest.Patch) throws -> [UInt8] {
            try PackageReader.member(
                of: name, in: directory, named: patch.stream, limit: limits.output)
        }
        func inStream<Value>(_ patch: DeltaManifest.Patch, _ body: () throws -> Value) throws
            -> Value
        {
            do {
                return try body()
            } catch let error as DeltaCodecError {
                throw Failure.deltaInvalidStream(path: "\(path)/\(patch.stream)", problem: error)
            }
        }
        var headers = DeltaHeaders(old: base.release.oldFiles, limits: limits)
        for patch in manifest.patch {
            try inStream(patch) { try headers.read(read(patch)) }
        }
        let decoder: DeltaDecoder
        do throws(DeltaCodecError) { decoder = try DeltaDecoder(headers) } catch {
            throw Failure.deltaTooMuchWork(delta: path)
        }
        for copy in decoder.listings.lazy.flatMap(\.copies) {
            guard let path = try? AssetPath(copy.path) else { continue }
            copies.append((path, base.release.assets[copy.base].path))
        }
        coded = try manifest.patch.enumerated().flatMap { index, patch in
            try inStream(patch) {
                try Self.coded(read(patch), decoder, patch, index, base)
            }
        }
    }

    private static func coded(
        _ stream: [UInt8], _ decoder: DeltaDecoder, _ patch: DeltaManifest.Patch, _ index: Int,
        _ base: AssetSource
    ) throws -> [Coded] {
        let assets = base.release.assets
        var result: [Coded] = []
        var costs: [Int] = []
        try decoder.decode(stream, at: index, memory: patch.memory) { segment, buffer in
            try base.load(assets[segment.file], at: segment.offset, into: &buffer)
        } emit: { file, _ in
            result.append(
                Coded(
                    path: printable(file.path), base: file.base.map { assets[$0].path.description },
                    size: file.size))
        } cost: { _, cost in
            costs.append(cost)
        }
        for index in costs.indices { result[index].cost = costs[index] }
        return result
    }
}
