import Foundation
import PackClient
import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

/// Deltas at an origin: created by a publish, listed, verified, used by the client.
@Suite(.eachStore) struct DeltaPublishTests {
    private static func release(_ number: Int) -> [String: String] {
        var random = Noise(seed: 31)
        var other = Noise(seed: 32)
        return [
            "index.html": "<!doctype html><script src=main.\(number)2345678.js></script>",
            "main.\(number)2345678.js": MinifiedText.bundle(
                &random, functions: 80, shift: number, names: ["lazy.\(number)7654321.js"]),
            "lazy.\(number)7654321.js": MinifiedText.bundle(
                &other, functions: 40, shift: 0, names: ["main.\(number)2345678.js"]),
        ]
    }

    /// A release whose package is much larger than a log entry.
    private static func large(_ number: Int) -> [String: String] {
        var random = Noise(seed: 33)
        let photo = random.bytes(10_000).map { String($0, radix: 16) }.joined()
        return release(number).merging(["photo.txt": photo]) { one, _ in one }
    }

    private func three() async throws -> Playground {
        let playground = try Playground()
        for number in 1...3 { try await playground.publish(Self.release(number), deltas: 3) }
        return playground
    }

    @Test func areMadeFromTheLastReleases() async throws {
        let playground = try Playground()
        let one = try await playground.publish(Self.release(1), deltas: 3)
        #expect(one.deltas.isEmpty)
        let two = try await playground.publish(Self.release(2), deltas: 3)
        #expect(two.deltas.map(\.from) == [one.version])
        let three = try await playground.publish(Self.release(3), deltas: 3)
        #expect(Set(three.deltas.map(\.from)) == [one.version, two.version])
        for delta in three.deltas { #expect(delta.content.size < three.packageSize / 2) }
        let verification = try await playground.verify()
        #expect(verification.isSound, "\(verification.failures)")
        #expect(verification.deltas.count == 3)
        #expect(verification.orphans.isEmpty)
    }

    @Test func aClientTakesTheDelta() async throws {
        let playground = try Playground()
        try await playground.publish(Self.release(1), deltas: 3)
        #expect(try await playground.install().installed.route == .package)
        let two = try await playground.publish(Self.release(2), deltas: 3)
        let update = try await playground.install()
        #expect(update.installed.route == .delta)
        #expect(update.outcome == .updated)
        #expect(update.notes.isEmpty)
        let pointer = try #require(try await playground.reader().pointer(.production)).pointer
        #expect(update.fetched.deltas == pointer.deltas[0].content.size)
        #expect(update.fetched.info == 0 && update.fetched.package == 0)
        #expect(update.fetched.log == 0)
        #expect(update.installed.packageHash == two.packageHash)
        #expect(try await playground.install().outcome == .unchanged)
    }

    /// One delta each: the only route from the first release leads over the second.
    @Test func aChainOfTwo() async throws {
        let playground = try Playground()
        try await playground.publish(Self.large(1), deltas: 1)
        try await playground.install()
        try await playground.publish(Self.large(2), deltas: 1)
        let three = try await playground.publish(Self.large(3), deltas: 1)
        #expect(three.deltas.count == 1)
        let update = try await playground.install()
        #expect(update.installed.route == .delta)
        #expect(update.installed.version == three.version)
        // The last delta contains the manifest; the previous step is in the second log entry.
        #expect(update.fetched.info == 0 && update.notes.isEmpty)
        let second = try await playground.reader().logEntry(.production, 2)
        #expect(
            update.fetched.log == UInt64(second.bytes.count))
        #expect(
            update.fetched.deltas == second.pointer.deltas[0].content.size
                + three.deltas[0].content.size)
    }

    @Test func aDamagedDeltaLeavesThePackage() async throws {
        let playground = try await three()
        let version = try #require(try await playground.reader().pointer(.production)).pointer
            .version
        _ = try await playground.publish(
            playground.request(Self.release(1), label: "back", deltas: 0))
        try await playground.install()
        try await playground.publish(Self.release(3), deltas: 3)
        for name in try playground.files("origin/releases/\(version)").keys
        where name.hasPrefix("delta-") {
            var bytes = try playground.read("origin/releases/\(version)/\(name)")
            bytes[bytes.count / 2] ^= 1
            try playground.overwrite("origin/releases/\(version)/\(name)", bytes)
        }
        let update = try await playground.install()
        #expect(update.installed.route == .package)
        #expect(update.notes.count == 1)
        #expect(update.notes.first?.contains("the delta failed") == true)
        #expect(try await !playground.verify().isSound)
    }

    @Test func anExistingDeltaIsKept() async throws {
        let playground = try Playground()
        try await playground.publish(Self.release(1), deltas: 3)
        try await playground.publish(Self.release(2), deltas: 3)
        let before = try playground.tree("origin").filter { $0.key.contains("delta-") }
        #expect(before.count == 1)
        let renewed = try await playground.publish(Self.release(2), label: "two", deltas: 3)
        #expect(renewed.deltas.count == 1)
        #expect(renewed.deltasKept == 1)
        let after = try playground.tree("origin").filter { $0.key.contains("delta-") }
        #expect(after.values.map(\.inode) == before.values.map(\.inode))
    }

    /// A file left by a killed publish under the name of a delta is replaced.
    @Test func aLeftoverIsReplaced() async throws {
        let playground = try Playground()
        let one = try await playground.publish(Self.release(1), deltas: 3)
        let two = try await playground.scan(Self.release(2), in: "next").release.version
        try playground.write("origin/releases/\(two)/delta-\(one.version).zip", "left over")
        try await playground.publish(Self.release(2), deltas: 3)
        let verification = try await playground.verify()
        #expect(verification.isSound, "\(verification.failures)")
        #expect(verification.deltas.count == 1)
    }

    @Test func oneThatDoesNotPayIsLeftOut() async throws {
        let playground = try Playground()
        try await playground.publish(["a.txt": "one"], deltas: 3)
        let two = try await playground.publish(["b.txt": "two"], deltas: 3)
        #expect(two.deltas.isEmpty)
        #expect(
            two.notes.contains { $0.contains("not at least an eighth smaller than the package") })
    }

    @Test func exactlyTheVersionsAskedFor() async throws {
        let playground = try await three()
        let first = try await playground.reader().logEntry(.production, 1).pointer.version
        var request = try await playground.request(Self.release(4))
        request.deltas = .init(count: 0, from: [first])
        #expect(try await playground.publish(request).deltas.map(\.from) == [first])
        request = try await playground.request(Self.release(5))
        let unknown = try #require(Version("00000000000000000000"))
        request.deltas = .init(count: 0, from: [unknown])
        let wrong = request
        await expectFailure(of: "origin") { try await playground.publish(wrong) }
    }
}
