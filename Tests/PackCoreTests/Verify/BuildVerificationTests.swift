import PackGround
import PackRelease
import PackVerify
import TestSupport
import Testing

struct BuildVerificationTests {
    struct Case: Sendable {
        let build: [String: String]
        var missing: [String] = []
        var extra: [String] = []
        var changed: [String] = []
    }

    /// Compared with a manifest of `a` = 1, `b/c` = 2, `d` = 3.
    static let cases: [Case] = [
        Case(build: ["a": "1", "b/c": "2", "d": "3"]),
        Case(build: [:], missing: ["a", "b/c", "d"]),
        Case(build: ["a": "1", "d": "3"], missing: ["b/c"]),
        Case(build: ["a": "1", "b/c": "2", "d": "3", "e": "", "A": ""], extra: ["A", "e"]),
        Case(build: ["a": "x", "b/c": "2", "d": "33"], changed: ["a", "d"]),
        Case(
            build: ["a": "1", "b/C": "2", "d": "4"], missing: ["b/c"], extra: ["b/C"],
            changed: ["d"]),
    ]

    @Test(arguments: cases) func table(_ test: Case) throws {
        let manifest = try Sample.manifestRequest().manifest(
            of: Sample.release(["a": "1", "b/c": "2", "d": "3"]), package: nil)
        let result = BuildVerification(manifest, against: try Sample.release(test.build))
        #expect(result.version == manifest.release.version)
        #expect(result.missing.map(\.description) == test.missing)
        #expect(result.extra.map(\.description) == test.extra)
        #expect(result.changed.map(\.description) == test.changed)
        #expect(result.isMatch == (test.missing + test.extra + test.changed).isEmpty)
    }

    /// The size is not part of the listing, so only the size in a manifest may be wrong.
    @Test func aWrongSizeIsAChange() throws {
        let text = Sample.goldenManifest.replacing("\"size\": 14", with: "\"size\": 15")
        let manifest = try ManifestCoding.decode(Array(text.utf8), path: "x")
        let result = BuildVerification(manifest, against: try Sample.release())
        #expect(result.changed.map(\.description) == ["index.html"])
    }
}
