import PackGround

/// Bounded reads of an archive's records through one buffer, so that small headers need few calls.
struct ZipWindow {
    let archive: String
    let size: UInt64
    /// The offset of each entry's data, in order, filled as local headers are read.
    var dataOffsets: [UInt64] = []

    private var window: [UInt8] = []
    private var windowOffset: UInt64 = 0
    private static let windowSize = 64 * 1024

    init(archive: String, size: UInt64) {
        self.archive = archive
        self.size = size
    }

    /// Reads `count` bytes at an offset.
    ///
    /// - Throws: ``Failure`` if the archive ends too early.
    mutating func record(
        _ file: borrowing OwnedDescriptor, at offset: UInt64, count: Int
    ) throws -> ArraySlice<UInt8> {
        guard offset <= size, UInt64(count) <= size - offset else { throw error(.truncatedRecord) }
        let windowEnd = windowOffset + UInt64(window.count)
        if offset < windowOffset || offset + UInt64(count) > windowEnd {
            window = try file.bytes(at: offset, count: max(count, Self.windowSize))
            windowOffset = offset
            guard window.count >= count else { throw error(.truncatedRecord) }
        }
        let start = Int(offset - windowOffset)
        return window[start..<(start + count)]
    }

    func error(_ problem: ArchiveProblem, entry: [UInt8]? = nil) -> Failure {
        Failure.archive(problem, archive: archive, entry: entry.map { printable($0) })
    }
}

/// Little-endian numbers at an offset from the start; the caller has checked the bounds.
extension RandomAccessCollection<UInt8> where Index == Int {
    func u16(_ offset: Int) -> UInt16 {
        UInt16(self[startIndex + offset]) | UInt16(self[startIndex + offset + 1]) << 8
    }

    func u32(_ offset: Int) -> UInt32 { UInt32(u16(offset)) | UInt32(u16(offset + 2)) << 16 }

    func u64(_ offset: Int) -> UInt64 { UInt64(u32(offset)) | UInt64(u32(offset + 4)) << 32 }
}
