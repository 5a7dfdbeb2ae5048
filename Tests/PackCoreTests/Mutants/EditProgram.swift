import TestSupport

/// Bytes read as a small program of edits: what a fuzzer changes is what is edited, and not a checksum.
///
/// Beyond its end it gives zeros.
struct EditProgram {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

    mutating func isSet() -> Bool { byte() & 1 == 1 }

    /// A number of 0 to `count - 1`; 0 where there are none.
    mutating func below(_ count: Int) -> Int {
        guard count > 0 else { return 0 }
        let byte = Int(byte())
        return (count > 256 ? byte << 8 | Int(self.byte()) : byte) % count
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    /// A number at a limit of some width or beside it, or any.
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

    /// At most `limit` bytes as they stand in the program.
    mutating func raw(atMost limit: Int) -> [UInt8] {
        let taken = Array(bytes.prefix(below(limit + 1)))
        bytes = bytes.dropFirst(taken.count)
        return taken
    }

    /// Changes bytes without regard to what they mean.
    mutating func damage(_ target: inout [UInt8]) {
        for _ in 0...below(4) {
            let place = target.isEmpty ? 0 : Int(below(1 << 16)) % target.count
            switch below(6) {
            case 0 where !target.isEmpty: target[place] ^= 1 << UInt8(below(8))
            case 1 where !target.isEmpty: target[place] = byte()
            case 2: target.insert(contentsOf: raw(atMost: 16), at: place)
            case 3: target.removeSubrange(place..<min(target.count, place + below(16)))
            case 4: target.removeSubrange(place...)
            default: target += raw(atMost: 16)
            }
        }
    }
}
