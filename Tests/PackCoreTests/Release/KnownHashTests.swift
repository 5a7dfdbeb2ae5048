import Foundation
import PackGround
import PackRelease
import TestSupport
import Testing

/// A scan with the hashes of an earlier one.
struct KnownHashTests {
    private static let now = 1_800_000_000

    private func scan(_ folder: TemporaryFolder, _ bytes: [UInt8]?) async throws -> (
        scan: BuildScan, bytes: [UInt8]?
    ) {
        let known = HashCache(bytes, of: folder.path, now: Self.now)
        let scan = try await BuildScan.scan(folder.path, hashes: known, jobs: 2)
        // Long after the last change.
        return (scan, known.encoded(at: FileTime(seconds: 1 << 40, nanoseconds: 0)))
    }

    @Test("gives what reading gives, and reads what changed")
    func equalScans() async throws {
        try await TemporaryFolder.with { folder in
            for index in 0..<HashCache.fewFiles {
                try folder.write(Array("file \(index)".utf8), as: "\(index % 7)/\(index).txt")
            }
            let read = try await BuildScan.scan(folder.path, jobs: 2)
            let first = try await scan(folder, nil)
            let second = try await scan(folder, first.bytes)
            for other in [first.scan, second.scan] {
                #expect(other.release == read.release)
                #expect(other.checksums == read.checksums)
            }
            #expect(second.bytes == nil, "nothing new")

            try folder.write(Array("file X".utf8), as: "0/0.txt")
            let third = try await scan(folder, first.bytes)
            #expect(third.scan.release == (try await BuildScan.scan(folder.path, jobs: 2)).release)
            #expect(third.scan.release != read.release)
        }
    }

    @Test("does not read an unchanged file")
    func unread() async throws {
        try await TemporaryFolder.with { folder in
            for index in 0..<HashCache.fewFiles { try folder.write([1], as: "\(index)") }
            let known = HashCache(nil, of: folder.path, now: Self.now)
            let directory = try folder.directory()
            let made = StreamHasher.digest(of: [2])
            for index in 0..<HashCache.fewFiles {
                let status = try #require(try directory.status("\(index)"))
                known.add(
                    .init(sha256: made, checksum: 5), of: status, named: Array("\(index)".utf8))
            }
            let bytes = known.encoded(at: FileTime(seconds: 1 << 40, nanoseconds: 0))
            let found = try await scan(folder, bytes).scan
            #expect(found.release.assets.allSatisfy { $0.sha256 == made })
            #expect(found.checksums.allSatisfy { $0 == 5 })
        }
    }
}
