/// Content with a CRC-32 of one's choice: what makes a checksum no proof.
package enum Forgery {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
        }
    }

    /// `prefix` and four bytes more, so chosen that the CRC-32 comes out as wanted.
    package static func bytes(like prefix: [UInt8], checksum: UInt32) -> [UInt8] {
        var state: UInt32 = 0xFFFF_FFFF
        for byte in prefix { state = table[Int((state ^ UInt32(byte)) & 0xFF)] ^ state >> 8 }
        // Backwards from the wanted value: each step's table entry is known by its highest byte.
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
