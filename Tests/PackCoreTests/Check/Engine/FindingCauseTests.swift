import PackCheck
import PackGround
import Testing

/// One cause gives one finding, regardless of its effect at each location.
struct FindingCauseTests {
    private func findings(
        _ files: [String: String], of rule: String = "js-relative-ajax",
        options: CheckOptions = CheckOptions()
    ) async throws -> [Finding] {
        var memory: [AssetPath: [UInt8]] = [:]
        for (path, content) in files { memory[try AssetPath(path)] = Array(content.utf8) }
        let site = SiteIndex(memory: memory, profile: .pathStrict, options: options)
        let rules = [rule].compactMap { RuleCatalog.rule($0) }
        return try await Checker(site: site, rules: rules).check(jobs: 1).findings
    }

    /// Regression: home-assistant's `/auth/` gave two findings, an error in its scripts and a
    /// warning in a page.
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

    @Test("a baseline named a script's number and offset, and a new build had new findings")
    func aBaselineHoldsWhereCodeMoves() async throws {
        func build(_ files: [String: String]) async throws -> [Finding] {
            try await findings(files, of: "js-missing-file")
        }
        let request = "i.src=\"/gone.png\"; new Worker(\"/gone.js\")"
        let old = try await build(["b.1a2b3c4d.js": request])
        #expect(old.count == 1)
        let new = try await build([
            "a.js": "x = 1", "b.5e6f7a8b.js": "y = 2; " + request + "; j.src=\"/other.png\"",
        ])
        let kept = Baseline(of: old).apply(to: new)
        #expect(kept.kept.map(\.message) == ["'/other.png' is not in the package"])
        #expect(kept.gone == 0)
    }

    @Test("a baseline with one large file accepted every other one")
    func eachLargeFileCounts() async throws {
        func build(_ names: String...) async throws -> [Finding] {
            try await findings(
                Dictionary(uniqueKeysWithValues: names.map { ($0, "123456") }), of: "large-image",
                options: CheckOptions(budgets: .init(file: 8)))
        }
        let old = try await build("a.png")
        let new = try await build("a.png", "b.png")
        #expect(Baseline(of: old).apply(to: old).kept == [])
        #expect(Baseline(of: old).apply(to: new).kept.map(\.placeCount) == [2])
        #expect(Baseline(of: new).apply(to: new).kept == [])
        #expect(Baseline(of: new).apply(to: old).gone == 1)
    }

    /// Regression: open-webui's scripts are named only by hashes, so all hints were new in the next
    /// release.
    @Test func aBaselineHoldsForMapsNamedByHashesAlone() async throws {
        func script(_ name: String, map: String) -> (String, String) {
            (name, "x = 1\n//# sourceMappingURL=\(map)")
        }
        func build(_ scripts: (String, String)...) async throws -> [Finding] {
            try await findings(
                Dictionary(scripts, uniquingKeysWith: { first, _ in first }),
                of: "sourcemap-comment")
        }
        let old = try await build(
            script("app/C3dDkZBu.js", map: "C3dDkZBu.js.map"),
            script("app/uYugtg8r.js", map: "/maps/uYugtg8r.js.map?v=1"),
            script("lib.js", map: "lib.min.js.map"))
        #expect(old.map(\.path) == ["app/C3dDkZBu.js", "lib.js"])
        #expect(old.map(\.repeats.count) == [1, 0])
        let new = try await build(
            script("app/BJbxLJ1o.js", map: "BJbxLJ1o.js.map"),
            script("app/DsW1xyZq.js", map: "DsW1xyZq.js.map"),
            script("app/zz9Plural.js", map: "zz9Plural.js.map"),
            script("lib.js", map: "lib.min.js.map"), script("other.js", map: "another.js.map"))
        #expect(Baseline(of: old).apply(to: new).kept.map(\.path) == ["other.js"])
    }
}
