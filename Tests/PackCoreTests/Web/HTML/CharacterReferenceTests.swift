import PackWeb
import TestSupport
import Testing

/// Decoding character references, and mapping decoded offsets back to the page.
struct CharacterReferenceTests {
    @Test(
        "decoded by the rules of the place",
        arguments: [
            ("a&amp;b", .attribute, "a&b"), ("a&ampb", .attribute, "a&ampb"),
            ("a&ampb", .text, "a&b"), ("a&amp=b", .attribute, "a&amp=b"),
            ("a&amp=b", .rcdata, "a&=b"), ("a&amp", .attribute, "a&"),
            ("?a=1&copy=2&reg_=3&lt", .attribute, "?a=1&copy=2®_=3<"),
            ("&#x2F;&#47;&#X2f&#47;", .attribute, "////"), ("&#xD;&#10;", .attribute, "\r\n"),
            ("&amp;", .raw, "&amp;"), ("&amp;", .cdata, "&amp;"),
            ("\0", .text, "\0"), ("\0", .cdata, "\0"), ("\0", .raw, "\u{FFFD}"),
            ("\0", .rcdata, "\u{FFFD}"), ("\0", .attribute, "\u{FFFD}"),
            ("a\r\nb\rc\n\r", .raw, "a\nb\nc\n\n"),
            ("&NotEqualTilde;&nLt;&bne;", .attribute, "\u{2242}\u{338}\u{226A}\u{20D2}=\u{20E5}"),
            ("&CounterClockwiseContourIntegral;", .attribute, "\u{2233}"),
            ("&notin;&notit;&notin", .text, "∉¬it;¬in"),
            ("&#128;&#x9F;&#129;", .text, "\u{20AC}\u{178}\u{81}"),
            (
                "&#0;&#xD800;&#x110000;&#99999999999999999999;", .text,
                "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"
            ),
            ("&;&&#;&#x;&#xg;& a;", .text, "&;&&#;&#x;&#xg;& a;"), ("", .text, ""),
        ] as [(String, HTMLDecoding, String)])
    func decoded(source: String, decoding: HTMLDecoding, text: String) {
        // In the middle of a page: bytes outside the range must be ignored.
        let page = Array(("&am" + source + "p;amp").utf8)
        let range = 3..<(3 + source.utf8.count)
        let decoded = HTMLDecodedText(page.span, range, as: decoding)
        #expect(
            decoded.bytes == Array(text.utf8), "\(String(decoding: decoded.bytes, as: UTF8.self))")
        #expect(decoded.source == range)
        #expect(decoded.sourceRange(of: 0..<decoded.bytes.count) == range)
    }

    @Test("decoded offsets lead to whole references")
    func offsets() {
        let source = Array("ab&amp;c&eacute;d\r\ne&#x1F600;".utf8)
        let text = HTMLDecodedText(source.span, 0..<source.count, as: .attribute)
        #expect(text.bytes == Array("ab&cé\u{64}\ne\u{1F600}".utf8))
        func bytes(_ range: Range<Int>) -> String {
            String(decoding: source[text.sourceRange(of: range)], as: UTF8.self)
        }
        #expect(bytes(0..<2) == "ab")
        #expect(bytes(1..<3) == "b&amp;")
        #expect(bytes(2..<3) == "&amp;")
        #expect(bytes(3..<4) == "c")
        #expect(bytes(4..<6) == "&eacute;")
        // Half of a character maps to its whole reference.
        #expect(bytes(4..<5) == "&eacute;" && bytes(5..<6) == "&eacute;")
        #expect(bytes(6..<9) == "d\r\ne")
        #expect(bytes(8..<13) == "e&#x1F600;")
        #expect(bytes(13..<13).isEmpty && text.sourceRange(of: 13..<13) == 29..<29)
        #expect(text.sourceRange(of: 3..<3) == 7..<7)
        #expect(text.sourceRange(of: 90..<99) == 29..<29)
    }

    @Test(
        "every decoded range of random text comes from where it is said to",
        arguments: 0..<8 as Range<UInt64>)
    func roundTrip(seed: UInt64) {
        var generator = Noise(seed: seed)
        for _ in 0..<40 {
            let source = HTMLSamples.random(&generator, pieces: 12)
            for decoding in [HTMLDecoding.text, .attribute, .raw] {
                let text = HTMLDecodedText(source.span, 0..<source.count, as: decoding)
                var end = 0
                for offset in 0..<text.bytes.count {
                    let range = text.sourceRange(of: offset..<(offset + 1))
                    // In order without gaps: each byte starts at the previous end, or shares its
                    // range.
                    #expect(range.lowerBound == end || range.upperBound == end)
                    end = range.upperBound
                    if range.count == 1, source[range.lowerBound] != 0,
                        source[range.lowerBound] != 0x0D
                    {
                        #expect(source[range.lowerBound] == text.bytes[offset])
                    }
                }
                #expect(end == source.count)
            }
        }
    }
}
