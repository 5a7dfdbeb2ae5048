import PackArchive
import PackClient
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

/// `prune`: kept releases stay complete, and deleted files were unused.
@Suite struct PruneTests: PrunedShop {
    @Test("nothing ended the wait for a run that was killed but removing files by hand", .eachStore)
    func abandoned() async throws {
        let playground = try await shop(3).0
        try playground.write("origin/.packtool/intents/production.\(uniqueName())", "{}")
        let request = request(playground, at: 200, keep: 1, grace: 0, delay: 0)
        // With a lock, such a run blocks no other.
        if playground.memory != nil {
            let error = await #expect(throws: Failure.self) {
                try await Pruner.run(request, on: playground.writable)
            }
            #expect(error?.code == .pruneUnderWay)
        }
        #expect(try await RunIntent.abandon(at: playground.writable) == 1)
        #expect(try await RunIntent.abandon(at: playground.writable) == 0)
        #expect(try await !Pruner.run(request, on: playground.writable).deleted.isEmpty)
    }

    /// Another run made the pointer while this one waited for the store.
    @Test func regressionARunThatBeganEarlierIsNoClockBehind() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        var request = request(playground, at: -1)
        let error = await #expect(throws: Failure.self) {
            try await Pruner.run(request, on: playground.writable)
        }
        #expect(error?.code == .pruneClockBehind)
        request.clock = { Playground.now }
        #expect(try await Pruner.run(request, on: playground.writable).deleted.isEmpty)
    }

    @Test func whatNothingNeedsIsDeletedADayAfterItWasFound() async throws {
        let (playground, versions) = try await shop(6)
        let log = try playground.files("origin/channels")
        let first = try await prune(playground, at: 231)
        #expect(first.deleted.isEmpty && first.condemned.count == first.waiting.count)
        #expect(first.nextAt == Self.time(232))
        #expect(first.gone.map(\.version) == Array(versions[0..<4]))
        #expect(first.gone.map(\.label) == ["1.0", "2.0", "3.0", "4.0"])
        #expect(first.kept == 2 && first.channels.first?.lowest == 5)
        try await expectSound(playground)
        let early = try await prune(playground, at: 231.9)
        #expect(early.deleted.isEmpty && early.condemned.count == 0)
        let report = try await prune(playground, at: 232)
        #expect(report.deleted.count == first.waiting.count && report.waiting.isEmpty)
        // For each of four releases: manifest, package, page, script, chunk. Also three deltas and
        // four chunks of site/.
        #expect(report.deleted.count == 4 * 5 + 3 + 4)
        try await expectSound(playground)
        for (number, version) in versions.enumerated() {
            #expect(playground.exists("origin/releases/\(version)") == (number >= 4))
            #expect(playground.exists("origin/site/static/chunk-\(number + 1).js") == (number >= 4))
        }
        #expect(!playground.exists("origin/.packtool/condemned.json"))
        let logAfter = try playground.files("origin/channels")
        #expect(logAfter.filter { !$0.key.hasSuffix("pruned.json") } == log)
        #expect(try await playground.install(now: Self.time(232)).installed.version == versions[5])
        #expect(try await prune(playground, at: 240).deleted.isEmpty)
    }

    /// The grace period of a pointer starts when it is replaced, not when it is made.
    @Test func aReleaseThatWasReplacedYesterdayStays() async throws {
        let (playground, versions) = try await shop(3)
        let report = try await prune(playground, at: 81, keep: 1, delay: 0)
        #expect(report.channels.first?.lowest == 2)
        #expect(playground.exists("origin/releases/\(versions[1])"))
        #expect(!playground.exists("origin/releases/\(versions[0])"))
        try await expectSound(playground)
    }

    /// Release 1 is from day 0 and was replaced on day 40.
    @Test func theGraceEndsToTheSecond() async throws {
        let (playground, versions) = try await shop(2)
        let second = 1 / Double(86_400)
        let early = try await prune(playground, at: 70 - second, keep: 1, delay: 0)
        #expect(early.gone.isEmpty && playground.exists("origin/releases/\(versions[0])"))
        let report = try await prune(playground, at: 70, keep: 1, delay: 0)
        #expect(report.gone.map(\.version) == [versions[0]])
        #expect(!playground.exists("origin/releases/\(versions[0])"))
        try await expectSound(playground)
    }

    @Test func aClientOfAPrunedReleaseUpdates() async throws {
        let (playground, versions) = try await shop(1)
        try await playground.install(now: Self.time(1))
        for number in 2...5 {
            try await playground.publish(
                playground.request(
                    Self.release(number), now: Self.time(Double(40 * number)), lifetimeDays: nil))
        }
        _ = try await prune(playground, at: 300, keep: 1, grace: 0, delay: 0)
        #expect(!playground.exists("origin/releases/\(versions[0])"))
        let report = try await playground.install(now: Self.time(300))
        #expect(report.files == Self.release(5).count)
    }

    @Test func aPrunedReleaseCanBePublishedAgain() async throws {
        let (playground, versions) = try await shop(4)
        _ = try await prune(playground, at: 200, keep: 1, grace: 0, delay: 0)
        try await expectSound(playground)
        // The build is the same, but its manifest has another commit, and the package may differ.
        var request = try await playground.request(
            Self.release(1), label: "1.0", now: Self.time(201), lifetimeDays: nil, commit: "abc",
            deltas: 2)
        request.level = .max
        let report = try await playground.publish(request)
        #expect(report.version == versions[0] && report.outcome == .published)
        #expect(!report.notes.contains { $0.contains("restore") }, "\(report.notes)")
        #expect(report.notes.contains { $0.contains("purge 'releases/\(versions[0])/'") })
        try await expectSound(playground)
        // The same once more, as the current release.
        #expect(try await playground.publish(request).outcome == .unchanged)
        try await playground.change(.rollback(to: "4.0", isMandatory: true), now: Self.time(202))
        request.now = Self.time(203)
        #expect(try await playground.publish(request).outcome == .published)
        try await expectSound(playground)
    }

    @Test func whatIsNeededAgainIsNotDeleted() async throws {
        let (playground, versions) = try await shop(4)
        let first = try await prune(playground, at: 200, keep: 1, grace: 0)
        #expect(first.gone.map(\.version) == Array(versions[0..<3]))
        try await playground.change(.rollback(to: "2.0", isMandatory: true), now: Self.time(200.5))
        let report = try await prune(playground, at: 202, keep: 1, grace: 0)
        // The release before the rollback is no longer needed, but was only found just now.
        #expect(report.gone.map(\.version) == [versions[0], versions[2], versions[3]])
        #expect(report.condemned.count == report.waiting.count)
        #expect(playground.exists("origin/releases/\(versions[1])/package.zip"))
        #expect(playground.exists("origin/releases/\(versions[3])/package.zip"))
        #expect(!playground.exists("origin/releases/\(versions[2])"))
        try await expectSound(playground, orphans: report.waiting.count)
        #expect(try await playground.install(now: Self.time(202)).installed.version == versions[1])
    }

    @Test func aRollbackToAPrunedReleaseSaysSo() async throws {
        let (playground, versions) = try await shop(4)
        _ = try await prune(playground, at: 200, keep: 1, grace: 0, delay: 0)
        for name in ["2.0", nil] {
            let request = try playground.request(
                .rollback(to: name, isMandatory: true), now: Self.time(201))
            await #expect(throws: Failure.channelPruned(name: name ?? "3.0")) {
                try await playground.change(request)
            }
        }
        // Readers such as `diff` get the same error; `history` marks the release.
        let history = try playground.history()
        await #expect(
            throws: Failure.originPruned(name: "2.0", origin: playground.origin)
        ) { try await history.manifest(named: "2.0") }
        #expect(try await history.offer(named: "2.0").pointer.version == versions[1])
        let past = try await history.past(.production, limit: 9)
        #expect(
            try await history.pruned(among: past, of: .production) == Set(versions.prefix(3)))
        let promotion = ChannelRequest.Promotion(
            source: .production, release: "2.0", deltas: .init(count: 0))
        let request = try playground.request(
            .promote(promotion), channel: "beta", now: Self.time(201))
        await #expect(throws: Failure.channelPruned(name: "2.0")) {
            try await playground.change(request)
        }
        try await expectSound(playground)
    }

    @Test func aPinKeepsARelease() async throws {
        let (playground, versions) = try await shop(4)
        let pin = try await Pin.record(
            "1.0", of: .production, at: playground.writable, now: Self.time(130),
            clock: Self.time(130), reason: "app 1")
        let report = try await prune(playground, at: 200, keep: 1, grace: 0, delay: 0)
        #expect(report.pins == [pin] && report.kept == 2)
        #expect(playground.exists("origin/releases/\(versions[0])/info.json"))
        try await expectSound(playground)
        // It is still a base for deltas.
        let next = try await playground.publish(
            playground.request(
                Self.release(5), now: Self.time(201), lifetimeDays: nil, deltas: 1))
        #expect(next.deltas.map(\.from).contains(versions[0]))
        try await expectSound(playground)
        // Damage of a pinned release is reported as damage.
        let page = try playground.read("origin/releases/\(versions[0])/info.json")
        try playground.overwrite("origin/releases/\(versions[0])/info.json", page + [10])
        #expect(!(try await playground.verify()).isSound)
        try playground.overwrite("origin/releases/\(versions[0])/info.json", page)
        _ = try await Pin.remove("1.0", of: .production, at: playground.writable)
        _ = try await prune(playground, at: 300, keep: 1, grace: 0, delay: 0)
        #expect(!playground.exists("origin/releases/\(versions[0])"))
        try await expectSound(playground)
        await #expect(throws: Failure.channelPruned(name: "1.0")) {
            _ = try await Pin.record(
                "1.0", of: .production, at: playground.writable, now: Self.time(301),
                clock: Self.time(301), reason: nil)
        }
        await #expect(throws: Failure.channelNotPinned(name: "1.0", channel: "production")) {
            _ = try await Pin.remove("1.0", of: .production, at: playground.writable)
        }
    }

    @Test func otherChannelsKeepWhatTheyOffer() async throws {
        let (playground, versions) = try await shop(1)
        let promotion = ChannelRequest.Promotion(source: .production, deltas: .init(count: 0))
        try await playground.change(.promote(promotion), channel: "beta", now: Self.time(1))
        for number in 2...4 {
            try await playground.publish(Self.release(number), now: Self.time(Double(40 * number)))
        }
        _ = try await prune(playground, at: 300, keep: 1, grace: 0, delay: 0)
        #expect(playground.exists("origin/releases/\(versions[0])/package.zip"))
        #expect(
            try await playground.install(channel: "beta", now: Self.time(20)).installed.version
                == versions[0])
        try await expectSound(playground)
    }

    /// Most devices have the fallback of a canary.
    @Test func aFallbackIsOffered() async throws {
        let (playground, versions) = try await shop(3)
        var request = try await playground.request(
            Self.release(4), now: Self.time(120), lifetimeDays: nil)
        request.conditions.rollout = 10
        try await playground.publish(request)
        _ = try await prune(playground, at: 300, keep: 1, grace: 0, delay: 0)
        #expect(playground.exists("origin/releases/\(versions[2])/package.zip"))
        #expect(!playground.exists("origin/releases/\(versions[1])"))
        try await expectSound(playground)
    }

    @Test func whatPacktoolDidNotWriteIsToldAndStays() async throws {
        let (playground, versions) = try await shop(3)
        let foreign = [
            "origin/robots.txt", "origin/site/sitemap.xml", "origin/objects/notes.txt",
            "origin/releases/\(versions[0])/README", "origin/site/static/chunk-1.js",
        ]
        for path in foreign {
            if playground.exists(path) { try playground.remove(path) }
            try playground.write(path, "ours\n")
        }
        let report = try await prune(playground, at: 200, keep: 1, grace: 0, delay: 0)
        #expect(report.unknown == foreign.map { String($0.dropFirst(7)) }.sorted())
        for path in foreign { #expect(try playground.text(path) == "ours\n") }
        #expect(!playground.exists("origin/releases/\(versions[0])/package.zip"))
    }

    /// An interrupted publish left files without an entry.
    @Test func leftoversOfAnOldRunGo() async throws {
        let (playground, _) = try await shop(1)
        let object = "origin/objects/\(String(repeating: "ab", count: 32))/x.js"
        try playground.write(object, "left\n")
        try playground.write(
            "origin/.packtool/intents/production.\(String(repeating: "0", count: 32))",
            "{\"startedAt\": \"\(Self.time(1))\"}\n")
        _ = try await prune(playground, at: 1.1, delay: 0)
        #expect(!playground.exists(object))
        try await expectSound(playground)
    }
}
