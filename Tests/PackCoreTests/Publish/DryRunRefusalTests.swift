import PackArchive
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackSigning
import PackTrust
import TestSupport
import Testing

/// The properties of an error that a script sees.
struct Refusal: Equatable {
    let code: String
    let exitCode: ExitCode?

    init(_ error: any Error) {
        code = errorCode(error) ?? "\(error)"
        exitCode = (error as? Failure)?.exitCode
    }
}

/// The error of a command, or `nil`.
func refusal(_ body: () async throws -> some Any) async -> Refusal? {
    do {
        _ = try await body()
        return nil
    } catch {
        return Refusal(error)
    }
}

/// A dry run fails with the same code and exit code as the real run.
@Suite("a dry run said yes where the publish said no", .eachStore) struct DryRunRefusalTests {
    struct Publish: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: String
        /// Only in a directory, because a publish to a bucket replaces damaged objects.
        let isForDirectories: Bool
        let prepare: @Sendable (Playground) async throws -> Void
        let request: @Sendable (Playground) async throws -> PublishRequest

        init(
            _ name: String, _ code: String, isForDirectories: Bool = false,
            prepare: @escaping @Sendable (Playground) async throws -> Void = { _ in },
            _ request: @escaping @Sendable (Playground) async throws -> PublishRequest
        ) {
            (testDescription, self.code) = (name, code)
            self.isForDirectories = isForDirectories
            (self.prepare, self.request) = (prepare, request)
        }
    }

    private static let published: @Sendable (Playground) async throws -> Void = {
        try await $0.publish(Playground.first, label: "1.0")
    }

    private static func object(_ content: String, _ name: String) -> String {
        "origin/objects/\(StreamHasher.digest(of: Array(content.utf8)))/\(name)"
    }

    private static func path(_ play: Playground, _ name: String) async throws -> String {
        "origin/releases/\(try await play.pointer().version)/\(name)"
    }

    private static func flip(_ play: Playground, _ path: String) throws {
        var bytes = try play.read(path)
        bytes[bytes.count / 2] ^= 1
        try play.remove(path)
        try play.write(path, bytes)
    }

    static let publishes: [Publish] = [
        Publish("a kept object has other bytes", "publish.damaged", isForDirectories: true) {
            try await published($0)
            try flip($0, object(Playground.logo, "logo.svg"))
        } _: {
            try await $0.request(Playground.second)
        },
        Publish(
            "the current release's object has other bytes", "publish.damaged",
            isForDirectories: true
        ) {
            try await published($0)
            try flip($0, object(Playground.logo, "logo.svg"))
        } _: {
            try await $0.request(Playground.first, label: "1.0")
        },
        Publish("the current release's package has other bytes", "publish.damaged") {
            try await published($0)
            try flip($0, try await path($0, "package.zip"))
        } _: {
            try await $0.request(Playground.first, label: "1.0")
        },
        Publish("an older release's package is missing", "origin.missing") {
            try await published($0)
            let package = try await path($0, "package.zip")
            try await $0.publish(Playground.second)
            try $0.remove(package)
        } _: {
            try await $0.request(Playground.first)
        },
        Publish("a manifest that a pointer binds is missing", "publish.damaged") {
            try await $0.publish($0.request(Playground.first, commit: "one"))
            try $0.remove(try await path($0, "info.json"))
        } _: {
            try await $0.request(Playground.first, commit: "two")
        },
        Publish("a manifest is none", "publish.damaged") {
            try await published($0)
            try $0.write(try await path($0, "info.json"), "{}")
        } _: {
            try await $0.request(Playground.first)
        },
        Publish("an object of another size", "publish.damaged", isForDirectories: true) {
            try await published($0)
            try $0.write(object("go()\n", "main.js"), "x")
        } _: {
            try await $0.request(Playground.first)
        },
        Publish("no origin, and native versions that leave none", "publish.no-native-version") {
            var request = try await $0.request(Playground.first)
            request.conditions.lowest = .all(.version(try NativeVersion("3")))
            request.conditions.highest = .all(.version(try NativeVersion("2")))
            return request
        },
        Publish("no origin, and a delta from a release of it", "origin.no-such-release") {
            var request = try await $0.request(Playground.first)
            request.deltas.from = [try #require(Version("0123456789abcdef0123"))]
            return request
        },
        Publish("no origin, and keys", "signing.no-root") {
            var request = try await $0.request(Playground.first)
            request.signers = Signers(keys: [try TrustLab.key(1)], commands: [])
            return request
        },
        Publish("another app", "publish.other-app", prepare: published) {
            try await $0.request(Playground.second, app: "bank")
        },
        Publish("a label that is taken", "publish.label-taken", prepare: published) {
            try await $0.request(Playground.second, label: "1.0")
        },
        Publish("a paused channel", "publish.paused") {
            try await published($0)
            try await $0.change(.pause(bypasses: false))
        } _: {
            try await $0.request(Playground.second)
        },
        Publish("a closed channel", "channel.closed") {
            try await published($0)
            try await $0.change(.close(isDefaultToo: true))
        } _: {
            try await $0.request(Playground.first, label: "1.0")
        },
        Publish("a lower share", "publish.would-shrink", prepare: published) {
            var request = try await $0.request(Playground.first)
            request.conditions.rollout = 50
            return request
        },
        Publish("an earlier time", "publish.clock-behind", prepare: published) {
            try await $0.request(Playground.second, now: Playground.now.adding(days: -1))
        },
        Publish("another base URL", "publish.identity-changed", prepare: published) {
            try await $0.request(Playground.second, base: "https://new.example")
        },
        Publish("a foreign log entry", "publish.foreign-file") {
            try await published($0)
            try $0.write("origin/channels/production/log/2.json", "{}")
        } _: {
            try await $0.request(Playground.second)
        },
        Publish("foreign files", "publish.not-empty") {
            try $0.write("origin/notes.txt", "mine")
        } _: {
            try await $0.request(Playground.first)
        },
    ]

    @Test(arguments: publishes) func ofAPublish(_ one: Publish) async throws {
        let play = try Playground()
        try await one.prepare(play)
        let request = try await one.request(play)
        let plan = await refusal { try await play.plan(request) }
        let real = await refusal { try await play.publish(request) }
        let isRefused = !one.isForDirectories || StoreKind.current == .directory
        #expect(real?.code == (isRefused ? one.code : nil))
        #expect(plan == real)
    }

    @Test func ofAFullDisk() async throws {
        let play = try Playground()
        let store = MemoryStore(address: play.origin, scratch: play.path, free: 1 << 20)
        let request = try await play.request(Playground.first)
        let plan = await refusal { try await Publisher.plan(request, to: store) }
        let real = await refusal { try await Publisher.publish(request, to: store) }
        #expect(real?.code == "publish.no-space" && plan == real)
    }

    /// A read-only folder: the origin, which contains info.json, or a folder of site/.
    @Test(arguments: ["", "site/static"]) func ofAPlace(_ folder: String) async throws {
        let play = try Playground()
        let store = MemoryStore(address: play.origin, scratch: play.path)
        for files in [Playground.first, Playground.second] {
            _ = try await Publisher.publish(play.request(files), to: store)
        }
        store.seal(folder)
        let request = try await play.request(Playground.first)
        let rollback = try play.request(.rollback(to: nil, isMandatory: true))
        for refused in [
            await refusal { try await Publisher.plan(request, to: store) },
            await refusal { try await Publisher.publish(request, to: store) },
            await refusal { try await ChannelChanger.plan(rollback, on: store) },
            await refusal { try await ChannelChanger.run(rollback, on: store) },
        ] { #expect(refused?.code == "publish.not-writable") }
    }

    /// In a store without a lock, a prune blocks publishers.
    @Test func ofAPruneAtWork() async throws {
        let play = try Playground()
        let store = MemoryStore(address: play.origin, scratch: play.path)
        _ = try await Publisher.publish(play.request(Playground.first), to: store)
        let mark = ".packtool/intents/+prune.\(String(repeating: "1", count: 32))"
        store.set(mark, Array("{\"startedAt\": \"\(Playground.now)\"}".utf8))
        let request = try await play.request(Playground.second)
        let pause = try play.request(.pause(bypasses: false))
        for refused in [
            await refusal { try await Publisher.plan(request, to: store) },
            await refusal { try await Publisher.publish(request, to: store) },
            await refusal { try await ChannelChanger.plan(pause, on: store) },
            await refusal { try await ChannelChanger.run(pause, on: store) },
        ] { #expect(refused?.code == "publish.pruning") }
    }

    /// Regression: a dry run succeeded while another publisher was running.
    @Test(.directoryOnly) func ofAnOriginInUse() async throws {
        let play = try Playground()
        try await Self.published(play)
        try play.write("origin/.packtool/intents/production.\(uniqueName())", "{}")
        let store = try #require(try StoreOpener.writeIfPresent(play.origin))
        let publish = try await play.request(Playground.second)
        let pause = try play.request(.pause(bypasses: false))
        let refused = try await store.exclusively(isNew: false) {
            [
                await refusal { try await play.plan(publish) },
                await refusal { try await play.publish(publish) },
                await refusal { try await play.plan(pause) },
                await refusal { try await play.change(pause) },
            ]
        }
        #expect(refused?.map { $0?.code } == Array(repeating: "publish.busy", count: 4))
    }

    /// For a new origin, the deepest existing parent directory determines the free space.
    @Test(.directoryOnly) func theDirectoryOfANewOrigin() throws {
        let play = try Playground()
        try play.makeDirectory("srv")
        for path in ["srv", "srv/", "srv/a/b", "srv/a//b/"] {
            #expect(try Directory.nearest(to: "\(play.path)/\(path)")?.path.contains("srv") == true)
        }
        #expect(try Directory.nearest(to: "not-there/at-all")?.path == ".")
        #expect(try Directory.nearest(to: "/not-there/at-all")?.path == "/")
    }

    static let changes: [(code: String, command: ChannelRequest.Command)] = [
        ("channel.would-shrink", .rollout(50, shrinks: false)),
        ("channel.no-earlier-release", .rollback(to: nil, isMandatory: true)),
        ("channel.never-live", .rollback(to: "9.0", isMandatory: true)),
        ("channel.closes-default", .close(isDefaultToo: false)),
    ]

    @Test(arguments: 0..<changes.count) func ofAChange(_ index: Int) async throws {
        let play = try Playground()
        try await Self.published(play)
        try await expect(Self.changes[index].code, Self.changes[index].command, at: play)
    }

    private func expect(
        _ code: String, _ command: ChannelRequest.Command, at play: Playground
    ) async throws {
        let request = try play.request(command)
        let plan = await refusal { try await play.plan(request) }
        let real = await refusal { try await play.change(request) }
        #expect(real?.code == code)
        #expect(plan == real)
    }

    /// A renewal restores a lost file of site/ from a damaged object.
    @Test func ofADamagedCopy() async throws {
        let play = try Playground()
        try await Self.published(play)
        try Self.flip(play, Self.object("go()\n", "main.js"))
        try play.remove("origin/site/static/main.js")
        let request = try play.request(.renew, now: Playground.now.adding(days: 1))
        let plan = await refusal { try await play.plan(request) }
        let real = await refusal { try await play.change(request) }
        #expect(real?.code == "publish.damaged" && plan == real)
    }

    /// A package of another level has other bytes than the pointer binds.
    @Test("a dry run of a repair said that it restores a package that the repair cannot make")
    func ofARepair() async throws {
        let play = try Playground()
        let script = (0..<3000).map { "function f\($0 * 7919 % 3001)(){return \($0)}" }
        let files = ["index.html": "<h1>one</h1>", "app.js": script.joined(separator: "\n")]
        let version = try await play.publish(files).version
        try play.remove("origin/\(OriginLayout.package(version))")
        var request = try await play.request(files)
        request.level = .fast
        request.repairs = true
        let repair = request
        let plan = await refusal { try await play.plan(repair) }
        let real = await refusal { try await play.publish(repair) }
        #expect(real?.code == "publish.damaged" && plan == real)
    }

    @Test func ofADamagedRelease() async throws {
        let play = try Playground()
        try await Self.published(play)
        let package = try await Self.path(play, "package.zip")
        try await play.publish(Playground.second, label: "2.0", channel: "beta")
        try await play.publish(["index.html": "3"])
        try Self.flip(play, package)
        try Self.flip(play, Self.object("go(2)\n", "main.js"))
        try await expect(
            "channel.release-damaged", .rollback(to: "1.0", isMandatory: true), at: play)
        let promotion = ChannelRequest.Promotion(
            source: try Channel("beta"), deltas: .init(count: 0))
        try await expect("channel.release-damaged", .promote(promotion), at: play)
    }
}
