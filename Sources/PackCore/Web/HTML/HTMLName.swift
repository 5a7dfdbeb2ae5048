/// The name of a tag or an attribute in ASCII lower case, comparable without reading the page.
///
/// Names of up to 16 bytes, which are all in HTML and nearly all in SVG, are stored in full. Longer
/// ones (custom elements) are stored as two hashes and a length.
package struct HTMLName: Hashable, Sendable {
    let low: UInt64
    let high: UInt64
    let length: Int

    /// The longest name that is stored in full, in bytes.
    static let longestWhole = 16

    /// The name at `range`, which is within `bytes`.
    @inline(__always)
    init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        let length = range.count
        self.length = length
        if length <= 8 {
            low = bytes.lowercasedWord(at: range.lowerBound, length: length)
            high = 0
        } else if length <= Self.longestWhole {
            low = bytes.lowercasedWord(at: range.lowerBound, length: 8)
            high = bytes.lowercasedWord(at: range.lowerBound &+ 8, length: length &- 8)
        } else {
            (low, high) = Self.hashes(bytes, range)
        }
    }

    /// No name.
    @inline(__always)
    init() {
        low = 0
        high = 0
        length = 0
    }

    init(_ text: String) {
        let bytes = Array(text.utf8)
        self.init(bytes.span, 0..<bytes.count)
    }

    /// Two FNV-1a hashes with different starts.
    private static func hashes(_ bytes: Span<UInt8>, _ range: Range<Int>) -> (UInt64, UInt64) {
        var one: UInt64 = 0xCBF2_9CE4_8422_2325
        var other: UInt64 = 0x6C62_272E_07BB_0142
        for index in range {
            let byte = UInt64(bytes[index].asciiLowercased)
            one = (one ^ byte) &* 0x0000_0100_0000_01B3
            other = (other ^ byte) &* 0x0000_0100_0000_01B3
        }
        return (one, other)
    }

    /// The first slot for this name in a table of `1 << bits` slots.
    @inline(__always)
    func slot(bits: Int) -> Int {
        let mixed = (low ^ (high &* 0xC2B2_AE3D_27D4_EB4F)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> UInt64(64 &- bits))
    }
}

extension HTMLName: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self.init(text) }
}

extension HTMLName: CustomStringConvertible {
    /// The name, or its length if it is not stored in full.
    package var description: String {
        guard length <= Self.longestWhole else { return "(\(length) bytes)" }
        var bytes: [UInt8] = []
        for index in 0..<length {
            let word = index < 8 ? low : high
            bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * (index & 7))))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A fixed set of names with their numbers: open addressing, no allocation and no hashing of text.
struct HTMLNameTable: Sendable {
    private var keys: [HTMLName]
    private var numbers: [Int16]
    private let bits: Int
    let count: Int

    /// Numbers the names in their order; a repeated name keeps its first number.
    init(_ names: [String]) {
        var bits = 4
        while (1 << bits) < names.count * 4 { bits += 1 }
        self.bits = bits
        count = names.count
        keys = Array(repeating: HTMLName(), count: 1 << bits)
        numbers = Array(repeating: -1, count: 1 << bits)
        for (number, text) in names.enumerated() {
            let name = HTMLName(text)
            var slot = name.slot(bits: bits)
            while numbers[slot] >= 0, keys[slot] != name { slot = (slot &+ 1) & ((1 << bits) - 1) }
            if numbers[slot] < 0 {
                keys[slot] = name
                numbers[slot] = Int16(truncatingIfNeeded: number)
            }
        }
    }

    /// The number of a name; `nil` for a name that is not in the set.
    @inline(__always)
    func number(of name: HTMLName) -> Int? {
        var slot = name.slot(bits: bits)
        // At most a quarter of the slots is used, so the loop ends.
        while numbers[slot] >= 0 {
            if keys[slot] == name { return Int(numbers[slot]) }
            slot = (slot &+ 1) & ((1 &<< bits) &- 1)
        }
        return nil
    }
}
