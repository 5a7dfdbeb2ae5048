import PackArchive
import PackGround
import PackZip
import TestSupport
import Testing

/// Regression tests, each named after the fault.
struct ArchiveRegressionTests {
    private static func problem(_ zip: HostileZip) async throws -> ArchiveProblem? {
        try await TemporaryFolder.with { folder in
            try await Attempt(zip.bytes, expecting: zip.claimedRelease, in: folder).problem
        }
    }

    @Test(
        "a link passed where the entry named another host than Unix",
        arguments: [0, 5, 16, 19, 30] as [UInt16])
    func linkOfAnotherHost(host: UInt16) async throws {
        var zip = HostileZip(HostileZip.entry("link", "/etc/passwd"))
        zip.entries[0].central.madeBy = host << 8 | 20
        zip.entries[0].central.externalAttributes = 0o120777 << 16
        #expect(try await Self.problem(zip) == .notRegularFile)
    }

    @Test("a file passed that is a directory to readers of DOS attributes")
    func dosDirectory() async throws {
        var zip = HostileZip(HostileZip.entry("a"))
        zip.entries[0].central.externalAttributes = 0x10
        for host in [0, 10, 14] as [UInt16] {
            zip.entries[0].central.madeBy = host << 8 | 20
            #expect(try await Self.problem(zip) == .notRegularFile)
        }
    }

    @Test("a directory entry and a file of one name passed together")
    func directoryAndFile() async throws {
        let zip = HostileZip(HostileZip.entry("a/", ""), HostileZip.entry("a"))
        #expect(try await Self.problem(zip) == .badName(.collides(with: "a")))
    }

    @Test("zip64 sizes nobody needs passed in the local header")
    func localZip64() async throws {
        var zip = HostileZip(HostileZip.entry("a", "five\n"))
        zip.entries[0].local.size = .max
        zip.entries[0].local.compressedSize = .max
        zip.entries[0].local.extra = HostileZip.zip64Extra(5, 5)
        #expect(try await Self.problem(zip) == .zip64NotNeeded)
    }

    @Test(
        "a package without a file was a release, which no directory can be",
        arguments: [
            [], ["assets/"], [".DS_Store"], ["__MACOSX/a.txt", "assets/Thumbs.db"],
        ] as [[String]])
    func packageWithoutFiles(names: [String]) async throws {
        let zip = HostileZip(
            entries: names.map { HostileZip.entry($0, $0.hasSuffix("/") ? "" : "content\n") })
        try await TemporaryFolder.with { folder in
            _ = try folder.write(zip.bytes, as: "a.zip")
            let directory = try Directory.open(folder.path)
            let error = await #expect(throws: Failure.self) {
                try await PackageReader.release(of: "a.zip", in: directory, jobs: 1)
            }
            #expect(error?.code == .archiveNoFiles)
            #expect(error?.description.contains("a.zip") == true)
        }
    }

    @Test("the code of a name without its UTF-8 flag spelled the letters apart")
    func codeOfAcronym() {
        let error = Failure.archive(.nameNotFlaggedUTF8, archive: "a.zip")
        #expect(error.code.name == "archive.name-not-flagged-utf8")
    }
}
