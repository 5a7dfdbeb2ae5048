import PackWeb
import TestSupport
import Testing

/// Byte order marks, the prescan, and labels.
struct HTMLEncodingTests {
    @Test(
        "declared",
        arguments: [
            ("<meta charset=utf-8>", "utf-8", .metaCharset, "utf-8"),
            ("<META CHARSET = ' GB2312 '>", "gbk", .metaCharset, " GB2312 "),
            ("<meta/charset=\"ISO-8859-1\">", "windows-1252", .metaCharset, "ISO-8859-1"),
            (
                "<meta http-equiv=Content-Type content='text/html; charset=Shift_JIS'>",
                "shift_jis", .metaContentType, "Shift_JIS"
            ),
            (
                "<meta content='text/html;charset  =  \"big5\" ;x' http-equiv=\"content-type\">",
                "big5", .metaContentType, "big5"
            ),
            (
                "<meta http-equiv=content-type content='charset charset=koi8-r'>", "koi8-r",
                .metaContentType, "koi8-r"
            ),
            // A declaration of UTF-16 in ASCII bytes cannot be true.
            ("<meta charset=utf-16>", "utf-8", .metaCharset, "utf-16"),
            ("<meta charset=x-user-defined>", "windows-1252", .metaCharset, "x-user-defined"),
            ("<!-- <meta charset=gbk> --><meta charset=utf-8>", "utf-8", .metaCharset, "utf-8"),
            ("<!--><meta charset=gbk>", "gbk", .metaCharset, "gbk"),
            ("<p title='<meta charset=gbk>'><meta charset=utf-8>", "utf-8", .metaCharset, "utf-8"),
            ("</p title='<meta charset=gbk>'><meta charset=utf-8>", "utf-8", .metaCharset, "utf-8"),
            ("<?x <meta charset=gbk><meta charset=utf-8>", "utf-8", .metaCharset, "utf-8"),
            ("<meta charset=nonsense><meta charset=utf-8>", "utf-8", .metaCharset, "utf-8"),
            ("<meta content='charset=gbk'><meta charset=utf-8>", "utf-8", .metaCharset, "utf-8"),
            ("<meta charset=utf-8 charset=gbk>", "utf-8", .metaCharset, "utf-8"),
            ("<?xml version='1.0' encoding=\"gbk\"?><html>", "gbk", .xmlDeclaration, "gbk"),
            ("<?xml encoding='gbk'?><meta charset=utf-8>", "utf-8", .metaCharset, "utf-8"),
            ("\u{FEFF}<meta charset=gbk>", "utf-8", .byteOrderMark, "\u{FEFF}"),
        ] as [(String, String, HTMLEncoding.Source, String)])
    func declared(page: String, name: String, source: HTMLEncoding.Source, label: String) throws {
        let bytes = Array(page.utf8)
        let encoding = HTMLEncoding(of: bytes.span)
        #expect(encoding.name == name && encoding.source == source)
        let range = try #require(encoding.range)
        #expect(bytes[range].elementsEqual(label.utf8))
        #expect(encoding.isASCIICompatible)
    }

    @Test(
        "not declared",
        arguments: [
            "", "<", "<meta", "<meta ", "<meta charset", "<meta charset=", "<meta charset=utf-8",
            "<meta charset='utf-8", "<meta charset='utf-8'", "<meta charset='utf-8' /",
            "<meta charset=''>", "<metacharset=utf-8>", "<meta charset=x>",
            "<meta http-equiv=content-type content=text/html>", "<!-- <meta charset=utf-8>",
            "<meta content='text/html; charset=utf-8'>", "<p a='<meta charset=utf-8>",
            "<meta http-equiv=refresh content='charset=utf-8'>", " <?xml encoding='utf-8'?>",
            "<?xml encoding=utf-8?>", "<?xml encoding='utf-8'", "<?xml encoding='a b'?>",
            "<meta name=charset content=utf-8>",
        ])
    func undeclared(page: String) {
        let encoding = HTMLEncoding(of: Array(page.utf8).span)
        #expect(encoding.name == nil && encoding.source == .undeclared)
        #expect(encoding.isASCIICompatible && encoding.contentStart == 0)
    }

    @Test("a label that nobody knows is told")
    func unknown() {
        let page = Array("<meta charset=utf8mb4><meta charset=utf-8>".utf8)
        #expect(HTMLEncoding(of: page.span).unknownLabel == 14..<21)
    }

    @Test("the first 1,024 bytes count, and all of the head")
    func limit() {
        let declaration = "<meta charset=utf-8>"
        for (start, padding, isFound) in [
            ("<p>", 1001, true), ("<p>", 1022, false), ("<p>", 2000, false), ("", 2000, true),
            ("<html><head><title>x</title>", 2000, true), ("<style></style><link>", 2000, true),
            ("</head>", 2000, true), ("<body>", 2000, false), ("<h1>", 2000, false),
        ] {
            let page = Array((start + String(repeating: " ", count: padding) + declaration).utf8)
            #expect((HTMLEncoding(of: page.span).name == "utf-8") == isFound, "\(start) \(padding)")
            #expect(HTMLEncoding(of: page.span, prescanLength: .max).name == "utf-8")
        }
    }

    @Test("UTF-16 is reported and not read")
    func utf16() {
        let markup = "<a href=x>"
        func bytes(_ text: String, isBig: Bool = false) -> [UInt8] {
            text.utf8.flatMap { (byte: UInt8) -> [UInt8] in isBig ? [0, byte] : [byte, 0] }
        }
        let pages: [([UInt8], String)] = [
            ([0xFF, 0xFE] + bytes(markup), "utf-16le"),
            ([0xFE, 0xFF] + bytes(markup, isBig: true), "utf-16be"),
            (bytes("<?xml ?>" + markup), "utf-16le"),
            (bytes("<?xml ?>" + markup, isBig: true), "utf-16be"),
        ]
        for (bytes, name) in pages {
            let found = HTMLReferences(of: bytes.span)
            #expect(found.encoding.name == name)
            #expect(!found.encoding.isASCIICompatible && found.references.isEmpty)
        }
    }

    @Test("a page in GBK is read by its ASCII bytes")
    func gbk() {
        // 图片 in GBK: CD BC C6 AC, and 乗 as 81 5C, whose trail byte is a backslash.
        let page =
            Array("<meta charset=gb2312><img src=\"".utf8) + [0xCD, 0xBC, 0xC6, 0xAC, 0x81, 0x5C]
            + Array(".png\" alt=x>".utf8)
        let found = HTMLReferences(of: page.span)
        #expect(found.encoding.name == "gbk")
        #expect(
            found.references.map(\.value)
                == [[0xCD, 0xBC, 0xC6, 0xAC, 0x81, 0x5C] + Array(".png".utf8)])
    }

    @Test("labels")
    func labels() {
        for (label, name) in [
            ("UTF-8", "utf-8"), ("\tutf8\n", "utf-8"), ("latin1", "windows-1252"),
            ("ascii", "windows-1252"), ("gb_2312-80", "gbk"), ("x-sjis", "shift_jis"),
            ("iso-8859-16", "iso-8859-16"), ("utf-16", "utf-16le"), ("hz-gb-2312", "replacement"),
        ] {
            #expect(EncodingLabel.name(of: Array(label.utf8)) == name)
        }
        for label in ["", "utf_8", "utf-32", "utf-7", "utf8mb4", "ut f-8", "x"] {
            #expect(EncodingLabel.name(of: Array(label.utf8)) == nil)
        }
    }
}
