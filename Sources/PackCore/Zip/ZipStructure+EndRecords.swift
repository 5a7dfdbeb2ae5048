import PackGround

/// The records at the end of an archive: the position of its central directory and its entry count.
extension ZipStructure {
    static func endRecord(
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
}
