import Foundation
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

/// Publishes that must fail.
///
/// The live files stay unchanged, byte for byte.
@Suite(.eachStore) struct RefusedPublishTests {
    @Test func anotherApp() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let before = try playground.publicContent()
        let error = Failure.publishOtherApp(origin: playground.origin, theirs: "shop", ours: "bank")
        await #expect(throws: error) {
            try await playground.publish(playground.request(Playground.second, app: "bank"))
        }
        await #expect(throws: error) {
            try await playground.plan(playground.request(Playground.second, app: "bank"))
        }
        #expect(try playground.publicContent() == before)
    }

    /// Regression: only the channel's own pointer was compared.
    @Test func regressionAnotherAppOnAnotherChannel() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        await #expect(
            throws: Failure.publishOtherApp(origin: playground.origin, theirs: "shop", ours: "bank")
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
        let path = "\(playground.origin)/releases/\(one.version)/info.json"
        let requests = [
            (
                "base URL", Playground.base, "https://other.example/shop",
                try await playground.request(Playground.first, base: "https://other.example/shop")
            ),
            (
                "scheme", "customscheme", "other",
                try await playground.request(Playground.first, scheme: "other")
            ),
            (
                "launch page", "index.html", "about/index.html",
                try await playground.request(Playground.first, launch: "about/index.html")
            ),
        ]
        for (what, there, here, request) in requests {
            let error = Failure.publishReleaseDiffers(
                path: path, what: what, values: (there: there, here: here),
                canBeCorrected: true)
            await #expect(throws: error) { try await playground.publish(request) }
            await #expect(throws: error) { try await playground.plan(request) }
        }
        #expect(try playground.publicContent() == before)
    }

    /// A typo in one command would send every device to another host.
    @Test func anotherAddressForANewRelease() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let before = try playground.publicContent()
        let moves = [
            (
                "base URL",
                try await playground.request(Playground.second, base: "https://new.example")
            ),
            ("scheme", try await playground.request(Playground.second, scheme: "other")),
            // Also for a new channel, because promoted releases keep their addresses.
            (
                "base URL",
                try await playground.request(
                    Playground.second, channel: "beta", base: "https://new.example")
            ),
        ]
        for (what, request) in moves {
            for run in [playground.publish, playground.plan] {
                let error = await #expect(throws: Failure.self) { _ = try await run(request) }
                #expect(error?.code == .publishIdentityChanged)
                #expect(error?.description.hasPrefix("the \(what) changes from '") == true)
            }
        }
        #expect(try playground.publicContent() == before)
    }

    /// An origin may move to another URL with its next release, if confirmed.
    @Test func aMoveThatIsMeant() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let base = "https://new.example"
        var request = try await playground.request(Playground.second, base: base, scheme: "other")
        request.correctsManifest = true
        let report = try await playground.publish(request)
        #expect(report.notes.count { $0.contains(" changes from '") } == 2, "\(report.notes)")
        #expect(try await playground.verify().isSound)
        // From now on devices know only the new address, even for earlier content.
        let third = ["index.html": "third"]
        try await playground.publish(
            playground.request(third, base: base, scheme: "other"))
        let back = await #expect(throws: Failure.self) {
            try await playground.publish(Playground.first)
        }
        #expect(back?.code == .publishIdentityChanged)
    }

    @Test func aForeignDirectory() async throws {
        let playground = try Playground()
        try playground.write("origin/notes.txt", "mine")
        let error = Failure.publishNotEmpty(origin: playground.origin)
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
        await expectFailure(of: "file-system") {
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
        // A directory next to the link itself, not next to its target.
        try playground.makeDirectory("cdn")
        var request = try await playground.request(["sub/index.html": "x"])
        request.scan = try await BuildScan.scan("\(playground.path)/\(build)", jobs: 1)
        request.origin = "\(playground.path)/\(origin)"
        let before = try playground.files("build")
        let error = Failure.publishOriginInsideBuild(
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
        await #expect(throws: Failure.manifestNoLaunchPage("start.html")) {
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
        let error = await #expect(throws: Failure.self) {
            try await playground.publish(refused)
        }
        #expect(error?.code.name == "manifest.too-large")
        if playground.memory == nil {
            #expect(!playground.exists("origin"))
        } else {
            #expect(try playground.namedContent().isEmpty)
        }
    }

    /// Regression: a publish that failed after taking the lock left `.packtool/` in an empty or new
    /// origin.
    @Test(.directoryOnly) func regressionARefusalLeavesNothingInANewOrigin() async throws {
        let playground = try Playground()
        let refused = try await playground.request(
            Playground.first, signer: { _ in throw NoKey() })
        await #expect(throws: NoKey.self) { try await playground.publish(refused) }
        #expect(!playground.exists("origin"))
        try playground.makeDirectory("origin")
        await #expect(throws: NoKey.self) { try await playground.publish(refused) }
        #expect(try playground.tree("origin").isEmpty)
        // Files added by others stay, as do those of running commands.
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
        await expectFailure(of: "build") { try await playground.publish(["aux.js": "x"]) }
        #expect(!playground.exists("origin"))
    }

    @Test func aBuildThatChangesMeanwhile() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let before = try playground.publicContent()
        let request = try await playground.request(Playground.second)
        try playground.write("build/static/new.js", "MORE()\n")
        await #expect(
            throws: Failure.buildChangedWhileRead(path: playground.path + "/build/static/new.js")
        ) {
            try await playground.publish(request)
        }
        #expect(try playground.publicContent() == before)
        #expect(try playground.tree("origin/.packtool/staging").isEmpty)
    }

    private struct NoKey: Error {}

    @Test func aSignerThatFails() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let before = try playground.namedContent()
        let request = try await playground.request(
            Playground.second, signer: { _ in throw NoKey() })
        await #expect(throws: NoKey.self) { try await playground.publish(request) }
        #expect(try playground.namedContent() == before)
        #expect(try playground.tree("origin/.packtool/staging").isEmpty)
    }
}
