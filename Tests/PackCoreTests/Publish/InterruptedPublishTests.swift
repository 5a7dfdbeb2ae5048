import Foundation
import PackClient
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

/// Possible states after a killed publish, built by hand.
///
/// Repeating the publish gives the same result as an uninterrupted run.
@Suite(.eachStore) struct InterruptedPublishTests {
    /// The origin after two publishes, and a playground to copy parts of it to.
    private func finished() async throws -> Playground {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.publish(Playground.second)
        return playground
    }

    private func first() async throws -> Playground {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        return playground
    }

    /// Copies the public files that an interrupted run would have written.
    private func copy(_ paths: [String], from: Playground, to: Playground) throws {
        for path in paths {
            try to.write("origin/\(path)", try from.read("origin/\(path)"))
        }
    }

    private func expectConvergence(
        _ playground: Playground, _ done: Playground, sequence: Int = 2,
        location: SourceLocation = #_sourceLocation
    ) async throws {
        let report = try await playground.publish(Playground.second)
        #expect(report.sequence == sequence, sourceLocation: location)
        #expect(report.outcome != .unchanged, sourceLocation: location)
        if sequence == 2 {
            #expect(
                try playground.publicContent() == done.publicContent(), sourceLocation: location)
        }
        let hidden = try playground.tree("origin/.packtool").keys.sorted()
        let kept = playground.memory == nil ? ["intents", "lock", "staging"] : []
        #expect(hidden == kept, sourceLocation: location)
        #expect(try await playground.pointer().previous == 1, sourceLocation: location)
        let verification = try await playground.verify()
        #expect(verification.isSound, sourceLocation: location)
        #expect(verification.orphans.isEmpty, sourceLocation: location)
        #expect(
            try await playground.publish(Playground.second).outcome == .unchanged,
            sourceLocation: location)
    }

    private func newObjects(_ one: Playground, _ two: Playground) throws -> [String] {
        let before = Set(try one.publicFiles())
        return try two.publicFiles().filter { $0.hasPrefix("objects/") && !before.contains($0) }
    }

    @Test func objectsOnly() async throws {
        let (done, playground) = (try await finished(), try await first())
        let objects = try newObjects(playground, done)
        #expect(objects.count == 4)
        try copy(Array(objects.prefix(2)), from: done, to: playground)
        #expect(try await playground.verify().orphans == Array(objects.prefix(2)))
        try await expectConvergence(playground, done)
    }

    @Test func packageWithoutManifest() async throws {
        let (done, playground) = (try await finished(), try await first())
        let version = try #require(try await done.reader().pointer(.production)).pointer.version
        try copy(
            try newObjects(playground, done) + ["releases/\(version)/package.zip"], from: done,
            to: playground)
        try await expectConvergence(playground, done)
    }

    /// A package of another level or tool version, without a manifest that references it.
    @Test func anotherPackageWithoutManifest() async throws {
        let (done, playground) = (try await finished(), try await first())
        let version = try #require(try await done.reader().pointer(.production)).pointer.version
        try playground.write("origin/releases/\(version)/package.zip", "another")
        try await expectConvergence(playground, done)
    }

    @Test func anEmptyReleaseDirectory() async throws {
        let (done, playground) = (try await finished(), try await first())
        let version = try #require(try await done.reader().pointer(.production)).pointer.version
        try playground.makeDirectory("origin/releases/\(version)")
        try await expectConvergence(playground, done)
    }

    @Test func releaseWithoutPointer() async throws {
        let (done, playground) = (try await finished(), try await first())
        let version = try #require(try await done.reader().pointer(.production)).pointer.version
        try copy(
            try newObjects(playground, done) + [
                "releases/\(version)/package.zip", "releases/\(version)/info.json",
            ], from: done, to: playground)
        try await expectConvergence(playground, done)
    }

    @Test func logUsedUp() async throws {
        let (done, playground) = (try await finished(), try await first())
        let version = try #require(try await done.reader().pointer(.production)).pointer.version
        try copy(
            try newObjects(playground, done) + [
                "releases/\(version)/package.zip", "releases/\(version)/info.json",
                "channels/production/log/2.json",
            ], from: done, to: playground)
        #expect(try await playground.reader().pointer(.production)?.pointer.sequence == 1)
        let verification = try await playground.verify()
        #expect(verification.isSound)
        #expect(
            verification.notes == [
                "channels/production/log/2.json was recorded but was never live"
            ])
        // A client still receives the first release.
        #expect(try await playground.install().state.sequence == 1)
        try await expectConvergence(playground, done, sequence: 3)
    }

    /// Regression: the label of a release that never went live counted as used.
    @Test func regressionTheLabelOfADeadEntryIsFree() async throws {
        let playground = try await first()
        let other = try Playground()
        try await other.publish(Playground.first)
        let dead = try await other.publish(Playground.second, label: "2.0").version
        try copy(["channels/production/log/2.json"], from: other, to: playground)
        await #expect(
            throws: Failure.originNoSuchRelease(version: "2.0", origin: playground.origin)
        ) {
            try await playground.history().manifest(named: "2.0").release
        }
        var third = Playground.second
        third["static/main.js"] = "go(3)\n"
        let live = try await playground.publish(third, label: "2.0")
        #expect(live.sequence == 3 && live.label == "2.0" && live.version != dead)
        #expect(
            try await playground.history().manifest(named: "2.0").release.version == live.version)
        // The label now belongs to the release, even after the skipped entry.
        #expect(try await playground.publish(third, label: "2.0").outcome == .unchanged)
        let request = try await playground.request(Playground.second, label: "2.0")
        let taken = Failure.publishLabelTaken(label: "2.0", version: live.version.description)
        await #expect(throws: taken) { try await playground.publish(request) }
        await #expect(throws: taken) { try await playground.plan(request) }
    }

    /// Regression: after a later pointer, a skipped entry counted as live and its label as used.
    @Test func regressionTheLabelOfADeadEntryStaysFree() async throws {
        let other = try await first()
        let dead = try await other.publish(Playground.second, label: "2.0").version
        let playground = try await first()
        try copy(
            try newObjects(playground, other) + [
                "releases/\(dead)/package.zip", "releases/\(dead)/info.json",
                "channels/production/log/2.json",
            ], from: other, to: playground)
        var third = Playground.second
        third["static/main.js"] = "go(3)\n"
        #expect(try await playground.publish(third, label: "3.0").sequence == 3)
        #expect(try await playground.pointer().previous == 1)
        await expectFailure(of: "origin") {
            try await playground.history().manifest(named: "2.0").release
        }
        var fourth = third
        fourth["static/main.js"] = "go(4)\n"
        let live = try await playground.publish(fourth, label: "2.0", deltas: 3)
        #expect(live.sequence == 4 && live.label == "2.0" && live.version != dead)
        #expect(
            try await playground.history().manifest(named: "2.0").release.version == live.version)
        // No device has the skipped release, so no delta starts from it.
        #expect(!live.notes.contains { $0.contains(dead.description) })
        #expect(!live.deltas.contains { $0.from == dead })
        #expect(try await playground.verify().isSound)
    }

    private static let stages = [1, 2, 3]

    /// After the commit point: old info.json and site/, then new info.json, then half of site/.
    @Test(arguments: stages) func pointerNewTheRestOld(_ stage: Int) async throws {
        let (done, playground) = (try await finished(), try await first())
        let version = try #require(try await done.reader().pointer(.production)).pointer.version
        var paths =
            try newObjects(playground, done) + [
                "releases/\(version)/package.zip", "releases/\(version)/info.json",
                "channels/production/log/2.json", "channels/production/pointer.json",
            ]
        if stage >= 2 { paths.append("info.json") }
        if stage >= 3 { paths += ["site/static/new.js", "site/static/main.js"] }
        // Files are replaced by renaming, so that an object does not change through its second
        // name.
        for path in paths where playground.exists("origin/\(path)") {
            try playground.remove("origin/\(path)")
        }
        try copy(paths, from: done, to: playground)
        #expect(try await !playground.verify().isSound)
        try playground.write("origin/.packtool/intents/production.\(uniqueName())", "{}")
        let verification = try await playground.verify()
        #expect(verification.isSound, "\(verification.failures)")
        let late = [5, 4, 2][stage - 1]
        #expect(
            verification.notes == [
                "a publish is in progress or was interrupted: \(late) files of info.json and site/ "
                    + "not yet updated; publish again to finish it"
            ])
        #expect(try await playground.install().installed.version == version)
        let report = try await playground.publish(Playground.second)
        #expect(report.outcome == .completed)
        #expect(report.sequence == 2)
        #expect(try playground.publicContent() == done.publicContent())
        #expect(try playground.tree("origin/.packtool/intents").isEmpty)
        #expect(try await playground.publish(Playground.second).outcome == .unchanged)
    }

    @Test(.directoryOnly) func staleStagingAndIntents() async throws {
        let (done, playground) = (try await finished(), try await first())
        try playground.write("origin/.packtool/staging/\(uniqueName())/object-0", "half")
        try playground.write("origin/.packtool/staging/\(uniqueName())/a/b/c", "deep")
        try playground.write("origin/.packtool/staging/loose", "file")
        try playground.link("origin/.packtool/staging/link", to: playground.path)
        try playground.write("origin/.packtool/intents/production.\(uniqueName())", "{}")
        try await expectConvergence(playground, done)
        #expect(playground.exists("build"))
    }

    /// The intent of another channel stays until that channel is finished.
    @Test func theIntentOfAnotherChannel() async throws {
        let playground = try await first()
        let intent = "origin/.packtool/intents/beta.\(uniqueName())"
        try playground.write(intent, "{}")
        try await playground.publish(Playground.second)
        #expect(playground.exists(intent))
        try await playground.publish(Playground.second, channel: "beta")
        #expect(!playground.exists(intent))
    }

    @Test func anInterruptedPublishIsReplacedByAnotherRelease() async throws {
        let (done, playground) = (try await finished(), try await first())
        try copy(try newObjects(playground, done), from: done, to: playground)
        try playground.write("origin/.packtool/intents/production.\(uniqueName())", "{}")
        let report = try await playground.publish(["index.html": "third"])
        #expect(report.outcome == .published)
        #expect(try await playground.verify().isSound)
        #expect(try playground.tree("origin/.packtool/intents").isEmpty)
    }

    @Test func theFirstPublishInterrupted() async throws {
        let done = try await first()
        let playground = try Playground()
        try playground.makeDirectory("origin/.packtool/staging/\(uniqueName())")
        try playground.write("origin/.packtool/intents/production.\(uniqueName())", "{}")
        try copy(
            try done.publicFiles().filter {
                $0.hasPrefix("objects/") || $0.hasSuffix("log/1.json")
            },
            from: done, to: playground)
        let report = try await playground.publish(Playground.first)
        #expect(report.sequence == 2)
        #expect(try await playground.verify().isSound)
    }

    /// A failed run without live files removes its intent, which would block prunes for a day or
    /// show up as a running command in `status`.
    @Test func whatARefusalLeaves() async throws {
        let playground = try await first()
        let request = try await playground.request(
            Playground.second, signer: { _ in throw Failure.buildEmpty(path: "x") })
        await expectFailure(of: "build") { try await playground.publish(request) }
        #expect(try playground.tree("origin/.packtool/intents").isEmpty)
        try await playground.publish(Playground.second)
        #expect(try playground.tree("origin/.packtool/intents").isEmpty)
    }
}
