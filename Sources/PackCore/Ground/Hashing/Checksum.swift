import CFiles

/// CRC-32, as in zip archives, over bytes that arrive in pieces.
package struct Checksum {
    package private(set) var value: UInt32 = 0

    package init() {}

    /// Adds the next piece.
    package mutating func update(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes {
            value = unsafe cfiles_crc32(value, $0.baseAddress, $0.count)
        }
    }

    /// The CRC-32 of some bytes.
    package static func of(_ bytes: RawSpan) -> UInt32 {
        var checksum = Checksum()
        checksum.update(bytes)
        return checksum.value
    }
}
