import PackWeb
import Testing

/// The detected encoding of a style sheet, and how much of it can be read.
struct CSSEncodingTests {
    @Test(
        "labels",
        arguments: [
            ("utf-8", "utf-8"), (" UTF8\n", "utf-8"), ("latin1", "windows-1252"),
            ("gb2312", "gbk"), ("Shift_JIS", "shift_jis"), ("iso_8859-5:1988", "iso-8859-5"),
            ("utf-16", "utf-16le"), ("iso-8859-16", "iso-8859-16"),
            ("x-user-defined", "x-user-defined"),
            ("hz-gb-2312", "replacement"), ("utf-7", nil), ("", nil), ("utf 8", nil),
        ] as [(String, String?)])
    func labels(label: String, name: String?) {
        #expect(EncodingLabel.name(of: label.utf8) == name)
    }

    @Test("each source of an encoding, in its order")
    func order() {
        let css = Array("@charset \"gbk\"; a{}".utf8)
        let plain = Array("a{}".utf8)
        #expect(CSSEncoding.detect(css.span).origin == .charsetRule)
        #expect(CSSEncoding.detect(css.span).name == "gbk")
        #expect(CSSEncoding.detect(css.span).charsetLabel == 10..<13)
        #expect(CSSEncoding.detect(css.span, protocolLabel: "utf-8").origin == .protocolLabel)
        #expect(CSSEncoding.detect(css.span, protocolLabel: "no such").origin == .charsetRule)
        #expect(CSSEncoding.detect(css.span, environmentLabel: "utf-8").name == "gbk")
        #expect(CSSEncoding.detect(plain.span, environmentLabel: "big5").origin == .environment)
        #expect(CSSEncoding.detect(plain.span).origin == .standard)
        let marked = [0xEF, 0xBB, 0xBF] + css
        #expect(CSSEncoding.detect(marked.span, protocolLabel: "gbk").origin == .byteOrderMark)
        #expect(CSSEncoding.detect(marked.span).start == 3)
        let half: [UInt8] = [0xFF]
        #expect(CSSEncoding.detect(half.span).name == "utf-8")
    }

    @Test(
        "what is no encoding declaration",
        arguments: [
            " @charset \"gbk\";", "@charset 'gbk';", "@CHARSET \"gbk\";", "@charset \"gbk\" ;",
            "@charset  \"gbk\";", "@charset \"gbk", "@charset \"gb\u{E9}k\";",
            "@charset \"no-such\";",
        ])
    func undeclared(css: String) {
        #expect(CSSEncoding.detect(Array(css.utf8).span).origin == .standard)
    }

    @Test("what can be read is said, and UTF-16 is not guessed at")
    func reading() {
        func reading(_ label: String) -> CSSEncoding.Reading {
            let nothing: [UInt8] = []
            return CSSEncoding.detect(nothing.span, protocolLabel: label).reading
        }
        #expect(reading("utf-8") == .exact)
        #expect(reading("windows-1251") == .structure)
        #expect(reading("euc-kr") == .structure)
        #expect(reading("gb18030") == .guess)
        #expect(reading("utf-16be") == .none)
        let wide: [UInt8] = [0xFF, 0xFE] + Array("a{b:url(c)}".utf8).flatMap { [$0, 0] }
        let found = CSSReferences.file(wide)
        #expect(found.references.isEmpty && found.encoding?.name == "utf-16le")
        let chinese =
            Array("@charset \"gbk\";a{cursor:url(".utf8) + [0xCD, 0xBC] + Array(".png)}".utf8)
        let legacy = CSSReferences.file(chinese)
        #expect(legacy.references.map(\.role) == [.charset, .cursor])
        #expect(legacy.references.last?.value == Array("\u{37C}.png".utf8))
    }
}
