import PackGround

/// The headers before the content, which must match the central directory and leave no gaps.
extension ZipStructure {
    static func checkLocalHeaders(
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
        let fail = { [reader] (problem: ArchiveProblem) in
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
        let large = try zip64Numbers(rest.dropFirst(nameLength), fail)
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

    static func withDataOffsets(_ entries: [ZipEntry], _ reader: ZipWindow) throws
        -> [ZipEntry]
    {
        zip(entries, reader.dataOffsets).map { entry, offset in
            var entry = entry
            entry.dataOffset = offset
            return entry
        }
    }
}
