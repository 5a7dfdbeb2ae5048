import Foundation
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

@Suite(.eachStore) struct OriginVerifierTests {
    /// Two releases on two channels, small enough to damage each file in each way.
    private static func origin() async throws -> Playground {
        let playground = try Playground()
        try await playground.publish(["index.html": "<h1>1</h1>", "a.js": "one"], label: "1.0")
        try await playground.publish(["index.html": "<h1>2</h1>", "a.js": "two", "b": "same"])
        try await playground.publish(["index.html": "<h1>3</h1>", "b": "same"], channel: "beta")
        return playground
    }

    @Test func aSoundOrigin() async throws {
        let playground = try await Self.origin()
        let before = try playground.tree("origin")
        let result = try await playground.verify()
        #expect(result.isSound)
        #expect(result.failures.isEmpty && result.orphans.isEmpty && result.notes.isEmpty)
        #expect(result.orphanBytes == 0)
        #expect(result.releases == 3)
        #expect(result.objects.count == 6)
        #expect(result.packages.count == 3)
        #expect(result.siteFiles.count == 3)
        #expect(result.channels.map(\.channel.description) == ["beta", "production"])
        #expect(result.channels.map(\.sequence) == [1, 2])
        #expect(result.channels.map(\.recorded) == [1, 2])
        #expect(
            result.channels.map(\.expires) == [
                Playground.now.adding(days: 90), Playground.now.adding(days: 90),
            ])
        #expect(try playground.tree("origin") == before)
    }

    enum Damage: String, CaseIterable, Sendable {
        case flip, delete, truncate, append
    }

    private static func damaged(_ bytes: [UInt8], _ damage: Damage) -> [UInt8]? {
        var bytes = bytes
        switch damage {
        case .flip:
            guard !bytes.isEmpty else { return [0] }
            bytes[bytes.count / 2] ^= 0x01
        case .delete: return nil
        case .truncate: _ = bytes.popLast()
        case .append: bytes.append(0x20)
        }
        return bytes
    }

    /// Damages every public file of a small origin in every way.
    @Test(arguments: Damage.allCases) func everyDamageIsFound(_ damage: Damage) async throws {
        let playground = try await Self.origin()
        let paths = try playground.publicFiles()
        #expect(paths.count == 21)
        for path in paths {
            let bytes = try playground.read("origin/\(path)")
            // Remove and rewrite the file: damaging a site file must not damage its object.
            let inode = try playground.tree("origin")[path]?.inode
            #expect(inode != nil)
            try playground.remove("origin/\(path)")
            if let other = Self.damaged(bytes, damage) {
                try playground.write("origin/\(path)", other)
            }
            let result = try await playground.verify()
            if path == "channels/production/log/1.json", damage != .flip {
                // No hash covers an earlier entry, and gaps are allowed. Without the entry, its
                // release is an orphan.
                #expect(result.orphans.isEmpty == (damage != .delete))
                #expect(
                    result.notes.contains { $0.contains("no entry for sequence 1;") }
                        == (damage == .delete))
            } else {
                // The pointer and its log entry must be equal. If they differ, either may be wrong.
                let isCurrentLog =
                    path.contains("/log/") && !path.hasSuffix("production/log/1.json")
                let pointer = (path.components(separatedBy: "/log/").first ?? "") + "/pointer.json"
                #expect(
                    result.failures.contains { $0.path == (isCurrentLog ? pointer : path) },
                    "\(damage) of \(path): \(result.failures)")
            }
            try? playground.remove("origin/\(path)")
            try playground.write("origin/\(path)", bytes)
        }
        #expect(try await playground.verify().isSound)
    }

    /// A change through one of a file's two names is found at the object.
    @Test(.directoryOnly) func damageThroughALink() async throws {
        let playground = try await Self.origin()
        try playground.overwrite("origin/site/a.js", Array("TWO".utf8))
        let paths = try await playground.verify().failures.map(\.path)
        #expect(paths == ["objects/\(StreamHasher.digest(of: Array("two".utf8)))/a.js"])
    }

    @Test func whatNobodyRefersToIsReported() async throws {
        let playground = try await Self.origin()
        for path in ["stray.txt", "objects/x/y", "site/left.js", "channels/beta/log/x.json"] {
            try playground.write("origin/\(path)", "12345")
        }
        let hasLinks = playground.memory == nil
        if hasLinks { try playground.link("origin/link", to: "/etc/passwd") }
        try playground.write("origin/.packtool/staging/x", "not public")
        let result = try await playground.verify()
        #expect(result.isSound)
        #expect(
            result.orphans == ["channels/beta/log/x.json"] + (hasLinks ? ["link"] : [])
                + ["objects/x/y", "site/left.js", "stray.txt"])
        #expect(result.orphanBytes == 20 + (hasLinks ? 11 : 0))
    }

    /// Regression: a tree of 20,000 levels in an origin overflowed the stack.
    @Test(.directoryOnly) func regressionADeepTreeIsOneOrphan() async throws {
        let playground = try await Self.origin()
        try Directory.open(playground.origin).makeChain("deep", depth: 20_000)
        let result = try await playground.verify()
        #expect(result.isSound)
        #expect(result.orphans == ["deep/" + String(repeating: "d/", count: 33)])
        try Directory.open(playground.origin).removeTree("deep")
    }

    /// The deepest possible file of a release is still checked.
    @Test func theDeepestFileIsNoOrphan() async throws {
        let playground = try Playground()
        let path = String(repeating: "d/", count: AssetPath.deepestPath - 1) + "f"
        try await playground.publish(["index.html": "x", path: "y"])
        #expect(try await playground.verify().orphans.isEmpty)
        try playground.write("origin/site/" + path + "2", "z")
        #expect(try await playground.verify().orphans == ["site/" + path + "2"])
    }

    @Test func aReleaseThatNoPointerNames() async throws {
        let playground = try await Self.origin()
        try playground.write("origin/releases/00000000000000000000/info.json", "{}")
        let result = try await playground.verify()
        #expect(result.isSound)
        #expect(result.orphans == ["releases/00000000000000000000/info.json"])
    }

    /// Regression: deleting an earlier entry was only visible as orphans.
    @Test func regressionADeletedLogEntryIsNamed() async throws {
        let playground = try Playground()
        for number in 1...6 { try await playground.publish(["index.html": "<h1>\(number)</h1>"]) }
        for number in [2, 4, 5] {
            try playground.remove("origin/channels/production/log/\(number).json")
        }
        let result = try await playground.verify()
        #expect(result.isSound)
        #expect(
            result.notes == [
                "channels/production/log has no entry for sequences 2, 4 to 5; files that only they named count "
                    + "as orphans"
            ])
        #expect(result.orphans.count == 3 * 3)
    }

    private static let gapTable: [([Int], Int, [ClosedRange<Int>])] = [
        ([], 0, []), ([], 1, []), ([], 3, [1...2]), ([1], 1, []), ([2], 2, [1...1]),
        ([1, 2, 3], 3, []), ([1, 3, 7], 7, [2...2, 4...6]), ([1, 5], 2, []), ([1, 5], 3, [2...2]),
        ([1, Pointer.sequenceLimit], Pointer.sequenceLimit, [2...(Pointer.sequenceLimit - 1)]),
    ]

    @Test(arguments: gapTable) func gaps(
        _ sequences: [Int], _ highest: Int, _ expected: [ClosedRange<Int>]
    ) {
        #expect(OriginVerifier.gaps(in: sequences, below: highest) == expected)
    }

    /// Clients reject the pointer, so a nightly job must fail.
    @Test func anExpiredPointerIsAFailure() async throws {
        let playground = try await Self.origin()
        let expires = Playground.now.adding(days: 90)
        let result = try await playground.verify(now: expires)
        #expect(result.failures.map(\.path).allSatisfy { $0.hasSuffix("pointer.json") })
        #expect(result.failures.map(\.kind) == [.trust, .trust])
        #expect(
            result.failures.first?.problem
                == "expired at 2027-02-19T08:00:00Z, and clients refuse it: run 'packtool renew'")
        let before = try await playground.verify(now: Timestamp(seconds: expires.seconds - 1))
        #expect(before.isSound)
        #expect(before.notes.allSatisfy { $0.contains("expires at 2027-02-19T08:00:00Z") })
        #expect(!before.notes.isEmpty)
        #expect(try await playground.verify(now: expires.adding(days: -15)).notes.isEmpty)
    }

    /// Regression: the words of a path decided that damage was a matter of signatures.
    @Test func aNameIsNoKind() async throws {
        let playground = try Playground()
        let files = Playground.first.merging(["root/expired.js": "let signed"]) { $1 }
        try await playground.publish(files)
        try playground.remove("origin/site/root/expired.js")
        try playground.write("origin/site/root/expired.js", "let signet")
        let result = try await playground.verify()
        #expect(result.failures.map(\.path) == ["site/root/expired.js"])
        #expect(result.failures.map(\.kind) == [.content])
    }

    /// An intent explains only the state after an interrupted publish.
    @Test func anIntentDoesNotExcuseDamage() async throws {
        let playground = try await Self.origin()
        try playground.write("origin/.packtool/intents/production.\(uniqueName())", "{}")
        #expect(try await playground.verify().isSound)
        for (path, content) in ["info.json": "{}", "site/index.html": "<h1>?</h1>"] {
            let bytes = try playground.read("origin/\(path)")
            try playground.remove("origin/\(path)")
            try playground.write("origin/\(path)", content)
            #expect(try await playground.verify().failures.map(\.path) == [path])
            try playground.remove("origin/\(path)")
            // The file is missing after an interrupted first publish.
            #expect(try await playground.verify().isSound)
            try playground.write("origin/\(path)", bytes)
        }
        #expect(try await playground.verify().isSound)
    }

    @Test func theIntentOfBetaExcusesNothingOfProduction() async throws {
        let playground = try await Self.origin()
        try playground.write("origin/.packtool/intents/beta.\(uniqueName())", "{}")
        try playground.remove("origin/info.json")
        #expect(try await playground.verify().failures.map(\.path) == ["info.json"])
    }

    @Test func oneReleaseBoundToTwoContents() async throws {
        let playground = try Playground()
        try await playground.publish(["a": "1"])
        try await playground.publish(["a": "1"], renew: true)
        var pointer = try #require(try await playground.reader().pointer(.production)).pointer
        pointer.sequence = 3
        pointer.package = ContentReference(
            url: pointer.package.url, sha256: pointer.info.sha256, size: 3)
        let envelope = try Envelope(
            payloadType: Envelope.pointerType, payload: PointerCoding.encode(pointer))
        try playground.write("origin/channels/production/log/3.json", envelope.encode())
        let result = try await playground.verify()
        #expect(result.failures.count == 1)
        #expect(
            result.failures.first?.problem.contains("has another hash or size for release") == true)
    }

    /// Packages are unpacked, so that wrong content with a correct hash is found.
    @Test func aPackageIsReadToItsEnd() async throws {
        let playground = try Playground()
        let report = try await playground.publish(["a": "1", "b": "2"])
        let other = try Playground()
        let otherReport = try await other.publish(["a": "1", "b": "3"])
        let zip = try other.read("origin/releases/\(otherReport.version)/package.zip")
        try await playground.forge(report.version) { _ in zip }
        let result = try await playground.verify()
        #expect(result.failures.map(\.path) == ["releases/\(report.version)/package.zip"])
        #expect(result.failures.first?.problem.contains("SHA-256 differs") == true)
    }

    @Test(.directoryOnly) func noOriginNoVerification() async throws {
        let playground = try Playground()
        try playground.makeDirectory("origin")
        await #expect(throws: Failure.originNotAnOrigin(path: playground.origin)) {
            try await playground.verify()
        }
        // A folder with this name may belong to the user.
        try playground.makeDirectory("origin/channels")
        await #expect(throws: Failure.originNotAnOrigin(path: playground.origin)) {
            try await playground.verify()
        }
        try playground.makeDirectory("origin/.packtool")
        await #expect(
            throws: Failure.originNothingPublished(channel: nil, origin: playground.origin)
        ) {
            try await playground.verify()
        }
        try playground.remove("origin")
        await expectFailure(of: "file-system") { try await playground.verify() }
    }

    /// Regression: files of earlier releases in site/ were served but not checked.
    @Test func regressionDamageOfAnOlderSiteFile() async throws {
        let playground = try Playground()
        try await playground.publish(["index.html": "1", "old.js": "old"])
        try await playground.publish(["index.html": "2"])
        #expect(try await playground.verify().isSound)
        try playground.remove("origin/site/old.js")
        // The file was removed by hand, and no current file is missing.
        #expect(try await playground.verify().isSound)
        try playground.write("origin/site/old.js", "evil")
        let failures = try await playground.verify().failures
        #expect(failures.map(\.path) == ["site/old.js"])
        #expect(failures.map(\.problem) == ["matches no recorded release"])
    }
}
