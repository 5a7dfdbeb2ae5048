package import PackGround
import PackRelease

/// Reads the structure of a zip archive under the strict profile (`docs/formats.md`).
///
/// Anything that two tools could read differently is rejected. libarchive reads the content
/// (``ArchiveReader``).
package struct ZipStructure: Sendable {
    /// The files in the order of the archive; directory entries are checked, then left out.
    package let files: [ZipEntry]
    /// All entries including directories, in the order that libarchive returns them.
    package let entries: [ZipEntry]
    /// The paths of ``files``.
    package let paths: [AssetPath]

    /// Reads the structure of an open archive.
    ///
    /// - Throws: ``Failure`` naming the first broken rule, or ``Failure``.
    package static func read(_ file: borrowing OwnedDescriptor, limits: ExtractionLimits) throws
        -> ZipStructure
    {
        let size = try file.status().size
        var reader = ZipWindow(archive: file.path, size: size)
        let end = try endRecord(file, &reader)
        guard end.count <= UInt64(limits.entries) else {
            throw reader.error(.tooManyEntries(limit: limits.entries))
        }
        let entries = try centralDirectory(file, &reader, end)
        try checkLocalHeaders(file, &reader, entries, directoryOffset: end.directoryOffset)
        return try check(try withDataOffsets(entries, reader), reader, limits)
    }

    struct End {
        var count: UInt64
        var directoryOffset: UInt64
        var directorySize: UInt64
        /// The offset at which the central directory must end.
        var directoryEnd: UInt64
    }

    // MARK: Names, sizes, limits

    private static let mostInflation: UInt64 = 1032

    private static func check(
        _ entries: [ZipEntry], _ reader: ZipWindow, _ limits: ExtractionLimits
    ) throws -> ZipStructure {
        var files: [ZipEntry] = []
        var paths: [AssetPath] = []
        var names: [NameCollisions.Name] = []
        var directories: Set<AssetPath> = []
        var total: UInt64 = 0
        for entry in entries {
            let path = try checkName(entry, reader)
            names.append(.init(path: path, isFile: !entry.isDirectory))
            if entry.isDirectory {
                guard entry.size == 0, entry.compressedSize == 0, entry.method == ZipFormat.stored
                else {
                    throw reader.error(.directoryWithData, entry: entry.name)
                }
                guard directories.insert(path).inserted else {
                    throw reader.error(
                        .badName(.collides(with: printable(path.bytes))), entry: entry.name)
                }
                continue
            }
            if entry.method == ZipFormat.stored, entry.size != entry.compressedSize {
                throw reader.error(.storedSizeDiffers, entry: entry.name)
            }
            if entry.size / mostInflation > entry.compressedSize {
                throw reader.error(.impossibleRatio, entry: entry.name)
            }
            let (sum, overflow) = total.addingReportingOverflow(entry.size)
            guard !overflow, sum <= limits.totalBytes else {
                throw reader.error(.tooLarge(limit: limits.totalBytes))
            }
            total = sum
            files.append(entry)
            paths.append(path)
        }
        if let collision = NameCollisions.find(among: names).first {
            throw reader.error(.badName(collision.problem), entry: collision.path.bytes)
        }
        return ZipStructure(files: files, entries: entries, paths: paths)
    }

    private static func checkName(_ entry: ZipEntry, _ reader: ZipWindow) throws -> AssetPath {
        let name = entry.isDirectory ? Array(entry.name.dropLast()) : entry.name
        if entry.flags & ZipFormat.flagUTF8 == 0, name.contains(where: { $0 >= 0x80 }) {
            throw reader.error(.nameNotFlaggedUTF8, entry: entry.name)
        }
        let path: AssetPath
        do throws(NameProblem) {
            path = try AssetPath(name)
        } catch {
            throw reader.error(.badName(error), entry: entry.name)
        }
        if let problem = path.portabilityProblem {
            throw reader.error(.badName(problem), entry: entry.name)
        }
        return path
    }
}

/// The limits for archives from other tools.
package struct ExtractionLimits: Sendable {
    /// The largest number of entries.
    package let entries: Int
    /// The largest total content, in bytes.
    package let totalBytes: UInt64

    package init(entries: Int, totalBytes: UInt64) {
        self.entries = entries
        self.totalBytes = totalBytes
    }

    /// The default limits: 200,000 files, 16 GiB.
    package static let standard = ExtractionLimits(
        entries: Manifest.assetLimit, totalBytes: BuildScan.sizeLimit)
}
