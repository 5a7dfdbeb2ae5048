import PackCheck
import PackProfile
import PackURL
import Testing

/// Source expressions against URLs (CSP Level 3, section 6.7.2.8).
@Suite struct ContentSecurityPolicyTests {
    private static let profile = Profile.basenameCache.with(host: "www.example.com")

    @Test(arguments: [
        ("'self'", "customscheme://www.example.com/a.js", true),
        ("'self'", "customscheme://cdn.example.com/a.js", false),
        ("'self'", "https://www.example.com/a.js", false),
        ("*", "customscheme://cdn.example.com/a.js", true),
        ("*", "https://cdn.example.com/a.js", true),
        ("*", "otherscheme://cdn.example.com/a.js", false),
        ("*", "data:,x", false),
        ("data:", "data:,x", true),
        ("https:", "https://cdn.example.com/a.js", true),
        ("https:", "http://cdn.example.com/a.js", false),
        ("http:", "https://cdn.example.com/a.js", true),
        ("CustomScheme:", "customscheme://cdn.example.com/a.js", true),
        ("customscheme://cdn.example.com", "customscheme://cdn.example.com/a.js", true),
        ("customscheme://*.example.com", "customscheme://cdn.example.com/a.js", true),
        ("customscheme://*.example.com", "customscheme://example.com/a.js", false),
        ("www.example.com", "customscheme://www.example.com/a.js", true),
        ("www.example.com", "https://www.example.com/a.js", false),
        ("https://h/a/", "https://h/a/b.js", true),
        ("https://h/a", "https://h/a/b.js", false),
        ("https://h/a/b.js", "https://h/a/b.js", true),
        ("https://h", "https://h:8443/b.js", false),
        ("https://h:8443", "https://h:8443/b.js", true),
        ("https://h:443", "https://h/b.js", true),
        ("https://h:*", "https://h:8443/b.js", true),
        ("'none'", "customscheme://www.example.com/a.js", false),
        ("'unsafe-inline'", "customscheme://www.example.com/a.js", false),
        ("", "customscheme://www.example.com/a.js", false),
        ("'SELF'", "customscheme://www.example.com/a.js", true),
        ("self", "customscheme://www.example.com/a.js", false),
        ("'customscheme:'", "customscheme://www.example.com/a.js", false),
        ("*", "blob:null/0", false),
        ("*:*", "customscheme://www.example.com/a.js", false),
        ("*://www.example.com", "customscheme://www.example.com/a.js", false),
        ("customscheme://*", "customscheme://www.example.com/a.js", true),
        ("www.example.com:443", "customscheme://www.example.com/a.js", false),
        ("www.example.com:*", "customscheme://www.example.com/a.js", true),
        ("WWW.example.com", "customscheme://www.example.com/a.js", true),
        ("www.example.com/A.js", "customscheme://www.example.com/a.js", false),
        ("www.example.com/a.js?v=1", "customscheme://www.example.com/a.js?v=2", true),
        ("customscheme://www.example.com/%6as/", "customscheme://www.example.com/js/a.js", true),
        ("://", "customscheme://www.example.com/a.js", false),
    ])
    func matchesInACustomPage(_ expression: String, _ url: String, _ matches: Bool) throws {
        let page = try #require(URLRecord.parse("customscheme://www.example.com/index.html"))
        let target = try #require(URLRecord.parse(url))
        #expect(
            SourceExpression.matches(expression, target, page: page, profile: Self.profile)
                == matches)
    }

    @Test(arguments: [
        ("'self'", "https://www.example.com/a.js", true),
        ("'self'", "customscheme://www.example.com/a.js", false),
        ("*", "customscheme://www.example.com/a.js", false),
        ("customscheme:", "customscheme://www.example.com/a.js", true),
        ("www.example.com", "https://www.example.com/a.js", true),
    ])
    func matchesInAnHTTPSPage(_ expression: String, _ url: String, _ matches: Bool) throws {
        let page = try #require(URLRecord.parse("https://www.example.com/index.html"))
        let target = try #require(URLRecord.parse(url))
        #expect(
            SourceExpression.matches(expression, target, page: page, profile: Self.profile)
                == matches)
    }

    @Test func theFirstOfTwoDirectivesCounts() {
        let policy = ContentSecurityPolicy(
            Array("; img-src a b;;IMG-SRC c; default-src 'self'".utf8))
        #expect(policy.directives.map(\.name) == ["img-src", "default-src"])
        #expect(policy.directive(governing: "img-src")?.values == ["a", "b"])
        #expect(policy.directive(governing: "script-src-elem")?.name == "default-src")
        #expect(policy.directive(governing: "form-action") == nil)
    }
}
