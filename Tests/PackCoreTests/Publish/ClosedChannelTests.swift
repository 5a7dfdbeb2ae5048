import PackClient
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackSigning
import PackTrust
import TestSupport
import Testing

/// A closed channel: devices keep their release, other channels have no cost, and it can be pruned.
@Suite(.eachStore) struct ClosedChannelTests: PrunedShop {
    private static let preview = "pr-1"

    /// Production and a second channel with two releases, one per day.
    ///
    /// The channel is closed on day 2.
    private func closed() async throws -> (Playground, versions: [Version]) {
        let play = try Playground()
        try await play.publish(
            play.request(Self.release(1), now: Self.time(0), lifetimeDays: nil))
        var versions: [Version] = []
        for number in 2...3 {
            let request = try await play.request(
                Self.release(number), label: "\(number).0", channel: Self.preview,
                now: Self.time(Double(number - 2)), lifetimeDays: 30, deltas: 1)
            versions.append(try await play.publish(request).version)
        }
        _ = try await play.install(
            channel: Self.preview, now: Self.time(1), into: "old")
        try await play.change(
            .close(isDefaultToo: false), channel: Self.preview, now: Self.time(2))
        return (play, versions)
    }

    @Test("a channel could not be ended")
    func devicesKeepWhatTheyHave() async throws {
        let (play, versions) = try await closed()
        let pointer = try await play.pointer(Channel(Self.preview))
        #expect(pointer.isClosed && !pointer.isEnabled && pointer.expires == nil)
        #expect(pointer.operation == .close && pointer.sequence == 3 && pointer.fallbacks == [])
        try await expectSound(play)
        // Long after the earlier pointers have expired.
        let kept = try await play.install(
            channel: Self.preview, now: Self.time(200), into: "old")
        #expect(kept.outcome == .closed && kept.installed.version == versions[1])
        #expect(kept.notes.contains { $0.contains("'pr-1' was closed at \(Self.time(2))") })
        #expect(kept.state.sequence == 3)
        let refusal = Failure.installClosed(
            channel: Self.preview, at: Self.time(2).description, open: ["production"])
        await #expect(throws: refusal) {
            try await play.install(channel: Self.preview, now: Self.time(3), into: "new")
        }
        #expect(!play.exists("new/current"))
        let explained = try await Explanation.of(
            ExplainRequest(
                channel: Channel(Self.preview), installed: versions[0], now: Self.time(3)),
            at: play.store())
        #expect(explained.verdict == .kept)
        #expect(explained.steps.last?.what == "closed")
    }

    /// A closed pointer never expires and offers no other release, even after a renewal.
    @Test func aClosedPointerHasNoEnd() async throws {
        let play = try Playground()
        try play.publishRoot(1, release: [7])
        let signers = Signers(keys: [try TrustLab.key(7)], commands: [])
        for number in 1...2 {
            var request = try await play.request(
                Self.release(number), channel: Self.preview, now: Self.time(Double(number)))
            request.signers = signers
            request.conditions.rollout = number == 2 ? 50 : 100
            try await play.publish(request)
        }
        let channel = try Channel(Self.preview)
        #expect(try await play.pointer(channel).fallbacks.count == 1)
        for (day, command) in [(3, .close(isDefaultToo: false)), (4, .renew)]
            as [(Double, ChannelRequest.Command)]
        {
            var change = try play.request(
                command, channel: Self.preview, now: Self.time(day))
            change.signers = signers
            try await play.change(change)
            let pointer = try await play.pointer(channel)
            #expect(pointer.isClosed && pointer.expires == nil && pointer.fallbacks == [])
        }
        // An older client, which ignores this member, must not see an open channel.
        let pointer = try await play.pointer(channel)
        var (enabled, ending) = (pointer, pointer)
        enabled.isEnabled = true
        ending.expires = Self.time(90)
        #expect(try PointerCoding.decode(PointerCoding.encode(pointer)) == pointer)
        for wrong in [enabled, ending] {
            #expect(throws: (any Error).self) {
                try PointerCoding.decode(PointerCoding.encode(wrong))
            }
        }
    }

    @Test("the releases of a channel that nobody used any more stayed for ever")
    func pruneFreesItsReleasesAfterTheGrace() async throws {
        let (play, versions) = try await closed()
        let shop = try await play.pointer().version
        let early = try await prune(play, at: 31.9, keep: 1, delay: 0)
        #expect(early.gone.map(\.version) == [versions[0]])
        let report = try await prune(play, at: 32, keep: 1, delay: 0)
        #expect(report.gone.map(\.version) == [versions[1]])
        #expect(try play.releases() == [shop.description])
        let line = try #require(report.channels.first { $0.channel.description == Self.preview })
        #expect(line.lowest == 4 && line.current == 3)
        try await expectSound(play)
        // An installed release does not depend on the origin's files.
        let kept = try await play.install(
            channel: Self.preview, now: Self.time(40), into: "old")
        #expect(kept.outcome == .closed)
        #expect(try await prune(play, at: 50, keep: 1, delay: 0).deleted.isEmpty)
        // Signing the pointer needs no release.
        try await play.change(.renew, channel: Self.preview, now: Self.time(50))
        try await play.change(
            .close(isDefaultToo: false), channel: Self.preview, now: Self.time(50))
        #expect(try await play.pointer(Channel(Self.preview)).sequence == 3)
    }

    /// A prune keeps a closed channel's release if another channel offers it or a pin names it.
    @Test func whatOthersNeedStays() async throws {
        let (play, versions) = try await closed()
        let source = try Channel(Self.preview)
        try await play.change(
            .promote(.init(source: source, deltas: .init(count: 0))), now: Self.time(3))
        let pin = Pin(
            channel: source, version: versions[0], createdAt: Self.time(3), reason: nil)
        try await pin.record(at: play.writable, clock: Self.time(3))
        _ = try await prune(play, at: 100, keep: 1, grace: 0, delay: 0)
        #expect(try play.releases() == versions.map(\.description).sorted())
        try await expectSound(play)
    }

    @Test func aClosedProductionKeepsWhatInfoShows() async throws {
        let play = try Playground()
        for number in 1...2 {
            try await play.publish(
                play.request(
                    Self.release(number), now: Self.time(Double(number)), lifetimeDays: nil))
        }
        let refusal = Failure.channelClosesDefault(channel: "production")
        await #expect(throws: refusal) {
            try await play.change(play.request(.close(isDefaultToo: false), now: Self.time(3)))
        }
        let report = try await play.change(.close(isDefaultToo: true), now: Self.time(3))
        #expect(report.notes.contains { $0.contains("do not see this") })
        _ = try await prune(play, at: 300, keep: 1, grace: 0, delay: 0)
        let version = try await play.pointer().version
        #expect(try play.releases() == [version.description])
        try await play.expectSite(version)
    }

    @Test func nothingElseChangesAClosedChannel() async throws {
        let (play, _) = try await closed()
        let before = try play.publicContent()
        let error = Failure.channelClosed(
            channel: Self.preview, at: Self.time(2).description)
        let commands: [ChannelRequest.Command] = [
            .rollout(100, shrinks: false), .pause(bypasses: true), .resume,
            .rollback(to: nil, isMandatory: true),
            .promote(.init(source: .production, deltas: .init(count: 0))),
        ]
        for command in commands {
            let request = try play.request(command, channel: Self.preview, now: Self.time(3))
            await #expect(throws: error) { try await play.plan(request) }
            await #expect(throws: error) { try await play.change(request) }
        }
        // The channel's old release, and another one.
        for number in 3...4 {
            let request = try await play.request(
                Self.release(number), channel: Self.preview, now: Self.time(3))
            await #expect(throws: error) { try await play.plan(request) }
            await #expect(throws: error) { try await play.publish(request) }
        }
        #expect(try play.publicContent() == before)
    }

    /// Reopening starts a new list, because earlier releases may be deleted.
    @Test(arguments: [false, true], [3, 4])
    func itIsOpenedDeliberately(isPruned: Bool, release: Int) async throws {
        let (play, versions) = try await closed()
        if isPruned { _ = try await prune(play, at: 40, keep: 1, grace: 0, delay: 0) }
        var request = try await play.request(
            Self.release(release), channel: Self.preview, now: Self.time(41), lifetimeDays: nil,
            deltas: 1)
        request.conditions.reopens = true
        request.conditions.lowest = .all(.version(try NativeVersion("2")))
        let plan = try await play.plan(request)
        let report = try await play.publish(request)
        #expect(plan.outcome == .published && report.outcome == .published)
        let pointer = try await play.pointer(Channel(Self.preview))
        #expect(!pointer.isClosed && pointer.isEnabled && pointer.sequence == 4)
        #expect((pointer.version == versions[1]) == (release == 3) && pointer.rollout == 100)
        #expect(pointer.fallbacks == [])
        try await expectSound(play)
        let updated = try await play.install(
            channel: Self.preview, now: Self.time(42), into: "new", native: "2")
        #expect(updated.outcome == .installed)
    }

    /// An attacker who restores the closed pointer cannot cause the deletion of later releases.
    @Test func anOldClosedPointerDeletesNothing() async throws {
        let (play, _) = try await closed()
        let path = "origin/channels/pr-1/pointer.json"
        let old = try play.read(path)
        var request = try await play.request(
            Self.release(4), channel: Self.preview, now: Self.time(4), lifetimeDays: nil)
        request.conditions.reopens = true
        let version = try await play.publish(request).version
        try play.write(path, old)
        _ = try await prune(play, at: 300, keep: 1, grace: 0, delay: 0)
        #expect(try play.releases().contains(version.description))
    }
}

/// The cost of additional channels for other publishers.
@Suite struct ChannelCostTests {
    @Test("each channel that an origin ever had cost every publish two requests")
    func aPublishReadsNoOtherChannel() async throws {
        var requests: [[Int]] = []
        for count in [0, 60] {
            let play = try Playground()
            let bucket = BucketTransport()
            for number in 1...2 {
                _ = try await Publisher.publish(
                    play.request(Playground.numbered(number)), to: bucket.store(play.path))
            }
            let source = "channels/production/pointer.json"
            let envelope = try Envelope(
                decoding: #require(bucket.files[source]), payloadType: Envelope.pointerType)
            var pointer = try PointerCoding.decode(envelope.payload)
            pointer.isClosed = true
            pointer.isEnabled = false
            pointer.expires = nil
            for number in 0..<count {
                pointer.channel = try Channel("pr-\(number)")
                let bytes = try Envelope(
                    payloadType: Envelope.pointerType, payload: PointerCoding.encode(pointer),
                    signer: nil
                ).encode()
                bucket.set("channels/pr-\(number)/pointer.json", bytes)
                bucket.set("channels/pr-\(number)/log/\(pointer.sequence).json", bytes)
                let mark = """
                    {"schema": 1, "channel": "pr-\(number)", "below": \(pointer.sequence + 1), \
                    "prunedAt": "\(Playground.now)"}
                    """
                bucket.set("channels/pr-\(number)/pruned.json", Array(mark.utf8))
            }
            var counts: [Int] = []
            for (number, channel) in [(3, "production"), (4, "new"), (5, "new")] {
                bucket.clear()
                _ = try await Publisher.publish(
                    play.request(Playground.numbered(number), channel: channel),
                    to: bucket.store(play.path))
                counts.append(bucket.asked.count)
            }
            requests.append(counts)
        }
        #expect(requests[0] == requests[1])
    }
}

extension Playground {
    /// The versions of the existing releases.
    fileprivate func releases() throws -> [String] {
        Set(try files("origin/releases").keys.compactMap { $0.split(separator: "/").first })
            .map(String.init).sorted()
    }
}
