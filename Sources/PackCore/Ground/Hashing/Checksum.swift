import CArchive

/// CRC-32 over bytes that come in pieces, as zip archives have it.
struct Checksum {
    private(set) var value: UInt32 = 0

    mutating func update(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes {
            // An empty piece has no address, which libdeflate takes for a new start.
            guard let start = $0.baseAddress else { return }
            value = unsafe libdeflate_crc32(value, start, $0.count)
        }
    }

    static func of(_ bytes: RawSpan) -> UInt32 {
        var checksum = Checksum()
        checksum.update(bytes)
        return checksum.value
    }
}
