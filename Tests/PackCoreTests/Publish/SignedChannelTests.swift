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

/// The commands that change a channel of an origin with a trust root.
///
/// `change` also checks that a dry run gives the same result and writes nothing.
@Suite(.eachStore) struct SignedChannelTests {
    private let play: Playground

    init() throws { play = try Playground() }

    @discardableResult
    private func publishRoot(_ root: TrustRoot, by signers: [Int] = [1]) throws -> SignedRoot {
        let file = try TrustLab.file(root, by: signers)
        try play.write("origin/root/\(root.version).json", file)
        return try SignedRoot(file, path: "root")
    }

    private func signers(_ keys: [Int]) throws -> Signers {
        Signers(keys: try keys.map(TrustLab.key), commands: [])
    }

    @discardableResult
    private func publish(
        _ files: [String: String], label: String, channel: String = "production",
        by keys: [Int] = [7],
        rollout: Int? = nil
    ) async throws -> PublishReport {
        var request = try await play.request(
            files, label: label, channel: channel, lifetimeDays: nil)
        request.signers = try signers(keys)
        request.conditions.rollout = rollout
        return try await play.publish(request)
    }

    @discardableResult
    private func change(
        _ command: ChannelRequest.Command, by keys: [Int] = [7], now: Timestamp = Playground.now
    ) async throws -> ChannelReport {
        try await play.change(command, now: now, signers: signers(keys))
    }

    private static var promotion: ChannelRequest.Command {
        get throws {
            .promote(
                .init(source: try Channel("beta"), staysPaused: true, deltas: .init(count: 1)))
        }
    }

    /// Each command, and whether it keeps releases of the current pointer.
    private static var commands: [(ChannelRequest.Command, keeps: Bool)] {
        get throws {
            [
                (.rollout(100, shrinks: false), true), (.pause(bypasses: false), true),
                (.renew, true), (.rollback(to: "1.0", isMandatory: true), false),
                (try promotion, false),
            ]
        }
    }

    private func install(
        _ root: SignedRoot, now: Timestamp = Playground.now
    ) async throws -> InstallReport {
        let request = InstallRequest(
            origin: play.origin, directory: play.client, channel: .production, now: now, jobs: 2,
            trust: .root(root))
        guard let memory = play.memory else { return try await Installer.install(request) }
        return try await Installer.install(request, from: memory)
    }

    private func expectSound(
        _ root: SignedRoot, location: SourceLocation = #_sourceLocation
    ) async throws {
        let result: Verification
        if let memory = play.memory {
            result = try await OriginVerifier.verify(
                memory, now: Playground.now, jobs: 2, trust: .root(root))
        } else {
            result = try await OriginVerifier.verify(
                play.origin, now: Playground.now, jobs: 2, trust: .root(root))
        }
        #expect(result.isSound, "\(result.failures)", sourceLocation: location)
    }

    /// 1.0 for all devices, 2.0 for 10 %, and 3.0 on beta.
    private func canary(_ root: TrustRoot? = nil) async throws -> SignedRoot {
        let root = try publishRoot(root ?? TrustLab.root(1, keys: [1], release: [7]))
        try await publish(Playground.first, label: "1.0")
        try await publish(Playground.second, label: "2.0", rollout: 10)
        try await publish(["index.html": "3"], label: "3.0", channel: "beta")
        return root
    }

    @Test func eachCommandSigns() async throws {
        let root = try await canary()
        var labels = ["1.0"]
        for (command, shown) in [
            (.rollout(50, shrinks: false), ["1.0", "2.0"]), (.pause(bypasses: true), nil),
            (.resume, nil),
            (.rollout(100, shrinks: false), ["2.0"]),
            (.rollback(to: nil, isMandatory: true), ["1.0"]),
            (try Self.promotion, ["3.0"]), (.renew, nil),
        ] as [(ChannelRequest.Command, [String]?)] {
            let report = try await change(command)
            #expect(report.outcome == .changed && report.after.root == 1)
            #expect(report.after.expires == Playground.now.adding(days: 30))
            labels = shown ?? labels
            try await expectSound(root)
            if report.after.isEnabled {
                let label = try #require(try await install(root).installed.label)
                #expect(labels.contains(label), "\(command)")
            }
        }
    }

    @Test func onlyKeysOfTheRootCount() async throws {
        _ = try await canary(TrustLab.root(1, keys: [1], release: [7, 8], releaseThreshold: 1))
        try publishRoot(TrustLab.root(2, keys: [1], release: [7, 8], releaseThreshold: 2))
        let before = try play.tree("origin")
        for (command, _) in try Self.commands {
            for keys in [[], [7], [7, 7], [7, 9], [1]] {
                let request = try play.request(command, signers: signers(keys))
                for run in [play.change, play.plan] {
                    await expectFailure(of: "signing", "\(command) \(keys)") {
                        _ = try await run(request)
                    }
                }
            }
        }
        #expect(try play.tree("origin") == before)
        for (command, _) in try Self.commands {
            #expect(try await change(command, by: [8, 7]).after.root == 2)
        }
    }

    /// After the theft of a key, releases signed by it are not signed by the new key.
    @Test func whatAStolenKeySignedIsNotKept() async throws {
        _ = try await canary()
        try publishRoot(
            TrustLab.root(2, keys: [1], release: [8], epoch: 2, floors: ["production": 9]))
        let before = try play.tree("origin")
        for (command, keeps) in try Self.commands {
            let request = try play.request(command, signers: signers([8]))
            for run in [play.change, play.plan] {
                let error = await #expect(throws: (any Error).self) { _ = try await run(request) }
                let code = errorCode(error)
                #expect(
                    code == (keeps ? "signing.unauthorized" : "channel.unauthorized"), "\(command)")
            }
        }
        #expect(try play.tree("origin") == before)
        // The fallback was signed by the stolen key. Publishing to all devices needs no fallback.
        await expectFailure(of: "signing") {
            try await publish(Playground.second, label: "4.0", by: [8], rollout: 10)
        }
        let report = try await publish(Playground.second, label: "4.0", by: [8])
        #expect(report.sequence == 9)
        #expect(report.pointer?.rollout == 100 && report.pointer?.fallbacks == [])
        #expect(try await change(.pause(bypasses: false), by: [8]).after.sequence == 10)
    }

    @Test("after a theft, verify missed what a prune had rightly deleted")
    func aThiefsReleaseIsPruned() async throws {
        let root = try publishRoot(TrustLab.root(1, keys: [1], release: [7]))
        try await publish(Playground.first, label: "1.0")
        let theft = try await publish(["index.html": "the thief's"], label: "9.9")
        try publishRoot(
            TrustLab.root(2, keys: [1], release: [8], epoch: 2, floors: ["production": 2]))
        try await publish(Playground.first, label: "1.0", by: [8])
        let request = PruneRequest(
            keep: 5, graceDays: 30, delayHours: 0, now: Playground.now, jobs: 2)
        let report = try await Pruner.run(request, on: play.writable)
        let manifest = OriginLayout.manifest(theft.version)
        #expect(report.deleted.map(\.path).contains(manifest))
        try await expectSound(root)
    }

    /// An attacker used up the sequences, paused the channel and dated the pointer ahead.
    ///
    /// A new epoch fixes this without removing files.
    @Test func aThiefCannotUseUpTheSequences() async throws {
        let root = try await canary()
        var forged = try await play.pointer()
        let last = Pointer.sequenceLimit
        forged.isEnabled = false
        forged.isMandatory = true
        forged.createdAt = Playground.now.adding(days: 20)
        for sequence in [3, 4, 9, 10, 12, last] {
            forged.previous = sequence - 1
            forged.sequence = sequence
            let file = try TrustLab.envelope(forged, by: [7]).encode()
            try play.write("origin/channels/production/log/\(sequence).json", file)
            try play.write("origin/channels/production/pointer.json", file)
        }
        try publishRoot(
            TrustLab.root(2, keys: [1], release: [8], epoch: 2, floors: ["production": 9]))
        let one = try await publish(Playground.first, label: "5.0", by: [8])
        // 9 and 10 are used by the attacker's files, which stay unchanged.
        #expect(one.sequence == 11)
        let live = try await play.pointer()
        try await publish(["index.html": "3"], label: "3.0", channel: "beta", by: [8])
        #expect(live.previous == 4 && live.isEnabled && !live.isMandatory && live.rollout == 100)
        try await expectSound(root)
        #expect(try await install(root).installed.label == "5.0")
        let two = try await publish(Playground.second, label: "6.0", by: [8], rollout: 10)
        #expect(two.sequence == 13)
        #expect(try await change(.pause(bypasses: false), by: [8]).after.sequence == 14)
        #expect(try await change(.resume, by: [8]).after.previous == 14)
        try await expectSound(root)
        // The attacker can still write to the storage and restores the old pointer.
        let file = try TrustLab.envelope(forged, by: [7]).encode()
        try play.write("origin/channels/production/pointer.json", file)
        let three = try await publish(Playground.first, label: "5.0", by: [8])
        #expect(three.sequence == 16)
        #expect(try await play.pointer().previous == 15)
        try await expectSound(root)
        #expect(try await install(root).installed.label == "5.0")
    }

    /// A rollback does not offer releases older than the first root, because they were never
    /// signed.
    @Test func whatWasNeverSignedIsNotKept() async throws {
        try await play.publish(Playground.first, label: "1.0")
        try publishRoot(TrustLab.root(1, keys: [1], release: [7], floors: ["production": 2]))
        await expectFailure(of: "signing") { try await change(.pause(bypasses: false)) }
        try await publish(Playground.second, label: "2.0")
        let request = try play.request(
            .rollback(to: "1.0", isMandatory: true), signers: signers([7]))
        let error = await #expect(throws: Failure.self) { try await play.change(request) }
        #expect(error?.code == .channelUnauthorized)
        #expect(error?.description.contains("is not signed") == true)
        // Publishing the same build is allowed.
        try await publish(Playground.first, label: "1.0")
        try await publish(Playground.second, label: "2.0")
        let back = try await change(.rollback(to: "1.0", isMandatory: true))
        #expect(back.after.label == "1.0")
    }

    /// If a key is replaced without a theft, its signatures in the current epoch stay valid.
    @Test func aRotationWithoutTheftKeepsWhatWasSigned() async throws {
        let root = try await canary()
        try publishRoot(TrustLab.root(2, keys: [1], release: [8]))
        #expect(try await change(.rollout(100, shrinks: false), by: [8]).after.root == 2)
        let back = try await change(.rollback(to: "1.0", isMandatory: true), by: [8])
        #expect(back.after.label == "1.0")
        // The other channel's pointer is signed only by the old key until its renewal.
        try await play.change(.renew, channel: "beta", signers: signers([8]))
        try await expectSound(root)
        #expect(try await install(root).installed.label == "1.0")
    }

    @Test func aRootThatHasExpired() async throws {
        _ = try await canary()
        let late = Playground.now.adding(days: 365)
        let error = await #expect(throws: Failure.self) {
            try await change(.renew, now: late)
        }
        #expect(error?.code == .trustRootExpired)
    }

    /// The next signed pointer does not depend on unsigned data in the storage.
    @Test func aForgedPointerIsNotContinued() async throws {
        _ = try await canary()
        var forged = try #require(try await play.reader().pointer(.production)?.pointer)
        forged.sequence = 3
        for (root, keys) in [(nil, []), (1, []), (1, [9]), (2, [7])] as [(Int?, [Int])] {
            forged.root = root
            let file = try TrustLab.envelope(forged, by: keys).encode()
            try play.write("origin/channels/production/pointer.json", file)
            try play.write("origin/channels/production/log/3.json", file)
            let before = try play.tree("origin")
            for (command, _) in try Self.commands {
                let request = try play.request(command, signers: signers([7]))
                await expectFailure(of: "signing", "\(root ?? 0) \(keys) \(command)") {
                    try await play.change(request)
                }
            }
            #expect(try play.tree("origin") == before)
        }
    }

    @Test("help for a pointer with a wrong signature was the command that had just failed")
    func aForgedPointerSaysWhatToDo() async throws {
        _ = try await canary()
        let pointer = "origin/channels/production/pointer.json"
        let whole = try play.read(pointer)
        var forged = try #require(try await play.reader().pointer(.production)?.pointer)
        forged.root = 1
        try play.write(pointer, TrustLab.envelope(forged, by: [9]).encode())
        let request = try play.request(.renew, signers: signers([7]))
        let error = await #expect(throws: Failure.self) { try await play.change(request) }
        #expect(error?.code == .signingForgedPointer)
        try play.write(pointer, whole)
        #expect(try await play.change(request).outcome == .changed)
    }

    @Test("a signed origin that lost its roots went on unsigned")
    func anOriginThatLostItsRoots() async throws {
        _ = try await canary()
        try play.remove("origin/root")
        let before = try play.tree("origin")
        for keys in [[], [7]] {
            let error = await #expect(throws: Failure.self, "\(keys)") {
                try await play.change(play.request(.renew, signers: signers(keys)))
            }
            #expect(error?.code == .signingRootsMissing)
            let published = await #expect(throws: Failure.self, "\(keys)") {
                try await publish(["index.html": "4"], label: "4.0", by: keys)
            }
            #expect(published?.code == .signingRootsMissing)
        }
        #expect(try play.tree("origin") == before)
    }

    /// A dry run starts no signing program, which might ask for a PIN or cost money.
    @Test func aDryRunStartsNoProgram() async throws {
        _ = try await canary()
        let signers = Signers(
            keys: [], commands: [{ _ in throw Failure.signingNoRoot(origin: "") }])
        let request = try play.request(.pause(bypasses: false), signers: signers)
        #expect(try await play.plan(request).after.isEnabled == false)
        let before = try play.publicContent()
        await #expect(throws: Failure.signingNoRoot(origin: "")) { try await play.change(request) }
        #expect(try play.publicContent() == before)
    }

    @Test func keysAndNoRoot() async throws {
        try await play.publish(Playground.first)
        await #expect(throws: Failure.signingNoRoot(origin: play.origin)) {
            try await change(.pause(bypasses: false))
        }
    }
}
