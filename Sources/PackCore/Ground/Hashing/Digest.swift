/// A SHA-256 value (FIPS 180-4).
package struct Digest: Hashable, Sendable, CustomStringConvertible {
    // Four words keep the value inline and let the compiler derive equality and hashing.
    private var first, second, third, fourth: UInt64

    /// Takes 32 bytes; `nil` for any other count.
    package init?(bytes: some Sequence<UInt8>) {
        (first, second, third, fourth) = (0, 0, 0, 0)
        var count = 0
        for byte in bytes {
            guard count < 32 else { return nil }
            append(byte, bits: 8)
            count += 1
        }
        guard count == 32 else { return nil }
    }

    /// Reads 64 lower-case hexadecimal digits; anything else gives `nil`.
    package init?(_ text: String) {
        (first, second, third, fourth) = (0, 0, 0, 0)
        guard text.utf8.count == 64 else { return nil }
        for digit in text.utf8 {
            guard let value = Self.value(digit) else { return nil }
            append(value, bits: 4)
        }
    }

    /// Shifts the value to the left, and sets its last bits.
    private mutating func append(_ value: UInt8, bits: UInt64) {
        first = first << bits | second >> (64 - bits)
        second = second << bits | third >> (64 - bits)
        third = third << bits | fourth >> (64 - bits)
        fourth = fourth << bits | UInt64(value)
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
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        forEach(bits: 8) { bytes.append($0) }
        return bytes
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
        forEach(bits: 4) {
            text.append($0 < 10 ? UInt8(ascii: "0") + $0 : UInt8(ascii: "a") - 10 + $0)
        }
    }

    /// Calls `body` with the groups of bits from the first to the last.
    private func forEach(bits: UInt64, _ body: (UInt8) -> Void) {
        func visit(_ word: UInt64) {
            var shift = 64 - bits
            while true {
                body(UInt8(truncatingIfNeeded: word >> shift) & UInt8((1 << bits) - 1))
                if shift == 0 { return }
                shift -= bits
            }
        }
        visit(first)
        visit(second)
        visit(third)
        visit(fourth)
    }
}
