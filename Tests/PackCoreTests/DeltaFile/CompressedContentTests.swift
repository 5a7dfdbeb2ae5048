import PackDeltaFile
import PackGround
import PackPublish
import PackRelease
import Synchronization
import TestSupport
import Testing

/// Already compressed content: old parts are reused, the rest is coded once and quickly.
@Suite struct CompressedContentTests {
    /// Two trees with a page and a file of noise; the new file only shares the start.
    private static func trees(_ count: Int) -> (old: [String: [UInt8]], new: [String: [UInt8]]) {
        var noise = Noise(seed: 61)
        let content = noise.bytes(count)
        let changed = Array(content.prefix(count / 2)) + noise.bytes(count / 2)
        return (
            ["index.html": Array("<p>1".utf8), "app.js.gz": content],
            ["index.html": Array("<p>2".utf8), "app.js.gz": changed]
        )
    }

    /// Regression: nearly every byte was coded individually, which took most of the time of a
    /// publish.
    @Test func muchOfItIsNotCodedByteByByte() async throws {
        let (old, new) = Self.trees(200_000)
        let workshop = try DeltaWorkshop()
        let before = try await workshop.tree(old, "old")
        let after = try await workshop.tree(new, "new")
        let result = try await workshop.make(before, after)
        #expect(result.codedBytes < 100)
        #expect(result.manifest.patch.count == 2)
        #expect((100_000..<103_000).contains(result.digest.size), "\(result.digest.size)")
        #expect(try await workshop.apply(before) == after.release)
    }

    /// Regression: the fallback compared all of a film with the old one, for a minute.
    @Test func aHugeFileWithFewChangesIsAligned() async throws {
        let workshop = try DeltaWorkshop()
        var noise = Noise(seed: 62)
        let content = noise.bytes(17 << 20)
        let before = try await workshop.tree(["film.bin": content], "old")
        var changed = content
        for index in 0..<7 { changed[index * 2_000_000 + 5] ^= 0x55 }
        let few = try await workshop.make(before, workshop.tree(["film.bin": changed], "new"))
        #expect((1..<10_000).contains(few.codedBytes))
        #expect(few.digest.size < 4096)
        let applied = try await workshop.apply(before)
        #expect(applied.assets.map(\.sha256) == [StreamHasher.digest(of: changed)])

        changed.replaceSubrange(1_000_000..<1_500_000, with: noise.bytes(500_000))
        let much = try await workshop.make(before, workshop.tree(["film.bin": changed], "new"))
        #expect(much.codedBytes == 0)
    }

    /// A separate stream would cost more than it saves.
    @Test func aLittleOfItGoesWithTheRest() async throws {
        let (old, new) = Self.trees(20_000)
        let workshop = try DeltaWorkshop()
        let before = try await workshop.tree(old, "old")
        let after = try await workshop.tree(new, "new")
        let result = try await workshop.make(before, after)
        #expect(result.manifest.patch.count == 1)
        #expect(try await workshop.apply(before) == after.release)
    }

    @Test func progressNamesTheDelta() async throws {
        let playground = try Playground()
        let (old, new) = Self.trees(200_000)
        func request(_ files: [String: [UInt8]], _ name: String) async throws -> PublishRequest {
            for (path, content) in files { try playground.write("\(name)/\(path)", content) }
            var request = try await playground.request(["x": "y"])
            request.scan = try await BuildScan.scan(playground.path + "/" + name, jobs: 2)
            request.deltas = .init(count: 1)
            return request
        }
        let one = try await playground.publish(request(old, "one"))
        let subjects = Mutex<Set<String>>([])
        var next = try await request(new, "two")
        next.progress = { progress in
            if let subject = progress.subject {
                subjects.withLock { _ = $0.insert(subject) }
            }
        }
        try await playground.publish(next)
        #expect(subjects.withLock { $0 } == ["delta from \(one.version)"])
    }
}
