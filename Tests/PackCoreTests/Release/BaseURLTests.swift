import PackGround
import PackRelease
import TestSupport
import Testing

struct BaseURLTests {
    private static let acceptedTable: [(String, String)] = [
        ("https://cdn.example.com", "https://cdn.example.com"),
        ("https://cdn.example.com/", "https://cdn.example.com"),
        ("https://cdn.example.com/shop", "https://cdn.example.com/shop"),
        ("https://cdn.example.com/shop//", "https://cdn.example.com/shop"),
        ("http://localhost:8080/a/b/", "http://localhost:8080/a/b"),
        ("https://xn--bcher-kva.example/%C3%BC", "https://xn--bcher-kva.example/%C3%BC"),
        ("https://[::1]:8443/x", "https://[::1]:8443/x"),
        ("https://cdn.example.com/a.b/~c/...", "https://cdn.example.com/a.b/~c/..."),
        ("https://cdn.example.com./x", "https://cdn.example.com./x"),
        ("https://127.0.0.1:65535", "https://127.0.0.1:65535"),
        ("https://my_host.example", "https://my_host.example"),
    ]

    @Test(arguments: acceptedTable) func accepted(_ text: String, _ expected: String) throws {
        #expect(try BaseURL(text).description == expected)
    }

    private static let refusedTable: [(String, String)] = [
        ("", "does not start with https://"), ("cdn.example.com", "does not start with https://"),
        ("//cdn.example.com", "does not start with https://"),
        ("ftp://cdn.example.com", "does not start with https://"),
        ("HTTPS://cdn.example.com", "does not start with https://"),
        (" https://cdn.example.com", "does not start with https://"),
        ("https:/cdn.example.com", "does not start with https://"),
        ("https://", "has no host"), ("https:///shop", "has no host"),
        ("https://:80/", "has no host"),
        ("https://user@host/", "contains a user name"),
        ("https://user:pw@host", "contains a user name"),
        ("https://host/a?b", "contains '?'"), ("https://host/#", "contains '#'"),
        ("https://host\\evil", "contains '\\'"), ("https://host/<x>", "contains '<'"),
        ("https://host/{x}", "contains '{'"), ("https://host/a|b", "contains '|'"),
        ("https://host/a b", "contains a space or a character that must be percent-encoded"),
        ("https://höst/", "contains a space or a character that must be percent-encoded"),
        ("https://host/\n", "contains a space or a character that must be percent-encoded"),
        ("https://host/\u{7F}", "contains a space or a character that must be percent-encoded"),
        ("https://host//a", "has an empty path component"),
        ("https://host/a//b", "has an empty path component"),
        ("https://host/a/../b", "has the path component '..'"),
        ("https://host/./b", "has the path component '.'"),
        ("https://host/%2e%2E/b", "has the path component '%2e%2E'"),
        ("https://host/%2e", "has the path component '%2e'"),
        ("https://host/a%2fb", "has the path component 'a%2fb'"),
        ("https://host/%", "has the path component '%'"),
        ("https://host/%4", "has the path component '%4'"),
        ("https://host/%zz", "has the path component '%zz'"),
        ("https://a.example:", "has a colon and no port after it"),
        ("https://a.example:/x", "has a colon and no port after it"),
        ("https://a..example", "has the host 'a..example' with an empty label"),
        ("https://.example:80", "has the host '.example:80' with an empty label"),
    ]

    /// Regression: they were published, but no client could fetch from them.
    @Test(arguments: [
        "a.example:abc", "a.example:99999", "[::1", "[::1]x", "%zz", "a%20b", "1.2.3.999",
        "a.example:-1",
    ])
    func hostsThatNoClientCanParse(host: String) {
        let error = #expect(throws: Failure.self) { try BaseURL("https://\(host)/x") }
        #expect(error?["problem"] == "has the host '\(host)', which no client can parse")
    }

    @Test(arguments: refusedTable) func refused(_ text: String, _ problem: String) {
        let error = #expect(throws: Failure.self) { try BaseURL(text) }
        #expect(error?["problem"] == problem)
        #expect(error?.code.name == "usage.base-url")
    }

    private static let encodesPathsTable: [(String, String)] = [
        ("a/b.js", "a/b.js"), ("a b+c&d.js", "a%20b+c&d.js"), ("ü", "%C3%BC"),
        ("icon/128x128@2x.png", "icon/128x128@2x.png"), ("%41", "%2541"),
        ("A-Z_a~z.0", "A-Z_a~z.0"), ("'(x)!*", "'(x)!*"),
        ("?#", "%3F%23"),
        ("日本.html", "%E6%97%A5%E6%9C%AC.html"), ("@:;,=$", "@:;,=$"),
    ]

    @Test(arguments: encodesPathsTable) func encodesPaths(_ path: String, _ encoded: String) throws
    {
        let base = try BaseURL("https://host/x")
        #expect(base.url(of: path) == "https://host/x/" + encoded)
        #expect(base.path(of: "https://host/x/" + encoded) == (try AssetPath(path)))
    }

    private static let urlsThatAreNotOursTable: [String] = [
        "https://host/x", "https://host/xa", "https://host/x/", "http://host/x/a",
        "https://host/x//a",
        "https://host/x/a/", "https://host/x/../a", "https://host/x/%2e%2e/a",
        "https://host/x/a%2fb",
        "https://host/x/%61", "https://host/x/a%40b", "https://host/x/a%2Bb", "https://host/x/a?b",
        "https://host/x/a#b", "https://host/x/%c3%bc",
        "https://host/x/a%5Cb", "https://host/x/%00", "https://host/x/%FF", "https://host/x/a b",
        "https://evil/x/a", "https://host.evil/x/a", "https://host/X/a", "https://host/x/ü", "",
        "https://host/x/%", "https://host/x/%4", "https://user@host/x/a",
    ]

    @Test(arguments: urlsThatAreNotOursTable) func urlsThatAreNotOurs(_ url: String) throws {
        #expect(try BaseURL("https://host/x").path(of: url) == nil)
    }

    /// For arbitrary bytes of a name, an encoded path decodes to the same bytes, and has a single
    /// spelling.
    @Test func randomNamesComeBack() throws {
        let base = try BaseURL("https://host/x")
        var random = Noise(seed: 7)
        var checked = 0
        for _ in 0..<4000 {
            let count = Int.random(in: 1...12, using: &random)
            let bytes = (0..<count).map { _ -> UInt8 in
                Bool.random(using: &random)
                    ? UInt8.random(in: 0x20...0x7E, using: &random)
                    : [0xC3, 0xBC, 0xE6, 0x97, 0xA5, 0x2F, 0x2E].randomElement(using: &random) ?? 0
            }
            let url = base.url(of: bytes)
            #expect(url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
            let path = try? AssetPath(bytes)
            if path != nil { checked += 1 }
            #expect(base.path(of: url) == path)
            #expect(PercentCoding.decode(Substring(PercentCoding.encodePath(bytes))) == bytes)
        }
        #expect(checked > 300)
    }

    @Test(arguments: [("%41%2fb", "A/b"), ("a%20b", "a b"), ("x", "x")])
    func decodesPathsOfFileURLs(_ encoded: String, _ path: String) {
        #expect(decodedPath(Substring(encoded)) == path)
    }

    /// Regression: bytes that are not UTF-8 were replaced, and the publish went to another
    /// directory.
    @Test(arguments: ["%", "%0", "%0g", "a%00b", "/cdn/%E9", "%ED%A0%80"])
    func brokenPathsOfFileURLs(_ encoded: String) {
        #expect(decodedPath(Substring(encoded)) == nil)
    }
}
