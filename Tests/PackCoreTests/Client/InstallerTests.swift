import Foundation
import PackCore
import TestSupport
import Testing

@Suite(.eachStore) struct InstallerTests {
    private func expectInstalled(
        _ playground: Playground, _ files: [String: String],
        location: SourceLocation = #_sourceLocation
    ) throws {
        let current = try playground.files("client/current/.")
        #expect(current == files.mapValues { Array($0.utf8) }, sourceLocation: location)
        // Nothing but one tree, the link to it and the state.
        let version = try BuildScanVersion.of(files)
        let top = Set(
            try playground.tree("client").keys.filter { !$0.hasPrefix("versions/\(version)/") })
        #expect(
            top == ["current", "state.json", ".lock", "versions", "versions/\(version)"],
            sourceLocation: location)
        let target = try FileManager.default.destinationOfSymbolicLink(
            atPath: playground.client + "/current")
        #expect(target == "versions/\(version)", sourceLocation: location)
    }

    private enum BuildScanVersion {
        static func of(_ files: [String: String]) throws -> Version {
            try Sample.release(files).version
        }
    }

    @Test func installs() async throws {
        let playground = try Playground()
        let published = try await playground.publish(Playground.first, label: "1.0")
        let report = try await playground.install()
        #expect(report.outcome == .installed)
        #expect(report.previous == nil)
        #expect(report.files == 6 && report.bytes == 1236)
        #expect(
            report.fetched == published.packageSize
                + UInt64(try playground.read("origin/info.json").count))
        try expectInstalled(playground, Playground.first)
        let state = try playground.text("client/state.json")
        let payloadHash = try #require(try await playground.reader().pointer(.production))
            .payloadHash
        #expect(
            state == """
                {
                  "schema": 1,
                  "app": "shop",
                  "channel": "production",
                  "version": "\(published.version)",
                  "packageHash": "\(published.packageHash)",
                  "sequence": 1,
                  "payloadHash": "\(payloadHash)",
                  "releaseSequence": 1,
                  "label": "1.0",
                  "road": "package",
                  "installedAt": "2026-11-21T08:00:00Z"
                }

                """)
        #expect(report.state == (try InstallState.read(in: Directory.open(playground.client))))
    }

    @Test func updates() async throws {
        let playground = try Playground()
        let one = try await playground.publish(Playground.first)
        try await playground.install()
        try await playground.publish(Playground.second)
        let report = try await playground.install(now: Playground.now.adding(days: 1))
        #expect(report.outcome == .updated)
        #expect(report.previous == one.version)
        #expect(report.state.sequence == 2)
        try expectInstalled(playground, Playground.second)
    }

    @Test func anUnchangedReleaseWritesNothing() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        let before = try playground.tree("client")
        let report = try await playground.install(now: Playground.now.adding(days: 1))
        #expect(report.outcome == .unchanged)
        #expect(report.fetched == 0)
        #expect(report.previous == report.installed.version)
        #expect(report.installed.installedAt == Playground.now)
        #expect(try playground.tree("client") == before)
    }

    @Test func aRenewedPointerIsRemembered() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        try await playground.publish(Playground.first, renew: true)
        let report = try await playground.install()
        #expect(report.outcome == .unchanged)
        #expect(report.state.sequence == 2)
        #expect(try playground.text("client/state.json").contains("\"sequence\": 2"))
    }

    @Test func backToAnOlderReleaseByAHigherSequence() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        try await playground.publish(Playground.second)
        try await playground.install()
        try await playground.publish(Playground.first)
        let report = try await playground.install()
        #expect(report.outcome == .updated)
        #expect(report.state.sequence == 3)
        try expectInstalled(playground, Playground.first)
    }

    // MARK: Damage of what is installed

    private static let damages: [(String, @Sendable (Playground) throws -> Void)] = [
        (
            "a byte",
            { try $0.overwrite("client/current/index.html", Array("<h1>Shoq</h1>\n".utf8)) }
        ),
        ("a file gone", { try $0.remove("client/current/static/main.js") }),
        ("an empty file gone", { try $0.remove("client/current/empty.txt") }),
        ("a file more", { try $0.write("client/current/extra.js", "evil()") }),
        ("an empty file more", { try $0.write("client/current/about/x", "") }),
        ("a hidden file more", { try $0.write("client/current/.htaccess", "x") }),
        ("junk", { try $0.write("client/current/.DS_Store", "x") }),
        ("a directory that counts as junk", { try $0.write("client/current/.git/evil.js", "x") }),
        (
            "a link in place of a file",
            {
                try $0.remove("client/current/index.html")
                try $0.link("client/current/index.html", to: "about/index.html")
            }
        ),
        ("a link more", { try $0.link("client/current/link", to: "/etc") }),
        ("everything gone", { try $0.remove("client/current/.") }),
        ("the tree gone", { try $0.remove("client/versions") }),
        ("the link gone", { try $0.remove("client/current") }),
    ]

    @Test(arguments: damages.map(\.0)) func isRepaired(_ name: String) async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let state = try await playground.install().state
        let damage = try #require(Self.damages.first { $0.0 == name }).1
        if name == "everything gone" {
            for file in try FileManager.default.contentsOfDirectory(
                atPath: playground.client + "/current/.")
            {
                try playground.remove("client/current/\(file)")
            }
        } else {
            try damage(playground)
        }
        let report = try await playground.install(now: Playground.now.adding(days: 1))
        let isGone = ["the tree gone", "the link gone"].contains(name)
        #expect(report.outcome == (isGone ? .installed : .repaired))
        #expect(report.state == state)
        try expectInstalled(playground, Playground.first)
        #expect(try await playground.install().outcome == .unchanged)
    }

    /// Regression: a name that is not UTF-8 could not be removed, and no later run got past it.
    @Test func regressionANameThatIsNotUTF8() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        let tree = playground.client + "/current/"
        let descriptor = open(
            Array(tree.utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0], O_CREAT | O_WRONLY,
            0o644)
        #expect(descriptor >= 0)
        close(descriptor)
        #expect(try await playground.install().outcome == .repaired)
        try expectInstalled(playground, Playground.first)
    }

    @Test func aLostStateIsWrittenAnew() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        try playground.remove("client/state.json")
        #expect(try await playground.install().outcome == .unchanged)
        try expectInstalled(playground, Playground.first)
    }

    private static let states: [String] = ["", "{}", "[]", "{\"schema\": 2}", "not json"]

    @Test(arguments: states) func aDamagedStateIsRefused(_ text: String) async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        try playground.write("client/state.json", text)
        let before = try playground.installed()
        let error = await #expect(throws: ClientError.self) { try await playground.install() }
        #expect(error?.code == "install.damaged-state")
        #expect(try playground.installed() == before)
        try playground.remove("client/state.json")
        #expect(try await playground.install().outcome == .unchanged)
    }

    // MARK: Pointers that are refused

    /// Replaces the pointer and its log entry by an edited one.
    private func edit(_ playground: Playground, _ body: (inout Pointer) throws -> Void)
        async throws
    {
        var pointer = try #require(try await playground.reader().pointer(.production)).pointer
        try body(&pointer)
        let bytes = try Envelope(
            payloadType: Envelope.pointerType, payload: PointerCoding.encode(pointer)
        ).encode()
        try playground.overwrite("origin/channels/production/pointer.json", bytes)
        try playground.write("origin/channels/production/log/\(pointer.sequence).json", bytes)
    }

    private func expectRefusal(
        _ playground: Playground, _ expected: ClientError, channel: String = "production",
        now: Timestamp = Playground.now, location: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try playground.installedTrees()
        let installed = try state(playground).installed
        await #expect(throws: expected, sourceLocation: location) {
            try await playground.install(channel: channel, now: now)
        }
        #expect(
            try playground.installedTrees() == before,
            sourceLocation: location)
        #expect(try state(playground).installed == installed, sourceLocation: location)
    }

    private func state(_ playground: Playground) throws -> InstallState {
        try #require(try InstallState.read(in: Directory.open(playground.client)))
    }

    @Test func anOldPointerIsAReplay() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try playground.copy("origin", to: "mirror")
        try await playground.publish(Playground.second)
        try await playground.install()
        try playground.remove("origin")
        try playground.copy("mirror", to: "origin")
        try await expectRefusal(playground, .replayed(offered: 1, seen: 2))
    }

    @Test func twoReleasesUnderOneSequence() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        try playground.remove("origin")
        try await playground.publish(Playground.second)
        try await expectRefusal(playground, .splitView(sequence: 1))
    }

    @Test func anotherApp() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        try playground.remove("origin")
        _ = try await playground.publish(playground.request(Playground.second, app: "bank"))
        try await expectRefusal(playground, .otherApp(installed: "shop", offered: "bank"))
    }

    @Test func anotherChannel() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.publish(Playground.second, channel: "beta")
        try await playground.install()
        try await expectRefusal(
            playground, .otherChannel(installed: "production", asked: "beta"), channel: "beta")
        #expect(try await playground.install(channel: "beta", into: "other").outcome == .installed)
    }

    @Test func aDisabledChannel() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        try await playground.publish(Playground.second)
        try await edit(playground) { $0.isEnabled = false }
        try await expectRefusal(playground, .disabled(channel: "production"))
    }

    private static let times: [(Int, Bool)] = [
        (0, true), (7_775_999, true), (7_776_000, false), (9_999_999, false),
    ]

    @Test(arguments: times) func expiry(_ seconds: Int, _ isInstalled: Bool) async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let now = Timestamp(seconds: Playground.now.seconds + seconds)
        if isInstalled {
            #expect(try await playground.install(now: now).outcome == .installed)
        } else {
            try playground.makeDirectory("client")
            await #expect(throws: ClientError.expired(at: "2027-02-19T08:00:00Z")) {
                try await playground.install(now: now)
            }
            #expect(!playground.exists("client/current"))
        }
    }

    @Test func nothingPublished() async throws {
        let playground = try Playground()
        try playground.makeDirectory("origin")
        await #expect(throws: OriginError.notAnOrigin(path: playground.origin)) {
            try await playground.install()
        }
        try await playground.publish(Playground.first)
        await #expect(
            throws: OriginError.nothingPublished(channel: "beta", origin: playground.origin)
        ) {
            try await playground.install(channel: "beta")
        }
        #expect(!playground.exists("client"))
    }

    // MARK: The directory

    /// Regression: an install that was refused left the directory that it had made for itself.
    ///
    /// What was seen stays: an older pointer must not pass where nothing is installed yet.
    @Test(arguments: ["expired", "damaged package", "damaged manifest", "half a path"])
    func regressionARefusedInstallLeavesNoNewDirectory(_ what: String) async throws {
        let playground = try Playground()
        let version = try await playground.publish(Playground.first).version
        var now = Playground.now
        switch what {
        case "expired": now = Playground.now.adding(days: 90)
        case "damaged package":
            try playground.overwrite("origin/releases/\(version)/package.zip", [1, 2, 3])
        case "damaged manifest":
            try playground.overwrite("origin/releases/\(version)/info.json", [1, 2, 3])
        default: try playground.write("data/app", "a file where a directory belongs")
        }
        let before = try playground.tree(".")
        let place = what == "half a path" ? "data/app/x" : "data/app"
        await #expect(throws: (any Error).self) {
            try await playground.install(now: now, into: place)
        }
        if what == "half a path" {
            #expect(try playground.tree(".") == before)
        } else {
            #expect(try playground.files("data/app").keys.sorted() == ["state.json"])
            let seen = try InstallState.read(in: Directory.open(playground.path + "/data/app"))
            #expect(seen?.sequence == 1 && seen?.installed == nil)
            #expect(try playground.tree("data/app").count == 1)
        }
        // A directory that was there, and empty, is left as it was, but for that.
        try playground.makeDirectory("there")
        if what != "half a path" {
            await #expect(throws: (any Error).self) {
                try await playground.install(now: now, into: "there")
            }
            #expect(Array(try playground.tree("there").keys) == ["state.json"])
        }
    }

    /// Regression: a name below `versions` that is not UTF-8 could not be moved out, ever.
    @Test func regressionAVersionThatIsNotUTF8() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        let place = Array((playground.client + "/versions/").utf8CString.dropLast())
        #expect(mkdir(place + [CChar(bitPattern: 0xFF), 0], 0o755) == 0)
        #expect(try await playground.install().outcome == .unchanged)
        try expectInstalled(playground, Playground.first)
    }

    private static let foreign: [String] = [
        "notes.txt", "versions2/x", "State.json", "current.bak",
    ]

    @Test(arguments: foreign) func aForeignDirectory(_ name: String) async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try playground.write("client/\(name)", "mine")
        await #expect(throws: ClientError.notAnInstallation(directory: playground.client)) {
            try await playground.install()
        }
        #expect(try playground.files("client") == [name: Array("mine".utf8)])
    }

    private static let planted: [String] = ["versions", ".staging", ".lock", "state.json"]

    @Test(arguments: planted) func aLinkThatLeadsOutside(_ name: String) async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try playground.write("outside/victim", "keep")
        try playground.write("outside/state.json", "{}")
        try playground.makeDirectory("client")
        let target = name.contains("json") || name == ".lock" ? "/outside/state.json" : "/outside"
        try playground.link("client/\(name)", to: playground.path + target)
        let outside = try playground.tree("outside")
        let report = try? await playground.install()
        #expect(try playground.tree("outside") == outside)
        #expect((report != nil) == (name == ".staging"))
    }

    @Test func aLinkInPlaceOfAnInstalledTree() async throws {
        let playground = try Playground()
        let version = try await playground.publish(Playground.first).version
        try playground.write("outside/index.html", "keep")
        try playground.makeDirectory("client/versions")
        try playground.link("client/versions/\(version)", to: playground.path + "/outside")
        try playground.link("client/current", to: "versions/\(version)")
        #expect(try await playground.install().outcome == .installed)
        try expectInstalled(playground, Playground.first)
        #expect(try playground.files("outside") == ["index.html": Array("keep".utf8)])
    }

    private static let targets: [String] = [
        "/etc", "..", "versions", "versions/../..", "nowhere", "versions/x",
    ]

    @Test(arguments: targets) func aCurrentThatLeadsElsewhere(_ target: String) async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try playground.makeDirectory("client")
        try playground.link("client/current", to: target)
        #expect(try await playground.install().outcome == .installed)
        try expectInstalled(playground, Playground.first)
    }

    @Test func theLockIsHeld() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        try await playground.publish(Playground.second)
        let before = try playground.tree("client")
        guard let lock = try FileLock(in: Directory.open(playground.client), name: ".lock") else {
            Issue.record("the lock is not to be had")
            return
        }
        let error = await #expect(throws: ClientError.busy(directory: playground.client)) {
            try await playground.install()
        }
        #expect(error?.failure == .conflict)
        #expect(try playground.tree("client") == before)
        _ = consume lock
        #expect(try await playground.install().outcome == .updated)
    }

    @Test func manyInstallsAtOnce() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let errors = await withTaskGroup(of: (any Error)?.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    do {
                        _ = try await playground.install()
                        return nil
                    } catch { return error }
                }
            }
            var all: [any Error] = []
            for await case let error? in group { all.append(error) }
            return all
        }
        #expect(errors.count < 6)
        for error in errors {
            #expect(error as? ClientError == .busy(directory: playground.client))
        }
        try expectInstalled(playground, Playground.first)
    }
}
