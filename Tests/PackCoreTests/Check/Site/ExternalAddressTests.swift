import PackCheck
import PackURL
import Testing

/// The URLs matched by an entry of `check.external`.
struct ExternalAddressTests {
    @Test(arguments: [
        ("cdn.example.net", "https://cdn.example.net/x.js", true),
        ("cdn.example.net", "customscheme://cdn.example.net/x.js", true),
        ("CDN.example.net", "https://a.cdn.example.net/", true),
        ("cdn.example.net", "https://notcdn.example.net/", false),
        ("//cdn.example.net", "https://cdn.example.net/x.js", true),
        ("//cdn.example.net/lib/", "https://cdn.example.net/lib/x.js?a", true),
        ("//cdn.example.net/lib/", "https://cdn.example.net/other.js", false),
        ("https://cdn.example.net/x.js", "https://cdn.example.net/x.js", true),
        ("https://cdn.example.net/x.js", "https://other.example.net/x.js", false),
        ("//", "https://cdn.example.net/", false), ("", "https://cdn.example.net/", false),
    ])
    func anAddressCoversWhatBeginsWithIt(_ entry: String, _ url: String, isCovered: Bool) throws {
        let url = try #require(URLRecord.parse(Array(url.utf8)))
        #expect(ExternalAddress(entry).covers(url) == isCovered)
    }
}
