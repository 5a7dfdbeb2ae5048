import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackSigning
import PackTrust
import Synchronization
import TestSupport
import Testing

/// A trust root published while a command runs that has already read the roots.
@Suite struct RootMeanwhileTests {
    private static let intents = ".packtool/intents/"
    private static let entry = OriginLayout.logEntry(.production, 2)

    private static func root(_ version: Int, release: [Int], floor: Int = 0) throws -> [UInt8] {
        let floors = floor > 0 ? ["production": floor] : [:]
        return try TrustLab.file(
            TrustLab.root(version, keys: [1], release: release, floors: floors), by: [1])
    }

    private static func signers(_ key: Int) throws -> Signers {
        Signers(keys: [try TrustLab.key(key)], commands: [])
    }

    private func code(_ body: () async throws -> Void) async -> String? {
        do { try await body() } catch { return errorCode(error) ?? "\(error)" }
        return nil
    }

    /// A bucket with one release, signed by key 7 if the bucket has a root.
    private func begun(
        isSigned: Bool
    ) async throws -> (Playground, MemoryStore, ChangeScript, PublishRequest) {
        let (playground, store, script) = try ChangeScript.scripted()
        if isSigned { store.set(OriginLayout.root(1), try Self.root(1, release: [7])) }
        for files in [Playground.first, Playground.second] {
            var request = try await playground.request(files, lifetimeDays: nil)
            if isSigned { request.signers = try Self.signers(7) }
            if files == Playground.second { return (playground, store, script, request) }
            _ = try await Publisher.publish(request, to: store)
        }
        throw CancellationError()
    }

    /// Commands that make a new pointer.
    enum Command: CaseIterable {
        case publish, renew, pause, commit
    }

    private func work(
        _ command: Command, _ request: PublishRequest, _ playground: Playground,
        _ store: MemoryStore
    ) async throws -> @Sendable (Signers) async throws -> Void {
        switch command {
        case .publish, .renew:
            var request = request
            if command == .renew {
                request.scan = try await playground.scan(Playground.first, in: "same")
                request.renew = true
            }
            let ready = request
            return { signers in
                var request = ready
                request.signers = signers
                _ = try await Publisher.publish(request, to: store)
            }
        case .pause:
            let request = try playground.request(.pause(bypasses: false))
            return { signers in
                var request = request
                request.signers = signers
                _ = try await ChannelChanger.run(request, on: store)
            }
        case .commit:
            var request = request
            request.isProposal = true
            let file = try #require(try await Publisher.publish(request, to: store).proposal)
            return { signers in
                var request = ProposalRequest(
                    file: file, path: "next.json", now: Playground.now, jobs: 1)
                request.signers = signers
                _ = try await ProposalPublisher.run(request, on: store)
            }
        }
    }

    @Test(
        "a pointer that the newest root does not accept went live", arguments: Command.allCases)
    func signed(_ command: Command) async throws {
        let (playground, store, script, request) = try await begun(isSigned: true)
        let work = try await work(command, request, playground, store)
        let next = try Self.root(2, release: [8])
        let live = store.file(OriginLayout.pointer(.production))?.bytes
        script.run(after: 0) {
            // The roots are read, but the mark is not written yet.
            guard case .create(let path) = $0, path.hasPrefix(Self.intents) else { return }
            store.set(OriginLayout.root(2), next)
        }
        let refused = await code { try await work(Self.signers(7)) }
        #expect(refused == "publish.root-changed")
        #expect(store.file(OriginLayout.pointer(.production))?.bytes == live)
        #expect(store.file(Self.entry) == nil)
        // The publisher of the next root does not wait for this run.
        #expect(try await store.names(in: ".packtool/intents") == [])
        script.run(nil)
        #expect(await code { try await work(Self.signers(8)) } == nil)
        let pointer = try #require(
            try await OriginReader(store, policy: .recordedInLog).pointer(.production))
        #expect(pointer.pointer.sequence == 2)
    }

    @Test("an unsigned pointer used up the sequence that the first root begins with")
    func first() async throws {
        let (playground, store, script, request) = try await begun(isSigned: false)
        let root = try Self.root(1, release: [7], floor: 2)
        script.run(after: 0) {
            guard case .create(let path) = $0, path.hasSuffix("/info.json") else { return }
            store.set(OriginLayout.root(1), root)
        }
        let refused = await code { _ = try await Publisher.publish(request, to: store) }
        #expect(refused == "publish.root-changed")
        script.run(nil)
        var again = request
        again.signers = try Self.signers(7)
        #expect(try await Publisher.publish(again, to: store).sequence == 2)
        withExtendedLifetime(playground) {}
    }

    /// A directory's roots are read before its lock is taken.
    @Test func inADirectory() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let root = try Self.root(1, release: [7], floor: 2)
        var request = try await playground.request(Playground.second, lifetimeDays: nil)
        request.signer = { _ in
            try playground.write("origin/root/1.json", root)
            return []
        }
        #expect(await code { try await playground.publish(request) } == "publish.root-changed")
        request.signer = nil
        request.signers = try Self.signers(7)
        #expect(try await playground.publish(request).sequence == 2)
    }

    // MARK: keys publish

    private static func publish(_ root: [UInt8], on store: MemoryStore) async throws {
        _ = try await RootPublisher.publish(root, path: "new", on: store, now: Playground.now)
    }

    @Test("a root was published between the last look of a publish and its log entry")
    func aRootWaitsForAPublish() async throws {
        let (playground, store, script, request) = try await begun(isSigned: true)
        let next = try Self.root(2, release: [8])
        let refused = Mutex<String?>(nil)
        script.run(after: 0) {
            guard $0 == .create(Self.entry) else { return }
            script.run(nil)
            let code = await code { try await Self.publish(next, on: store) }
            refused.withLock { $0 = code }
        }
        #expect(try await Publisher.publish(request, to: store).sequence == 2)
        #expect(refused.withLock { $0 } == "publish.under-way")
        #expect(store.file(OriginLayout.root(2)) == nil)
        try await Self.publish(next, on: store)
        #expect(store.file(OriginLayout.root(2))?.bytes == next)
        #expect(try await store.names(in: ".packtool/intents") == [])
        withExtendedLifetime(playground) {}
    }

    @Test func aPublishWaitsForARoot() async throws {
        let (playground, store, script, request) = try await begun(isSigned: true)
        let next = try Self.root(2, release: [8])
        let refused = Mutex<[String?]>([])
        script.run(after: 0) {
            guard $0 == .create(OriginLayout.root(2)) else { return }
            script.run(nil)
            let publish = await code { _ = try await Publisher.publish(request, to: store) }
            let prune = await code {
                _ = try await Pruner.run(
                    PruneRequest(
                        keep: 1, graceDays: 0, delayHours: 0, now: Playground.now, jobs: 1),
                    on: store)
            }
            refused.withLock { $0 = [publish, prune] }
        }
        try await Self.publish(next, on: store)
        // A prune keeps all roots.
        #expect(refused.withLock { $0 } == ["publish.publishing-root", nil])
        #expect(store.file(OriginLayout.root(2))?.bytes == next)
        #expect(try await store.names(in: ".packtool/intents") == [])
        withExtendedLifetime(playground) {}
    }

    /// A killed root publisher blocks others for a quarter of an hour; the next one removes its
    /// mark.
    @Test func aKilledRootPublisherIsForgotten() async throws {
        let (playground, store, _, request) = try await begun(isSigned: true)
        let zeros = String(repeating: "0", count: 32)
        func left(_ seconds: Int) {
            let began = Timestamp(seconds: Playground.now.seconds - seconds)
            store.set(
                "\(Self.intents)+root.\(zeros)", Array("{\"startedAt\": \"\(began)\"}".utf8))
        }
        left(14 * 60)
        let refused = await code { _ = try await Publisher.publish(request, to: store) }
        #expect(refused == "publish.publishing-root")
        left(15 * 60)
        #expect(try await Publisher.publish(request, to: store).sequence == 2)
        try await Self.publish(Self.root(2, release: [8]), on: store)
        #expect(try await store.names(in: ".packtool/intents") == [])
        withExtendedLifetime(playground) {}
    }
}
