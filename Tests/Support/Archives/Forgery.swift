/// Creates content with a chosen CRC-32, to show that a checksum is not evidence.
package enum Forgery {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
        }
    }

    /// Returns `prefix` and four bytes that give the wanted CRC-32.
    package static func bytes(like prefix: [UInt8], checksum: UInt32) -> [UInt8] {
        var state: UInt32 = 0xFFFF_FFFF
        for byte in prefix { state = table[Int((state ^ UInt32(byte)) & 0xFF)] ^ state >> 8 }
        // Work backwards: the highest byte identifies the table entry of each step.
        var wanted = ~checksum
        var indices: [Int] = []
        for _ in 0..<4 {
            let index = table.firstIndex { $0 >> 24 == wanted >> 24 } ?? 0
            indices.append(index)
            wanted = (wanted ^ table[index]) << 8
        }
        var bytes = prefix
        for index in indices.reversed() {
            bytes.append(UInt8(truncatingIfNeeded: state) ^ UInt8(index))
            state = table[index] ^ state >> 8
        }
        return bytes
    }
}
