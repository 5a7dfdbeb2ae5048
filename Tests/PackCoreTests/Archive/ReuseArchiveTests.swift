import Foundation
import PackArchive
import TestSupport
import Testing

/// Copying unchanged entries from an earlier package saves work without changing a byte.
struct ReuseArchiveTests {
    @Test(
        "the same bytes with and without an earlier package", arguments: CompressionLevel.allCases)
    func identical(level: CompressionLevel) async throws {
        try await TemporaryFolder.with { folder in
            let old = try await ReuseSample.oldSite.scan(in: folder.makeFolder("old"))
            try await old.package("old.zip", in: folder, level: level)
            let new = try await ReuseSample.newSite.scan(in: folder.makeFolder("new"))
            let plain = try await new.package("plain.zip", in: folder, level: level)
            let reuse = try #require(
                try ReuseArchive.open("old.zip", in: folder.directory(), level: level))
            for jobs in [1, 2, 8] {
                let name = "reused-\(jobs).zip"
                let result = try await new.package(
                    name, in: folder, level: level, jobs: jobs, reuse: reuse)
                #expect(result.digest == plain.digest)
                #expect(result.notes == [])
                #expect(result.written.reusedFiles == 13)
                #expect(result.written.reusedBytes > 1_500_000)
                #expect(try folder.read(name) == folder.read("plain.zip"))
            }
        }
    }

    @Test("a package of one file beyond the sampled megabyte is reused")
    func largeFile() async throws {
        try await TemporaryFolder.with { folder in
            let scan = try await ReuseSample.large.scan(in: folder.makeFolder("dist"))
            let plain = try await scan.package("old.zip", in: folder)
            let reuse = try #require(
                try ReuseArchive.open("old.zip", in: folder.directory(), level: .default))
            let result = try await scan.package("new.zip", in: folder, reuse: reuse)
            #expect(result.digest == plain.digest && result.written.reusedFiles == 1)
        }
    }

    @Test("content beyond the streaming threshold is compressed anew")
    func streamedFile() async throws {
        try await TemporaryFolder.with { folder in
            var site = ReuseSample.large
            site.add(
                "huge", [UInt8](repeating: 7, count: Int(PackageWriter.streamingThreshold) + 1))
            let scan = try await site.scan(in: folder.makeFolder("dist"))
            let plain = try await scan.package("old.zip", in: folder)
            let reuse = try #require(
                try ReuseArchive.open("old.zip", in: folder.directory(), level: .default))
            let result = try await scan.package("new.zip", in: folder, reuse: reuse)
            #expect(result.digest == plain.digest && result.written.reusedFiles == 1)
        }
    }

    @Test("the package of a published release gives the same bytes", arguments: [1, 2, 40])
    func published(jobs: Int) async throws {
        try await TemporaryFolder.with { folder in
            let old = try await ReuseSample.oldSite.scan(in: folder.makeFolder("old"))
            try await old.package("old.zip", in: folder)
            let new = try await ReuseSample.newSite.scan(in: folder.makeFolder("new"))
            let plain = try await new.package("plain.zip", in: folder)
            let reuse = try #require(
                try ReuseArchive.open(
                    "old.zip", in: folder.directory(), level: .default,
                    published: ReuseSample.reference(to: "old.zip", in: folder)))
            #expect(reuse.isProved)
            let result = try await new.package("new.zip", in: folder, jobs: jobs, reuse: reuse)
            #expect(result.digest == plain.digest && result.notes == [])
            #expect(result.written.reusedFiles == 13)
        }
    }

    @Test("an earlier package that shrinks meanwhile costs time, never the package")
    func shrinking() async throws {
        try await TemporaryFolder.with { folder in
            let scan = try await ReuseSample.oldSite.scan(in: folder.makeFolder("old"))
            let plain = try await scan.package("old.zip", in: folder)
            let reuse = try #require(
                try ReuseArchive.open("old.zip", in: folder.directory(), level: .default))
            try folder.write([0x50], as: "old.zip")
            let result = try await scan.package("new.zip", in: folder, reuse: reuse)
            #expect(result.digest == plain.digest && result.notes.count == 1)
        }
    }

    @Test("an earlier package that is removed during the packing is copied from all the same")
    func vanishing() async throws {
        try await TemporaryFolder.with { folder in
            let scan = try await ReuseSample.oldSite.scan(in: folder.makeFolder("old"))
            let plain = try await scan.package("old.zip", in: folder)
            let reuse = try #require(
                try ReuseArchive.open("old.zip", in: folder.directory(), level: .default))
            try folder.directory().removeFile("old.zip")
            let result = try await scan.package("new.zip", in: folder, reuse: reuse)
            #expect(result.digest == plain.digest && result.notes == [])
        }
    }
}
