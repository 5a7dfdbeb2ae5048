import Foundation
import PackGround
import PackRelease
import Synchronization
import TestSupport
import Testing

struct BuildScanTests {
    @Test func manyJobsGiveOneResult() async throws {
        let playground = try Playground()
        var files: [String: String] = [:]
        for index in 0..<100 {
            files["d\(index % 7)/f\(index)"] = String(repeating: "x", count: index * 37)
        }
        let path = try playground.build(files)
        let one = try await BuildScan.scan(path, jobs: 1)
        for jobs in [2, 8, 64] {
            let other = try await BuildScan.scan(path, jobs: jobs)
            #expect(other.release == one.release)
            #expect(other.checksums == one.checksums)
        }
    }

    @Test func knowsChecksumsAndJunk() async throws {
        let playground = try Playground()
        let scan = try await playground.scan([
            "a": "123456789", "b": "", "sub/.DS_Store": "junk", ".git/config": "junk", "c~": "junk",
        ])
        // The check value of CRC-32 (and 0 for no bytes).
        #expect(scan.checksums == [0xCBF4_3926, 0])
        #expect(scan.leftOut.junk == [".git", "c~", "sub/.DS_Store"])
        #expect(scan.release.assets.map(\.path.description) == ["a", "b"])
    }

    @Test func modeAndTimeDoNotMatter() async throws {
        let playground = try Playground()
        let path = try playground.build(Playground.first)
        let before = try await BuildScan.scan(path, jobs: 2)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755, .modificationDate: Date(timeIntervalSince1970: 0)],
            ofItemAtPath: path + "/index.html")
        let after = try await BuildScan.scan(path, jobs: 2)
        #expect(before.release == after.release)
    }

    @Test func anEmptyBuildIsRefused() async throws {
        let playground = try Playground()
        let path = try playground.build([:])
        await #expect(throws: Failure.buildEmpty(path: path)) {
            try await BuildScan.scan(path, jobs: 2)
        }
        try playground.write("build/.DS_Store", "only junk")
        await #expect(throws: Failure.buildEmpty(path: path)) {
            try await BuildScan.scan(path, jobs: 2)
        }
    }

    @Test func aMissingBuildIsAFileSystemError() async throws {
        let playground = try Playground()
        let path = playground.path + "/nothing"
        await #expect(throws: Failure.fileSystem("open", path, number: ENOENT)) {
            try await BuildScan.scan(path, jobs: 2)
        }
    }

    @Test func linksAndBadNamesAreRefusedTogether() async throws {
        let playground = try Playground()
        let path = try playground.build(["a": "1", "B/x": "2", "b/y": "3", "back\\slash": "4"])
        try playground.link("build/link", to: "a")
        let names: [RefusedName] = [
            .init(name: "b/y", problem: .collides(with: "B")),
            .init(name: "back\\slash", problem: .backslash),
            .init(name: "link", problem: .symbolicLink),
        ]
        await #expect(throws: Failure.buildNames(root: path, names: names)) {
            try await BuildScan.scan(path, jobs: 2)
        }
    }

    /// Hashing reports progress after each file; the change affects a file read later.
    @Test func aFileThatGrowsWhileScanningIsNoticed() async throws {
        let playground = try Playground()
        let path = try playground.build(["a": "first", "z": "last"])
        await #expect(throws: Failure.buildChangedWhileRead(path: path + "/z")) {
            try await BuildScan.scan(path, jobs: 1) { progress in
                if progress.done == 5 { try? playground.write("build/z", "last, and longer") }
            }
        }
    }

    @Test func aFileThatShrinksWhileScanningIsNoticed() async throws {
        let playground = try Playground()
        let path = try playground.build(["a": "first", "z": "last"])
        await #expect(throws: Failure.buildChangedWhileRead(path: path + "/z")) {
            try await BuildScan.scan(path, jobs: 1) { progress in
                if progress.done == 5 { try? playground.write("build/z", "") }
            }
        }
    }

    @Test func aFileThatBecomesAPipeDoesNotHoldTheScanUp() async throws {
        let playground = try Playground()
        let path = try playground.build(["a": "first", "z": ""])
        await expectFailure(of: "build") {
            try await BuildScan.scan(path, jobs: 1) { progress in
                guard progress.done == 5 else { return }
                unlink(path + "/z")
                mkfifo(path + "/z", 0o600)
            }
        }
    }

    @Test func progressEndsAtTheTotal() async throws {
        let playground = try Playground()
        let path = try playground.build(Playground.first)
        let seen = Mutex<[UInt64]>([])
        let scan = try await BuildScan.scan(path, jobs: 2) { progress in
            #expect(progress.phase == .hashing)
            seen.withLock { $0.append(progress.done) }
        }
        #expect(seen.withLock { $0.max() } == scan.release.totalBytes)
    }
}

struct FileDigestTests {
    @Test func readsAWholeFile() throws {
        let playground = try Playground()
        let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try playground.write("big", bytes)
        let directory = try Directory.open(playground.path)
        let expected = FileDigest(sha256: StreamHasher.digest(of: bytes), size: 600_000)
        #expect(try FileDigest.of("big", in: directory) == expected)
    }

    @Test(arguments: [(600_000 as UInt64, true), (600_001, true), (599_999, false), (0, false)])
    func stopsAtTheLimit(_ limit: UInt64, _ isWhole: Bool) throws {
        let playground = try Playground()
        try playground.write("big", [UInt8](repeating: 1, count: 600_000))
        let directory = try Directory.open(playground.path)
        let digest = try FileDigest.read(
            "big", in: directory, buffer: .forReading(), limit: limit)
        #expect((digest != nil) == isWhole)
    }
}
