import PackFeeds
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackS3
import PackVerify
import Synchronization
import TestSupport
import Testing

/// The files for clients of other projects, which follow the pointer as `info.json` does.
@Suite(.eachStore) struct FeedTests: PrunedShop {
    private static let capgo = "origin/channels/production/feeds/capgo.json"
    private static let cordova = "origin/channels/production/feeds/cordova-hcp.json"
    private static let all = Feed.allCases

    private static func request(
        _ play: Playground, _ files: [String: String], _ feeds: [Feed] = [],
        label: String? = nil, channel: String = "production", now: Timestamp = Playground.now
    ) async throws -> PublishRequest {
        var request = try await play.request(files, label: label, channel: channel, now: now)
        request.feeds = feeds
        return request
    }

    /// Whether each file of the feeds contains a version or hash of the live release.
    private static func expectShown(
        _ play: Playground, _ version: Version, channel: String = "production",
        location: SourceLocation = #_sourceLocation
    ) async throws {
        for feed in try await Feed.present(on: Channel(channel), in: play.writable) {
            let text = try play.text("origin/\(feed.path(on: Channel(channel)))")
            #expect(text.contains("\"\(version)\""), "\(feed)", sourceLocation: location)
        }
        let verification = try await play.verify()
        #expect(verification.isSound, "\(verification.failures)", sourceLocation: location)
        #expect(verification.orphans == [], sourceLocation: location)
    }

    @Test func theContentOfEachFile() async throws {
        let play = try Playground()
        let report = try await play.publish(Self.request(play, Playground.first, Self.all))
        let paths = ["capawesome", "capgo"].map { "channels/production/feeds/\($0).json" }
        let last = ["site/chcp.manifest", "channels/production/feeds/cordova-hcp.json"]
        #expect(report.feeds == FeedChanges(replaced: paths + last))
        let version = report.version
        let package = StreamHasher.digest(
            of: try play.read("origin/releases/\(version)/package.zip"))
        let base = Playground.base
        #expect(
            try play.text(Self.capgo) == """
                {
                  "version": "\(version)",
                  "url": "\(base)/releases/\(version)/package.zip",
                  "checksum": "\(package)",
                  "info": "\(base)/releases/\(version)/info.json"
                }

                """)
        #expect(
            try play.text("origin/channels/production/feeds/capawesome.json") == """
                {
                  "bundleId": "\(version)",
                  "artifactType": "zip",
                  "channelName": "production",
                  "url": "\(base)/releases/\(version)/package.zip",
                  "checksum": "\(package)"
                }

                """)
        #expect(
            try play.text(Self.cordova) == """
                {
                  "release": "\(version)",
                  "content_url": "\(base)/site",
                  "update": "start"
                }

                """)
        // The MD5 of nothing, from RFC 1321.
        let manifest = try play.text("origin/site/chcp.manifest")
        let script = MD5Hasher.md5(of: Array("go()\n".utf8))
        for (file, hash) in [
            ("empty.txt", "d41d8cd98f00b204e9800998ecf8427e"), ("static/main.js", script),
        ] {
            #expect(manifest.contains("\"file\": \"\(file)\",\n    \"hash\": \"\(hash)\""))
        }
        try await Self.expectShown(play, version)
        #expect(try await play.publish(Playground.first).outcome == .unchanged)
    }

    @Test func everyCommandKeepsThem() async throws {
        let play = try Playground()
        let first = try await play.publish(
            Self.request(play, Playground.first, Self.all, label: "1")
        ).version
        // The flag is left out.
        let second = try await play.publish(Playground.second, label: "2").version
        try await Self.expectShown(play, second)
        let back = try await play.change(.rollback(to: nil, isMandatory: false))
        #expect(back.feeds.replaced.count == 4)
        try await Self.expectShown(play, first)
        #expect(try await play.change(.pause(bypasses: false)).feeds == FeedChanges())
        try await Self.expectShown(play, first)
        try await play.change(.resume)
        try await play.publish(
            Self.request(play, Playground.second, [.capgo], channel: "beta"))
        try await Self.expectShown(play, second, channel: "beta")
        var request = try await Self.request(play, Playground.second)
        request.conditions.rollout = 10
        #expect(try await play.publish(request).feeds == FeedChanges())
        try await Self.expectShown(play, first)
        try await play.change(.rollout(100, shrinks: false))
        try await Self.expectShown(play, second)
    }

    @Test func aFeedIsAddedToTheLiveRelease() async throws {
        let play = try Playground()
        let version = try await play.publish(Playground.first).version
        let request = try await Self.request(play, Playground.first, [.capgo])
        let before = try play.publicContent()
        let plan = try await play.plan(request)
        #expect(try play.publicContent() == before)
        #expect(plan.feeds.replaced == ["channels/production/feeds/capgo.json"])
        let report = try await play.publish(request)
        #expect(report.outcome == .completed && report.feeds == plan.feeds)
        #expect(report.sequence == 1)
        try await Self.expectShown(play, version)
        #expect(try await play.publish(request).outcome == .unchanged)
    }

    @Test func aDryRunComparesAllFiles() async throws {
        let play = try Playground()
        let request = try await Self.request(play, Playground.first, Self.all)
        let plan = try await play.plan(request)
        #expect(plan.feeds.replaced.count == 4)
        #expect(try await play.publish(request).feeds == plan.feeds)
    }

    @Test func aClosedChannelHasNone() async throws {
        let play = try Playground()
        try await play.publish(Playground.first)
        try await play.publish(
            Self.request(play, Playground.second, [.capgo, .capawesome], channel: "beta"))
        let report = try await play.change(.close(isDefaultToo: false), channel: "beta")
        #expect(report.feeds.removed.count == 2 && report.feeds.replaced == [])
        #expect(try await play.verify().isSound)
        #expect(!play.exists("origin/channels/beta/feeds/capgo.json"))
    }

    @Test("a release that a client cannot install stays on offer")
    func anUnsuitableReleaseWithdrawsThem() async throws {
        let play = try Playground()
        let files = ["shop/index.html": "<h1>Shop</h1>\n", "chcp.json": "{}"]
        for (feed, text) in [(Feed.capgo, "index.html"), (.cordovaHCP, "chcp.json")] {
            let error = await #expect(throws: Failure.self) {
                try await play.publish(Self.request(play, files, [feed]))
            }
            #expect(error?.code.name == "publish.feed-unsupported")
            #expect(error.map { "\($0)".contains(text) } ?? false)
        }
        #expect(!play.exists("origin/channels"))
        try await play.publish(Self.request(play, Playground.first, Self.all))
        let report = try await play.publish(files)
        #expect(report.feeds.removed.count == 4)
        #expect(report.notes.filter { $0.contains("is withdrawn") }.count == 3)
        let verification = try await play.verify()
        #expect(verification.isSound && verification.orphans == [])
        #expect(!play.exists(Self.capgo) && !play.exists("origin/site/chcp.manifest"))
    }

    // MARK: Faults

    /// The state after a run was killed between the pointer and its feeds.
    private static func killed() async throws -> (Playground, live: Version) {
        let play = try Playground()
        try await play.publish(request(play, Playground.first, all))
        let paths = Self.all.flatMap { $0.paths(on: .production) }.map { "origin/\($0)" }
        let old = try paths.map { try play.read($0) }
        let live = try await play.publish(Playground.second).version
        for (path, bytes) in zip(paths, old) { try play.write(path, bytes) }
        try play.write(
            "origin/.packtool/intents/production.\(String(repeating: "1", count: 32))",
            "{\"startedAt\": \"\(Playground.now)\"}")
        let verification = try await play.verify()
        #expect(verification.isSound, "\(verification.failures)")
        #expect(verification.notes.contains { $0.contains("feeds/capgo.json does not show") })
        return (play, live)
    }

    @Test func theNextPublishFinishes() async throws {
        let (play, live) = try await Self.killed()
        let report = try await play.publish(Playground.second)
        #expect(report.outcome == .completed && report.feeds.replaced.count == 4)
        try await Self.expectShown(play, live)
    }

    @Test func theNextCommandFinishes() async throws {
        let (play, live) = try await Self.killed()
        let report = try await play.change(.resume)
        #expect(report.outcome == .completed && report.feeds.replaced.count == 4)
        try await Self.expectShown(play, live)
    }

    @Test func aRollbackAfterAKillShowsTheOlderRelease() async throws {
        let (play, live) = try await Self.killed()
        // As if the run was killed between the list and the polled file.
        try await play.publish(Playground.second)
        if play.exists("origin/.packtool/intents") { try play.remove("origin/.packtool/intents") }
        let manifest = try play.read("origin/site/chcp.manifest")
        try await play.change(.rollback(to: nil, isMandatory: false))
        try play.write("origin/site/chcp.manifest", manifest)
        #expect(try await !play.verify().isSound)
        try await play.change(.rollback(to: "\(live)", isMandatory: false))
        try await Self.expectShown(play, live)
    }

    @Test func aRepairRestoresThem() async throws {
        for path in Self.all.flatMap({ $0.paths(on: .production) }) {
            let play = try Playground()
            let version = try await play.publish(
                Self.request(play, Playground.first, Self.all)
            ).version
            try play.write("origin/\(path)", "damaged")
            #expect(try await play.verify().failures.map(\.path) == [path])
            // Also with a damaged package, which the list is made from.
            try play.remove("origin/releases/\(version)/package.zip")
            var request = try await Self.request(play, Playground.first)
            request.repairs = true
            let report = try await play.publish(request)
            #expect(report.outcome == .repaired)
            #expect(report.repairs.map(\.path).contains(path))
            try await Self.expectShown(play, version)
        }
    }

    @Test("a publish without an answer is told as live, with the feeds that are behind")
    func aFailureAfterTheCommitNamesThem() async throws {
        struct Full: Error {}
        let play = try Playground(in: .directory)
        let isFull = Mutex(false)
        let store = MemoryStore(address: play.origin, scratch: play.path) { change in
            guard case .replace(let path) = change, path.contains("/feeds/capgo") else { return }
            if isFull.withLock({ $0 }) { throw Full() }
        }
        _ = try await Publisher.publish(
            Self.request(play, Playground.first, [.capgo]), to: store)
        isFull.withLock { $0 = true }
        let error = await #expect(throws: Failure.self) {
            _ = try await Publisher.publish(play.request(Playground.second), to: store)
        }
        #expect(error?.code == .publishLiveButOutdated)
        #expect(error?["outdated"] == "channels/production/feeds/capgo.json")
        isFull.withLock { $0 = false }
        let report = try await Publisher.publish(play.request(Playground.second), to: store)
        #expect(report.outcome == .completed)
        #expect(try await OriginVerifier.verify(store, now: Playground.now, jobs: 1).isSound)
    }

    @Test("a slow publisher offered an older release by a feed")
    func anOlderReleaseDoesNotReplaceANewerOne() async throws {
        for path in Self.all.flatMap({ $0.paths(on: .production) }) {
            let play = try Playground(in: .directory)
            let waiting = Mutex<(@Sendable () async throws -> Void)?>(nil)
            let store = MemoryStore(address: play.origin, scratch: play.path) { change in
                guard change == .replace(path) else { return }
                let action = waiting.withLock { waiting in
                    defer { waiting = nil }
                    return waiting
                }
                try await action?()
            }
            _ = try await Publisher.publish(
                Self.request(play, Playground.first, Self.all), to: store)
            let ours = try await play.request(Playground.second)
            var other = ours
            other.scan = try await play.scan(
                ["index.html": "<h1>Shop 3</h1>\n", "static/main.js": "go(3)\n"], in: "other")
            let theirs = other
            waiting.withLock {
                $0 = { _ = try await Publisher.publish(theirs, to: store) }
            }
            _ = try await Publisher.publish(ours, to: store)
            let verification = try await OriginVerifier.verify(
                store, now: Playground.now, jobs: 1)
            #expect(verification.isSound, "\(path): \(verification.failures)")
            let text = store.file("channels/production/feeds/capgo.json").map {
                String(decoding: $0.bytes, as: UTF8.self)
            }
            #expect(text?.contains("\(theirs.scan.release.version)") == true)
        }
    }

    // MARK: Prunes and buckets

    @Test("a prune deleted the release that a feed offers")
    func aPruneKeepsWhatTheyShow() async throws {
        let play = try Playground()
        try await play.publish(
            play.request(Self.release(0), now: Self.time(0), lifetimeDays: nil))
        let shown = try await play.publish(
            Self.request(play, Self.release(1), [.capgo], channel: "beta", now: Self.time(0)))
        try await play.change(.rollout(50, shrinks: true), channel: "beta", now: Self.time(1))
        for number in 2...12 {
            var request = try await Self.request(
                play, Self.release(number), channel: "beta",
                now: Self.time(Double(number) * 20))
            request.conditions.rollout = 50
            try await play.publish(request)
        }
        _ = try await prune(play, at: 300, keep: 1, delay: 0)
        #expect(try play.text("origin/channels/beta/feeds/capgo.json").contains("\(shown.version)"))
        #expect(play.exists("origin/releases/\(shown.version)/package.zip"))
        let verification = try await play.verify()
        #expect(verification.isSound, "\(verification.failures)")
    }

    @Test("a prune took the list of files in site/ for a file of an earlier release")
    func aPruneKeepsTheListOfFiles() async throws {
        let play = try Playground()
        var files = Self.release(1)
        files["chcp.manifest"] = "[]"
        try await play.publish(play.request(files, now: Self.time(0), lifetimeDays: nil))
        try await play.publish(
            Self.request(play, Self.release(2), [.cordovaHCP], now: Self.time(1)))
        for keep in [5, 1] {
            _ = try await prune(play, at: 300, keep: keep, delay: 0)
            #expect(play.exists("origin/site/chcp.manifest"))
            let verification = try await play.verify()
            #expect(verification.isSound, "\(verification.failures)")
        }
    }

    @Test func inABucket() async throws {
        let play = try Playground(in: .directory)
        let bucket = BucketTransport()
        func store() throws -> S3Store {
            S3Store(try bucket.client(through: bucket), scratch: play.path, readBack: .hashes)
        }
        let first = try await Publisher.publish(
            Self.request(play, Playground.first, Self.all), to: store())
        let second = try await Publisher.publish(
            play.request(Playground.second, deltas: 1), to: store())
        #expect(first.feeds.replaced.count == 4 && second.feeds.replaced.count == 4)
        let back = try await ChannelChanger.run(
            play.request(.rollback(to: nil, isMandatory: true)), on: store())
        #expect(back.feeds.replaced.count == 4)
        let verification = try await OriginVerifier.verify(
            store(), now: Playground.now, jobs: 2)
        #expect(verification.isSound, "\(verification.failures)")
        #expect(verification.orphans == [])
    }
}
