/// A SHA-256 value (FIPS 180-4).
package struct Digest: Hashable, Sendable, CustomStringConvertible {
    // Four words keep the value inline and let the compiler derive equality and hashing.
    private var first, second, third, fourth: UInt64

    /// Takes 32 bytes; `nil` for any other count.
    package init?(bytes: some Sequence<UInt8>) {
        var rest = bytes.makeIterator()
        guard let first = Self.word(of: 8, bits: 8, { rest.next() }),
            let second = Self.word(of: 8, bits: 8, { rest.next() }),
            let third = Self.word(of: 8, bits: 8, { rest.next() }),
            let fourth = Self.word(of: 8, bits: 8, { rest.next() }), rest.next() == nil
        else { return nil }
        (self.first, self.second, self.third, self.fourth) = (first, second, third, fourth)
    }

    /// Reads 64 lower-case hexadecimal digits; anything else gives `nil`.
    package init?(_ text: String) {
        guard text.utf8.count == 64 else { return nil }
        var rest = text.utf8.makeIterator()
        guard let first = Self.word(of: 16, bits: 4, { rest.next().flatMap(Self.value) }),
            let second = Self.word(of: 16, bits: 4, { rest.next().flatMap(Self.value) }),
            let third = Self.word(of: 16, bits: 4, { rest.next().flatMap(Self.value) }),
            let fourth = Self.word(of: 16, bits: 4, { rest.next().flatMap(Self.value) })
        else { return nil }
        (self.first, self.second, self.third, self.fourth) = (first, second, third, fourth)
    }

    /// Joins groups of bits, the first on the left; `nil` if one is missing.
    private static func word(of count: Int, bits: UInt64, _ next: () -> UInt8?) -> UInt64? {
        var word: UInt64 = 0
        for _ in 0..<count {
            guard let group = next() else { return nil }
            word = word << bits | UInt64(group)
        }
        return word
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// The 32 bytes.
    package var bytes: [UInt8] {
        (0..<32).map { UInt8(truncatingIfNeeded: word($0 >> 3) >> (56 - 8 * ($0 & 7))) }
    }

    /// 64 lower-case hexadecimal digits.
    package var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(64)
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the digits of ``description``.
    package func append(to text: inout [UInt8]) {
        let start = text.count
        text.append(contentsOf: repeatElement(0, count: 64))
        var digits = text.mutableSpan
        for index in 0..<4 {
            let word = word(index)
            for digit in 0..<16 {
                let value = UInt8(truncatingIfNeeded: word >> (60 - 4 * digit)) & 15
                digits[start + 16 * index + digit] =
                    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
            }
        }
    }

    private func word(_ index: Int) -> UInt64 {
        switch index {
        case 0: first
        case 1: second
        case 2: third
        default: fourth
        }
    }
}
