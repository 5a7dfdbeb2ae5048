import PackClient
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackSigning
import PackTrust
import PackVerify
import TestSupport
import Testing

/// Commands without a pinned root at a signed origin apply the origin's newest root.
@Suite(.eachStore) struct ForgottenTrustTests {
    private let play: Playground

    init() throws { play = try Playground() }

    /// Publishes a release signed with key 7, then replaces it as an attacker with write access but
    /// no key.
    private func replacedByUnsigned() async throws {
        try play.publishRoot(1, release: [7])
        try await publish(Playground.first)
        let elsewhere = try Playground()
        try await elsewhere.publish(Playground.second)
        for (path, bytes) in try elsewhere.publicContent() {
            try play.write("origin/\(path)", bytes)
        }
    }

    private func publish(_ files: [String: String], now: Timestamp = Playground.now) async throws {
        var request = try await play.request(files, now: now)
        request.signers = Signers(keys: [try TrustLab.key(7)], commands: [])
        try await play.publish(request)
    }

    private func embed() async throws -> InstallReport {
        var request = InstallRequest(
            origin: play.origin, directory: "\(play.path)/app", channel: .production,
            now: Playground.now, jobs: 2)
        request.isForApps = true
        return try await Installer.install(request, from: play.store())
    }

    private func refusal() async -> Failure? {
        do {
            _ = try await embed()
            return nil
        } catch {
            return error as? Failure
        }
    }

    @Test("embed took an unsigned pointer of a signed origin for an app")
    func embedRefuses() async throws {
        try await replacedByUnsigned()
        let error = try #require(await refusal())
        #expect(error.code == .trustRefusedByRoot && error.exitCode == .verification)
        #expect(error.description.contains("it is not signed"), "\(error)")
        #expect(!play.exists("app/current"))
        // A device without a root cannot detect this.
        try await play.install()
        let again = try await play.install()
        #expect(again.outcome == .unchanged)
        #expect(try await !play.verify().isSound)
    }

    @Test("serve said nothing of a pointer that the root does not accept")
    func refusalOfAServedPointer() async throws {
        try play.publishRoot(1, release: [7])
        try await publish(Playground.first)
        #expect(await OriginTrust.refusal(of: .production, try play.reader()) == nil)
        #expect(await OriginTrust.refusal(of: try Channel("beta"), try play.reader()) == nil)
        try await replacedByUnsigned()
        let refusal = try #require(await OriginTrust.refusal(of: .production, play.reader()))
        #expect(refusal.contains("trust root refuse") && refusal.contains("it is not signed"))
        try play.write("origin/channels/production/pointer.json", "{}")
        let damage = try #require(await OriginTrust.refusal(of: .production, play.reader()))
        #expect(damage.contains("is not a valid pointer"), "\(damage)")
    }

    @Test func aSignedPointerIsEmbedded() async throws {
        try play.publishRoot(1, release: [7])
        try await publish(Playground.first)
        let report = try await embed()
        #expect(report.outcome == .installed)
        #expect(report.notes.count == 1 && report.notes[0].contains("--trust"), "\(report.notes)")
    }

    @Test("who removed the roots could have anything embedded")
    func lostRoots() async throws {
        try play.publishRoot(1, release: [7])
        try await publish(Playground.first)
        try play.remove("origin/root/1.json")
        #expect(try #require(await refusal()).description.contains("names root 1"))
        try await expectLost()
        // The log shows that the previous pointer was signed, although the later one is not.
        try await play.editPointer {
            $0.sequence = 2
            $0.previous = 1
            $0.root = nil
        }
        #expect(try #require(await refusal()).description.contains("sequence 1, was signed"))
        try await expectLost()
        let overview = try await play.history().overview()
        let published = try #require(overview.first?.published)
        let problem = try await OriginTrust.read(play.store()).problem(
            of: published, play.reader())
        #expect(problem?.contains("was signed") == true)
    }

    private func expectLost() async throws {
        let result = try await play.verify()
        #expect(
            result.failures.contains { $0.problem == "it names root 1, and the origin has none" },
            "\(result.failures)")
    }

    @Test("a channel was promoted and pruned although its origin had lost the roots")
    func publishersRefuse() async throws {
        try play.publishRoot(1, release: [7])
        try await publish(Playground.first)
        try play.remove("origin/root/1.json")
        let promotion = ChannelRequest.Promotion(
            source: .production, conditions: Pointer.Conditions(), deltas: .init(count: 0))
        for (command, channel) in [(.promote(promotion), "beta"), (.renew, "production")]
            as [(ChannelRequest.Command, String)]
        {
            let request = try play.request(command, channel: channel)
            await expectFailure(of: "signing") { try await play.change(request) }
        }
        var request = try await play.request(Playground.second, channel: "beta")
        await expectFailure(of: "signing") { try await play.publish(request) }
        request.signers = Signers(keys: [try TrustLab.key(7)], commands: [])
        await expectFailure(of: "signing") { try await play.publish(request) }
        await expectFailure(of: "signing") {
            try await Pruner.run(
                PruneRequest(keep: 1, graceDays: 0, delayHours: 0, now: Playground.now, jobs: 1),
                on: play.writable)
        }
    }

    /// The origin's own root refuses everything that devices with the root refuse.
    @Test func whatDevicesRefuse() async throws {
        try play.publishRoot(1, release: [7])
        try await publish(Playground.first)
        let root = try play.read("origin/root/1.json")
        let live = try await play.pointer()
        let bank = try TrustLab.root(1, keys: [1], release: [7], app: "bank")
        let later = try TrustLab.root(1, keys: [1], release: [7], floors: ["production": 2])
        for (says, file, named) in [
            ("belongs to app 'shop'", try TrustLab.file(bank, by: [1]), 1),
            ("below the floor", try TrustLab.file(later, by: [1]), 1),
            ("names root 2", root, 2), ("root/1.json", Array("{}".utf8), 1), ("", root, 1),
        ] {
            var pointer = live
            pointer.root = named
            let bytes = try TrustLab.envelope(pointer, by: [7]).encode()
            try play.write("origin/root/1.json", file)
            try play.write("origin/channels/production/pointer.json", bytes)
            try play.write(Playground.entry(1), bytes)
            let published = try #require(try await play.reader().pointer(.production))
            let problem = try await OriginTrust.read(play.store()).problem(of: published)
            #expect(problem?.contains(says) ?? says.isEmpty, "\(says): \(problem ?? "accepted")")
            #expect((problem == nil) == says.isEmpty)
        }
    }

    @Test func aLogEntryHasToBeTheOwners() async throws {
        try play.publishRoot(1, release: [7])
        try await publish(Playground.first)
        let trust = try await OriginTrust.read(play.store())
        let entry = try await play.reader().logEntry(.production, 1)
        #expect(throws: Never.self) { try trust.check(entry: entry) }
        var forged = entry.pointer
        for (root, keys, problem) in [
            (nil, [], "it is not signed"), (1, [9], "0 valid signatures"), (3, [7], "root 3"),
        ] as [(Int?, [Int], String)] {
            forged.root = root
            try play.write(
                Playground.entry(1), TrustLab.envelope(forged, by: keys).encode())
            let entry = try await play.reader().logEntry(.production, 1)
            let error = #expect(throws: Failure.self) { try trust.check(entry: entry) }
            #expect(error?.description.contains(problem) == true, "\(String(describing: error))")
        }
    }
}
