import Foundation
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

/// Publishing to a store with conditional writes but no lock.
///
/// Every change is interrupted or overtaken once.
@Suite struct MemoryProtocolTests {
    private struct Killed: Error {}

    private func install(
        _ store: MemoryStore, _ playground: Playground, into name: String
    ) async throws -> Version {
        try await Installer.install(
            InstallRequest(
                origin: "", directory: "\(playground.path)/\(name)", channel: .production,
                now: Playground.now, jobs: 1),
            from: store
        ).installed.version
    }

    private func verify(_ store: MemoryStore) async throws -> Verification {
        try await OriginVerifier.verify(store, now: Playground.now, jobs: 1)
    }

    /// The changes made by a second publish.
    private func changes() async throws -> [MemoryStore.Change] {
        let (playground, store, script) = try ChangeScript.scripted()
        _ = try await Publisher.publish(playground.request(Playground.first), to: store)
        script.run(nil)
        _ = try await Publisher.publish(playground.request(Playground.second), to: store)
        return script.seen
    }

    @Test func theOrderOfChanges() async throws {
        let paths = try await changes().map {
            switch $0 {
            case .create(let path): "create \(path)"
            case .replace(let path): "replace \(path)"
            case .delete(let path): "delete \(path)"
            }
        }
        let kinds = paths.map { $0.split(separator: "/").first ?? "" }
        #expect(kinds.first == "create .packtool" && kinds.last == "delete .packtool")
        let log = try #require(paths.firstIndex(of: "create channels/production/log/2.json"))
        #expect(paths[log + 1] == "replace channels/production/pointer.json")
        #expect(paths[log + 2] == "replace info.json")
        #expect(kinds[1..<log].allSatisfy { $0 == "create objects" || $0 == "create releases" })
        // Objects and package are uploaded early; files that reference the package come last.
        #expect(paths[log - 1].hasSuffix("/info.json"))
        #expect(kinds[(log + 3)...].dropLast().allSatisfy { $0 == "replace site" })
        #expect(paths.dropLast().last == "replace site/index.html")
    }

    /// Killed before each change: a client receives one complete release, and the next run
    /// finishes.
    @Test func killedAtEveryChange() async throws {
        let count = try await changes().count
        #expect(count > 12)
        for point in 0..<count {
            let (playground, store, script) = try ChangeScript.scripted()
            let one = try await Publisher.publish(playground.request(Playground.first), to: store)
            let request = try await playground.request(Playground.second)
            let two = request.scan.release.version
            script.run(after: point) { _ in throw Killed() }
            let error = await #expect(throws: (any Error).self, "change \(point)") {
                try await Publisher.publish(request, to: store)
            }
            script.run(nil)
            let isLive = (error as? Failure)?.code == .publishLiveButOutdated
            let installed = try await install(store, playground, into: "client")
            #expect(error is Killed || isLive, "change \(point)")
            #expect(installed == (isLive ? two : one.version), "change \(point)")
            let verification = try await verify(store)
            #expect(verification.isSound, "change \(point): \(verification.failures)")
            let again = try await Publisher.publish(request, to: store)
            #expect(again.version == two, "change \(point)")
            #expect(try await verify(store).isSound, "change \(point)")
            #expect(try await install(store, playground, into: "client") == two)
            #expect(
                try await Publisher.publish(request, to: store).outcome == .unchanged,
                "change \(point)")
        }
    }

    /// Another publisher runs completely between two of our changes.
    ///
    /// One of the two releases is live and complete, and the other publisher gets an error.
    @Test(arguments: [ConditionalWrites.conditions, .createOnly])
    func overtakenAtEveryChange(_ guarantee: ConditionalWrites) async throws {
        let count = try await changes().count
        var losses = 0
        for point in 0..<count {
            let (playground, store, script) = try ChangeScript.scripted(guarantee)
            _ = try await Publisher.publish(playground.request(Playground.first), to: store)
            let ours = try await playground.request(Playground.second)
            var other = ours
            other.scan = try await playground.scan(["index.html": "third"], in: "other")
            let theirs = other
            script.run(after: point) { _ in
                script.run(nil)
                _ = try await Publisher.publish(theirs, to: store)
            }
            var error: Failure?
            do {
                _ = try await Publisher.publish(ours, to: store)
            } catch let failure as Failure {
                error = failure
            }
            if error?.code == .publishOvertaken { losses += 1 }
            let history = OriginHistory(store, policy: .recordedInLog)
            let live = try #require(try await history.reader.pointer(.production)).pointer
            #expect(
                live.version == theirs.scan.release.version || error == nil, "change \(point)")
            #expect(
                try await install(store, playground, into: "client") == live.version,
                "change \(point)")
            // Publishing the live release a second time leaves nothing unfinished.
            let last = live.version == ours.scan.release.version ? ours : theirs
            _ = try await Publisher.publish(last, to: store)
            let verification = try await verify(store)
            #expect(verification.isSound, "change \(point): \(verification.failures)")
        }
        #expect(losses > 5)
    }

    /// The one gap of a create-only store: a publisher killed right after it has undone a faster
    /// one.
    @Test func theNextPublishEndsWhatAKilledSleeperLeft() async throws {
        let (playground, store, script) = try ChangeScript.scripted(.createOnly)
        let first = try await Publisher.publish(playground.request(Playground.first), to: store)
        let ours = try await playground.request(Playground.second)
        var other = ours
        other.scan = try await playground.scan(["index.html": "third"], in: "other")
        let theirs = other
        let point = try await changes().firstIndex(of: .replace("channels/production/pointer.json"))
        script.run(after: try #require(point)) { _ in
            script.run(nil)
            _ = try await Publisher.publish(theirs, to: store)
            script.run(after: 0) { _ in throw Killed() }
        }
        await expectFailure(of: "publish") {
            try await Publisher.publish(ours, to: store)
        }
        script.run(nil)
        let history = OriginHistory(store, policy: .recordedInLog)
        let stale = try #require(try await history.reader.pointer(.production)).pointer
        #expect(stale.sequence == first.sequence + 1)
        #expect(try await history.logSequences(.production) == [1, 2, 3])
        // Complete, although not the newest. The next one is above both.
        #expect(try await install(store, playground, into: "client") == stale.version)
        let healed = try await Publisher.publish(theirs, to: store)
        #expect(healed.sequence == 4)
        #expect(healed.notes.contains { $0.contains("only if it is unchanged") })
        #expect(try await install(store, playground, into: "client") == healed.version)
        #expect(try await verify(store).isSound)
    }

    // MARK: With a trust root, in a create-only store

    private static let pointerPlace = OriginLayout.pointer(.production)

    /// Root 2 starts a new epoch: key 7 was stolen, and key 8 signs from now on.
    private func publishRoot(_ version: Int, release: [Int], epoch: Int, _ store: MemoryStore)
        throws
    {
        let root = try TrustLab.root(version, keys: [1], release: release, epoch: epoch)
        store.set(OriginLayout.root(version), try TrustLab.file(root, by: [1]))
    }

    private func signed(
        _ files: [String: String], by key: Int, in name: String, _ playground: Playground
    ) async throws -> PublishRequest {
        var request = try await playground.request(files, lifetimeDays: nil)
        request.scan = try await playground.scan(files, in: name)
        request.signers = Signers(keys: [try TrustLab.key(key)], commands: [])
        return request
    }

    /// The entries that an attacker can record above ours, by signing keys and root.
    private static let thefts: [(keys: [Int], root: Int?)] = [
        ([7], 1),  // the stolen key, under the root of its epoch
        ([7], 2),  // the stolen key, which the new root does not know
        ([30], 2),  // any key
        ([], 2), ([], nil), ([8], 3),  // a root that nobody has published
    ]

    /// A log entry not signed by the channel's current keys never becomes the pointer.
    @Test(arguments: thefts.indices) func aThiefsEntryDoesNotWin(_ index: Int) async throws {
        let theft = Self.thefts[index]
        let (playground, store, script) = try ChangeScript.scripted(.createOnly)
        try publishRoot(1, release: [7], epoch: 1, store)
        _ = try await Publisher.publish(
            signed(Playground.first, by: 7, in: "first", playground), to: store)
        let live = OriginReader(store, policy: .recordedInLog)
        var forged = try #require(try await live.pointer(.production)).pointer
        try publishRoot(2, release: [8], epoch: 2, store)
        let ours = try await signed(Playground.second, by: 8, in: "second", playground)
        forged.sequence = 3
        forged.previous = 2
        forged.root = theft.root
        let entry = try TrustLab.envelope(forged, by: theft.keys).encode()
        script.run(after: 0) { change in
            guard change == .replace(Self.pointerPlace) else { return }
            store.set(OriginLayout.logEntry(.production, 3), entry)
        }
        let report = try await Publisher.publish(ours, to: store)
        script.run(nil)
        #expect(report.sequence == 2)
        #expect(store.file(Self.pointerPlace)?.bytes != entry)
        let pointer = try #require(try await live.pointer(.production)).pointer
        #expect(pointer.sequence == 2 && pointer.version == ours.scan.release.version)
    }

    /// The keys change during a publish: the entry accepted by the new root wins.
    @Test(arguments: [1, 2]) func aPublisherWithNewerKeysWins(epoch: Int) async throws {
        let (playground, store, script) = try ChangeScript.scripted(.createOnly)
        try publishRoot(1, release: [7], epoch: 1, store)
        _ = try await Publisher.publish(
            signed(Playground.first, by: 7, in: "first", playground), to: store)
        let ours = try await signed(Playground.second, by: 7, in: "second", playground)
        let theirs = try await signed(["index.html": "3"], by: 8, in: "third", playground)
        script.run(after: 0) { change in
            guard change == .replace(Self.pointerPlace) else { return }
            script.run(nil)
            try publishRoot(2, release: [8], epoch: epoch, store)
            _ = try await Publisher.publish(theirs, to: store)
        }
        var error: Failure?
        do {
            _ = try await Publisher.publish(ours, to: store)
        } catch let failure as Failure {
            error = failure
        }
        // In a new epoch, the previous live entry is unknown, so the entry below counts as
        // replaced.
        let overtaken = Failure.publishOvertaken(origin: store.address, sequence: 2)
        #expect(error == (epoch == 1 ? overtaken : nil))
        let live = try await OriginReader(store, policy: .recordedInLog).pointer(.production)
        #expect(live?.pointer.version == theirs.scan.release.version)
    }
}
