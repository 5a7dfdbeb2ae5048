import Foundation
import PackArchive
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

/// A package uploaded by another run that may still be running, in a store without a lock.
@Suite struct LeftPackageTests {
    private struct Killed: Error {}

    /// Has two different sizes at two compression levels.
    private static let script = (0..<3000).map { "function f\($0 * 7919 % 3001)(){return \($0)}" }
        .joined(separator: "\n")
    private static let files = Playground.second.merging(["app.js": script]) { $1 }

    /// Packs a directory: zip.py FILE DIRECTORY.
    private static let packer = """
        import os, sys, zipfile
        names = sorted(os.path.relpath(os.path.join(folder, name), sys.argv[2])
                       for folder, _, names in os.walk(sys.argv[2]) for name in names)
        with zipfile.ZipFile(sys.argv[1], "x", zipfile.ZIP_DEFLATED) as file:
            for name in names: file.write(os.path.join(sys.argv[2], name), name)
        """

    private func path(_ request: PublishRequest) -> String {
        OriginLayout.package(request.scan.release.version)
    }

    private func request(
        _ playground: Playground, level: CompressionLevel = .default
    ) async throws -> PublishRequest {
        var request = try await playground.request(Self.files)
        request.level = level
        return request
    }

    private func isSound(_ store: MemoryStore) async throws -> Bool {
        try await OriginVerifier.verify(store, now: Playground.now, jobs: 1).isSound
    }

    /// Leaves the package of a publish at another level that was killed after the upload.
    private func leavePackage(
        _ playground: Playground, _ store: MemoryStore, _ script: ChangeScript
    ) async throws -> [UInt8] {
        _ = try await Publisher.publish(playground.request(Playground.first), to: store)
        let quick = try await request(playground, level: .fast)
        let manifest = OriginLayout.manifest(quick.scan.release.version)
        script.run(after: 0) { if $0 == .create(manifest) { throw Killed() } }
        await #expect(throws: Killed.self) { try await Publisher.publish(quick, to: store) }
        script.run(nil)
        return try #require(store.file(path(quick))).bytes
    }

    @Test func aWholePackageIsUsed() async throws {
        let (playground, store, script) = try ChangeScript.scripted()
        let left = try await leavePackage(playground, store, script)
        let request = try await request(playground)
        let report = try await Publisher.publish(request, to: store)
        #expect(report.notes.contains { $0.contains("is there already") })
        #expect(store.file(path(request))?.bytes == left)
        #expect(report.packageSize == UInt64(left.count))
        #expect(try await isSound(store))
    }

    /// Regression: a directory packed the build again, although the killed publish had packed it.
    @Test func aWholePackageInADirectoryIsUsed() async throws {
        let playground = try Playground()
        let request = try await request(playground)
        let path = "origin/\(path(request))"
        _ = try await playground.publish(self.request(playground, level: .fast))
        let left = try playground.read(path)
        // Killed before the manifest.
        for lost in [
            "origin/channels", "origin/\(OriginLayout.manifest(request.scan.release.version))",
        ] {
            try playground.remove(lost)
        }
        let report = try await playground.publish(request)
        #expect(report.notes.contains { $0.contains("is there already") })
        #expect(try playground.read(path) == left)
        let verified = try await OriginVerifier.verify(
            playground.writable, now: Playground.now, jobs: 1)
        #expect(verified.isSound, "\(verified.failures)")
    }

    /// Kinds of unusable packages.
    private enum Damage: CaseIterable {
        case cut, flipped, longer, empty, otherContent, otherForm
    }

    private func damaged(
        _ left: [UInt8], _ damage: Damage, of request: PublishRequest, _ store: MemoryStore
    ) async throws -> [UInt8] {
        switch damage {
        case .cut: return Array(left.dropLast(30))
        case .flipped:
            var bytes = left
            bytes[bytes.count / 2] ^= 1
            return bytes
        case .longer: return left + [0]
        case .empty: return []
        case .otherContent:
            let first = try #require(
                store.paths.first {
                    $0.hasSuffix("/package.zip") && store.file($0)?.bytes != left
                })
            return try #require(store.file(first)).bytes
        case .otherForm:
            // The same content written by another program.
            let zip = "\(request.temporaryDirectory)/other.zip"
            let build = request.scan.directory.path
            let python = try await ForeignTool.python(Self.packer, [zip, build])
            #expect(python.status == 0, "\(python.all)")
            return Array(try Data(contentsOf: URL(filePath: zip)))
        }
    }

    @Test(arguments: Damage.allCases)
    private func anUnusablePackageIsReplaced(_ damage: Damage) async throws {
        let (playground, store, script) = try ChangeScript.scripted()
        let left = try await leavePackage(playground, store, script)
        let request = try await request(playground)
        let bytes = try await damaged(left, damage, of: request, store)
        store.set(path(request), bytes)
        _ = try await Publisher.publish(request, to: store)
        #expect(store.file(path(request))?.bytes != bytes)
        #expect(try await isSound(store))
    }

    /// The package was unusable when checked, and another publisher has replaced it since.
    @Test func aPackageThatWasReplacedMeanwhileStays() async throws {
        let (playground, store, script) = try ChangeScript.scripted()
        let left = try await leavePackage(playground, store, script)
        let request = try await request(playground)
        let path = path(request)
        store.set(path, Array(left.dropLast()))
        script.run(after: 0) { if $0 == .create(path) { store.set(path, left) } }
        await #expect(throws: Failure.publishConcurrentUpload(path: store.display(path))) {
            try await Publisher.publish(request, to: store)
        }
        script.run(nil)
        #expect(store.file(path)?.bytes == left)
        _ = try await Publisher.publish(request, to: store)
        #expect(store.file(path)?.bytes == left)
        #expect(try await isSound(store))
    }

    /// Another publisher packs the same release at another level between two of our changes.
    ///
    /// Whichever run wins, the package matches its manifest.
    @Test(arguments: [ConditionalWrites.conditions, .createOnly])
    func packedAtAnotherLevelAtEveryChange(_ guarantee: ConditionalWrites) async throws {
        let (playground, store, script) = try ChangeScript.scripted()
        _ = try await Publisher.publish(playground.request(Playground.first), to: store)
        script.run(nil)
        _ = try await Publisher.publish(request(playground), to: store)
        let count = script.seen.count
        var told = 0
        for point in 0..<count {
            let (playground, store, script) = try ChangeScript.scripted(guarantee)
            _ = try await Publisher.publish(playground.request(Playground.first), to: store)
            let ours = try await request(playground)
            var theirs = ours
            theirs.level = .fast
            let other = theirs
            script.run(after: point) { _ in
                script.run(nil)
                _ = try await Publisher.publish(other, to: store)
            }
            do {
                _ = try await Publisher.publish(ours, to: store)
            } catch let error as Failure {
                #expect(error.exitCode == .conflict || error.exitCode == .verification)
                if error.code == .publishConcurrentUpload { told += 1 }
            }
            script.run(nil)
            #expect(try await isSound(store), "change \(point)")
            _ = try await Publisher.publish(ours, to: store)
            #expect(try await isSound(store), "again after change \(point)")
        }
        #expect(told > 0)
    }
}
