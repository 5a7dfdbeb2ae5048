import PackDeltaFile
import PackDeltaMaking
import PackGround
import PackRelease
import TestSupport
import Testing

@Suite struct ReleasePairsTests {
    @Test func byNameTakesTheNearestSizeAndEachFileOnce() throws {
        let old = try Sample.release([
            "app.1a2b3c4d.js": "12345", "app.77777777.js": "1234567890", "kept.js": "k",
            "gone.png": "g",
        ])
        let new = try Sample.release([
            "app.9f9e9d9c.js": "123456789", "app.5a5b5c5d.js": "1234", "kept.js": "l",
            "app.0a0b0c0d.js": "1", "other.css": "c",
        ])
        let pairs = ReleasePairs.byName(from: old, to: new)
        #expect(
            pairs.map { "\($0.value)>\($0.key)" }.sorted()
                == ["app.1a2b3c4d.js>app.5a5b5c5d.js", "app.77777777.js>app.9f9e9d9c.js"])
    }

    @Test func aDiffTakesThePairs() throws {
        let old = try Sample.release(["a.1a2b3c4d.js": "one", "b.js": "b"])
        let new = try Sample.release(["a.5a5b5c5d.js": "two", "b.js": "b"])
        let pairs = ReleasePairs.byName(from: old, to: new)
        let diff = ReleaseDiff(from: old, to: new, pairs: pairs)
        #expect(diff.renamed.map(\.old.path.description) == ["a.1a2b3c4d.js"])
        #expect(diff.renamed.map(\.new.path.description) == ["a.5a5b5c5d.js"])
        #expect(diff.added.isEmpty && diff.removed.isEmpty && !diff.isEmpty)
        #expect(diff.newContentBytes == 3)
        // The same content at another path is a move, regardless of the pairs.
        let moved = ReleaseDiff(
            from: old, to: try Sample.release(["c.js": "one", "b.js": "b"]), pairs: pairs)
        #expect(moved.moved.count == 1 && moved.renamed.isEmpty)
    }

    @Test func byContentPairsNamesThatHaveNothingInCommon() throws {
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        let text = (0..<400).map { "function f\($0)(){return \($0)*7}" }.joined(separator: "\n")
        _ = try folder.write(Array((text).utf8), as: "old/shop.js")
        _ = try folder.write(Array(("something else").utf8), as: "old/else.txt")
        _ = try folder.write(Array((text + "\n// one line more").utf8), as: "new/basket.js")
        _ = try folder.write(Array(("nothing of the old").utf8), as: "new/fresh.txt")
        let sources = try ["old", "new"].map { name in
            let directory = try Directory.open(folder.file(name))
            let assets = try FileTree.walk(directory).files.map { file in
                Asset(
                    path: file.path, size: file.size,
                    sha256: StreamHasher.digest(
                        of: try directory.readFile(file.path.description, limit: 1 << 20)))
            }
            return AssetSource(tree: directory, release: Release(assets: assets))
        }
        let pairs = try ReleasePairs.byContent(from: sources[0], to: sources[1])
        #expect(pairs.map { "\($0.value)>\($0.key)" } == ["shop.js>basket.js"])
        #expect(
            ReleasePairs.byName(from: sources[0].release, to: sources[1].release).isEmpty)
    }
}
