import PackCheck
import PackGround
import PackProfile
import TestSupport
import Testing

/// Files in encodings other than UTF-8: references are found, findings refer to bytes of the file,
/// and edits keep all other bytes.
struct EncodedFilesTests {
    /// 图 and 标 in GBK, and 表 in Shift_JIS, whose second byte is a backslash.
    private static let gbk: [UInt8] = [0xCD, 0xBC, 0xB1, 0xEA]
    private static let shiftJIS: [UInt8] = [0x95, 0x5C]

    private static func utf16(_ text: String) -> [UInt8] {
        [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }

    private static func findings(
        _ files: [String: [UInt8]], profile: Profile = .pathStrict, _ rules: [String]
    ) async throws -> [String] {
        var memory: [AssetPath: [UInt8]] = [:]
        for (path, content) in files { memory[try AssetPath(path)] = content }
        return try await Checker(
            site: SiteIndex(memory: memory, profile: profile),
            rules: rules.compactMap { Rule.named($0) }
        ).check(jobs: 2).findings.map {
            "\($0.path):\($0.place?.line ?? 0):\($0.place?.column ?? 0) \($0.rule)"
        }
    }

    private static let rules = [
        "missing-file", "css-missing-file", "js-relative-ajax", "missing-charset", "url-backslash",
        "script-charset", "encoding-not-read",
    ]

    private static func page(_ name: [UInt8], _ charset: String = "gbk") -> [UInt8] {
        Array("<meta charset=\(charset)>\n<p>".utf8) + name + Array("</p><img src=".utf8) + name
            + Array(".png>".utf8)
    }

    @Test func findsWhatAPageNames() async throws {
        #expect(
            try await Self.findings(
                ["index.html": Self.page(Self.gbk), "图标.png": [1]], Self.rules) == [])
        // Column 21: <p>, four bytes, </p><img src=.
        #expect(
            try await Self.findings(["index.html": Self.page(Self.gbk)], Self.rules)
                == ["index.html:2:21 missing-file"])
        #expect(
            try await Self.findings(
                ["index.html": Self.page(Self.shiftJIS, "shift_jis"), "表.png": [1]], Self.rules)
                == [])
    }

    @Test func readsUTF16() async throws {
        let text = "<p>图</p>\r\n<img src=图.png><img src=a.png>"
        let files = ["index.html": Self.utf16(text), "图.png": [UInt8(1)]]
        // Twice the nine characters before it, and nine more than the others.
        #expect(
            try await Self.findings(files, Self.rules) == ["index.html:2:49 missing-file"])
    }

    @Test func handsAnEncodingOnToScriptsAndSheets() async throws {
        let head = "<meta charset=gbk><link rel=stylesheet href=a.css><script src=a.js></script>"
        let files: [String: [UInt8]] = [
            "z.html": Array(head.utf8), "图标.png": [1], "图标.json": [1],
            "a.css": Array("@import 'b.css';".utf8),
            "b.css": Array("a { background: url(".utf8) + Self.gbk + Array(".png) }".utf8),
            "a.js": Array("fetch('".utf8) + Self.gbk + Array(".json')".utf8),
        ]
        #expect(try await Self.findings(files, Self.rules) == [])
        var without = files
        without["图标.png"] = nil
        without["图标.json"] = nil
        #expect(
            try await Self.findings(without, Self.rules) == [
                "a.js:1:8 js-relative-ajax", "b.css:1:21 css-missing-file",
            ])
        // Without the page's declaration, the encoding of the script is unknown.
        var plain = files
        plain["z.html"] = Array("<meta charset=utf-8><script src=a.js></script>".utf8)
        let found = try await Self.findings(plain, Self.rules)
        // CD BC could be a character of UTF-8.
        #expect(found.contains("a.js:1:10 script-charset"))
        #expect(found.contains("a.js:1:8 js-relative-ajax"))
    }

    @Test func readsAFrameLikeThePageAroundIt() async throws {
        let part = Array("<html><img src=".utf8) + Self.gbk + Array(".png>".utf8)
        let files: [String: [UInt8]] = [
            "a.html": part, "图标.png": [1],
            "b.html": Array("<meta charset=gbk><iframe src=a.html></iframe>".utf8),
        ]
        #expect(try await Self.findings(files, Self.rules) == [])
        let alone = try await Self.findings(["a.html": part, "图标.png": [1]], Self.rules)
        #expect(alone.contains("a.html:0:0 missing-charset"))
    }

    @Test func namesWhatItDoesNotRead() async throws {
        let page = Array("<meta charset=iso-2022-jp><img src=gone.png>".utf8)
        #expect(
            try await Self.findings(["index.html": page], Self.rules)
                == ["index.html:1:15 encoding-not-read"])
    }

    // MARK: - Edits

    private static func rewritten(_ files: [String: [UInt8]], _ name: String) async throws
        -> [UInt8]
    {
        try await TemporaryFolder.with { folder in
            let source = try folder.makeFolder("source")
            let output = try folder.makeFolder("output")
            for (name, content) in files { _ = try source.write(content, as: name) }
            let target = try RewriteTarget(profile: Example.profile, form: .custom)
            _ = try await Rewriter(source: source.directory(), target: target)
                .write(to: output.directory(), jobs: 2)
            return try output.read(name)
        }
    }

    @Test func rewritesOnlyTheURL() async throws {
        func page(_ scheme: String) -> [UInt8] {
            Array("<meta charset=gbk><p>".utf8) + Self.gbk
                + Array("</p><img src=\"\(scheme)://www.example.com/a.png\"><img alt=\"".utf8)
                + Self.gbk + [0xFF, 0x22, 0x3E]
        }
        let content = try await Self.rewritten(
            ["index.html": page("https"), "a.png": [1]], "index.html")
        #expect(content == page("customscheme"))
    }

    @Test func rewritesInUTF16() async throws {
        func page(_ scheme: String) -> [UInt8] {
            Self.utf16("<p>图\r\n</p><img src='\(scheme)://www.example.com/a.png'>\u{1F600}") + [
                0x00
            ]
        }
        let content = try await Self.rewritten(
            ["index.html": page("https"), "a.png": [1]], "index.html")
        #expect(content == page("customscheme"))
    }

    /// The hash of an inline script covers its characters in UTF-8, regardless of the page's
    /// encoding.
    @Test func leavesAPolicyThatAllowsWhatThePageContains() async throws {
        let code = "a='图标'"
        let hash = SubresourceIntegrity.Algorithm.sha256.expression(of: Array(code.utf8))
        let policy =
            "<meta charset=gbk><meta http-equiv=content-security-policy content=\"script-src '\(hash)'\">"
        let page =
            Array("\(policy)<script>a='".utf8) + Self.gbk + Array("'</script>".utf8)
        #expect(
            try await Self.findings(["index.html": page], ["csp-blocks-custom", "csp-inline-hash"])
                == [])
        #expect(try await Self.rewritten(["index.html": page], "index.html") == page)
    }
}
