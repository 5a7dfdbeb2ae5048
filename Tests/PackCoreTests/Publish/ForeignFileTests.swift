import Foundation
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

/// Regressions: foreign files with names used by a publish.
///
/// The publish hung, used up the channel's sequences, or left an origin that `verify` reported as
/// damaged.
struct ForeignFileTests {
    private static func prepared(in store: StoreKind = .current) async throws -> Playground {
        let playground = try Playground(in: store)
        try await playground.publish(Playground.first)
        return playground
    }

    private static func put(_ kind: String, at key: String, _ playground: Playground) throws {
        let parent = key.split(separator: "/").dropLast().joined(separator: "/")
        try playground.makeDirectory(parent)
        if playground.exists(key) { try playground.remove(key) }
        let path = playground.path + "/" + key
        switch kind {
        case "empty": try playground.write(key, "")
        case "garbage": try playground.write(key, "{\"a\": 1}")
        case "link": try playground.link(key, to: "/etc/passwd")
        case "dangling": try playground.link(key, to: "nowhere")
        case "pipe": #expect(mkfifo(path, 0o644) == 0)
        case "directory": try playground.makeDirectory(key)
        case "sparse":
            try playground.write(key, "")
            #expect(truncate(path, 1 << 38) == 0)
        default: Issue.record("no such kind: \(kind)")
        }
    }

    private static let kinds = [
        "empty", "garbage", "link", "dangling", "pipe", "directory", "sparse",
    ]
    private static let files = InStore.each(kinds, alsoInMemory: ["empty", "garbage"])

    @Test(arguments: files) func regressionTheNextLogEntryIsTaken(_ file: InStore) async throws {
        let playground = try await Self.prepared(in: file.store)
        let key = "origin/channels/production/log/2.json"
        try Self.put(file.how, at: key, playground)
        let content = {
            (
                try playground.read("origin/channels/production/pointer.json"),
                try playground.publicNames()
            )
        }
        let before = try content()
        let request = try await playground.request(Playground.second)
        for run in [playground.publish, playground.plan] {
            let error = await #expect(throws: Failure.self) { _ = try await run(request) }
            #expect(error?.code == .publishForeignFile)
            #expect(error?.description.contains(playground.path + "/" + key) == true)
        }
        #expect(try content() == before)
        // Clients do not read it, so it is a note and not a failure.
        let verification = try await playground.verify()
        #expect(verification.isSound)
        #expect(verification.notes.contains { $0.contains("log/2.json is not a pointer") })
        try playground.remove(key)
        #expect(try await playground.publish(Playground.second).sequence == 2)
        #expect(try await playground.verify().isSound)
    }

    @Test(arguments: files) func regressionAHighForeignEntryIsNotFollowed(_ file: InStore)
        async throws
    {
        let playground = try await Self.prepared(in: file.store)
        try Self.put(
            file.how, at: "origin/channels/production/log/9007199254740990.json", playground)
        let report = try await playground.publish(Playground.second)
        #expect(report.sequence == 2)
        #expect(report.notes.contains { $0.contains("log/9007199254740990.json") })
        let verification = try await playground.verify()
        #expect(verification.isSound, "\(verification.failures)")
        #expect(verification.notes.contains { $0.contains("9007199254740990") })
    }

    /// A valid entry with an unreachable sequence does not use up the channel.
    @Test(.eachStore) func regressionAnEntryOfAbsurdHeightIsNotFollowed() async throws {
        let playground = try await Self.prepared()
        var pointer = try #require(try await playground.reader().pointer(.production)).pointer
        for sequence in [9_007_199_254_740_990, 3] {
            pointer.sequence = sequence
            let bytes = try Envelope(
                payloadType: Envelope.pointerType, payload: PointerCoding.encode(pointer)
            ).encode()
            try playground.write("origin/channels/production/log/\(sequence).json", bytes)
        }
        // The lower one is from an interrupted publish; its sequence is skipped.
        #expect(try await playground.publish(Playground.second).sequence == 4)
        #expect(try await playground.verify().isSound)
    }

    private static let keys = [
        "releases/VERSION", "releases/VERSION/package.zip", "releases/VERSION/info.json",
        "objects/OBJECT", "objects/OBJECT/main.js", "info.json", "site", "site/static/main.js",
        "site/static", "channels/production/pointer.json",
        ".packtool/intents/production.\(String(repeating: "0", count: 32))",
        ".packtool/staging",
    ]

    /// For every name used by a publish: it succeeds and the origin is valid, or it fails and
    /// nothing changes.
    @Test(.timeLimit(.minutes(5)), arguments: keys, kinds)
    func regressionNothingHangsOrEndsHalfway(_ name: String, _ kind: String) async throws {
        let playground = try await Self.prepared()
        let scan = try await playground.scan(Playground.second, in: "next")
        let script = try #require(Playground.second["static/main.js"])
        let key =
            "origin/"
            + name.replacingOccurrences(of: "VERSION", with: scan.release.version.description)
            .replacingOccurrences(
                of: "OBJECT", with: StreamHasher.digest(of: Array(script.utf8)).description)
        try Self.put(kind, at: key, playground)
        let pointer = try? playground.read("origin/channels/production/pointer.json")
        do {
            try await playground.publish(Playground.second)
            let verification = try await playground.verify()
            #expect(verification.isSound, "\(verification.failures)")
        } catch {
            #expect(errorCode(error) != nil, "\(error)")
            #expect((error as? Failure)?.code != .publishLiveButOutdated, "\(error)")
            #expect((try? playground.read("origin/channels/production/pointer.json")) == pointer)
        }
    }

    /// Regression: sums of untrusted sizes overflowed.
    @Test func regressionSumsOfSizesAreBounded() {
        var amount = Amount()
        for _ in 0..<3 { amount.add(.max / 2) }
        #expect(amount.bytes == .max && amount.count == 3)
    }
}
