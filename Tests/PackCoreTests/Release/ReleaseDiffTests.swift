import PackGround
import PackRelease
import TestSupport
import Testing

struct ReleaseDiffTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let old: [String: String]
        let new: [String: String]
        var added: [String] = []
        var removed: [String] = []
        var changed: [String] = []
        /// Written as `old>new`.
        var moved: [String] = []
        var unchanged: [String] = []
        var newBytes: UInt64 = 0
    }

    static let cases: [Case] = [
        Case(testDescription: "nothing", old: [:], new: [:]),
        Case(testDescription: "the same", old: ["a": "1"], new: ["a": "1"], unchanged: ["a"]),
        Case(
            testDescription: "from nothing", old: [:], new: ["b": "22", "a": "1"],
            added: ["a", "b"],
            newBytes: 3),
        Case(
            testDescription: "to nothing", old: ["b": "2", "a": "1"], new: [:], removed: ["a", "b"]),
        Case(
            testDescription: "changed", old: ["a": "1"], new: ["a": "22"], changed: ["a"],
            newBytes: 2),
        Case(testDescription: "moved", old: ["a": "1"], new: ["b": "1"], moved: ["a>b"]),
        Case(
            testDescription: "case rename", old: ["Main.js": "1"], new: ["main.js": "1"],
            moved: ["Main.js>main.js"]),
        Case(
            testDescription: "two spellings of one letter", old: ["é": "1"], new: ["e\u{301}": "1"],
            moved: ["é>e\u{301}"]),
        Case(
            testDescription: "copied, the old one stays", old: ["a": "1"],
            new: ["a": "1", "b": "1"],
            added: ["b"], unchanged: ["a"]),
        Case(
            testDescription: "one of two copies goes", old: ["a": "1", "b": "1"], new: ["a": "1"],
            removed: ["b"], unchanged: ["a"]),
        Case(
            testDescription: "one content moves to two places", old: ["a": "1"],
            new: ["b": "1", "c": "1"],
            added: ["c"], moved: ["a>b"]),
        Case(
            testDescription: "two copies move in order", old: ["a": "1", "b": "1"],
            new: ["x": "1", "y": "1"], moved: ["a>x", "b>y"]),
        Case(
            testDescription: "three copies become two", old: ["a": "1", "b": "1", "c": "1"],
            new: ["x": "1", "y": "1"], removed: ["c"], moved: ["a>x", "b>y"]),
        Case(
            testDescription: "file becomes directory", old: ["a": "1"], new: ["a/b": "1"],
            moved: ["a>a/b"]),
        Case(
            testDescription: "directory becomes file", old: ["a/b": "1", "a/c": "2"],
            new: ["a": "3"],
            added: ["a"], removed: ["a/b", "a/c"], newBytes: 1),
        Case(
            testDescription: "swapped", old: ["a": "1", "b": "2"], new: ["a": "2", "b": "1"],
            changed: ["a", "b"]),
        Case(
            testDescription: "new content twice counts once", old: [:],
            new: ["a": "123", "b": "123"],
            added: ["a", "b"], newBytes: 3),
        Case(
            testDescription: "empty files", old: ["a": ""], new: ["a": "", "b": ""], added: ["b"],
            unchanged: ["a"]),
        Case(
            testDescription: "a bit of everything",
            old: ["keep": "k", "gone": "g", "edit": "1", "from": "m"],
            new: ["keep": "k", "new": "nn", "edit": "22", "to": "m"], added: ["new"],
            removed: ["gone"],
            changed: ["edit"], moved: ["from>to"], unchanged: ["keep"], newBytes: 4),
    ]

    @Test(arguments: cases) func table(_ test: Case) throws {
        let old = try Sample.release(test.old)
        let new = try Sample.release(test.new)
        let diff = ReleaseDiff(from: old, to: new)
        let name = { (asset: Asset) in asset.path.description }
        #expect(diff.added.map(name) == test.added)
        #expect(diff.removed.map(name) == test.removed)
        #expect(diff.changed.map { name($0.new) } == test.changed)
        #expect(diff.changed.allSatisfy { $0.old.path == $0.new.path })
        #expect(diff.moved.map { "\(name($0.old))>\(name($0.new))" } == test.moved)
        #expect(diff.unchanged.map(name) == test.unchanged)
        #expect(diff.newContentBytes == test.newBytes)
        #expect(diff.isEmpty == (old == new))
    }

    /// Every path of both releases is in exactly one list.
    @Test func randomReleasesAreAccountedFor() throws {
        var random = Noise(seed: 3)
        for _ in 0..<200 {
            var releases: [Release] = []
            for _ in 0..<2 {
                var files: [String: String] = [:]
                for _ in 0..<Int.random(in: 0...12, using: &random) {
                    files["p\(Int.random(in: 0..<15, using: &random))"] =
                        "\(Int.random(in: 0..<6, using: &random))"
                }
                releases.append(try Sample.release(files))
            }
            let diff = ReleaseDiff(from: releases[0], to: releases[1])
            let olds =
                diff.removed + diff.changed.map(\.old) + diff.moved.map(\.old) + diff.unchanged
            let news = diff.added + diff.changed.map(\.new) + diff.moved.map(\.new) + diff.unchanged
            #expect(Release(assets: olds) == releases[0])
            #expect(Release(assets: news) == releases[1])
            #expect(
                diff.moved.allSatisfy {
                    $0.old.sha256 == $0.new.sha256 && $0.old.path != $0.new.path
                })
        }
    }
}
