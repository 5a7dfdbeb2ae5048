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

/// One person proposes a pointer, others sign it, and any of them commits it.
@Suite(.eachStore) struct ProposalTests {
    private let play: Playground

    init() throws { play = try Playground() }

    private static let promotion = Playground.now.adding(days: 1)

    @discardableResult
    private func publishRoot(_ root: TrustRoot) throws -> SignedRoot {
        let file = try TrustLab.file(root, by: [1])
        try play.write("origin/root/\(root.version).json", file)
        return try SignedRoot(file, path: "root")
    }

    private func signers(_ keys: [Int]) throws -> Signers {
        Signers(keys: try keys.map(TrustLab.key), commands: [])
    }

    /// Production requires keys 7 and 8.
    private static func root(_ version: Int = 1, epoch: Int = 1, release: [Int] = [7, 8]) throws
        -> TrustRoot
    {
        try TrustLab.root(
            version, keys: [1], release: release, releaseThreshold: 2, epoch: epoch,
            floors: epoch > 1 ? ["production": 9] : [:])
    }

    private func request(
        _ files: [String: String], label: String, by keys: [Int], now: Timestamp = Playground.now,
        proposes: Bool = true
    ) async throws -> PublishRequest {
        var request = try await play.request(files, label: label, now: now, lifetimeDays: nil)
        request.signers = try signers(keys)
        request.isProposal = proposes
        return request
    }

    /// Proposes a build, signed by some of the keys.
    private func propose(
        _ files: [String: String], label: String, by keys: [Int] = [7],
        now: Timestamp = Playground.now
    ) async throws -> [UInt8] {
        let before = try play.publicContent()
        let report = try await play.publish(request(files, label: label, by: keys, now: now))
        #expect(report.outcome == .proposed)
        for (name, bytes) in try play.publicContent()
        where name.hasPrefix("channels/") || name == "info.json" || name.hasPrefix("site/") {
            #expect(before[name] == bytes, "\(name)")
        }
        return try #require(report.proposal)
    }

    private func commit(
        _ file: [UInt8], by keys: [Int] = [], now: Timestamp = Playground.now
    ) throws -> ProposalRequest {
        var request = ProposalRequest(
            file: file, path: "next.json", now: now, jobs: 2)
        request.signers = try signers(keys)
        return request
    }

    @discardableResult
    private func run(_ request: ProposalRequest) async throws -> ChannelReport {
        let before = try play.publicContent()
        do {
            let plan = try await ProposalPublisher.plan(request, on: play.writable)
            #expect(try play.publicContent() == before)
            let report = try await ProposalPublisher.run(request, on: play.writable)
            #expect(plan.after == report.after && plan.outcome == report.outcome)
            #expect(plan.siteNew == report.siteNew)
            return report
        } catch {
            #expect(try play.publicContent() == before, "\(error)")
            throw error
        }
    }

    private func refuse(
        _ request: ProposalRequest, _ code: String, location: SourceLocation = #_sourceLocation
    ) async throws {
        let error = await #expect(throws: (any Error).self, sourceLocation: location) {
            try await run(request)
        }
        #expect(errorCode(error) == code, "\(error)", sourceLocation: location)
    }

    private func sign(_ file: [UInt8], by key: Int, _ root: TrustRoot) throws -> [UInt8] {
        var proposal = try PointerProposal(file)
        _ = try proposal.sign(
            signers([key]), as: #require(root.signers(of: .production)), of: root)
        return proposal.bytes
    }

    private func install(_ root: SignedRoot) async throws -> InstallReport {
        let request = InstallRequest(
            origin: play.origin, directory: play.client, channel: .production,
            now: Playground.now, jobs: 2, trust: .root(root))
        guard let memory = play.memory else { return try await Installer.install(request) }
        return try await Installer.install(request, from: memory)
    }

    @Test func twoPeopleSignOneAfterTheOther() async throws {
        let root = try publishRoot(Self.root())
        let file = try await propose(Playground.first, label: "1.0")
        try await refuse(commit(file), "proposal.not-enough")
        let signed = try sign(file, by: 8, root.root)
        let report = try await run(commit(signed))
        #expect(report.outcome == .changed && report.after.isProposed)
        #expect(try play.read("origin/channels/production/pointer.json") == signed)
        #expect(try play.read("origin/channels/production/log/1.json") == signed)
        #expect(try await install(root).installed.label == "1.0")
        #expect(play.exists("origin/site/index.html") && play.exists("origin/info.json"))
        #expect(!play.exists("origin/.packtool/proposals/production.json"))
        let verification = try await play.verify()
        #expect(verification.isSound && verification.orphans.isEmpty, "\(verification.failures)")
        // Committing the same file a second time changes nothing, whatever its signatures.
        #expect(try await run(commit(signed)).outcome == .unchanged)
        #expect(try await run(commit(file)).outcome == .unchanged)
    }

    /// The committer may add the last signature.
    @Test func theCommitterSigns() async throws {
        let root = try publishRoot(Self.root())
        let file = try await propose(Playground.first, label: "1.0", by: [])
        try await refuse(commit(file, by: [8]), "proposal.not-enough")
        try await refuse(commit(file, by: [9]), "signing.unknown-key")
        try await run(commit(sign(file, by: 7, root.root), by: [8]))
        #expect(try await install(root).installed.label == "1.0")
    }

    @Test func everyChannelCommandCanBeProposed() async throws {
        let root = try publishRoot(Self.root())
        for (label, files, share) in [
            ("1.0", Playground.first, nil), ("2.0", Playground.second, 10),
        ] as [(String, [String: String], Int?)] {
            var request = try await request(files, label: label, by: [7, 8], proposes: false)
            request.conditions.rollout = share
            try await play.publish(request)
        }
        for command in [
            .rollout(50, shrinks: false), .pause(bypasses: true), .resume, .renew,
            .rollback(to: "1.0", isMandatory: true),
        ] as [ChannelRequest.Command] {
            var request = try play.request(command, signers: signers([7]))
            request.isProposal = true
            let before = try play.publicContent()
            let plan = try await play.plan(request)
            let report = try await play.change(request)
            #expect(report.outcome == .proposed && plan.after == report.after, "\(command)")
            #expect(try play.publicContent() == before, "\(command)")
            let signed = try sign(#require(report.proposal), by: 8, root.root)
            #expect(try await run(commit(signed)).after == report.after, "\(command)")
            let verification = try await play.verify()
            #expect(verification.isSound, "\(command): \(verification.failures)")
        }
        #expect(try await install(root).installed.label == "1.0")
    }

    /// The first commit wins.
    ///
    /// The other proposal is rejected, but only time is lost.
    @Test func aProposalThatWasOvertaken() async throws {
        let root = try publishRoot(Self.root())
        try await play.publish(
            request(Playground.first, label: "1.0", by: [7, 8], proposes: false))
        let ours = try await propose(Playground.second, label: "2.0", by: [7, 8])
        let theirs = try await propose(["index.html": "3"], label: "3.0", by: [7, 8])
        try await run(commit(theirs))
        try await refuse(commit(ours), "proposal.overtaken")
        let again = try await propose(Playground.second, label: "2.0", by: [7, 8])
        try await run(commit(again))
        #expect(try await install(root).installed.label == "2.0")
    }

    /// A killed publish has used the sequence of a proposal, which therefore becomes invalid.
    @Test func aNumberThatAKilledPublishTook() async throws {
        _ = try publishRoot(Self.root())
        let file = try await propose(Playground.first, label: "1.0", by: [7, 8])
        let other = try await propose(Playground.second, label: "2.0", by: [7, 8])
        try play.write("origin/channels/production/log/1.json", other)
        try play.write(
            "origin/.packtool/intents/production." + String(repeating: "0", count: 32), "{}")
        try await refuse(commit(file), "proposal.overtaken")
    }

    /// Killed between log entry and pointer: the same file continues from the recorded entry.
    @Test func aCommitThatWasKilledGoesOn() async throws {
        let root = try publishRoot(Self.root())
        let file = try await propose(Playground.first, label: "1.0", by: [7, 8])
        try play.write("origin/channels/production/log/1.json", file)
        try play.write(
            "origin/.packtool/intents/production." + String(repeating: "0", count: 32), "{}")
        // The same payload with fewer signatures is the same proposal.
        let proposal = try PointerProposal(file)
        let half = Envelope(
            payloadType: Envelope.pointerType, payload: proposal.envelope.payload,
            signatures: Array(proposal.envelope.signatures.prefix(1)))
        let report = try await run(commit(half.encode()))
        #expect(report.outcome == .changed)
        #expect(try play.read("origin/channels/production/pointer.json") == file)
        #expect(try await install(root).installed.label == "1.0")
        #expect(try await play.verify().isSound)
    }

    @Test func whatHasChangedSinceIsNoticed() async throws {
        try publishRoot(Self.root())
        let file = try await propose(Playground.first, label: "1.0", by: [7, 8])
        let now = Playground.now
        try await refuse(commit(file, now: now.adding(days: 8)), "proposal.too-old")
        try await refuse(
            commit(file, now: Timestamp(seconds: now.seconds - 1)), "proposal.clock-behind")
        // A missing or damaged object.
        let object = try #require(play.publicFiles().first { $0.hasPrefix("objects/") })
        let bytes = try play.read("origin/\(object)")
        try play.remove("origin/\(object)")
        try await refuse(commit(file), "channel.release-damaged")
        try play.write("origin/\(object)", bytes)
        // The signature of a replaced key no longer counts.
        try publishRoot(Self.root(2, release: [8, 9]))
        try await refuse(commit(file), "proposal.not-enough")
        try await run(commit(file, by: [9]))
    }

    @Test("a proposal that only the new keys signed went live, and nothing could follow it")
    func aProposalOfTheKeysBefore() async throws {
        let before = try publishRoot(Self.root())
        try await play.publish(
            request(Playground.first, label: "1.0", by: [7, 8], proposes: false))
        let file = try await propose(Playground.second, label: "2.0", by: [7])
        let root = try publishRoot(Self.root(2, release: [7, 9]))
        try await refuse(commit(file, by: [9]), "proposal.other-root")
        // Signed by old and new keys, so every reader of the log can follow it.
        let signed = try sign(file, by: 8, before.root)
        try await run(commit(signed, by: [9]))
        #expect(try await install(root).installed.label == "2.0")
        #expect(try await play.verify().isSound)
        try await play.publish(
            request(Playground.first, label: "3.0", by: [7, 9], proposes: false))
    }

    /// A proposal made before a theft may come from the attacker.
    @Test func aProposalOfAnEarlierEpoch() async throws {
        try publishRoot(Self.root())
        let file = try await propose(Playground.first, label: "1.0", by: [7, 8])
        try publishRoot(Self.root(2, epoch: 2))
        try await refuse(commit(file), "proposal.other-root")
    }

    @Test func whatIsNoProposal() async throws {
        try publishRoot(Self.root())
        try await play.publish(
            request(Playground.first, label: "1.0", by: [7, 8], proposes: false))
        let live = try play.read("origin/channels/production/pointer.json")
        for file in [[], Array("{}".utf8), live, try play.read("origin/root/1.json")] {
            try await refuse(commit(file), "proposal.invalid")
        }
        let file = try await propose(Playground.second, label: "2.0", by: [7, 8])
        try await refuse(commit(Array(file.dropLast(9))), "proposal.invalid")
        try play.remove("origin/root/1.json")
        try await refuse(commit(file), "signing.roots-missing")
    }

    /// Without a root there are no signers.
    @Test func anOriginWithoutARoot() async throws {
        try await play.publish(Playground.first)
        for keys in [[], [7]] {
            await #expect(throws: Failure.signingNoRoot(origin: play.origin)) {
                try await play.publish(request(Playground.second, label: "2.0", by: keys))
            }
        }
    }

    /// A prune keeps the files of a proposal and grants the full grace period to a pointer that
    /// waited.
    @Test(.directoryOnly) func aPruneKnowsProposals() async throws {
        try publishRoot(Self.root())
        try await play.publish(
            request(Playground.first, label: "1.0", by: [7, 8], proposes: false))
        let file = try await propose(Playground.second, label: "2.0", by: [7, 8])
        let prune = { (days: Double) in
            try await Pruner.run(
                PruneRequest(
                    keep: 1, graceDays: 0, delayHours: 0,
                    now: Timestamp(seconds: Playground.now.seconds + Int(days * 86_400)), jobs: 2),
                on: play.writable)
        }
        #expect(try await prune(7).deleted.isEmpty)
        try await run(commit(file, now: Playground.now.adding(days: 7)))
        // 1.0 may have been offered until now, although 2.0 is dated a week ago.
        #expect(try await prune(7 - 0.0001).deleted.isEmpty)
        #expect(try await !prune(7).deleted.isEmpty)
        let verification = try await play.verify()
        #expect(verification.isSound && verification.orphans.isEmpty, "\(verification.failures)")
        // A proposal that is never committed expires.
        _ = try await propose(["index.html": "3"], label: "3.0", now: Self.promotion)
        let time = Self.promotion.adding(days: 7).seconds - Playground.now.seconds + 1
        #expect(try await prune(Double(time) / 86_400).deleted.count > 2)
        try play.write("origin/.packtool/proposals/beta.json", "{}")
        let error = await #expect(throws: Failure.self) { try await prune(20) }
        #expect(error?.code == .pruneDamagedProposal)
    }
}
