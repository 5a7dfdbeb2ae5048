import TestSupport
import Testing

@testable import PackDelta

// @testable: the search is internal to the codec.

/// The codec's vectorized searches, compared with bytewise ones.
@Suite("Searches in the text")
struct TextSearchTests {
    private static let size = 4096

    /// Text of few different bytes, so that there are many matches, and all classes are adjacent.
    private static func text(_ seed: UInt64) -> TextBuffer {
        let alphabet = Array("aZ09_$ab-./ ,\u{0}@[`{:".utf8) + [0x7F, 0x80, 0xAD, 0xDF, 0xFF]
        var random = Noise(seed: seed)
        let text = TextBuffer(count: size)
        let few = seed % 2 == 0 ? 3 : alphabet.count
        for place in 64..<(size - 64) {
            text[place] = alphabet[Int.random(in: 0..<few, using: &random)]
        }
        return text
    }

    @Test("every byte is in the class that it is in alone, wherever among eight it stands")
    func classes() {
        var mismatches = 0
        var marked = 0
        for byte in UInt8.min...UInt8.max {
            for other in [0x00, 0x41, 0x80, 0xFF] as [UInt64] {
                for position in 0..<8 {
                    let shift = UInt64(8 * position)
                    let rest = other &* 0x0101_0101_0101_0101 & ~(0xFF << shift)
                    let bytes = rest | UInt64(byte) << shift
                    let isToken = ByteClass.tokens(in: bytes) >> (shift + 7) & 1 == 1
                    let isSeparator = ByteClass.separators(in: bytes) >> (shift + 7) & 1 == 1
                    mismatches += isToken == ByteClass.isTokenByte(byte) ? 0 : 1
                    mismatches += isSeparator == NameSeeds.isSeparator(byte) ? 0 : 1
                    marked += isToken || isSeparator ? 1 : 0
                }
            }
        }
        #expect(mismatches == 0)
        #expect(marked == (128 + 64 + 3) * 4 * 8)
    }

    @Test("64 marks are gathered in order")
    func gathered() {
        for place in 0..<64 {
            var bytes = ByteClass.Bytes(repeating: 0)
            bytes[place % 16] = 1 << Int8(place / 16 * 2)
            #expect(ByteClass.gathered(bytes) == 1 << UInt64(place))
        }
    }

    @Test("places are searched as byte by byte", arguments: 1...40 as ClosedRange<UInt64>)
    func places(seed: UInt64) {
        let text = Self.text(seed)
        let bytes = ByteTables()
        var random = Noise(seed: seed &+ 1000)
        for _ in 0..<200 {
            let start = Int.random(in: 66..<(Self.size - 200), using: &random)
            let width = Int.random(in: 1...64, using: &random)
            var tokens: UInt64 = 0
            var afterSeparators: UInt64 = 0
            var separators: UInt64 = 0
            for offset in 0..<width {
                tokens |= bytes.isToken(text[start + offset]) ? 1 << UInt64(offset) : 0
                let isAfter = NameSeeds.isSeparator(text[start + offset - 1])
                afterSeparators |= isAfter ? 1 << UInt64(offset) : 0
                let isMarked = NameSeeds.isSeparator(text[start + offset])
                separators |= isMarked ? 1 << UInt64(offset) : 0
            }
            let marks = text.marks(from: start)
            let isInside = UInt64.max >> UInt64(64 - width)
            #expect(marks.tokens & isInside == tokens)
            #expect(marks.separators & isInside == separators)
            let length = (~tokens).trailingZeroBitCount
            #expect(text.tokenLength(start, before: start + width) == min(width, length))
            let first = min(width, afterSeparators.trailingZeroBitCount)
            #expect(text.placeAfterSeparator(start, before: start + width) == start + first)
        }
    }

    @Test("stretches are compared as byte by byte", arguments: 1...40 as ClosedRange<UInt64>)
    func comparisons(seed: UInt64) {
        let text = Self.text(seed)
        var random = Noise(seed: seed &+ 2000)
        var equal = 0
        for round in 0..<400 {
            // Near the beginning, fewer bytes than the limit precede a position.
            let range = round % 4 == 0 ? 0..<40 : 64..<(Self.size - 128)
            let a = Int.random(in: range, using: &random)
            let b = Int.random(in: range, using: &random)
            let limit = [8, 16, 32][round % 3]
            var agreed = 0
            while agreed < min(limit, a, b), text[a - 1 - agreed] == text[b - 1 - agreed] {
                agreed += 1
            }
            #expect(text.agreement(before: a, b, limit: limit) == agreed)
            let length = Int.random(in: 0...20, using: &random)
            // The bytes that match before two positions are equal.
            let (c, d) = round % 2 == 0 ? (a - agreed, b - agreed) : (a, b)
            let isEqual = (0..<length).allSatisfy { text[c + $0] == text[d + $0] }
            #expect(text.isEqual(c, d, length) == isEqual)
            equal += isEqual && length > 0 ? 1 : 0
        }
        #expect(equal > 10)
    }

    @Test("both bytes before a place are found", arguments: 1...40 as ClosedRange<UInt64>)
    func pairs(seed: UInt64) {
        let text = Self.text(seed)
        var random = Noise(seed: seed &+ 3000)
        for _ in 0..<100 {
            let start = Int.random(in: 66..<(Self.size - 1000), using: &random)
            let end = start + Int.random(in: -1...800, using: &random)
            let (first, second) = (text[start + 5], text[start + 6])
            let expected = (start..<(end + 1)).filter {
                text[$0 - 2] == first && text[$0 - 1] == second
            }
            var found: [Int] = []
            text.forEachPosition(from: start, through: end, after: first, second) {
                found.append($0)
                return true
            }
            #expect(found == expected)
            let position = text.firstPosition(from: start, through: end, after: first, second)
            #expect(position == expected.first ?? end + 1)
        }
    }
}
