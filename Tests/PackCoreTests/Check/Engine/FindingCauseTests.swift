import PackCore
import Testing

/// One cause, one finding, whatever its consequence is in each place.
struct FindingCauseTests {
    private func findings(_ files: [String: String]) async throws -> [Finding] {
        var memory: [AssetPath: [UInt8]] = [:]
        for (path, content) in files { memory[try AssetPath(path)] = Array(content.utf8) }
        let site = SiteIndex(memory: memory, profile: .pathStrict)
        let rules = ["js-relative-ajax"].compactMap { RuleCatalog.rule($0) }
        return try await Checker(site: site, rules: rules).check(jobs: 1).findings
    }

    /// Regression: home-assistant's `/auth/` was an error in its scripts and a warning in a page, two findings.
    @Test func anErrorNamesThePlacesWhereTheSameIsAWarning() async throws {
        let found = try await findings([
            "a.js": "fetch(\"/auth/tried\").then(b).catch(console.error)",
            "b.js": "fetch(\"/auth/first\"); fetch(\"/auth/second\")",
            "c.js": "fetch(\"/api/tried\").then(b).catch(console.error)",
        ])
        #expect(found.map(\.severity) == [.error, .warning])
        #expect(found.map(\.path) == ["b.js", "c.js"])
        #expect(found.map(\.repeats.count) == [2, 0])
        #expect(found.first?.repeats.note == "2 more places: b.js:1:30, a.js:1:8")
    }

    @Test func aHintStaysOne() async throws {
        let found = try await findings([
            "a.js": "if (location.protocol === \"https:\") fetch(\"/auth/web\")",
            "b.js": "fetch(\"/auth/first\")",
        ])
        #expect(found.map(\.severity) == [.error, .hint])
    }
}
