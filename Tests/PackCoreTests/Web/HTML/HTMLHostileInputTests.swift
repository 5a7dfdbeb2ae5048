import Foundation
import TestSupport
import Testing

@testable import PackWeb

// @testable: it counts the steps of the tokenizer, which only HTMLReader uses.

/// Arbitrary bytes are read without a trap, tokens cover every byte once, and the work is linear.
struct HTMLHostileInputTests {
    /// Reads bytes in all states, and checks that the tokens tile them.
    private static func read(_ bytes: [UInt8]) -> Bool {
        var isTiled = true
        for errorLimit in [0, 50] {
            for state in HTMLTokenizer.State.allCases {
                var tokenizer = HTMLTokenizer(
                    range: 0..<bytes.count, state: state, lastStartTag: "script",
                    errorLimit: errorLimit)
                tokenizer.allowsCDATA = errorLimit == 0
                var end = 0
                while let token = tokenizer.next(in: bytes.span) {
                    isTiled =
                        isTiled && token.range.lowerBound == end && !token.range.isEmpty
                        && token.range.lowerBound <= token.content.lowerBound
                        && token.content.upperBound <= token.range.upperBound
                    end = token.range.upperBound
                    _ = CharacterReferences.decode(
                        bytes.span, token.content, as: token.decoding)
                }
                isTiled = isTiled && end == bytes.count
            }
        }
        let references = HTMLReferences(of: bytes.span, options: .init(errorLimit: 50))
        for reference in references.references {
            isTiled = isTiled && reference.range.upperBound <= bytes.count
        }
        for fragment in references.fragments { _ = fragment.decoded(in: bytes.span) }
        return isTiled
    }

    @Test("every prefix and every suffix of the samples", arguments: HTMLSamples.pages)
    func prefixes(page: String) {
        let bytes = Array(page.utf8)
        for length in 0...bytes.count {
            #expect(Self.read(Array(bytes[..<length])))
            #expect(Self.read(Array(bytes[length...])))
        }
    }

    @Test("random bytes and random markup", arguments: 0..<16 as Range<UInt64>)
    func random(seed: UInt64) {
        var generator = Noise(seed: seed)
        for round in 0..<60 {
            let bytes = (0..<Int.random(in: 0..<200, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            #expect(Self.read(bytes), "seed \(seed), round \(round): \(bytes)")
            let markup = HTMLSamples.random(&generator, pieces: 60)
            #expect(Self.read(markup), "seed \(seed), round \(round): \(markup)")
            let mutant = HTMLSamples.mutated(&generator)
            #expect(Self.read(mutant), "seed \(seed), round \(round): \(mutant)")
        }
    }

    /// Repeated pieces for which a faulty parser takes quadratic time.
    static let repetitions: [(before: String, piece: String, after: String)] = [
        ("", "<", ""), ("", "<a ", ""), ("<a", " b", ">"), ("<a ", "b=c ", ">"),
        ("<a b=\"", "x", "\">"), ("<a b=\"", "&", "\">"), ("<a b=\"", "&amp", "\">"),
        ("", "&", ""), ("", "&#", ""), ("", "&ampersand", ""), ("&", "a", ";"), ("&#", "9", ";"),
        ("<!--", "-", ""), ("<!--", "<!--", ""), ("<!--", "--!", "-->"), ("", "<!--", ""),
        ("<script>", "</script", ""), ("<script><!--", "<script>", ""),
        ("<script>", "<!--<script>-->", "</script>"), ("<title>", "</titl", ""),
        ("<svg>", "<g>", ""), ("", "<svg>", ""), ("", "<svg><foreignObject><p>", ""),
        ("<svg>", "<![CDATA[", ""), ("<svg>", "<![CDATA[]]", ""), ("<svg>", "<a></b>", ""),
        ("", "<div>", ""), ("<svg><foreignObject>", "<b></i>", ""), ("", "</div>", ""),
        ("", "<template>", ""), ("", "</>", ""), ("<!doctype ", "x", ""), ("<!doctype a ", "'", ""),
        ("", "<noscript><noscript>", ""), ("<img srcset=\"", "a 1x,", "\">"),
        ("<img srcset=\"", "(", "\">"), ("<img srcset=\"a ", "(,", "\">"),
        ("<a ping=\"", "x ", "\">"), ("<meta http-equiv=refresh content=\"0;", "'", "\">"),
    ]

    @Test("the work grows with the page and not with its square", arguments: repetitions)
    func linear(before: String, piece: String, after: String) {
        func steps(_ count: Int) -> Int {
            let page = before + String(repeating: piece, count: count) + after
            let bytes = Array(page.utf8)
            var reader = HTMLReader(range: 0..<bytes.count, errorLimit: 5)
            while reader.next(in: bytes.span) != nil {}
            _ = HTMLReferences(of: bytes.span)
            return reader.steps
        }
        let one = steps(2000)
        let ten = steps(20_000)
        #expect(one > 0 && ten <= 12 * one, "\(one) steps, then \(ten)")
    }

    @Test("many attributes of different names cost no more than their number")
    func attributes() {
        func steps(_ count: Int) -> Int {
            let names = (0..<count).map { " a\($0)" }
            let bytes = Array("<a\(names.joined())>".utf8)
            var tokenizer = HTMLTokenizer(range: 0..<bytes.count)
            _ = tokenizer.next(in: bytes.span)
            #expect(tokenizer.attributes.count == count)
            return tokenizer.steps
        }
        #expect(steps(20_000) <= 15 * steps(2000))
    }

    @Test("deep nesting of whatever nests")
    func deep() {
        let openers = ["<div>", "<svg>", "<svg><foreignObject>", "<math><mi>", "<template>", "<b>"]
        for opener in openers {
            let depth = 10_000
            let name = opener.dropFirst().prefix { $0 != ">" }
            let page =
                String(repeating: opener, count: depth) + "<a href=x>"
                + String(repeating: "</\(name)>", count: depth) + "<a href=y>"
            let found = HTMLReferences(of: Array(page.utf8).span)
            #expect(found.references.map(\.text) == ["x", "y"], "\(opener)")
        }
    }

    /// The length of one run in bytes: a hundred megabytes in the soak, for which a debug build
    /// needs minutes.
    private static let longRun =
        Soak.isLong ? 100_000_000 : 1_000_000

    @Test(
        "one very long value, text and script",
        arguments: [
            ("<a href=\"", "x", "\">"), ("<a href=\"", "&amp;", "\">"), ("", "x", "<a href=x>"),
            ("<script>", "x", "</script><a href=x>"), ("<svg><style>", "&lt;", "</style>"),
        ])
    func long(before: String, piece: String, after: String) {
        var bytes = Array(before.utf8)
        for _ in 0..<(Self.longRun / piece.utf8.count) { bytes += Array(piece.utf8) }
        bytes += Array(after.utf8)
        var reader = HTMLReader(range: 0..<bytes.count)
        var end = 0
        while let token = reader.next(in: bytes.span) { end = token.range.upperBound }
        #expect(end == bytes.count)
        #expect(reader.steps <= 3 * bytes.count)
        let found = HTMLReferences(of: bytes.span)
        let decoded = found.references.map(\.value.count)
        let contents = found.fragments.map { $0.decoded(in: bytes.span).bytes.count }
        #expect((decoded + contents).max() == Self.longRun / piece.utf8.count || before.isEmpty)
    }

    @Test(
        "broken UTF-8 stays as it is",
        arguments: [
            [0x80], [0xC0, 0x80], [0xC3], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
            [0xFF, 0xFE],
        ] as [[UInt8]])
    func brokenText(bytes: [UInt8]) {
        let page = Array("<a href=\"".utf8) + bytes + Array("\">".utf8) + bytes
        let found = HTMLReferences(of: page.span, options: .init(errorLimit: 9))
        #expect(found.references.map(\.value) == [bytes])
        #expect(found.errors.isEmpty)
    }

    // MARK: Bytes, eight at a time

    private static let tag = Array("<p class=LONG-ENOUGH>".utf8)

    @Test(arguments: [(0, 20), (12, 20), (20, 20), (21, 21), (Int.max - 7, 21), (Int.max, 21)])
    func searchesNothingBehindTheEnd(start: Int, place: Int) {
        #expect(Self.tag.span.position(of: UInt8(ascii: ">"), from: start) == place)
    }

    @Test func readsAWordUpToTheEndAndNotBeyond() {
        let last = Self.tag.count - 8
        #expect(
            Self.tag.span.lowercasedWord(at: last, length: 8)
                == Self.tag.span.lowercasedWord(at: last, length: 7) | UInt64(UInt8(ascii: ">"))
                << 56)
        #expect(Self.tag.span.lowercasedWord(at: last + 1, length: 7) >> 48 == 0x3E)
    }
}
