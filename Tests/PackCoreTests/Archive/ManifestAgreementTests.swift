import PackArchive
import PackGround
import PackRelease
import PackZip
import TestSupport
import Testing

/// Valid archives that differ from their manifest.
struct ManifestAgreementTests {
    private static let zip = HostileZip(
        HostileZip.entry("a.txt"), HostileCase.deflated, HostileZip.entry("z", "last"))

    private static func problem(_ change: (inout [Asset]) -> Void) async throws -> ArchiveProblem? {
        try await TemporaryFolder.with { folder in
            var assets = zip.claimedRelease.assets
            change(&assets)
            let attempt = try await Attempt(
                zip.bytes, expecting: Release(assets: assets), in: folder)
            #expect(!attempt.touchedOutside)
            return attempt.problem
        }
    }

    @Test("the manifest that fits is accepted")
    func fits() async throws {
        #expect(try await Self.problem { _ in } == nil)
    }

    @Test("an asset with another SHA-256, whichever it is", arguments: 0..<3)
    func otherHash(index: Int) async throws {
        let problem = try await Self.problem {
            $0[index] = Asset(
                path: $0[index].path, size: $0[index].size, sha256: StreamHasher.digest(of: [1]))
        }
        #expect(problem == .contentDiffers)
    }

    @Test("an asset with another size", arguments: [-1, 1])
    func otherSize(difference: Int) async throws {
        let problem = try await Self.problem {
            let size = UInt64(Int($0[1].size) + difference)
            $0[1] = Asset(path: $0[1].path, size: size, sha256: $0[1].sha256)
        }
        #expect(problem == .wrongSize)
    }

    @Test("an entry the manifest does not list", arguments: 0..<3)
    func unexpected(index: Int) async throws {
        #expect(try await Self.problem { $0.remove(at: index) } == .unexpectedEntry)
    }

    @Test("an asset that is not in the archive")
    func missing() async throws {
        let path = try AssetPath("more.js")
        let problem = try await Self.problem {
            $0.append(Asset(path: path, size: 0, sha256: StreamHasher.digest(of: [])))
        }
        #expect(problem == .missingEntry)
    }

    @Test("an entry under another case's name")
    func otherCase() async throws {
        let path = try AssetPath("A.txt")
        let problem = try await Self.problem {
            $0[0] = Asset(path: path, size: $0[0].size, sha256: $0[0].sha256)
        }
        #expect(problem == .unexpectedEntry)
    }

    @Test("two contents that changed places")
    func swapped() async throws {
        try await TemporaryFolder.with { folder in
            let zip = HostileZip(HostileZip.entry("a", "one"), HostileZip.entry("b", "two"))
            let other = HostileZip(HostileZip.entry("a", "two"), HostileZip.entry("b", "one"))
            let attempt = try await Attempt(zip.bytes, expecting: other.claimedRelease, in: folder)
            #expect(attempt.problem == .contentDiffers)
        }
    }

    @Test("a forgery has the checksum asked for", arguments: [0, 1, 0xDEAD_BEEF, UInt32.max])
    func forgery(checksum: UInt32) {
        let forged = Forgery.bytes(like: [1, 2, 3], checksum: checksum)
        #expect(HostileZip.checksum(forged) == checksum)
    }

    @Test("content with the right size and the right CRC-32")
    func forgedChecksum() async throws {
        try await TemporaryFolder.with { folder in
            let content = Array("let price = 100;\n".utf8)
            let forged = Forgery.bytes(
                like: Array("let price = 9".utf8.prefix(content.count - 4)),
                checksum: HostileZip.checksum(content))
            #expect(forged != content && forged.count == content.count)
            #expect(HostileZip.checksum(forged) == HostileZip.checksum(content))
            let zip = HostileZip(HostileZip.entry(Array("a.js".utf8), forged))
            let honest = HostileZip(HostileZip.entry(Array("a.js".utf8), content))
            let attempt = try await Attempt(zip.bytes, expecting: honest.claimedRelease, in: folder)
            #expect(attempt.problem == .contentDiffers)
        }
    }

    @Test("limits are kept to the entry and to the byte")
    func limits() async throws {
        try await TemporaryFolder.with { folder in
            let total = Self.zip.claimedRelease.totalBytes
            for (entries, bytes, problem) in [
                (3, total, nil), (2, total, ArchiveProblem.tooManyEntries(limit: 2)),
                (3, total - 1, .tooLarge(limit: total - 1)), (0, 0, .tooManyEntries(limit: 0)),
            ] {
                let attempt = try await Attempt(
                    Self.zip.bytes, expecting: Self.zip.claimedRelease,
                    limits: ExtractionLimits(entries: entries, totalBytes: bytes), in: folder)
                #expect(attempt.problem == problem)
            }
        }
    }

    @Test("nothing that lies in the target is replaced or written through")
    func targetNotEmpty() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write(Self.zip.bytes, as: "a.zip")
            try folder.write(Array("precious".utf8), as: "elsewhere/precious")
            for plant in ["file", "link", "directory link"] {
                let target = try folder.makeFolder("target-" + plant)
                switch plant {
                case "file": try target.write([1], as: "a.txt")
                case "link":
                    try target.directory().makeSymbolicLink(
                        "a.txt", target: "../elsewhere/precious")
                default: try target.directory().makeSymbolicLink("js", target: "../elsewhere")
                }
                let unpacker = try Unpacker(
                    "a.zip", in: folder.directory(), expecting: Self.zip.claimedRelease)
                await expectFailure(of: "file-system") {
                    try await unpacker.unpack(into: target.directory(), jobs: 1)
                }
                #expect(try folder.makeFolder("elsewhere").listing() == ["precious file 8"])
                #expect(try folder.read("elsewhere/precious") == Array("precious".utf8))
            }
        }
    }
}
