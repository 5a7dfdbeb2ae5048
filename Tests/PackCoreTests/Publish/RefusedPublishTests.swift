import Foundation
import PackCore
import TestSupport
import Testing

/// Publishes that must not happen.
///
/// What was live stays live, byte by byte.
@Suite(.eachStore) struct RefusedPublishTests {
    @Test func anotherApp() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let before = try playground.publicContent()
        let error = PublishError.otherApp(origin: playground.origin, theirs: "shop", ours: "bank")
        await #expect(throws: error) {
            try await playground.publish(playground.request(Playground.second, app: "bank"))
        }
        await #expect(throws: error) {
            try await playground.plan(playground.request(Playground.second, app: "bank"))
        }
        #expect(try playground.publicContent() == before)
    }

    /// Regression: only the pointer of the channel itself was asked.
    @Test func regressionAnotherAppOnAnotherChannel() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        await #expect(
            throws: PublishError.otherApp(origin: playground.origin, theirs: "shop", ours: "bank")
        ) {
            try await playground.publish(
                playground.request(Playground.second, channel: "beta", app: "bank"))
        }
        #expect(!playground.exists("origin/channels/beta"))
    }

    @Test func aPublishedReleaseKeepsItsManifest() async throws {
        let playground = try Playground()
        let one = try await playground.publish(Playground.first)
        let before = try playground.publicContent()
        let place = "\(playground.origin)/releases/\(one.version)/info.json"
        let requests = [
            (
                "base URL",
                try await playground.request(Playground.first, base: "https://other.example/shop")
            ),
            ("scheme", try await playground.request(Playground.first, scheme: "other")),
            (
                "launch page",
                try await playground.request(Playground.first, launch: "about/index.html")
            ),
        ]
        for (what, request) in requests {
            let error = PublishError.releaseDiffers(place: place, what: what)
            await #expect(throws: error) { try await playground.publish(request) }
            await #expect(throws: error) { try await playground.plan(request) }
        }
        #expect(try playground.publicContent() == before)
    }

    /// An origin may move to another URL with its next release.
    @Test func anotherBaseURLForANewRelease() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        _ = try await playground.publish(
            playground.request(Playground.second, base: "https://new.example"))
        #expect(try await playground.verify().isSound)
    }

    @Test func aForeignDirectory() async throws {
        let playground = try Playground()
        try playground.write("origin/notes.txt", "mine")
        let error = PublishError.notEmpty(origin: playground.origin)
        await #expect(throws: error) { try await playground.publish(Playground.first) }
        await #expect(throws: error) {
            try await playground.plan(playground.request(Playground.first))
        }
        #expect(try playground.files("origin") == ["notes.txt": Array("mine".utf8)])
        #expect(try playground.tree("origin").count == 1)
    }

    @Test(.directoryOnly) func anOriginThatIsAFile() async throws {
        let playground = try Playground()
        try playground.write("origin", "a file")
        await #expect(throws: FileSystemError.self) {
            try await playground.publish(Playground.first)
        }
        #expect(try playground.text("origin") == "a file")
    }

    private static let placeTable: [(String, String)] = [
        ("build", "build"), ("build", "build/"), ("build", "build/cdn"),
        ("build", "build/a/../cdn"),
        ("build", "link/cdn"), ("link", "build/cdn"), ("link", "link"), ("build", "."),
        ("build/sub", "build"),
        ("build", "link/../cdn/../build"),
    ]

    @Test(.directoryOnly, arguments: placeTable) func originAndBuildInOneAnother(
        _ build: String, _ origin: String
    ) async throws {
        let playground = try Playground()
        try playground.build(["sub/index.html": "x"])
        try playground.link("link", to: "build")
        // What lies beside the link itself, not beside its target.
        try playground.makeDirectory("cdn")
        var request = try await playground.request(["sub/index.html": "x"])
        request.scan = try await BuildScan.scan("\(playground.path)/\(build)", jobs: 1)
        request.origin = "\(playground.path)/\(origin)"
        let before = try playground.files("build")
        let error = PublishError.originInsideBuild(
            origin: request.origin, build: "\(playground.path)/\(build)")
        let fixed = request
        await #expect(throws: error) { try await playground.publish(fixed) }
        await #expect(throws: error) { try await playground.plan(fixed) }
        #expect(try playground.files("build") == before)
        #expect(!playground.exists("build/cdn"))
    }

    @Test(.directoryOnly) func neighboursWithOnePrefixAreFine() async throws {
        let playground = try Playground()
        var request = try await playground.request(Playground.first)
        request.origin = playground.path + "/build-cdn"
        #expect(try await playground.publish(request).outcome == .published)
    }

    @Test func aMissingLaunchPage() async throws {
        let playground = try Playground()
        await #expect(throws: ManifestError.noLaunchPage("start.html")) {
            try await playground.publish(playground.request(Playground.first, launch: "start.html"))
        }
        #expect(!playground.exists("origin"))
    }

    @Test func aPointerThatNoClientWouldRead() async throws {
        let playground = try Playground()
        var request = try await playground.request(Playground.first)
        let signature = Envelope.Signature(
            keyID: "long", bytes: [UInt8](repeating: 1, count: Pointer.sizeLimit))
        request.signer = { _ in [signature] }
        let refused = request
        let error = await #expect(throws: ManifestError.self) {
            try await playground.publish(refused)
        }
        #expect(error?.code == "manifest.too-large")
        if playground.memory == nil {
            #expect(!playground.exists("origin"))
        } else {
            #expect(try playground.publicNames().isEmpty)
        }
    }

    /// Regression: a publish that was refused after it had the lock left `.packtool/` in an origin that
    /// had been empty, or not there.
    @Test(.directoryOnly) func regressionARefusalLeavesNothingInANewOrigin() async throws {
        let playground = try Playground()
        let refused = try await playground.request(
            Playground.first, signer: { _ in throw NoKey() })
        await #expect(throws: NoKey.self) { try await playground.publish(refused) }
        #expect(!playground.exists("origin"))
        try playground.makeDirectory("origin")
        await #expect(throws: NoKey.self) { try await playground.publish(refused) }
        #expect(try playground.tree("origin").isEmpty)
        // What somebody put there meanwhile stays, and so does what is at work.
        let disturbed = try await playground.request(
            Playground.first,
            signer: { _ in
                try playground.write("origin/objects/x", "1")
                throw NoKey()
            })
        await #expect(throws: NoKey.self) { try await playground.publish(disturbed) }
        #expect(playground.exists("origin/objects/x") && playground.exists("origin/.packtool/lock"))
        try playground.remove("origin")
        #expect(try await playground.publish(Playground.first).outcome == .published)
    }

    @Test func namesThatNoPackageMayHave() async throws {
        let playground = try Playground()
        await #expect(throws: RefusedNames.self) { try await playground.publish(["aux.js": "x"]) }
        #expect(!playground.exists("origin"))
    }

    @Test func aBuildThatChangesMeanwhile() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let before = try playground.publicContent()
        let request = try await playground.request(Playground.second)
        try playground.write("build/static/new.js", "MORE()\n")
        await #expect(
            throws: BuildError.changedWhileRead(path: playground.path + "/build/static/new.js")
        ) {
            try await playground.publish(request)
        }
        #expect(try playground.publicContent() == before)
        #expect(try playground.tree("origin/.packtool/staging").isEmpty)
    }

    // MARK: Damage

    @Test func aDamagedObjectOfTheSameSize() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let place = "objects/\(StreamHasher.digest(of: Array("go()\n".utf8)))/main.js"
        try playground.overwrite("origin/\(place)", Array("GO()\n".utf8))
        let before = try playground.publicContent()
        let error = PublishError.damagedObject(
            place: "\(playground.origin)/\(place)", problem: "its content does not match its name"
        )
        #expect(error.failure == .verification)
        await #expect(throws: error) { try await playground.publish(Playground.first) }
        #expect(try playground.publicContent() == before)
        var files = Playground.second
        files["static/main.js"] = "go()\n"
        await #expect(throws: error) { try await playground.publish(files) }
        let pointer = try await playground.reader().pointer(.production)?.pointer
        #expect(pointer?.sequence == 1)
        #expect(try playground.publicContent().filter { before[$0.key] != nil } == before)
    }

    private static let objectTable: [String] = ["", "go()", "go()\n\n"]

    @Test(arguments: objectTable) func anObjectOfAnotherSize(_ content: String) async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let place = "objects/\(StreamHasher.digest(of: Array("go()\n".utf8)))/main.js"
        try playground.overwrite("origin/\(place)", Array(content.utf8))
        let before = try playground.publicContent()
        let error = PublishError.damagedObject(
            place: "\(playground.origin)/\(place)", problem: "it is not a file of 5 bytes")
        await #expect(throws: error) { try await playground.publish(Playground.first) }
        #expect(try playground.publicContent() == before)
    }

    @Test(.directoryOnly) func aLinkInPlaceOfAnObject() async throws {
        let playground = try Playground()
        try playground.write("elsewhere", "go()\n")
        let place = "origin/objects/\(StreamHasher.digest(of: Array("go()\n".utf8)))"
        try playground.makeDirectory("origin/.packtool")
        try playground.makeDirectory(place)
        try playground.link(place + "/main.js", to: playground.path + "/elsewhere")
        await #expect(throws: PublishError.self) { try await playground.publish(Playground.first) }
        #expect(!playground.exists("origin/channels/production/pointer.json"))
    }

    private static let outsideTable: [String] = [
        "objects", "releases", "channels", "site", ".packtool/staging", ".packtool/intents",
    ]

    /// On a shared host somebody may have put links where directories belong.
    @Test(.directoryOnly, arguments: outsideTable) func aLinkInPlaceOfADirectory(_ name: String)
        async throws
    {
        let playground = try Playground()
        try playground.makeDirectory("origin/.packtool")
        try playground.makeDirectory("outside")
        try playground.write("outside/victim", "keep")
        try playground.link("origin/\(name)", to: playground.path + "/outside")
        let error = await #expect(throws: PublishError.self) {
            try await playground.publish(Playground.first)
        }
        #expect(error?.code == "publish.foreign-file")
        #expect(try playground.files("outside") == ["victim": Array("keep".utf8)])
    }

    @Test func aDamagedPackage() async throws {
        let playground = try Playground()
        let report = try await playground.publish(Playground.first)
        let place = "releases/\(report.version)/package.zip"
        var zip = try playground.read("origin/\(place)")
        zip[zip.count / 2] ^= 1
        try playground.overwrite("origin/\(place)", zip)
        await #expect(
            throws: PublishError.damaged(
                place: "\(playground.origin)/\(place)",
                problem: "its content does not match its manifest or pointer")
        ) { try await playground.publish(Playground.first, renew: true) }
        #expect(try await playground.reader().pointer(.production)?.pointer.sequence == 1)
        // The next release copies nothing from it and is whole.
        let next = try await playground.publish(Playground.second)
        #expect(next.packageReused == Amount() || next.notes.isEmpty)
        try await playground.install()
    }

    @Test func aDamagedPointerStopsThePublish() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try playground.overwrite("origin/channels/production/pointer.json", Array("{}".utf8))
        await #expect(throws: OriginError.self) { try await playground.publish(Playground.second) }
        #expect(try playground.text("origin/channels/production/pointer.json") == "{}")
    }

    // MARK: Other publishers

    @Test(.directoryOnly) func theLockIsHeld() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let before = try playground.tree("origin")
        let workspace = try Directory.open(playground.origin + "/.packtool")
        // A child that another test is about to start may still hold it with us.
        var held = try FileLock(in: workspace, name: "lock")
        for _ in 0..<1000 where held == nil {
            try await Task.sleep(for: .milliseconds(10))
            held = try FileLock(in: workspace, name: "lock")
        }
        guard let lock = held.take() else {
            Issue.record("the lock is not to be had")
            return
        }
        let error = await #expect(throws: PublishError.busy(origin: playground.origin)) {
            try await playground.publish(Playground.second)
        }
        #expect(error?.failure == .conflict)
        _ = consume lock
        #expect(try playground.tree("origin") == before)
        #expect(try await playground.publish(Playground.second).outcome == .published)
    }

    /// Another host, whose lock ours does not see, records the sequence while we sign.
    @Test func theSequenceIsTakenMeanwhile() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let before = try playground.publicContent()
        let request = try await playground.request(
            Playground.second,
            signer: { _ in
                try playground.copy(
                    "origin/channels/production/log/1.json",
                    to: "origin/channels/production/log/2.json")
                return []
            })
        let error = await #expect(
            throws: PublishError.overtaken(origin: playground.origin, sequence: 2)
        ) { try await playground.publish(request) }
        #expect(error?.failure == .conflict)
        for (place, bytes) in before { #expect(try playground.read("origin/\(place)") == bytes) }
        #expect(try playground.tree("origin/.packtool/staging").isEmpty)
        // What took the number is no entry of that number: named, as nothing could verify it.
        await #expect(
            throws: PublishError.foreign(
                place: "\(playground.origin)/channels/production/log/2.json",
                found: "not a pointer of this channel (its sequence is 1)", needed: "a log entry")
        ) { try await playground.publish(Playground.second) }
        try playground.remove("origin/channels/production/log/2.json")
        #expect(try await playground.publish(Playground.second).sequence == 2)
    }

    private struct NoKey: Error {}

    @Test func aSignerThatFails() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let before = try playground.publicContent()
        let request = try await playground.request(
            Playground.second, signer: { _ in throw NoKey() })
        await #expect(throws: NoKey.self) { try await playground.publish(request) }
        #expect(try playground.publicContent() == before)
        #expect(try playground.tree("origin/.packtool/staging").isEmpty)
    }

    @Test(.directoryOnly) func manyPublishersAtOnce() async throws {
        let playground = try Playground()
        var requests: [PublishRequest] = []
        for index in 0..<8 {
            var request = try await playground.request(["index.html": "seed"])
            request.scan = try await playground.scan(
                ["index.html": "\(index)"], in: "build\(index)")
            requests.append(request)
        }
        let outcomes = await withTaskGroup(of: Result<PublishReport, any Error>.self) { group in
            for request in requests {
                group.addTask {
                    do { return .success(try await playground.publish(request)) } catch {
                        return .failure(error)
                    }
                }
            }
            var all: [Result<PublishReport, any Error>] = []
            for await one in group { all.append(one) }
            return all
        }
        let done = outcomes.compactMap { try? $0.get() }
        #expect(!done.isEmpty)
        #expect(done.map(\.sequence).sorted() == Array(1...done.count))
        for case .failure(let error) in outcomes {
            #expect(error as? PublishError == .busy(origin: playground.origin))
        }
        let verification = try await playground.verify()
        #expect(verification.isSound)
        #expect(verification.channels.first?.recorded == done.count)
    }
}
