import PackCheck
import PackGround
import PackProfile
import Testing

/// The severity of syntax newer than the app's minimum.
struct NewSyntaxTests {
    private func report(
        _ files: [String: String], minimum: Profile.IOSVersion? = .init(13)
    ) async throws -> [Finding] {
        var memory: [AssetPath: [UInt8]] = [:]
        for (path, content) in files { memory[try AssetPath(path)] = Array(content.utf8) }
        var profile = Profile.capacitor
        if let minimum {
            profile.minimumIOS = minimum
            profile.statesMinimum = true
        }
        let site = SiteIndex(memory: memory, profile: profile)
        let rules = RuleCatalog.all.filter { $0.id == "js-syntax-new" }
        return try await Checker(site: site, rules: rules).check(jobs: 1).findings
    }

    @Test(arguments: [
        ("<script src=a.js></script>", "1", "error"),
        ("<script type=module>import './b.js'</script>", "import './a.js'", "error"),
        ("<script src=b.js></script>", "new Worker('a.js')", "error"),
        ("<script src=b.js></script>", "import('./a.js')", "error"),
        ("<script src=b.js></script>", "import('./a.js').catch(() => {})", "warning"),
        ("<script src=b.js></script>", "load('./a.js')", "warning"),
        ("<template><script src=a.js></script></template>", "1", "warning"),
        ("<noscript><script src=a.js></script></noscript>", "1", "hint"),
        ("<script src=b.js></script>", "1", "hint"),
    ])
    func severityByUse(_ page: String, _ script: String, _ expected: String) async throws {
        let files = ["index.html": page, "b.js": script, "a.js": "x = a?.b"]
        let found = try await report(files).filter { $0.path == "a.js" }
        #expect(found.map(\.severity.rawValue) == [expected])
    }

    @Test func oneSettingResolvesAll() async throws {
        let files = [
            "index.html": "<script src=a.js></script><script src=b.js></script>",
            "a.js": "x = a?.b", "b.js": "class A { static {} }",
        ]
        let found = try await report(files)
        let line = "profile.minimum-ios: 16.4"
        #expect(found.map(\.setting?.text) == [line, line])
        #expect(try await report(files, minimum: .init(16, 4)).isEmpty)
    }

    @Test func anUnstatedMinimumIsOneHint() async throws {
        let files = [
            "index.html": "<script src=a.js></script><script src=b.js></script>",
            "a.js": "x = /(?<=a)b/", "b.js": "class A { static {} }", "c.js": "a?.b",
        ]
        let found = try await report(files, minimum: nil)
        #expect(found.map(\.severity) == [.hint])
        #expect(found.first?.repeats.count == 1)
    }
}
