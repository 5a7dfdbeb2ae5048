import Foundation
import PackGround
import PackZip
import TestSupport
import Testing

@testable import PackArchive

/// Reading and copying entries of an earlier package, and detecting damaged ones.
struct ReusedEntryTests {
    @Test("a reused entry is read whole, whatever reads it", arguments: [false, true])
    func reusedEntry(isReused: Bool) async throws {
        try await TemporaryFolder.with { folder in
            let scan = try await ReuseSample.oldSite.scan(in: folder.makeFolder("old"))
            try await scan.package("good.zip", in: folder)
            let structure = try ZipStructure.read(
                folder.directory().openFile("good.zip"), limits: .standard)
            let reused = isReused ? Set(structure.paths) : []
            let prove = { (name: String) in
                try await PackageReader(name, in: folder.directory(), expecting: scan.release)
                    .prove(reused: reused, jobs: 2)
            }
            try await prove("good.zip")
            let good = try folder.read("good.zip")
            for entry in structure.files where entry.size > 0 {
                // Not the last byte, because some of its bits are unused.
                for offset in [0, entry.compressedSize / 2] {
                    var bytes = good
                    bytes[Int(entry.dataOffset + offset)] ^= 0x04
                    try folder.write(bytes, as: "bad.zip")
                    await expectFailure(of: "archive", "\(printable(entry.name)) \(offset)") {
                        try await prove("bad.zip")
                    }
                }
            }
        }
    }

    @Test("an entry damaged after it was made is found by the proof")
    func damagedEntry() async throws {
        try await TemporaryFolder.with { folder in
            let scan = try await ReuseSample.oldSite.scan(in: folder.makeFolder("old"))
            let plain = try await scan.package("old.zip", in: folder)
            // Damage outside the sample of ReuseArchive: in the file beyond its megabyte.
            let structure = try ZipStructure.read(
                folder.directory().openFile("old.zip"), limits: .standard)
            let entry = try #require(structure.files.max { $0.size < $1.size })
            var bytes = try folder.read("old.zip")
            bytes[Int(entry.dataOffset + entry.compressedSize / 2)] ^= 0x10
            try folder.write(bytes, as: "damaged.zip")
            let reuse = try #require(
                try ReuseArchive.open("damaged.zip", in: folder.directory(), level: .default))
            let result = try await scan.package("new.zip", in: folder, reuse: reuse)
            #expect(result.digest == plain.digest)
            #expect(result.notes.count == 1)
            #expect(
                result.notes.first?.hasPrefix("no entry of the earlier package was reused: ")
                    == true)
            #expect(result.written.reusedFiles == 0)
        }
    }

    @Test(
        "an entry with the right CRC-32 and size but other content is found by the proof",
        arguments: [false, true])
    func forgedEntry(isPublished: Bool) async throws {
        try await TemporaryFolder.with { folder in
            var noise = Noise(seed: 21)
            let honest = noise.bytes(400)
            let forged = Forgery.bytes(
                like: noise.bytes(396), checksum: HostileZip.checksum(honest))
            let script = noise.text(5_000)
            var evil: Site = ["index.html": "<!doctype html>"]
            evil.add("a.js", script)
            evil.add("key.bin", forged)
            var good = evil
            good.files[2] = Site.File(name: Array("key.bin".utf8), content: honest)
            try await evil.scan(in: folder.makeFolder("evil")).package("evil.zip", in: folder)
            let scan = try await good.scan(in: folder.makeFolder("good"))
            let plain = try await scan.package("plain.zip", in: folder)
            let reuse = try #require(
                try ReuseArchive.open(
                    "evil.zip", in: folder.directory(), level: .default,
                    published: isPublished ? ReuseSample.reference(to: "evil.zip", in: folder) : nil
                ))
            let result = try await scan.package("new.zip", in: folder, reuse: reuse)
            #expect(result.digest == plain.digest)
            #expect(result.notes.count == 1)
        }
    }

    /// Regression: an entry with a compressed size larger than its content was copied beyond the
    /// end of the writer's buffer.
    @Test(
        "an entry that claims as many compressed bytes as it has content, or more, is not reused",
        arguments: [(0, 26), (1, 26), (200, 26), (80_000, 26), (1_000, 4_000)])
    func paddedEntry(blocks: Int, size: Int) async throws {
        try await TemporaryFolder.with { folder in
            var noise = Noise(seed: 31)
            let content = noise.bytes(size)
            let script = noise.text(5_000)
            var zip = HostileZip(entries: [
                HostileZip.entry(Array("a.js".utf8), script, deflated: true),
                HostileZip.entry(Array("b.txt".utf8), content, deflated: true),
            ])
            let padding = [[UInt8]](repeating: [0, 0, 0, 0xFF, 0xFF], count: blocks)
            zip.entries[1].data = padding.flatMap { $0 } + zip.entries[1].data
            let count = UInt32(zip.entries[1].data.count)
            zip.entries[1].both { $0.compressedSize = count }
            try folder.write(zip.bytes, as: "padded.zip")
            let directory = try folder.directory()
            #expect(try ReuseArchive.open("padded.zip", in: directory, level: .max) == nil)
        }
    }

    @Test("an entry is never copied beyond the room for it")
    func copyWithoutRoom() async throws {
        try await TemporaryFolder.with { folder in
            var noise = Noise(seed: 32)
            let scan = try await Site(files: [
                .init(name: Array("a.js".utf8), content: noise.text(5_000))
            ])
            .scan(in: folder.makeFolder("old"))
            try await scan.package("old.zip", in: folder)
            let reuse = try #require(
                try ReuseArchive.open("old.zip", in: folder.directory(), level: .default))
            let entry = try #require(
                reuse.entry(checksum: scan.checksums[0], size: scan.release.assets[0].size))
            expectFailure(of: "archive") {
                try compress([], room: Int(entry.compressedSize) - 1) { _, output in
                    var reader = NeighbourReader()
                    try reuse.copy(entry, into: &output, by: &reader)
                    return nil
                }
            }
        }
    }
}
