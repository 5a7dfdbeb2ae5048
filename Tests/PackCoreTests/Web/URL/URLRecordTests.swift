import PackURL
import TestSupport
import Testing

/// URL behavior required by custom-scheme pages, and the helpers of ``URLRecord``.
struct URLRecordTests {
    private static let base = "customscheme://h/a/b/page.html"

    private static func resolve(_ reference: String, base: String = base) -> String? {
        URLRecord.parse(base).flatMap { URLRecord.parse(reference, base: $0)?.href }
    }

    @Test(
        "references of a page of a custom scheme",
        arguments: [
            ("js/x.js", "customscheme://h/a/b/js/x.js"),
            ("/static/x.js", "customscheme://h/static/x.js"),
            ("//cdn.x.com/a.js", "customscheme://cdn.x.com/a.js"),
            ("", "customscheme://h/a/b/page.html"),
            ("?v=1", "customscheme://h/a/b/page.html?v=1"),
            ("#top", "customscheme://h/a/b/page.html#top"),
            ("../../../../x.png", "customscheme://h/x.png"),
            ("%2e%2E/x.png", "customscheme://h/a/x.png"),
            ("./", "customscheme://h/a/b/"),
            ("CustomScheme://WWW.Test.com/X", "customscheme://WWW.Test.com/X"),
            ("customscheme:x.js", "customscheme:x.js"),
            ("customscheme:/x.js", "customscheme:/x.js"),
            ("customscheme:///x.js", "customscheme:///x.js"),
            ("customscheme://h", "customscheme://h"),
            ("customscheme://h:443/x", "customscheme://h:443/x"),
            ("custom_scheme://h/x", "customscheme://h/a/b/custom_scheme://h/x"),
            ("1custom://h/x", "customscheme://h/a/b/1custom://h/x"),
            ("\\x.js", "customscheme://h/a/b/\\x.js"),
            (" a b.png\n", "customscheme://h/a/b/a%20b.png"),
            ("j\ns/x.\tjs", "customscheme://h/a/b/js/x.js"),
            ("图.png", "customscheme://h/a/b/%E5%9B%BE.png"),
            ("a|b'~.png", "customscheme://h/a/b/a|b'~.png"),
            ("%zz", "customscheme://h/a/b/%zz"),
            ("customscheme://测试.com/", "customscheme://%E6%B5%8B%E8%AF%95.com/"),
            ("customscheme://127.1/", "customscheme://127.1/"),
            ("https:\\\\h\\x.js", "https://h/x.js"),
            ("HTTPS://H:443/X", "https://h/X"),
        ])
    func customScheme(reference: String, expected: String) {
        #expect(Self.resolve(reference) == expected)
    }

    @Test(
        "custom URLs that cannot be parsed",
        arguments: [
            "customscheme://h\\p", "customscheme://ho st/x", "customscheme://a[b/",
            "customscheme://h:70000/", "customscheme://h:x/", "customscheme://:80/",
            "customscheme://u@/x",
        ])
    func unparsable(reference: String) {
        #expect(Self.resolve(reference) == nil)
    }

    @Test("origins: opaque by the standard, a tuple where a WebView handles the scheme")
    func origins() throws {
        let page = try #require(URLRecord.parse("customscheme://h:80/x"))
        let asset = try #require(URLRecord.parse("customscheme://h:80/y?z"))
        let other = try #require(URLRecord.parse("customscheme://cdn.h/y"))
        let handled: Set<[UInt8]> = [Array("customscheme".utf8)]
        #expect(page.origin == .opaque)
        #expect(page.origin.serialized == "null")
        #expect(!page.origin.isSameOrigin(as: page.origin))
        let origin = page.origin(inWebViewHandling: handled)
        #expect(origin.serialized == "customscheme://h:80")
        #expect(origin.isSameOrigin(as: asset.origin(inWebViewHandling: handled)))
        #expect(!origin.isSameOrigin(as: other.origin(inWebViewHandling: handled)))
        #expect(page.origin(inWebViewHandling: []) == .opaque)
        let web = try #require(URLRecord.parse("https://H:443/x"))
        #expect(web.origin(inWebViewHandling: handled).serialized == "https://h")
        #expect(URLRecord.parse("file:///x")?.origin == .opaque)
        #expect(URLRecord.parse("blob:https://h/1")?.origin.serialized == "https://h")
        #expect(URLRecord.parse("blob:customscheme://h/1")?.origin == .opaque)
        #expect(URLRecord.parse("data:,x")?.origin == .opaque)
    }

    @Test(
        "path components",
        arguments: [
            ("customscheme://h", []), ("customscheme://h/", [""]),
            ("customscheme://h/a/b.js?c/d", ["a", "b.js"]),
            ("https://h/a//b/", ["a", "", "b", ""]),
            ("data:a/b", []), ("customscheme:/a", ["a"]),
        ])
    func pathComponents(url: String, expected: [String]) throws {
        let url = try #require(URLRecord.parse(url))
        #expect(url.pathComponents.map { String(decoding: $0, as: UTF8.self) } == expected)
    }

    @Test("parts are told apart: absent, empty and written")
    func parts() throws {
        let bare = try #require(URLRecord.parse("customscheme://h/x"))
        #expect(bare.query == nil && bare.fragment == nil && bare.port == nil)
        #expect(!bare.isSpecial && !bare.hasCredentials && !bare.hasOpaquePath)
        let empty = try #require(URLRecord.parse("https://u:p@h/x?#"))
        #expect(empty.query == [] && empty.fragment == [])
        #expect(empty.isSpecial && empty.hasCredentials)
        #expect(empty.href == "https://u:p@h/x?#")
        #expect(
            String(decoding: empty.serialized(includingFragment: false), as: UTF8.self)
                == "https://u:p@h/x?")
        #expect(URLRecord.parse("mailto:a@b")?.hasOpaquePath == true)
        #expect(URLRecord.parse("mailto:a@b")?.host == nil)
        #expect(URLRecord.parse("customscheme:///x")?.host == .empty)
        guard case .ipv6(let address) = URLRecord.parse("https://[0:0::1]/")?.host else {
            Issue.record("not an IPv6 address")
            return
        }
        #expect(address.description == "::1")
        #expect(URLRecord.parse("https://0x7f.1/")?.host == .ipv4(0x7F00_0001))
        #expect(URLRecord.parse("customscheme://0x7f.1/")?.host == .opaque(Array("0x7f.1".utf8)))
    }

    @Test("a domain outside ASCII is kept, since its mapping needs Unicode tables")
    func unmappedDomain() throws {
        let url = try #require(URLRecord.parse("https://Ä测试.COM/x"))
        #expect(url.host == .domain(Array("Ä测试.com".utf8)))
    }

    @Test("bytes that are not UTF-8 become U+FFFD, as many as a browser makes of them")
    func bytesThatAreNotUTF8() {
        func path(_ bytes: [UInt8]) -> String? {
            URLRecord.parse(Array("https://h/".utf8) + bytes)?.href
        }
        #expect(path([0xFF]) == "https://h/%EF%BF%BD")
        #expect(path([0xE4, 0xB8, 0x41]) == "https://h/%EF%BF%BDA")
        // An encoded surrogate is three errors: its second byte is outside the lead's range.
        #expect(path([0xED, 0xA0, 0x80]) == "https://h/%EF%BF%BD%EF%BF%BD%EF%BF%BD")
        #expect(path([0xF0, 0x9F, 0x92]) == "https://h/%EF%BF%BD")
        #expect(path([0xC0, 0xAF]) == "https://h/%EF%BF%BD%EF%BF%BD")
        #expect(URLRecord.parse(Array("https://h".utf8) + [0xFF]) == nil)
        // The same rule as String's.
        var generator = Noise(seed: 3)
        for _ in 0..<2000 {
            let bytes = (0..<6).map { _ in
                [0xE4, 0xB8, 0xAD, 0xF0, 0x9F, 0xC2, 0xED, 0xA0, 0xF4, 0x90, 0x41, 0xFF]
                    .randomElement(using: &generator) ?? 0 as UInt8
            }
            let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
            #expect(path(bytes) == path(repaired), "\(bytes)")
        }
    }

    @Test(
        "percent-decoding",
        arguments: [
            ("a%20b", "a b"), ("%E5%9B%BE", "图"), ("%zz%4", "%zz%4"), ("%2525", "%25"), ("", ""),
            ("100%", "100%"), ("%41%", "A%"),
        ])
    func percentDecoding(text: String, expected: String) {
        #expect(PercentEncoding.decode(text.utf8) == Array(expected.utf8))
    }
}
