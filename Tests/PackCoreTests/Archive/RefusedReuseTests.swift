import Foundation
import PackArchive
import PackGround
import PackRelease
import PackZip
import TestSupport
import Testing

/// Earlier packages that are not reused, or only after verification.
struct RefusedReuseTests {
    @Test("a package of another level is not reused")
    func otherLevel() async throws {
        try await TemporaryFolder.with { folder in
            let scan = try await ReuseSample.oldSite.scan(in: folder.makeFolder("old"))
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
            // Zeros compress to the same bytes at both levels, and only the larger files are
            // sampled.
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

    @Test("a package of Info-ZIP is not reused", arguments: 1...9)
    func infoZIP(level: Int) async throws {
        for site in [ReuseSample.oldSite, ReuseSample.large] {
            let levels = try await ReuseSample.isReused(site) {
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
        for site in [ReuseSample.oldSite, ReuseSample.large] {
            let levels = try await ReuseSample.isReused(site) {
                try await ForeignTool.python(
                    program, [$0.file("foreign.zip"), $0.file("dist"), "\(level)"])
            }
            #expect(levels == [])
        }
    }

    @Test("a package that breaks the profile is not opened")
    func damaged() async throws {
        try await TemporaryFolder.with { folder in
            let scan = try await ReuseSample.oldSite.scan(in: folder.makeFolder("old"))
            try await scan.package("old.zip", in: folder)
            var bytes = try folder.read("old.zip")
            bytes.removeLast()
            try folder.write(bytes, as: "cut.zip")
            expectFailure(of: "archive") {
                try ReuseArchive.open("cut.zip", in: folder.directory(), level: .default)
            }
            expectFailure(of: "file-system") {
                try ReuseArchive.open("none.zip", in: folder.directory(), level: .default)
            }
        }
    }

    @Test("a package that is not the published one is refused")
    func notThePublished() async throws {
        try await TemporaryFolder.with { folder in
            let scan = try await ReuseSample.oldSite.scan(in: folder.makeFolder("old"))
            try await scan.package("old.zip", in: folder)
            let right = try ReuseSample.reference(to: "old.zip", in: folder)
            let wrong = [
                ContentReference(
                    url: right.url, sha256: StreamHasher.digest(of: [1]), size: right.size),
                ContentReference(url: right.url, sha256: right.sha256, size: right.size - 1),
                ContentReference(url: right.url, sha256: right.sha256, size: right.size + 1),
            ]
            for published in wrong {
                let error = #expect(throws: Failure.self) {
                    try ReuseArchive.open(
                        "old.zip", in: folder.directory(), level: .default, published: published)
                }
                #expect(error?.code == .archiveContentDiffers)
            }
        }
    }

    /// Regression: a pipe has no bytes to read, and was accepted as empty content.
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
            let error = #expect(throws: Failure.self) { try open("old.zip") }
            #expect(error?.code == .archiveContentDiffers)
            expectFailure(of: "file-system") { try open("missing.zip") }
        }
    }

    /// Info-ZIP replaces an entry and keeps the others: the sample could miss the replaced one.
    @Test("a package that another tool has changed is not reused")
    func changedByAnotherTool() async throws {
        try await TemporaryFolder.with { folder in
            let scan = try await ReuseSample.oldSite.scan(in: folder.makeFolder("old"))
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
}
