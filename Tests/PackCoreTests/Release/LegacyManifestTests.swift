import PackCheck
import PackGround
import PackRelease
import TestSupport
import Testing

/// Manifests with only a version and URLs, read with a newer release.
@Suite struct SeedManifestTests {
    private let new = [
        "index.html": "new", "js/app.1a2b3c4d.js": "same", "js/lib.js": "lib",
        "js/b.99aabbcc.js": "b",
    ]

    private func reading(
        _ urls: [String], assuming unknown: LegacyManifest.Unknown = .changed
    ) throws -> LegacyManifest.Reading {
        LegacyManifest(version: "1", urls: urls).reading(
            beside: try Sample.release(new), isHashed: ContentHash.isIn, assuming: unknown)
    }

    @Test(arguments: [
        "https://cdn.example/a/b/", "https://cdn.example/", "/deep/er/", "", "file:///x/",
    ])
    func pathsAreRelativeToWhereTheFilesAre(base: String) throws {
        let found = try reading([
            base + "index.html", base + "js/app.1a2b3c4d.js?x=1", base + "js/old%20one.js",
        ])
        #expect(
            found.release.assets.map(\.path.description)
                == ["index.html", "js/app.1a2b3c4d.js", "js/old one.js"])
        // A name with a hash has the same content; others may differ.
        #expect(found.unknown.map(\.description) == ["index.html"])
        let diff = ReleaseDiff(from: found.release, to: try Sample.release(new))
        #expect(diff.unchanged.map(\.path.description) == ["js/app.1a2b3c4d.js"])
        #expect(diff.changed.map(\.new.path.description) == ["index.html"])
        #expect(diff.removed.map(\.path.description) == ["js/old one.js"])
    }

    @Test func unknownContentCanBeTakenForTheSame() throws {
        let found = try reading(["https://a.example/index.html"], assuming: .same)
        #expect(found.unknown.map(\.description) == ["index.html"])
        let diff = ReleaseDiff(from: found.release, to: try Sample.release(new))
        #expect(diff.changed.isEmpty && diff.unchanged.count == 1)
    }

    @Test func theSameVersionIsTheSameRelease() throws {
        let release = try Sample.release(new)
        let seed = LegacyManifest(
            version: release.version.description, urls: ["https://a.example/x"])
        let found = seed.reading(
            beside: release, isHashed: ContentHash.isIn, assuming: .changed)
        #expect(found.release == release)
    }

    @Test func urlsOfNothingKnownShareTheirFolder() throws {
        let found = try reading([
            "https://a.example/v1/x/one.png", "https://a.example/v1/y/two.png",
        ])
        #expect(found.release.assets.map(\.path.description) == ["x/one.png", "y/two.png"])
    }

    /// Regression: it took a minute for 80 kB, because each suffix was converted to a path and
    /// looked up.
    @Test(.timeLimit(.minutes(5))) func aDeepURLIsReadInLinearTime() throws {
        let deep = "http://x/" + String(repeating: "a/", count: 100_000)
        let found = try reading([deep + "z", deep + "js/lib.js", deep + "b/z"])
        #expect(found.release.assets.map(\.path.description) == ["b/z", "js/lib.js", "z"])
        let unknown = try reading([deep + "z", deep + "y", deep + "b/z"])
        #expect(unknown.release.assets.map(\.path.description) == ["b/z", "y", "z"])
    }

    @Test func aNameMayBeginWithACombiningMark() throws {
        let found = try reading([
            "https://a.example/js/lib.js", "https://a.example/js/\u{301}b/c.js",
        ])
        #expect(found.release.assets.map(\.path.description) == ["js/lib.js", "js/\u{301}b/c.js"])
    }

    @Test func namesThatCannotBeAreLeftOut() throws {
        let found = try reading([
            "https://a.example/%00", "https://a.example/..", "https://a.example/",
            "https://a.example/ok",
            "https://a.example/ok",
        ])
        #expect(found.release.assets.map(\.path.description) == ["ok"])
    }

    @Test(arguments: [
        (#"{"version":"1","files":["a"],"schema":1}"#, false),
        (#"{"version":"1","files":["a"]}"#, true), (#"{"version":"1","files":[],"x":2}"#, true),
    ])
    func isWhatHasNoSchema(json: String, isSeed: Bool) throws {
        #expect(try (LegacyManifest.decode(Array(json.utf8), path: "i") != nil) == isSeed)
    }

    @Test(arguments: [
        "[]", "{}", #"{"version":1,"files":[]}"#, #"{"version":"1","files":[1]}"#,
        #"{"version":"1","files":[""]}"#, #"{"version":"1"}"#, "x",
    ])
    func refusesWhatIsNone(json: String) {
        expectFailure(of: "manifest") {
            try LegacyManifest.decode(Array(json.utf8), path: "i")
        }
    }
}
