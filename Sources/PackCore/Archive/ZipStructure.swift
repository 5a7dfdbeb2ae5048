/// Reads the structure of a zip archive under the strict profile (`docs/formats.md`): anything that
/// two tools could read differently is refused.
///
/// libarchive reads the content (``ArchiveReader``).
///
/// This file is long because the rules form one walk from the end of the archive to its start.
package struct ZipStructure: Sendable {
    /// The files in the order of the archive; directory entries are checked, then left out.
    package let files: [ZipEntry]
    /// All entries including directories, in the order in which libarchive returns them.
    package let entries: [ZipEntry]
    /// The paths of ``files``.
    package let paths: [AssetPath]

    /// Reads the structure of an open archive.
    ///
    /// - Throws: ``ArchiveError`` naming the first broken rule, or ``FileSystemError``.
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

    private struct End {
        var count: UInt64
        var directoryOffset: UInt64
        var directorySize: UInt64
        /// Where the central directory must end.
        var directoryEnd: UInt64
    }

    // MARK: End records

    private static func endRecord(
        _ file: borrowing OwnedDescriptor, _ reader: inout ZipWindow
    ) throws -> End {
        let position = try findEndRecord(file, &reader)
        let record = try reader.record(file, at: position, count: ZipFormat.endSize)
        guard record.u16(4) == 0, record.u16(6) == 0 else { throw reader.error(.multipleDisks) }
        guard record.u16(8) == record.u16(10) else { throw reader.error(.countMismatch) }
        var end = End(
            count: UInt64(record.u16(10)), directoryOffset: UInt64(record.u32(16)),
            directorySize: UInt64(record.u32(12)), directoryEnd: position)
        let isFull = (
            count: end.count == ZipFormat.full16, size: end.directorySize == ZipFormat.full32,
            offset: end.directoryOffset == ZipFormat.full32
        )
        if isFull.count || isFull.size || isFull.offset {
            let large = try zip64End(file, &reader, endPosition: position)
            end.directoryEnd = large.directoryEnd
            // A plain field must have the full value unless the large value does not fit.
            for (plain, value, limit) in [
                (end.count, large.count, ZipFormat.full16),
                (end.directorySize, large.directorySize, ZipFormat.full32),
                (end.directoryOffset, large.directoryOffset, ZipFormat.full32),
            ] where plain == limit ? value < limit : value != plain {
                throw reader.error(.zip64Mismatch)
            }
            end = large
        }
        let (sum, overflow) = end.directoryOffset.addingReportingOverflow(end.directorySize)
        guard !overflow, sum == end.directoryEnd else {
            throw reader.error(.centralDirectoryMismatch)
        }
        // A cheap bound before anything is allocated for the count.
        guard end.count <= end.directorySize / UInt64(ZipFormat.centralHeaderSize) else {
            throw reader.error(.countMismatch)
        }
        return end
    }

    private static func findEndRecord(
        _ file: borrowing OwnedDescriptor, _ reader: inout ZipWindow
    ) throws -> UInt64 {
        guard reader.size >= UInt64(ZipFormat.endSize) else { throw reader.error(.tooShort) }
        let tailSize = min(reader.size, UInt64(ZipFormat.endSize) + ZipFormat.full16)
        let tailStart = reader.size - tailSize
        let tail = try file.bytes(at: tailStart, count: Int(tailSize))
        guard tail.count == Int(tailSize) else { throw reader.error(.truncatedRecord) }
        let signature: [UInt8] = [0x50, 0x4B, 0x05, 0x06]
        var index = tail.count - ZipFormat.endSize
        while index >= 0 {
            if tail[index..<(index + 4)].elementsEqual(signature) {
                let comment = Int(tail.u16(index + 20))
                guard index + ZipFormat.endSize + comment == tail.count else {
                    throw reader.error(.noEndRecord)
                }
                // Other readers would find a second record inside the comment first.
                guard !contains(tail[(index + 4)...], signature) else {
                    throw reader.error(.ambiguousEndRecord)
                }
                return tailStart + UInt64(index)
            }
            index -= 1
        }
        throw reader.error(.noEndRecord)
    }

    private static func contains(_ bytes: ArraySlice<UInt8>, _ pattern: [UInt8]) -> Bool {
        guard bytes.count >= pattern.count else { return false }
        return (bytes.startIndex...(bytes.endIndex - pattern.count)).contains {
            bytes[$0..<($0 + pattern.count)].elementsEqual(pattern)
        }
    }

    private static func zip64End(
        _ file: borrowing OwnedDescriptor, _ reader: inout ZipWindow, endPosition: UInt64
    ) throws -> End {
        let locatorSize = UInt64(ZipFormat.zip64LocatorSize)
        let recordSize = UInt64(ZipFormat.zip64EndSize)
        guard endPosition >= locatorSize + recordSize else { throw reader.error(.zip64Mismatch) }
        let locator = try reader.record(
            file, at: endPosition - locatorSize, count: ZipFormat.zip64LocatorSize)
        let position = endPosition - locatorSize - recordSize
        guard locator.u32(0) == ZipFormat.zip64LocatorSignature, locator.u32(4) == 0,
            locator.u64(8) == position, locator.u32(16) == 1
        else { throw reader.error(.zip64Mismatch) }
        let record = try reader.record(file, at: position, count: ZipFormat.zip64EndSize)
        guard record.u32(0) == ZipFormat.zip64EndSignature, record.u64(4) == recordSize - 12,
            record.u32(16) == 0, record.u32(20) == 0, record.u64(24) == record.u64(32)
        else { throw reader.error(.zip64Mismatch) }
        return End(
            count: record.u64(32), directoryOffset: record.u64(48), directorySize: record.u64(40),
            directoryEnd: position)
    }

    // MARK: Central directory

    private static func centralDirectory(
        _ file: borrowing OwnedDescriptor, _ reader: inout ZipWindow, _ end: End
    ) throws -> [ZipEntry] {
        var entries: [ZipEntry] = []
        var position = end.directoryOffset
        for _ in 0..<end.count {
            guard end.directoryEnd - position >= UInt64(ZipFormat.centralHeaderSize) else {
                throw reader.error(.countMismatch)
            }
            let header = try reader.record(file, at: position, count: ZipFormat.centralHeaderSize)
            guard header.u32(0) == ZipFormat.centralSignature else {
                throw reader.error(.badSignature)
            }
            let variable = Int(header.u16(28)) + Int(header.u16(30)) + Int(header.u16(32))
            let length = UInt64(ZipFormat.centralHeaderSize + variable)
            guard end.directoryEnd - position >= length else {
                throw reader.error(.truncatedRecord)
            }
            let rest = try reader.record(
                file, at: position + UInt64(ZipFormat.centralHeaderSize), count: variable)
            entries.append(try centralEntry(header, rest, reader))
            position += length
        }
        guard position == end.directoryEnd else { throw reader.error(.countMismatch) }
        return entries
    }

    private static func centralEntry(
        _ header: [UInt8], _ rest: [UInt8], _ reader: ZipWindow
    ) throws -> ZipEntry {
        let name = Array(rest.prefix(Int(header.u16(28))))
        let fail = { (problem: ArchiveError.Problem) in reader.error(problem, entry: name) }
        var entry = ZipEntry(
            name: name, flags: header.u16(8), method: header.u16(10), checksum: header.u32(16),
            compressedSize: UInt64(header.u32(20)), size: UInt64(header.u32(24)),
            headerOffset: UInt64(header.u32(42)))
        guard header.u16(32) == 0 else { throw fail(.entryComment) }
        guard header.u16(34) == 0 else { throw fail(.multipleDisks) }
        try checkFields(entry, version: header.u16(6), fail)
        // Whatever host is named: unzip creates links for Atari's modes, Go for Darwin's, 7-Zip for
        // DOS's.
        let attributes = header.u32(38)
        let kind = attributes >> 16 & 0o170000
        guard kind == 0 || kind == (entry.isDirectory ? 0o040000 : 0o100000),
            entry.isDirectory || attributes & ZipFormat.dosDirectory == 0
        else { throw fail(.notRegularFile) }
        let extra = rest[name.count..<(name.count + Int(header.u16(30)))]
        let large = try zip64Numbers(extra, fail)
        let full = [entry.size, entry.compressedSize, entry.headerOffset].map {
            $0 == ZipFormat.full32
        }
        guard large.count == full.count(where: { $0 }) else {
            throw fail(large.isEmpty ? .zip64Mismatch : .zip64NotNeeded)
        }
        guard large.allSatisfy({ $0 >= ZipFormat.full32 }) || isSizePair(full, large) else {
            throw fail(.zip64NotNeeded)
        }
        var numbers = large.makeIterator()
        if full[0] { entry.size = numbers.next() ?? 0 }
        if full[1] { entry.compressedSize = numbers.next() ?? 0 }
        if full[2] { entry.headerOffset = numbers.next() ?? 0 }
        return entry
    }

    /// Some writers move both sizes into zip64 when only one needs it: harmless, since they agree.
    private static func isSizePair(_ full: [Bool], _ large: [UInt64]) -> Bool {
        full[0] && full[1] && large[0] >= ZipFormat.full32
            && (!full[2] || large[2] >= ZipFormat.full32)
    }

    private static func checkFields(
        _ entry: ZipEntry, version: UInt16, _ fail: (ArchiveError.Problem) -> ArchiveError
    ) throws {
        if entry.flags & 0x2041 != 0 { throw fail(.encrypted) }
        if entry.flags & 0x0008 != 0 { throw fail(.dataDescriptor) }
        let unknown = entry.flags & ~(ZipFormat.flagUTF8 | ZipFormat.flagLevelMask)
        if unknown != 0 { throw fail(.unsupportedFlags(unknown)) }
        guard entry.method == ZipFormat.stored || entry.method == ZipFormat.deflated else {
            throw fail(.unsupportedMethod(entry.method))
        }
        guard version & 0xFF <= 45 else { throw fail(.unsupportedVersion(version)) }
    }

    /// The numbers of the zip64 extra field; empty where there is none.
    private static func zip64Numbers(
        _ extra: ArraySlice<UInt8>, _ fail: (ArchiveError.Problem) -> ArchiveError
    ) throws -> [UInt64] {
        var rest = Array(extra)
        var seen: Set<UInt16> = []
        var numbers: [UInt64] = []
        while !rest.isEmpty {
            guard rest.count >= 4 else { throw fail(.malformedExtra) }
            let id = rest.u16(0)
            let length = Int(rest.u16(2))
            guard rest.count - 4 >= length else { throw fail(.malformedExtra) }
            guard seen.insert(id).inserted else { throw fail(.extraField(id)) }
            if id == ZipFormat.zip64ExtraID {
                guard length % 8 == 0, length <= 24, length > 0 else { throw fail(.malformedExtra) }
                numbers = stride(from: 4, to: 4 + length, by: 8).map { rest.u64($0) }
            } else if !harmlessExtras.contains(id) {
                throw fail(.extraField(id))
            }
            rest.removeFirst(4 + length)
        }
        return numbers
    }

    /// Times and owners, which have no meaning here: UT, ux, Ux, UX, NTFS.
    private static let harmlessExtras: Set<UInt16> = [0x5455, 0x7875, 0x7855, 0x5855, 0x000A]

    // MARK: Local headers

    private static func checkLocalHeaders(
        _ file: borrowing OwnedDescriptor, _ reader: inout ZipWindow, _ entries: [ZipEntry],
        directoryOffset: UInt64
    ) throws {
        var position: UInt64 = 0
        for entry in entries {
            guard entry.headerOffset == position else {
                throw reader.error(
                    position == 0 ? .prefixedBytes : .gapOrOverlap, entry: entry.name)
            }
            let dataOffset = try checkLocalHeader(file, &reader, entry)
            let (dataEnd, overflow) = dataOffset.addingReportingOverflow(entry.compressedSize)
            guard !overflow, dataEnd <= directoryOffset else {
                throw reader.error(.gapOrOverlap, entry: entry.name)
            }
            reader.dataOffsets.append(dataOffset)
            position = dataEnd
        }
        guard position == directoryOffset else {
            throw reader.error(entries.isEmpty ? .prefixedBytes : .gapOrOverlap)
        }
    }

    private static func checkLocalHeader(
        _ file: borrowing OwnedDescriptor, _ reader: inout ZipWindow, _ entry: ZipEntry
    ) throws -> UInt64 {
        let fail = { [reader] (problem: ArchiveError.Problem) in
            reader.error(problem, entry: entry.name)
        }
        let header = try reader.record(
            file, at: entry.headerOffset, count: ZipFormat.localHeaderSize)
        guard header.u32(0) == ZipFormat.localSignature else { throw fail(.badSignature) }
        let nameLength = Int(header.u16(26))
        let extraLength = Int(header.u16(28))
        let rest = try reader.record(
            file, at: entry.headerOffset + UInt64(ZipFormat.localHeaderSize),
            count: nameLength + extraLength)
        var local = ZipEntry(
            name: Array(rest.prefix(nameLength)), flags: header.u16(6), method: header.u16(8),
            checksum: header.u32(14), compressedSize: UInt64(header.u32(18)),
            size: UInt64(header.u32(22)), headerOffset: entry.headerOffset)
        try checkFields(local, version: header.u16(4), fail)
        let large = try zip64Numbers(rest[nameLength...], fail)
        switch large.count {
        case 0: break
        case 2:
            guard local.size == ZipFormat.full32, local.compressedSize == ZipFormat.full32,
                large.contains(where: { $0 >= ZipFormat.full32 })
            else { throw fail(.zip64NotNeeded) }
            (local.size, local.compressedSize) = (large[0], large[1])
        default: throw fail(.malformedExtra)
        }
        guard local == entry else { throw fail(.localHeaderDiffers) }
        return entry.headerOffset + UInt64(ZipFormat.localHeaderSize + nameLength + extraLength)
    }

    private static func withDataOffsets(_ entries: [ZipEntry], _ reader: ZipWindow) throws
        -> [ZipEntry]
    {
        zip(entries, reader.dataOffsets).map { entry, offset in
            var entry = entry
            entry.dataOffset = offset
            return entry
        }
    }

    // MARK: Names, sizes, limits

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
            // Deflate produces at most 1,032 bytes from one.
            if entry.size / 1032 > entry.compressedSize {
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

/// The limits for archives of others.
package struct ExtractionLimits: Sendable {
    /// The most entries.
    package let entries: Int
    /// The most bytes of content, all entries together.
    package let totalBytes: UInt64

    package init(entries: Int, totalBytes: UInt64) {
        self.entries = entries
        self.totalBytes = totalBytes
    }

    /// The default limits: 200,000 files, 64 GiB.
    package static let standard = ExtractionLimits(
        entries: Manifest.assetLimit, totalBytes: BuildScan.sizeLimit)
}
