import TestSupport
import Testing

@testable import PackWeb

// @testable: only CSSReferences uses the tokenizer.

/// Tokens and their bytes, in addition to the oracles.
struct CSSTokenizerTests {
    private static func tokens(_ bytes: [UInt8]) -> [CSSToken] {
        let source = bytes.span
        var tokenizer = CSSTokenizer(source)
        var tokens: [CSSToken] = []
        while true {
            let token = tokenizer.next(in: source)
            if token.kind == .end { return tokens }
            tokens.append(token)
        }
    }

    private static func describe(_ css: String) -> [String] {
        let bytes = Array(css.utf8)
        return tokens(bytes).map { token in
            let raw = String(decoding: bytes[token.range], as: UTF8.self)
            let text = String(decoding: token.text(in: bytes.span), as: UTF8.self)
            return "\(token.kind) \(raw) \(text)"
        }
    }

    @Test("newlines, NUL and comments keep their bytes")
    func preprocessing() {
        #expect(
            Self.describe("a\r\nb\u{C}\rc")
                == [
                    "ident a a", "whitespace \r\n \r\n", "ident b b", "whitespace \u{C}\r \u{C}\r",
                    "ident c c",
                ])
        #expect(Self.describe("a\u{0}b") == ["ident a\u{0}b a\u{FFFD}b"])
        #expect(Self.describe("\"a\u{0}\"") == ["string \"a\u{0}\" a\u{FFFD}"])
        #expect(Self.describe("'a\\\r\nb'") == ["string 'a\\\r\nb' ab"])
        #expect(Self.describe("\\41\r\nB") == ["ident \\41\r\nB AB"])
        #expect(
            Self.describe("/*x*/a/**/b/*") == [
                "comment /*x*/ x", "ident a a", "comment /**/ ", "ident b b", "comment /* ",
            ])
    }

    @Test("unicode ranges are tokens of other kinds today")
    func unicodeRange() {
        #expect(Self.describe("u+26") == ["ident u u", "number +26 +26"])
        #expect(Self.describe("U+0-7F") == ["ident U U", "number +0 +0", "dimension -7F F"])
        #expect(Self.describe("u+4??") == ["ident u u", "number +4 +4", "delim ? ?", "delim ? ?"])
    }

    @Test("url, quoted and unquoted, however it is written")
    func urls() {
        #expect(Self.describe("url( a )") == ["url url( a ) a"])
        #expect(Self.describe("\\75 Rl(a)") == ["url \\75 Rl(a) a"])
        #expect(
            Self.describe("url(\r\n'a')") == [
                "function url( url", "whitespace \r\n \r\n", "string 'a' a", "closeParen ) )",
            ])
        #expect(Self.describe("url(a b)c") == ["badURL url(a b) url(a b)", "ident c c"])
        #expect(Self.describe("src(a)") == ["function src( src", "ident a a", "closeParen ) )"])
    }

    @Test("bytes that are not UTF-8 become U+FFFD in the text alone")
    func notUTF8() {
        let bytes: [UInt8] = [0x61, 0xE4, 0xB8, 0x62, 0x5C, 0xFF]
        let tokens = Self.tokens(bytes)
        #expect(tokens.map(\.kind) == [.ident])
        #expect(tokens.first?.range == 0..<6)
        #expect(tokens.first?.text(in: bytes.span) == Array("a\u{FFFD}b\u{FFFD}".utf8))
    }

    @Test("tokens follow one another without a gap")
    func coverage() {
        for sample in CSSSamples.all {
            let bytes = Array(sample.utf8)
            var end = 0
            for token in Self.tokens(bytes) {
                #expect(token.start == end && token.end > end)
                #expect(token.start <= token.contentStart && token.contentEnd <= token.end)
                end = token.end
            }
            #expect(end == bytes.count)
        }
    }

    @Test("a part of a source is read as if it were the whole, at its own positions")
    func part() {
        let bytes = Array("xx{url(a)}yy".utf8)
        let source = bytes.span
        var tokenizer = CSSTokenizer(source, in: 3..<8)
        let token = tokenizer.next(in: source)
        #expect(token.kind == .url && token.range == 3..<8 && token.traits == .unterminated)
        #expect(tokenizer.next(in: source).kind == .end)
        var beyond = CSSTokenizer(source, in: 10..<90)
        #expect(beyond.next(in: source).range == 10..<12)
        #expect(beyond.next(in: source).kind == .end)
        var outside = CSSTokenizer(source, in: 50..<90)
        #expect(outside.next(in: source).range == 12..<12)
    }

    @Test("the identifier bytes are what the standard lists")
    func identBytes() {
        for byte in UInt8.min...UInt8.max {
            let scalar = Unicode.Scalar(byte)
            let isIdent =
                !scalar.isASCII || scalar == "-" || scalar == "_"
                || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
            #expect(CSSByte.isIdent(byte) == isIdent, "\(byte)")
        }
    }
}
