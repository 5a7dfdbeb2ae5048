import PackArchive
import PackGround
import PackRelease
import TestSupport
import Testing

/// Archives with damage at every position: each is rejected or still gives the same content.
struct DamagedArchiveTests {
    /// A small package with all features of packtool's packages: stored, deflated, empty, a
    /// non-ASCII name.
    private static let small = HostileZip(
        HostileZip.entry("a.txt", "stored\n"),
        HostileZip.entry("d/é.js", String(repeating: "const a = 1;\n", count: 6), deflated: true),
        HostileZip.entry("empty", ""))

    /// Unpacks damaged bytes; a result other than a refusal or the old content fails the test.
    private static func check(
        _ bytes: [UInt8], _ release: Release, in folder: TemporaryFolder, _ what: String
    ) async throws -> Bool {
        let attempt = try await Attempt(bytes, expecting: release, in: folder)
        #expect(!attempt.touchedOutside, "\(what)")
        if let error = attempt.error {
            #expect(error.isFailure(of: "archive"), "\(what): \(error)")
        } else {
            #expect(attempt.unpacked == release, "\(what): other content")
        }
        // Read without a manifest, it must not become another release either.
        if case .success(let read) = attempt.readAs {
            #expect(read == release, "\(what): read as another")
        }
        return attempt.error == nil
    }

    @Test("cut short at every byte")
    func truncated() async throws {
        try await TemporaryFolder.with { folder in
            let bytes = Self.small.bytes
            let release = Self.small.claimedRelease
            #expect(try await Self.check(bytes, release, in: folder, "whole"))
            for count in bytes.indices {
                let accepted = try await Self.check(
                    Array(bytes.prefix(count)), release, in: folder, "first \(count) bytes")
                #expect(!accepted, "first \(count) bytes")
            }
        }
    }

    @Test("cut off at the front at every byte")
    func beheaded() async throws {
        try await TemporaryFolder.with { folder in
            let bytes = Self.small.bytes
            for count in bytes.indices.dropFirst() {
                let accepted = try await Self.check(
                    Array(bytes.dropFirst(count)), Self.small.claimedRelease, in: folder,
                    "without \(count)")
                #expect(!accepted, "without \(count)")
            }
        }
    }

    @Test("every bit of every byte flipped", arguments: 0..<8)
    func flipped(bit: Int) async throws {
        try await TemporaryFolder.with { folder in
            let bytes = Self.small.bytes
            var accepted = 0
            for index in bytes.indices {
                var damaged = bytes
                damaged[index] ^= 1 << UInt8(bit)
                if try await Self.check(
                    damaged, Self.small.claimedRelease, in: folder, "bit \(bit) of byte \(index)")
                {
                    accepted += 1
                }
            }
            // Only times, permission bits, made-by and needed versions may be changed: in the local
            // header 4 + 2, in the central one 4 + 2 + 2 + 6 bytes of each of three entries; and
            // the padding after the last bit of deflate data.
            #expect(accepted <= 3 * 20 + 1, "\(accepted) flips went unnoticed")
            #expect(accepted > 0, "times are meant to be free")
        }
    }

    @Test("a byte taken out or put in at every place")
    func shifted() async throws {
        try await TemporaryFolder.with { folder in
            let bytes = Self.small.bytes
            for index in bytes.indices {
                var shorter = bytes
                shorter.remove(at: index)
                var longer = bytes
                longer.insert(0, at: index)
                for damaged in [shorter, longer] {
                    let accepted = try await Self.check(
                        damaged, Self.small.claimedRelease, in: folder, "shifted at \(index)")
                    #expect(!accepted, "shifted at \(index)")
                }
            }
        }
    }

    @Test("random damage", arguments: 1...4 as ClosedRange<UInt64>)
    func random(seed: UInt64) async throws {
        try await TemporaryFolder.with { folder in
            var noise = Noise(seed: seed)
            let bytes = Self.small.bytes
            for round in 0..<750 {
                var damaged = bytes
                for _ in 0...Int.random(in: 0...5, using: &noise) {
                    let index = Int.random(in: damaged.indices, using: &noise)
                    switch Int.random(in: 0..<4, using: &noise) {
                    case 0: damaged[index] = UInt8.random(in: 0...255, using: &noise)
                    case 1:
                        damaged[index] =
                            [0x00, 0x01, 0x7F, 0x80, 0xFF].randomElement(using: &noise) ?? 0
                    case 2:
                        // Duplicating a piece repeats records.
                        let end = min(damaged.count, index + Int.random(in: 1...60, using: &noise))
                        let piece = damaged[index..<end]
                        damaged.insert(
                            contentsOf: piece, at: Int.random(in: damaged.indices, using: &noise))
                    default:
                        damaged.removeSubrange(
                            index..<min(
                                damaged.count, index + Int.random(in: 1...30, using: &noise)))
                        if damaged.isEmpty { damaged = [0] }
                    }
                }
                _ = try await Self.check(
                    damaged, Self.small.claimedRelease, in: folder, "seed \(seed), round \(round)")
            }
        }
    }

    @Test("a package of ours, one byte changed anywhere")
    func ownPackage() async throws {
        try await TemporaryFolder.with { folder in
            let site: Site = ["index.html": HostileCase.text, "ä": "x", "s": "stored"]
            let scan = try await site.scan(in: folder.makeFolder("dist"))
            try await scan.package("p.zip", in: folder)
            let bytes = try folder.read("p.zip")
            for index in bytes.indices {
                var damaged = bytes
                damaged[index] ^= 0xFF
                _ = try await Self.check(damaged, scan.release, in: folder, "byte \(index)")
            }
        }
    }

    @Test("too short to be a zip", arguments: 0..<22)
    func tooShort(count: Int) async throws {
        try await TemporaryFolder.with { folder in
            let attempt = try await Attempt(
                [UInt8](repeating: 0x50, count: count), expecting: Release(assets: []), in: folder)
            #expect(attempt.problem == .tooShort)
        }
    }

    @Test("no end record in a megabyte of anything")
    func noEndRecord() async throws {
        try await TemporaryFolder.with { folder in
            var noise = Noise(seed: 7)
            for bytes in [[UInt8](repeating: 0x50, count: 1 << 20), noise.bytes(1 << 20)] {
                let attempt = try await Attempt(bytes, expecting: Release(assets: []), in: folder)
                #expect(attempt.problem == .noEndRecord)
            }
        }
    }
}
