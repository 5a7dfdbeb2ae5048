import Foundation
import PackCore
import TestSupport
import Testing

/// Copying unchanged entries from an earlier package saves work and never changes a byte.
struct ReuseArchiveTests {
    private static let oldSite: Site = {
        var noise = Noise(seed: 11)
        var site: Site = ["index.html": "<!doctype html>old", "empty": ""]
        for index in 0..<12 { site.add("js/\(index).js", noise.text(3_000 + 500 * index)) }
        site.add("photo.jpg", noise.bytes(20_000))
        site.add("big.js", noise.text(1_500_000))
        return site
    }()

    /// Some files changed, one renamed, one new.
    private static let newSite: Site = {
        var site = oldSite
        var noise = Noise(seed: 12)
        site.files[0] = Site.File(
            name: Array("index.html".utf8), content: Array("<!doctype html>new".utf8))
        site.files[3] = Site.File(name: site.files[3].name, content: noise.text(4_000))
        site.files[4] = Site.File(
            name: Array("js/renamed-ü.js".utf8), content: site.files[4].content)
        site.add("new.css", noise.text(9_000))
        return site
    }()

    @Test(
        "the same bytes with and without an earlier package", arguments: CompressionLevel.allCases)
    func identical(level: CompressionLevel) async throws {
        try await TemporaryFolder.with { folder in
            let old = try await Self.oldSite.scan(in: folder.makeFolder("old"))
            try await old.package("old.zip", in: folder, level: level)
            let new = try await Self.newSite.scan(in: folder.makeFolder("new"))
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
            let scan = try await Self.large.scan(in: folder.makeFolder("dist"))
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
            var site = Self.large
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

    @Test("a package of another level is not reused")
    func otherLevel() async throws {
        try await TemporaryFolder.with { folder in
            let scan = try await Self.oldSite.scan(in: folder.makeFolder("old"))
            for made in CompressionLevel.allCases {
                try await scan.package("\(made).zip", in: folder, level: made)
                for wanted in CompressionLevel.allCases {
                    let reuse = try ReuseArchive.open(
                        "\(made).zip", in: folder.directory(), level: wanted)
                    #expect((reuse != nil) == (made == wanted), "\(made), asked for \(wanted)")
                }
            }
        }
    }

    @Test("another level is told by its flags where the sampled entries cannot tell")
    func otherLevelUnseenBySample() async throws {
        try await TemporaryFolder.with { folder in
            // Zeros compress alike at both levels, and the larger files are the ones that are sampled.
            let zeros = [UInt8](repeating: 0, count: 60_000)
            try #require(
                HostileZip.deflate(zeros, level: .default)
                    == HostileZip.deflate(zeros, level: .fast))
            var noise = Noise(seed: 41)
            var site = Site(files: [])
            for index in 0..<8 { site.add("zeros-\(index)", zeros) }
            site.add("a.js", noise.text(20_000))
            let scan = try await site.scan(in: folder.makeFolder("dist"))
            try await scan.package("fast.zip", in: folder, level: .fast)
            #expect(
                try ReuseArchive.open("fast.zip", in: folder.directory(), level: .default) == nil)
            #expect(try ReuseArchive.open("fast.zip", in: folder.directory(), level: .fast) != nil)
        }
    }

    /// Whether anything of an archive that `make` writes is reused, at any level.
    private static func isReused(
        _ site: Site, _ make: (TemporaryFolder) async throws -> Run
    ) async throws -> [CompressionLevel] {
        try await TemporaryFolder.with { folder in
            try site.write(to: folder.makeFolder("dist"))
            let output = try await make(folder)
            #expect(output.status == 0, "\(output.all)")
            return try CompressionLevel.allCases.filter {
                try ReuseArchive.open("foreign.zip", in: folder.directory(), level: $0) != nil
            }
        }
    }

    /// A single file beyond the megabyte that is sampled: once it passed without a look.
    private static let large: Site = {
        var noise = Noise(seed: 5)
        return Site(files: [Site.File(name: Array("big.js".utf8), content: noise.text(2_000_000))])
    }()

    @Test("a package of Info-ZIP is not reused", arguments: 1...9)
    func infoZIP(level: Int) async throws {
        for site in [Self.oldSite, Self.large] {
            let levels = try await Self.isReused(site) {
                try await ForeignTool("zip").run(
                    ["-q", "-X", "-r", "-D", "-\(level)", $0.file("foreign.zip"), "."],
                    in: $0.file("dist"))
            }
            #expect(levels == [])
        }
    }

    @Test("a package of Python is not reused", arguments: [1, 6, 9])
    func python(level: Int) async throws {
        let program = """
            import os, sys, zipfile
            with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED, compresslevel=int(sys.argv[3])) as z:
                for base, _, names in os.walk(sys.argv[2]):
                    for name in names:
                        path = os.path.join(base, name)
                        z.write(path, os.path.relpath(path, sys.argv[2]))
            """
        for site in [Self.oldSite, Self.large] {
            let levels = try await Self.isReused(site) {
                try await ForeignTool.python(
                    program, [$0.file("foreign.zip"), $0.file("dist"), "\(level)"])
            }
            #expect(levels == [])
        }
    }

    @Test("a package that breaks the profile is not opened")
    func damaged() async throws {
        try await TemporaryFolder.with { folder in
            let scan = try await Self.oldSite.scan(in: folder.makeFolder("old"))
            try await scan.package("old.zip", in: folder)
            var bytes = try folder.read("old.zip")
            bytes.removeLast()
            try folder.write(bytes, as: "cut.zip")
            #expect(throws: ArchiveError.self) {
                try ReuseArchive.open("cut.zip", in: folder.directory(), level: .default)
            }
            #expect(throws: FileSystemError.self) {
                try ReuseArchive.open("none.zip", in: folder.directory(), level: .default)
            }
        }
    }

    /// What a pointer says of a package that lies in a folder.
    private static func reference(
        to name: String, in folder: TemporaryFolder
    ) throws -> ContentReference {
        let bytes = try folder.read(name)
        return ContentReference(
            url: "https://cdn.example.com/\(name)", sha256: StreamHasher.digest(of: bytes),
            size: UInt64(bytes.count))
    }

    @Test("the package of a published release gives the same bytes", arguments: [1, 2, 40])
    func published(jobs: Int) async throws {
        try await TemporaryFolder.with { folder in
            let old = try await Self.oldSite.scan(in: folder.makeFolder("old"))
            try await old.package("old.zip", in: folder)
            let new = try await Self.newSite.scan(in: folder.makeFolder("new"))
            let plain = try await new.package("plain.zip", in: folder)
            let reuse = try #require(
                try ReuseArchive.open(
                    "old.zip", in: folder.directory(), level: .default,
                    published: Self.reference(to: "old.zip", in: folder)))
            #expect(reuse.isProved)
            let result = try await new.package("new.zip", in: folder, jobs: jobs, reuse: reuse)
            #expect(result.digest == plain.digest && result.notes == [])
            #expect(result.written.reusedFiles == 13)
        }
    }

    @Test("a package that is not the published one is refused")
    func notThePublished() async throws {
        try await TemporaryFolder.with { folder in
            let scan = try await Self.oldSite.scan(in: folder.makeFolder("old"))
            try await scan.package("old.zip", in: folder)
            let right = try Self.reference(to: "old.zip", in: folder)
            let wrong = [
                ContentReference(
                    url: right.url, sha256: StreamHasher.digest(of: [1]), size: right.size),
                ContentReference(url: right.url, sha256: right.sha256, size: right.size - 1),
                ContentReference(url: right.url, sha256: right.sha256, size: right.size + 1),
            ]
            for published in wrong {
                let error = #expect(throws: ArchiveError.self) {
                    try ReuseArchive.open(
                        "old.zip", in: folder.directory(), level: .default, published: published)
                }
                #expect(error?.problem == .contentDiffers)
            }
        }
    }

    /// Regression: what has no bytes to read was the content of nothing, of whatever kind it was.
    @Test func regressionAPipeIsNoPublishedPackage() async throws {
        try await TemporaryFolder.with { folder in
            #expect(mkfifo(folder.systemPath(Array("old.zip".utf8)), 0o644) == 0)
            let empty = ContentReference(
                url: "https://cdn.example.com/old.zip", sha256: StreamHasher.digest(of: []), size: 0
            )
            let open = { (name: String) in
                _ = try ReuseArchive.open(
                    name, in: folder.directory(), level: .default, published: empty)
            }
            let error = #expect(throws: ArchiveError.self) { try open("old.zip") }
            #expect(error?.problem == .contentDiffers)
            #expect(throws: FileSystemError.self) { try open("missing.zip") }
        }
    }

    @Test("a reused entry is read whole, whatever reads it", arguments: [false, true])
    func reusedEntry(isReused: Bool) async throws {
        try await TemporaryFolder.with { folder in
            let scan = try await Self.oldSite.scan(in: folder.makeFolder("old"))
            try await scan.package("good.zip", in: folder)
            let structure = try ZipStructure.read(
                folder.directory().openFile("good.zip"), limits: .standard)
            let reused = isReused ? Set(structure.files.map(\.name)) : []
            let prove = { (name: String) in
                try await PackageReader(name, in: folder.directory(), expecting: scan.release)
                    .prove(reused: reused, jobs: 2)
            }
            try await prove("good.zip")
            let good = try folder.read("good.zip")
            for entry in structure.files where entry.size > 0 {
                // Not the last byte, some bits of which mean nothing.
                for place in [0, entry.compressedSize / 2] {
                    var bytes = good
                    bytes[Int(entry.dataOffset + place)] ^= 0x04
                    try folder.write(bytes, as: "bad.zip")
                    await #expect(throws: ArchiveError.self, "\(printable(entry.name)) \(place)") {
                        try await prove("bad.zip")
                    }
                }
            }
        }
    }

    @Test("an entry damaged after it was made is found by the proof")
    func damagedEntry() async throws {
        try await TemporaryFolder.with { folder in
            let scan = try await Self.oldSite.scan(in: folder.makeFolder("old"))
            let plain = try await scan.package("old.zip", in: folder)
            // Damage where the sample of ReuseArchive does not look: the file beyond its megabyte.
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
                    published: isPublished ? Self.reference(to: "evil.zip", in: folder) : nil))
            let result = try await scan.package("new.zip", in: folder, reuse: reuse)
            #expect(result.digest == plain.digest)
            #expect(result.notes.count == 1)
        }
    }

    @Test("an earlier package that shrinks meanwhile costs time, never the package")
    func shrinking() async throws {
        try await TemporaryFolder.with { folder in
            let scan = try await Self.oldSite.scan(in: folder.makeFolder("old"))
            let plain = try await scan.package("old.zip", in: folder)
            let reuse = try #require(
                try ReuseArchive.open("old.zip", in: folder.directory(), level: .default))
            try folder.write([0x50], as: "old.zip")
            let result = try await scan.package("new.zip", in: folder, reuse: reuse)
            #expect(result.digest == plain.digest && result.notes.count == 1)
        }
    }

    @Test("an earlier package that vanishes meanwhile costs time, never the package")
    func vanishing() async throws {
        try await TemporaryFolder.with { folder in
            let scan = try await Self.oldSite.scan(in: folder.makeFolder("old"))
            let plain = try await scan.package("old.zip", in: folder)
            let reuse = try #require(
                try ReuseArchive.open("old.zip", in: folder.directory(), level: .default))
            try folder.directory().removeFile("old.zip")
            let result = try await scan.package("new.zip", in: folder, reuse: reuse)
            #expect(result.digest == plain.digest && result.notes.count == 1)
        }
    }

    /// An entry whose compressed size exceeded its content was copied beyond the end of the writer's buffer.
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

    /// Info-ZIP replaces an entry and leaves the others: the sample could miss the one it wrote.
    @Test("a package that another tool has changed is not reused")
    func changedByAnotherTool() async throws {
        try await TemporaryFolder.with { folder in
            let scan = try await Self.oldSite.scan(in: folder.makeFolder("old"))
            try await scan.package("old.zip", in: folder)
            #expect(
                try ReuseArchive.open("old.zip", in: folder.directory(), level: .default) != nil)
            let output = try await ForeignTool("zip").run(
                ["-q", "-X", folder.file("old.zip"), "index.html"], in: folder.file("old"))
            #expect(output.status == 0, "\(output.all)")
            #expect(
                try ReuseArchive.open("old.zip", in: folder.directory(), level: .default) == nil)
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
            #expect(throws: ArchiveError.self) {
                try compress([], room: Int(entry.compressedSize) - 1) { _, output in
                    try reuse.copy(entry, into: &output)
                    return nil
                }
            }
        }
    }
}
