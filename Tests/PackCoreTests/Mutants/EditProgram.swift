import TestSupport

/// Interprets bytes as a small program of edits, so that a fuzzer changes edits instead of
/// checksums.
///
/// After its end it returns zeros.
struct EditProgram {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

    mutating func isSet() -> Bool { byte() & 1 == 1 }

    /// A number from 0 to `count - 1`, or 0 if `count` is 0.
    mutating func below(_ count: Int) -> Int {
        guard count > 0 else { return 0 }
        let byte = Int(byte())
        return (count > 256 ? byte << 8 | Int(self.byte()) : byte) % count
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    /// A number at or near the limit of an integer width, or any number.
    mutating func number() -> UInt64 {
        let kind = byte()
        if kind < 64 { return UInt64(kind) }
        let limits: [UInt64] = [
            0, 20, 45, 46, 1 << 8, 1 << 15, 1 << 16, 1 << 20, 1 << 31, 1 << 32, 1 << 53, 1 << 62,
            1 << 63,
        ]
        if kind < 160 { return pick(limits) &+ UInt64(byte()) &- 128 }
        return (0..<(1 + UInt64(kind & 7))).reduce(0) { number, _ in number << 8 | UInt64(byte()) }
    }

    /// At most `limit` bytes, copied from the program.
    mutating func raw(atMost limit: Int) -> [UInt8] {
        let taken = Array(bytes.prefix(below(limit + 1)))
        bytes = bytes.dropFirst(taken.count)
        return taken
    }

    /// Changes arbitrary bytes.
    mutating func damage(_ target: inout [UInt8]) {
        for _ in 0...below(4) {
            let position = target.isEmpty ? 0 : Int(below(1 << 16)) % target.count
            switch below(6) {
            case 0 where !target.isEmpty: target[position] ^= 1 << UInt8(below(8))
            case 1 where !target.isEmpty: target[position] = byte()
            case 2: target.insert(contentsOf: raw(atMost: 16), at: position)
            case 3: target.removeSubrange(position..<min(target.count, position + below(16)))
            case 4: target.removeSubrange(position...)
            default: target += raw(atMost: 16)
            }
        }
    }
}
