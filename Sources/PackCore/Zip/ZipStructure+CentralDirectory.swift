import PackGround

/// The central directory: one header for each entry.
extension ZipStructure {
    static func centralDirectory(
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
        _ header: ArraySlice<UInt8>, _ rest: ArraySlice<UInt8>, _ reader: ZipWindow
    ) throws -> ZipEntry {
        let name = Array(rest.prefix(Int(header.u16(28))))
        let fail = { (problem: ArchiveProblem) in reader.error(problem, entry: name) }
        var entry = ZipEntry(
            name: name, flags: header.u16(8), method: header.u16(10), checksum: header.u32(16),
            compressedSize: UInt64(header.u32(20)), size: UInt64(header.u32(24)),
            headerOffset: UInt64(header.u32(42)))
        guard header.u16(32) == 0 else { throw fail(.entryComment) }
        guard header.u16(34) == 0 else { throw fail(.multipleDisks) }
        try checkFields(entry, version: header.u16(6), fail)
        // Checked for every host: unzip creates links for Atari's modes, Go for Darwin's, 7-Zip for
        // DOS's.
        let attributes = header.u32(38)
        let kind = attributes >> 16 & 0o170000
        guard kind == 0 || kind == (entry.isDirectory ? 0o040000 : 0o100000),
            entry.isDirectory || attributes & ZipFormat.dosDirectory == 0
        else { throw fail(.notRegularFile) }
        let extra = rest.dropFirst(name.count).prefix(Int(header.u16(30)))
        let large = try zip64Numbers(extra, fail)
        // Most archives have no number of this size, and nothing to allocate for.
        if large.isEmpty,
            max(entry.size, entry.compressedSize, entry.headerOffset) < ZipFormat.full32
        {
            return entry
        }
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

    /// Some writers move both sizes into zip64 if only one needs it; this is harmless, since they
    /// agree.
    private static func isSizePair(_ full: [Bool], _ large: [UInt64]) -> Bool {
        full[0] && full[1] && large[0] >= ZipFormat.full32
            && (!full[2] || large[2] >= ZipFormat.full32)
    }

    static func checkFields(
        _ entry: ZipEntry, version: UInt16, _ fail: (ArchiveProblem) -> Failure
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

    /// The numbers of the zip64 extra field; empty if there is none.
    static func zip64Numbers(
        _ extra: ArraySlice<UInt8>, _ fail: (ArchiveProblem) -> Failure
    ) throws -> [UInt64] {
        if extra.isEmpty { return [] }
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

    /// Extra fields for times and owners, which are ignored: UT, ux, Ux, UX, NTFS.
    private static let harmlessExtras: Set<UInt16> = [0x5455, 0x7875, 0x7855, 0x5855, 0x000A]
}
