import PackCore
import Testing

struct ConfigurationTemplateTests {
    struct Case: Sendable {
        var app = "shop"
        var build = "dist"
        var launch: String?
        var baseURL: String?
        var scheme: String?
        var hosts: [String] = []
        var channel = "production"
        var pageOrigin: String?
        var profile: String?
    }

    static let cases: [Case] = [
        Case(),
        Case(
            launch: "index.html", baseURL: "https://cdn.example.com/x", scheme: "app",
            hosts: ["a.example"],
            channel: "beta", pageOrigin: "dual", profile: "capacitor"),
        Case(app: "true", channel: "null"), Case(app: "Yes", channel: "off"),
        Case(app: "N", channel: "y"),
        Case(app: "1.0", channel: "7"), Case(app: "0x10", channel: "1e3"), Case(app: "2026-11-21"),
        Case(app: "a_b-c.d"), Case(build: "../my dist"), Case(build: "-", launch: "-x.html"),
        Case(build: "."), Case(build: "/abs/dist"), Case(build: "a: b", launch: "a #b.html"),
        Case(build: "it's", launch: "say \"hi\".html"),
        Case(build: "back\\slash", launch: "ü/日本.html"),
        Case(build: "{a}", launch: "[b].html"), Case(build: "&x", launch: "*y"),
        Case(build: "!x", launch: "%y"),
        Case(build: "a\u{2028}b", launch: "\u{2029}"),
        Case(build: "\"\u{301}", launch: "\\\u{301}"), Case(build: " lead", launch: "trail "),
        Case(build: "x:", launch: "a:b"), Case(build: "~", launch: "~/x"),
        Case(build: "=", launch: "<<"),
        Case(build: "nan", launch: ".inf"), Case(build: "🎉", launch: "a,b"),
        Case(hosts: [
            "shop.example.com", "1.2.3.4", "xn--bcher-kva.example", "on", "*.example.com", "[::1]",
        ]),
        Case(hosts: ["a,b", "c]", "d: e", "#f", "null"]),
        Case(baseURL: "http://localhost:8080/~x/%20"),
        Case(scheme: "my-app+x.y", profile: "path-strict"),
    ]

    @Test(arguments: cases) func readsBackAsItWasMeant(_ test: Case) throws {
        let text = ConfigurationTemplate.text(
            app: try AppName(test.app), build: test.build, launch: test.launch,
            baseURL: test.baseURL,
            scheme: test.scheme, hosts: test.hosts, channel: try Channel(test.channel),
            pageOrigin: test.pageOrigin, profile: test.profile)
        let read = try ConfigurationReader.read(text, file: "packtool.yaml")
        let same = { (one: String?, other: String?) in
            one.map { Array($0.utf8) } == other.map { Array($0.utf8) }
        }
        #expect(same(read.app, test.app))
        #expect(same(read.build, test.build), "\(text)")
        #expect(same(read.launch, test.launch), "\(text)")
        #expect(same(read.baseURL, test.baseURL ?? "https://cdn.example.com/\(test.app)"))
        #expect(same(read.scheme, test.scheme ?? "customscheme"))
        #expect((read.hosts ?? []) == test.hosts)
        #expect(same(read.channel, test.channel))
        #expect(same(read.pageOrigin, test.pageOrigin ?? "custom"))
        #expect(same(read.profile?.base, test.profile ?? "seed003"))
        #expect(read.level == "default")
        #expect(read.to == nil)
    }

    /// No path has them, and a line break would start a line of another key.
    @Test(arguments: ["a\nb", "tab\there", "cr\rlf", "nul\u{0}", "\u{85}"])
    func controlCharactersAreNotReadBack(_ build: String) throws {
        let text = ConfigurationTemplate.text(
            app: try AppName("shop"), build: build, launch: nil, baseURL: nil, scheme: nil,
            hosts: [],
            channel: .production, pageOrigin: nil, profile: nil)
        #expect(throws: ConfigurationError.self) {
            try ConfigurationReader.read(text, file: "packtool.yaml")
        }
    }

    /// What a fresh file only mentions has to be right too: each line without its `#` can be read.
    @Test func commentedKeysAreKeys() throws {
        let text = ConfigurationTemplate.text(
            app: try AppName("shop"), build: "dist", launch: nil, baseURL: nil, scheme: nil,
            hosts: [],
            channel: .production, pageOrigin: nil, profile: nil)
        let keys = Set(ConfigurationKey.allCases.map(\.rawValue))
        var mentioned: Set<String> = []
        for line in text.split(separator: "\n") {
            let plain = line.hasPrefix("# ") ? line.dropFirst(2) : line
            guard let colon = plain.firstIndex(of: ":"), keys.contains(String(plain[..<colon]))
            else { continue }
            mentioned.insert(String(plain[..<colon]))
            #expect(throws: Never.self) { try ConfigurationReader.read(String(plain), file: "f") }
        }
        #expect(mentioned == keys)
    }

    @Test func plainWordsStayPlain() throws {
        let text = ConfigurationTemplate.text(
            app: try AppName("shop"), build: "dist", launch: "index.html", baseURL: nil,
            scheme: nil,
            hosts: ["shop.example.com"], channel: .production, pageOrigin: nil, profile: nil)
        for line in [
            "app: shop", "build: dist", "base-url: https://cdn.example.com/shop",
            "launch: index.html",
            "host: [shop.example.com]", "# to: ../cdn/shop",
        ] { #expect(text.contains("\n\(line)\n")) }
        #expect(text.hasSuffix("level: default\n"))
    }
}
