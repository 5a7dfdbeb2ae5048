/// The meaning of a listing's number; numbers of one kind share their counters.
enum NumberKind: Int, CaseIterable {
    case segments, gap, isWhole, offset, length
    case files, hasBase, base, isSamePath, isKnownEdit, keepsBase, isContinued, size, sizeChange
    case suffix, oldMiddle, newMiddle
    case copies
}

/// Codes numbers and bytes of a listing with adaptive counters, so that repetition costs almost
/// nothing.
struct NumberCoder<Coder: BitCoder & ~Copyable>: ~Copyable {
    private let logistic = Logistic()
    private var counters: [UInt32]
    var coder: Coder

    private static var perKind: Int { 64 + 64 * 8 }
    private static var limit: UInt32 { 60 }

    init(coder: consuming Coder) {
        counters = [UInt32](
            repeating: Logistic.unseen,
            count: NumberKind.allCases.count * Self.perKind + 256 * 2)
        self.coder = coder
    }

    private mutating func bit(_ value: UInt64, _ index: Int) -> UInt64 {
        UInt64(
            logistic.code(
                UInt32(truncatingIfNeeded: value), by: &counters[index], limit: Self.limit, &coder))
    }

    /// Codes a number up to 2^56.
    ///
    /// Its number of bits is in unary; the three bits below the highest use counters, the rest do
    /// not.
    mutating func number(_ value: UInt64, kind: NumberKind) -> UInt64 {
        let base = kind.rawValue &* Self.perKind
        let wanted = value &+ 1
        let width = wanted.bitWidth - wanted.leadingZeroBitCount
        var bits = 1
        while bits < 57, bit(bits < width ? 1 : 0, base &+ bits) == 1 { bits += 1 }
        var result: UInt64 = 1
        var tree = 1
        for index in stride(from: bits - 2, through: 0, by: -1) {
            let next = wanted >> UInt64(index) & 1
            let coded: UInt64
            if bits - 2 - index < 3 {
                coded = bit(next, base &+ 64 &+ bits &* 8 &+ tree)
                tree = tree << 1 | Int(coded)
            } else {
                coded = UInt64(coder.code(UInt32(next), 32768))
            }
            result = result << 1 | coded
        }
        return result &- 1
    }

    /// Codes a possibly negative number.
    mutating func signed(_ value: Int, kind: NumberKind) -> Int {
        let folded = UInt64(bitPattern: Int64(value)) << 1 ^ UInt64(bitPattern: Int64(value >> 63))
        let coded = number(folded, kind: kind)
        return Int(coded >> 1) ^ (0 &- Int(coded & 1))
    }

    mutating func flag(_ value: Bool, kind: NumberKind) -> Bool {
        bit(value ? 1 : 0, kind.rawValue &* Self.perKind) == 1
    }

    /// Codes a byte of a name.
    mutating func byte(_ value: UInt8, afterStart: Bool) -> UInt8 {
        let base = counters.count &- 512 &+ (afterStart ? 256 : 0)
        var node = 1
        for index in 0..<8 {
            node = node << 1 | Int(bit(UInt64(value >> UInt8(7 - index)) & 1, base &+ node))
        }
        return UInt8(truncatingIfNeeded: node)
    }
}
