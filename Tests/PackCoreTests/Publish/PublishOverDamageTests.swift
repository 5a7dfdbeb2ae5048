import Foundation
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import TestSupport
import Testing

/// Publishing to an origin with damaged or unexpected files.
@Suite(.eachStore) struct PublishOverDamageTests {
    /// A bucket replaces the object: `S3ProofTests`.
    @Test(.directoryOnly) func aDamagedObjectOfTheSameSize() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let path = "objects/\(StreamHasher.digest(of: Array("go()\n".utf8)))/main.js"
        try playground.overwrite("origin/\(path)", Array("GO()\n".utf8))
        let before = try playground.publicContent()
        let error = Failure.publishDamagedObject(
            path: "\(playground.origin)/\(path)", problem: "its content does not match its name"
        )
        #expect(error.exitCode == .verification)
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

    @Test(.directoryOnly, arguments: objectTable) func anObjectOfAnotherSize(_ content: String)
        async throws
    {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let path = "objects/\(StreamHasher.digest(of: Array("go()\n".utf8)))/main.js"
        try playground.overwrite("origin/\(path)", Array(content.utf8))
        let before = try playground.publicContent()
        let error = Failure.publishDamagedObject(
            path: "\(playground.origin)/\(path)", problem: "it is not a file of 5 bytes")
        await #expect(throws: error) { try await playground.publish(Playground.first) }
        #expect(try playground.publicContent() == before)
    }

    @Test(.directoryOnly) func aLinkInPlaceOfAnObject() async throws {
        let playground = try Playground()
        try playground.write("elsewhere", "go()\n")
        let path = "origin/objects/\(StreamHasher.digest(of: Array("go()\n".utf8)))"
        try playground.makeDirectory("origin/.packtool")
        try playground.makeDirectory(path)
        try playground.link(path + "/main.js", to: playground.path + "/elsewhere")
        await expectFailure(of: "publish") { try await playground.publish(Playground.first) }
        #expect(!playground.exists("origin/channels/production/pointer.json"))
    }

    private static let outsideTable: [String] = [
        "objects", "releases", "channels", "site", ".packtool/staging", ".packtool/intents",
    ]

    /// On a shared host, links may replace directories.
    @Test(.directoryOnly, arguments: outsideTable) func aLinkInPlaceOfADirectory(_ name: String)
        async throws
    {
        let playground = try Playground()
        try playground.makeDirectory("origin/.packtool")
        try playground.makeDirectory("outside")
        try playground.write("outside/victim", "keep")
        try playground.link("origin/\(name)", to: playground.path + "/outside")
        let error = await #expect(throws: Failure.self) {
            try await playground.publish(Playground.first)
        }
        #expect(error?.code == .publishForeignFile)
        #expect(try playground.files("outside") == ["victim": Array("keep".utf8)])
    }

    @Test func aDamagedPackage() async throws {
        let playground = try Playground()
        let report = try await playground.publish(Playground.first)
        let path = "releases/\(report.version)/package.zip"
        var zip = try playground.read("origin/\(path)")
        zip[zip.count / 2] ^= 1
        try playground.overwrite("origin/\(path)", zip)
        await #expect(
            throws: Failure.publishDamaged(
                path: "\(playground.origin)/\(path)",
                problem: "its content does not match its manifest or pointer")
        ) { try await playground.publish(Playground.first, renew: true) }
        #expect(try await playground.reader().pointer(.production)?.pointer.sequence == 1)
        // The next release copies nothing from it and is complete.
        let next = try await playground.publish(Playground.second)
        #expect(next.packageReused == Amount() || next.notes.isEmpty)
        try await playground.install()
    }

    @Test func aDamagedPointerStopsThePublish() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try playground.overwrite("origin/channels/production/pointer.json", Array("{}".utf8))
        await expectFailure(of: "origin") { try await playground.publish(Playground.second) }
        #expect(try playground.text("origin/channels/production/pointer.json") == "{}")
    }
}
