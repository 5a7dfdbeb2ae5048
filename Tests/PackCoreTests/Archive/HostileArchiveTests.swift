import PackArchive
import PackGround
import PackZip
import TestSupport
import Testing

/// Hostile archives are rejected for the intended reason, and nothing is written outside the
/// target.
struct HostileArchiveTests {
    @Test("refused by its named rule", arguments: HostileCases.all)
    func refused(_ hostile: HostileCase) async throws {
        try await TemporaryFolder.with { folder in
            let zip = hostile.zip
            let attempt = try await Attempt(zip.bytes, expecting: zip.claimedRelease, in: folder)
            #expect(
                isSameRule(attempt.problem, hostile.problem),
                "\(attempt.error.map { "\($0)" } ?? "was unpacked")")
            #expect(!attempt.touchedOutside)
            // The archive is also rejected without a manifest for comparison.
            guard case .failure(let error) = attempt.readAs else {
                Issue.record("read as a release of its own")
                return
            }
            #expect(isSameRule(error.archiveProblem, hostile.problem), "\(error)")
        }
    }

    @Test("harmless variants are unpacked", arguments: HostileCases.harmless)
    func harmless(_ variant: HostileCase.Harmless) async throws {
        try await TemporaryFolder.with { folder in
            let wanted = variant.zip.claimedRelease
            let attempt = try await Attempt(variant.zip.bytes, expecting: wanted, in: folder)
            #expect(attempt.error == nil, "\(attempt.error.map { "\($0)" } ?? "")")
            #expect(attempt.unpacked == wanted)
            #expect(try attempt.readAs.get() == wanted)
            #expect(!attempt.touchedOutside)
        }
    }

    @Test("every rule has a code and a text")
    func rulesAreNamed() {
        let problems = HostileCases.all.map(\.problem)
        for problem in problems {
            let error = Failure.archive(problem, archive: "a.zip", entry: "x")
            #expect(error.code.isOf("archive"))
            #expect(error.description.hasPrefix("'x' in 'a.zip': "))
        }
    }
}

extension HostileCase {
    /// An unusual archive that must still be read.
    struct Harmless: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let zip: HostileZip

        init(_ name: String, _ zip: HostileZip) {
            testDescription = name
            self.zip = zip
        }

        init(
            _ name: String, entry: HostileZip.Entry = HostileCase.deflated,
            _ change: (inout HostileZip.Entry) -> Void
        ) {
            var entry = entry
            change(&entry)
            self.init(name, HostileZip(HostileZip.entry("a.txt"), entry))
        }
    }
}

/// The tables by topic; the tables themselves are in separate files.
enum HostileCases {
    static let all = names + nameSets + kinds + headers + extras + structure + zip64 + content
}
