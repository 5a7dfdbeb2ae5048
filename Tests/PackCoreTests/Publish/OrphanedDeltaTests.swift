import Foundation
import PackDeltaFile
import PackDeltaMaking
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

/// A delta uploaded by another run that may still be running, in a store without a lock.
@Suite struct LeftDeltaTests {
    private struct Killed: Error {}

    private struct Lab {
        /// Keeps the playground's files.
        let playground: Playground
        let store: MemoryStore
        let script: ChangeScript
        let request: PublishRequest
        /// The path of the delta.
        let path: String
    }

    private static func script(_ change: String) -> String {
        (0..<3000).map {
            "function f\($0 * 7919 % 3001)(){return \($0)}\($0 == 1500 ? change : "")"
        }
        .joined(separator: "\n")
    }

    /// In both releases at the same path.
    private static let kept = "kept.js"
    private static let first = Playground.first.merging(
        ["app.js": script(""), kept: script("//kept")]) { $1 }
    private static let second = Playground.second.merging(
        ["app.js": script("//changed"), kept: script("//kept")]) { $1 }

    /// Repacks the members of an archive without compression: zip.py OLD NEW.
    private static let packer = """
        import sys, zipfile
        with zipfile.ZipFile(sys.argv[1]) as old, zipfile.ZipFile(sys.argv[2], "x") as new:
            for name in old.namelist(): new.writestr(zipfile.ZipInfo(name), old.read(name))
        """

    /// A first release, the request for a second one, and the path of its delta.
    private static func prepared(
        _ guarantee: ConditionalWrites = .conditions
    ) async throws -> Lab {
        let (playground, store, script) = try ChangeScript.scripted(guarantee)
        let old = try await playground.request(first)
        _ = try await Publisher.publish(old, to: store)
        let request = try await playground.request(second, deltas: 1)
        let path = OriginLayout.delta(
            request.scan.release.version, from: old.scan.release.version)
        return Lab(
            playground: playground, store: store, script: script, request: request, path: path)
    }

    /// The same delta as another version of packtool might write it.
    private static func repacked() async throws -> (own: [UInt8], other: [UInt8]) {
        let lab = try await Self.prepared()
        _ = try await Publisher.publish(lab.request, to: lab.store)
        let own = try #require(lab.store.file(lab.path)).bytes
        let files = ["old", "new"].map { "\(lab.request.temporaryDirectory)/\($0).zip" }
        try Data(own).write(to: URL(filePath: files[0]))
        let python = try await ForeignTool.python(packer, files)
        #expect(python.status == 0, "\(python.all)")
        let other = Array(try Data(contentsOf: URL(filePath: files[1])))
        #expect(own != other)
        return (own, other)
    }

    private func isSound(_ store: MemoryStore) async throws -> Bool {
        try await OriginVerifier.verify(store, now: Playground.now, jobs: 1).isSound
    }

    private func listed(_ store: MemoryStore) async throws -> [UInt64] {
        let reader = OriginReader(store, policy: .recordedInLog)
        return try #require(try await reader.pointer(.production)).pointer.deltas.map(
            \.content.size)
    }

    @Test func aWholeDeltaIsUsed() async throws {
        let (_, other) = try await Self.repacked()
        let lab = try await Self.prepared()
        lab.store.set(lab.path, other)
        let report = try await Publisher.publish(lab.request, to: lab.store)
        #expect(report.notes.contains { $0.contains("is there already") && $0.contains("delta-") })
        #expect(lab.store.file(lab.path)?.bytes == other)
        #expect(try await listed(lab.store) == [UInt64(other.count)])
        #expect(try await isSound(lab.store))
    }

    /// Our deltas read only changed files; those of another version may read any file of the base.
    @Test func aDeltaThatReadsWhatBothHaveIsUsed() async throws {
        let lab = try await Self.prepared()
        let base = try await lab.playground.scan(Self.first, in: "base")
        let kept = try #require(
            base.release.assets.firstIndex { $0.path.description == Self.kept })
        let published = try await Self.prepared()
        _ = try await Publisher.publish(published.request, to: published.store)
        let path = OriginLayout.manifest(lab.request.scan.release.version)
        let manifest = try #require(published.store.file(path))
        let builder = DeltaBuilder(
            from: AssetSource(tree: base.directory, release: base.release),
            to: AssetSource(
                tree: lab.request.scan.directory, release: lab.request.scan.release),
            info: .init(
                try ManifestCoding.decode(manifest.bytes, path: path),
                digest: FileDigest(
                    sha256: StreamHasher.digest(of: manifest.bytes),
                    size: UInt64(manifest.bytes.count))),
            jobs: 1)
        var plan = try builder.plan()
        for index in plan.coded.indices { plan.coded[index].relatives[kept] = 1000 }
        let directory = try Directory.open(lab.playground.path)
        try directory.makeDirectory("parts")
        _ = try await builder.build(
            "other.zip", in: directory, staging: directory.directory("parts"), plan: plan)
        let other = try lab.playground.read("other.zip")
        #expect(other != published.store.file(lab.path)?.bytes)
        lab.store.set(lab.path, other)
        let report = try await Publisher.publish(lab.request, to: lab.store)
        #expect(report.notes.contains { $0.contains("is there already") && $0.contains("delta-") })
        #expect(lab.store.file(lab.path)?.bytes == other)
    }

    /// Kinds of unusable deltas.
    private enum Damage: CaseIterable {
        case cut, flipped, empty, otherBase, otherManifest, large
    }

    private func damaged(_ left: [UInt8], _ damage: Damage) async throws -> [UInt8] {
        switch damage {
        case .cut: return Array(left.dropLast(30))
        case .flipped:
            var bytes = left
            bytes[bytes.count / 2] ^= 1
            return bytes
        case .empty: return []
        case .large: return left + [UInt8](repeating: 0, count: 1 << 20)
        case .otherManifest:
            // The same files, with an info.json that does not belong to the release.
            return try await delta(from: Self.first, scheme: "other")
        case .otherBase:
            return try await delta(
                from: Self.second.merging(["app.js": Self.script("//other")]) { $1 })
        }
    }

    /// The delta to the second release, made by a publish to another store.
    private func delta(
        from files: [String: String], scheme: String = "customscheme"
    ) async throws -> [UInt8] {
        let (playground, store, _) = try ChangeScript.scripted()
        let old = try await playground.request(files, scheme: scheme)
        _ = try await Publisher.publish(old, to: store)
        let new = try await playground.request(Self.second, scheme: scheme, deltas: 1)
        _ = try await Publisher.publish(new, to: store)
        let path = OriginLayout.delta(new.scan.release.version, from: old.scan.release.version)
        return try #require(store.file(path)).bytes
    }

    @Test(arguments: Damage.allCases)
    private func anUnusableDeltaIsReplaced(_ damage: Damage) async throws {
        let (own, _) = try await Self.repacked()
        let bytes = try await damaged(own, damage)
        let lab = try await Self.prepared()
        lab.store.set(lab.path, bytes)
        _ = try await Publisher.publish(lab.request, to: lab.store)
        #expect(lab.store.file(lab.path)?.bytes == own)
        #expect(try await isSound(lab.store))
    }

    /// The delta was unusable when checked, and another publisher has replaced it since.
    @Test func aDeltaThatWasReplacedMeanwhileStays() async throws {
        let (_, other) = try await Self.repacked()
        let lab = try await Self.prepared()
        lab.store.set(lab.path, Array(other.dropLast()))
        lab.script.run(after: 0) { if $0 == .create(lab.path) { lab.store.set(lab.path, other) } }
        await #expect(throws: Failure.publishConcurrentUpload(path: lab.store.display(lab.path))) {
            try await Publisher.publish(lab.request, to: lab.store)
        }
        lab.script.run(nil)
        #expect(lab.store.file(lab.path)?.bytes == other)
        _ = try await Publisher.publish(lab.request, to: lab.store)
        #expect(lab.store.file(lab.path)?.bytes == other)
        #expect(try await isSound(lab.store))
    }

    /// Another version of packtool uploads its delta between two of our changes and will reference
    /// it, so it stays.
    @Test(arguments: [ConditionalWrites.conditions, .createOnly])
    func uploadedByAnotherVersionAtEveryChange(_ guarantee: ConditionalWrites) async throws {
        let (own, other) = try await Self.repacked()
        let lab = try await Self.prepared(guarantee)
        lab.script.run(nil)
        _ = try await Publisher.publish(lab.request, to: lab.store)
        let count = lab.script.seen.count
        var told = 0
        for point in 0..<count {
            let lab = try await Self.prepared(guarantee)
            lab.script.run(after: point) { _ in
                lab.script.run(nil)
                if lab.store.file(lab.path) == nil { lab.store.set(lab.path, other) }
            }
            do {
                _ = try await Publisher.publish(lab.request, to: lab.store)
            } catch let error as Failure {
                #expect(error == .publishConcurrentUpload(path: lab.store.display(lab.path)))
                told += 1
            }
            lab.script.run(nil)
            let left = try #require(lab.store.file(lab.path)).bytes
            #expect(left == own || left == other)
            _ = try await Publisher.publish(lab.request, to: lab.store)
            #expect(lab.store.file(lab.path)?.bytes == left, "change \(point)")
            #expect(try await isSound(lab.store), "change \(point)")
        }
        #expect(told > 0)
    }

    /// A run was killed before its log entry; the next one uses its delta.
    @Test func aKilledRunsDeltaIsUsed() async throws {
        let lab = try await Self.prepared()
        let entry = OriginLayout.logEntry(.production, 2)
        lab.script.run(after: 0) { if $0 == .create(entry) { throw Killed() } }
        await #expect(throws: Killed.self) {
            try await Publisher.publish(lab.request, to: lab.store)
        }
        lab.script.run(nil)
        let left = try #require(lab.store.file(lab.path)).bytes
        let report = try await Publisher.publish(lab.request, to: lab.store)
        #expect(report.notes.contains { $0.contains("delta-") })
        #expect(lab.store.file(lab.path)?.bytes == left)
        #expect(try await isSound(lab.store))
    }
}
