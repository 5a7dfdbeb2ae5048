package import PackGround
package import PackRelease
package import PackZip

/// An earlier package whose compressed entries can be copied, so that only changed files are
/// compressed.
///
/// Entries are found by CRC-32 and size, not by name. That is only a hint: the finished package is
/// read back and every SHA-256 compared (``PackageReader/prove(reused:jobs:progress:)``).
package struct ReuseArchive: Sendable {
    private let directory: Directory
    private let name: String
    private let file: OpenFile
    private let entries: [PackageReader.Content: ZipEntry]
    /// Whether this package was read through libarchive when it was published.
    package let isProved: Bool

    private final class OpenFile: Sendable {
        let file: OwnedDescriptor

        init(_ file: consuming OwnedDescriptor) { self.file = file }
    }

    /// The content to recompress as a check that this machine produces the same bytes.
    private static let sample = (entries: 8, bytes: UInt64(256) << 10)

    /// Opens an earlier package.
    ///
    /// - Parameter published: The content that a pointer lists for it. A file that differs is
    ///   rejected here, which costs less than failing the verification later.
    /// - Returns: `nil` if packing again would write different entries: another level or another
    ///   compressor.
    /// - Throws: ``Failure`` if it breaks the strict profile, ``Failure``.
    package static func open(
        _ name: String, in directory: Directory, level: CompressionLevel,
        published: ContentReference? = nil
    ) throws -> ReuseArchive? {
        // A missing file is reported when it is opened.
        if let published, try directory.status(name) != nil,
            try !directory.holds(published, at: name)
        {
            throw Failure.archive(.contentDiffers, archive: directory.display(name))
        }
        let file = try directory.openFile(name)
        let structure = try ZipStructure.read(file, limits: .standard)
        guard try isOurForm(structure, file, level) else { return nil }
        // Larger content is always compressed again. It is streamed through zlib, whose version the
        // sample does not detect, and it would have to be in memory as a whole.
        let files = structure.files.filter { $0.size <= PackageWriter.streamingThreshold }
        let deflated = files.filter { $0.method == ZipFormat.deflated }
        // Nothing is compressed, so there is nothing to copy and no level to compare.
        if deflated.isEmpty {
            return ReuseArchive(directory, name, OpenFile(file), [:], isProved: false)
        }
        guard try isOurWork(deflated, file, level) else { return nil }
        let entries = files.filter { $0.size > 0 }.map {
            (PackageReader.Content(size: $0.size, checksum: $0.checksum), $0)
        }
        return ReuseArchive(
            directory, name, OpenFile(file),
            Dictionary(entries, uniquingKeysWith: { first, _ in first }),
            isProved: published != nil)
    }

    /// Whether a package has the form that ``PackageWriter`` writes at some level.
    ///
    /// - Throws: ``Failure`` if it breaks the strict profile, ``Failure``.
    package static func isOurForm(_ name: String, in directory: Directory) throws -> Bool {
        let file = try directory.openFile(name)
        let structure = try ZipStructure.read(file, limits: .standard)
        for level in CompressionLevel.allCases where try isOurForm(structure, file, level) {
            return true
        }
        return false
    }

    /// Whether the directory and every entry have the form that ``PackageWriter`` writes.
    ///
    /// Archives written or changed by other tools do not. So a copied entry is never larger than
    /// its content, as in a hostile zip with padding.
    private static func isOurForm(
        _ structure: ZipStructure, _ file: borrowing OwnedDescriptor, _ level: CompressionLevel
    ) throws -> Bool {
        let isOurs = structure.entries.allSatisfy { entry in
            entry.method == ZipFormat.stored && entry.compressedSize == entry.size
                || entry.compressedSize < entry.size
                    && entry.flags & ZipFormat.flagLevelMask == level.flagBits
        }
        guard isOurs, zip(structure.paths, structure.paths.dropFirst()).allSatisfy({ $0 < $1 }),
            let last = structure.entries.last
        else { return structure.entries.isEmpty }
        let start = last.dataOffset + last.compressedSize
        let directory = ZipHeaders.directory(structure.entries, at: start)
        return try file.bytes(at: start, count: directory.count + 1) == directory
    }

    private init(
        _ directory: Directory, _ name: String, _ file: OpenFile,
        _ entries: [PackageReader.Content: ZipEntry], isProved: Bool
    ) {
        self.directory = directory
        self.name = name
        self.file = file
        self.entries = entries
        self.isProved = isProved
    }

    /// Compresses a sample again and compares the bytes.
    ///
    /// Another version of libdeflate writes other bytes, and a package that mixes both would not be
    /// reproducible.
    private static func isOurWork(
        _ deflated: [ZipEntry], _ file: borrowing OwnedDescriptor, _ level: CompressionLevel
    ) throws -> Bool {
        let deflater = try ContentDeflater(level: level)
        var left = sample.bytes
        let fitting = deflated.filter { $0.size <= left }.sorted { $0.size > $1.size }
        // If every entry is larger than the sample, the smallest is compared.
        let candidates =
            fitting.isEmpty ? deflated.sorted { $0.size < $1.size }.prefix(1) : fitting[...]
        for (number, entry) in candidates.prefix(sample.entries).enumerated() {
            guard number == 0 || entry.size <= left else { continue }
            left -= min(left, entry.size)
            // Both sizes are bounded by the largest content that is compressed in memory.
            let compressed = try file.bytes(
                at: entry.dataOffset, count: Int(entry.compressedSize))
            guard let content = try inflate(compressed, size: Int(entry.size)) else { return false }
            var again = [UInt8](repeating: 0, count: content.count)
            var span = again.mutableSpan
            var room = unsafe span.mutableBytes
            guard let count = unsafe deflater.compress(content.span.bytes, into: &room),
                again.prefix(count).elementsEqual(compressed)
            else { return false }
        }
        return true
    }

    private static func inflate(_ compressed: [UInt8], size: Int) throws -> [UInt8]? {
        let inflater = try Inflater()
        var content = [UInt8](repeating: 0, count: size)
        var span = content.mutableSpan
        var room = unsafe span.mutableBytes
        return unsafe inflater.decompress(compressed.span.bytes, into: &room) ? content : nil
    }

    /// The entry with this checksum and size of its content.
    package func entry(checksum: UInt32, size: UInt64) -> ZipEntry? {
        entries[PackageReader.Content(size: size, checksum: checksum)]
    }

    /// Copies an entry's compressed data to the start of `output`.
    ///
    /// - Parameter reader: The reader of the entries before.
    /// - Throws: ``Failure`` if the data does not fit, or if the archive ends too early.
    func copy(
        _ entry: ZipEntry, into output: inout MutableRawSpan, by reader: inout NeighbourReader
    ) throws(Failure) {
        guard let count = UntrustedLength(entry.compressedSize).count(atMost: output.byteCount)
        else {
            throw Failure.archive(.wrongSize, archive: directory.display(name))
        }
        do throws(Failure) {
            var data = output._mutatingExtracting(..<count)
            guard try reader.fill(&data, from: file.file, at: entry.dataOffset) == count else {
                throw Failure.archive(.truncatedRecord, archive: directory.display(name))
            }
        } catch {
            if error.isFailure(of: "archive") { throw error }
            // The earlier package is damaged, not the build; the caller packs without reuse.
            throw Failure.archive(.unreadable("\(error)"), archive: directory.display(name))
        }
    }
}
