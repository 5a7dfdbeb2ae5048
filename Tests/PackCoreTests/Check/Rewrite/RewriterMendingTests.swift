import PackCheck
import PackGround
import Testing

/// Policies, hashes and import maps affected and repaired by a rewrite.
struct RewriterMendingTests {
    private static let own = RewriterTests.own
    private static let custom = "customscheme://www.example.com"

    private static func hash(
        _ text: String, _ algorithm: SubresourceIntegrity.Algorithm = .sha256
    ) -> String {
        algorithm.expression(of: Array(text.utf8))
    }

    private static func changed(_ text: String) -> String {
        text.replacing(own, with: custom)
    }

    private func rewritten(_ page: String, _ others: [String: String] = [:]) async throws -> String
    {
        try await RewriterTests().rewritten(page, others, RewriterTests.target())
    }

    /// The rewritten page's policy and hashes block none of its own requests.
    private func isSound(_ page: String, _ others: [String: String]) async throws {
        var files = [try AssetPath("index.html"): Array(page.utf8)]
        for name in ["a.png", "b.png", "a.js", "a.css"] { files[try AssetPath(name)] = [0x31] }
        for (name, content) in others { files[try AssetPath(name)] = Array(content.utf8) }
        let rules: [Rule] = [
            .cspBlocksCustom, .cspInlineHash, .integrityStale, .integrityImportMap,
            .importmapUnresolved,
        ]
        let report = try await Checker(
            site: SiteIndex(memory: files, profile: Example.profile), rules: rules
        ).check(jobs: 1)
        #expect(report.findings.isEmpty, "\(report.findings.map { "\($0.rule): \($0.message)" })")
    }

    // MARK: - Import maps

    @Test func addressesPrefixesAndKeysFollow() async throws {
        let map = """
            {"imports": {"m": "\(Self.own)/m.js", "lib/": "\(Self.own)/lib/", "n": "./m.js",
             "\(Self.own)/m.js": "\(Self.own)/lib/n.js", "https://cdn.example.net/x.js": "./m.js"},
             "scopes": {"\(Self.own)/lib/": {"q": "\(Self.own)/m.js"}, "https://else.example/": {}},
             "integrity": {"\(Self.own)/m.js": "\(Self.hash("export {}"))"}}
            """
        let page = "<script type=\"importmap\">\(map)</script>"
        let others = ["lib/n.js": "export {}", "m.js": "export {}"]
        let result = try await rewritten(page, others)
        #expect(result == Self.changed(page))
        try await isSound(result, others)
    }

    @Test func keysOfWhatIsNotPackagedStay() async throws {
        let page = """
            <script type="importmap">{"imports": {"\(Self.own)/api/": "\(Self.own)/api/"},
             "scopes": {"\(Self.own)/gone/": {"q": "./m.js"}}}</script>
            """
        #expect(try await rewritten(page) == page)
    }

    @Test func hashesOfChangedModulesFollow() async throws {
        let module = "import '\(Self.own)/a.js'; import '\(Self.own)/lib/n.js'"
        let page = { (module: String, own: String) in
            """
            <script type="importmap">{"integrity": {"./m.js": "\(Self.hash(module, .sha384))",
             "\(own)/lib/n.js": "\(Self.hash("export {}"))"}}</script>
            <script type="module" src="m.js" integrity="\(Self.hash(module))"></script>
            """
        }
        let others = ["m.js": module, "lib/n.js": "export {}"]
        let result = try await rewritten(page(module, Self.own), others)
        #expect(result == page(Self.changed(module), Self.custom))
        try await isSound(result, others.mapValues(Self.changed))
    }

    // MARK: - Policies

    @Test func hashesOfInlineCodeFollow() async throws {
        let map = "{\"imports\": {\"m\": \"\(Self.own)/m.js\"}}"
        let first = "import '\(Self.own)/a.js'"
        let second = "import '\(Self.own)/m.js'"
        let untouched = "let a = 1"
        let style = "p { background: url(\(Self.own)/a.png) }"
        let page = { (change: (String) -> String) in
            let words = [untouched, change(map), change(first), change(second)]
                .map { "'\(Self.hash($0))'" }.joined(separator: " ")
            return """
                <meta http-equiv="Content-Security-Policy" content="script-src 'self' \(words); \
                style-src '\(Self.hash(change(style), .sha512))'">
                <script>\(untouched)</script><script type="importmap">\(change(map))</script>
                <script type="module">\(change(first))</script>
                <script type="module">\(change(second))</script><style>\(change(style))</style>
                """
        }
        let result = try await rewritten(page { $0 }, ["m.js": "export {}"])
        #expect(result == page(Self.changed))
        try await isSound(result, ["m.js": "export {}"])
    }

    @Test func imagesOfStyleSheetsAreLetThrough() async throws {
        let css = "p { background: url(\(Self.own)/a.png) }"
        let page = """
            <meta http-equiv="Content-Security-Policy" content="default-src 'self'; img-src \(Self.own)">
            <link rel="stylesheet" href="\(Self.own)/a.css">
            """
        let result = try await rewritten(page, ["a.css": css])
        #expect(
            result
                == Self.changed(page).replacing(
                    "img-src \(Self.custom)", with: "img-src \(Self.own) customscheme:"))
        try await isSound(result, ["a.css": Self.changed(css)])
    }

    @Test func policiesThatFitStay() async throws {
        let page = """
            <meta http-equiv="Content-Security-Policy" content="default-src 'self'; connect-src https:">
            <img src="\(Self.own)/a.png"><script src="\(Self.own)/a.js"></script>
            """
        let policy = "content=\"default-src 'self'; connect-src https:\""
        let result = try await rewritten(page)
        #expect(result.contains(policy))
        #expect(result.contains("src=\"\(Self.custom)/a.png\""))
        try await isSound(result, [:])
    }
}
