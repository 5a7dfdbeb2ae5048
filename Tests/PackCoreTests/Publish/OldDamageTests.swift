import Foundation
import PackClient
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

/// Regressions: damage in an old release stopped a publish that does not need it.
struct OldDamageTests {
    private static func release(_ number: Int) -> [String: String] {
        let script = (1...200).map { "f(\($0 * number % 9973));" }.joined(separator: "\n")
        // Large enough for a delta to be smaller than the package.
        var noise = Noise(seed: 1)
        return [
            "index.html": "<h1>\(number)</h1>\n", "a.js": "// \(number)\n" + script,
            "same.js": (0..<1000).map { _ in String(noise.next(), radix: 36) }.joined(
                separator: "\n"),
        ]
    }

    /// Two labelled releases, and the path of an object used only by the first.
    private static func prepared(
        in store: StoreKind = .current
    ) async throws -> (Playground, Version, object: String) {
        let playground = try Playground(in: store)
        let one = try await playground.publish(release(1), label: "1.0").version
        try await playground.publish(release(2), label: "2.0", deltas: 1)
        let sha = StreamHasher.digest(of: Array((release(1)["a.js"] ?? "").utf8))
        return (playground, one, "origin/objects/\(sha)/a.js")
    }

    private static func damage(_ playground: Playground, _ path: String, _ how: String) throws {
        let bytes = try playground.read(path)
        try playground.remove(path)
        switch how {
        case "gone": break
        case "flipped":
            var other = bytes
            other[other.count / 2] ^= 1
            try playground.write(path, other)
        case "cut": try playground.write(path, bytes.prefix(10))
        case "directory": try playground.makeDirectory(path)
        case "link": try playground.link(path, to: "/etc/passwd")
        case "pipe": #expect(mkfifo(playground.path + "/" + path, 0o644) == 0)
        default: Issue.record("no such damage: \(how)")
        }
    }

    private static let damages = InStore.each(
        ["gone", "flipped", "cut", "directory", "link", "pipe"],
        alsoInMemory: ["gone", "flipped", "cut"])

    @Test(arguments: damages)
    func regressionADamagedObjectCostsItsDeltaOnly(_ damage: InStore) async throws {
        let (playground, one, object) = try await Self.prepared(in: damage.store)
        try Self.damage(playground, object, damage.how)
        // In a bucket, deltas are made from packages, and from objects only if a package is
        // damaged.
        if playground.memory != nil {
            try Self.damage(playground, "origin/\(OriginLayout.package(one))", damage.how)
        }
        let report = try await playground.publish(Self.release(3), label: "3.0", deltas: 3)
        #expect(report.sequence == 3 && report.deltas.count == 1)
        let note = try #require(report.notes.first { $0.contains("no delta from \(one)") })
        #expect(note.contains(playground.path + "/" + object) && note.contains("packtool verify"))
        // A release named explicitly must be intact.
        var request = try await playground.request(Self.release(4))
        request.deltas = .init(count: 0, from: [one])
        let asked = request
        let error = await #expect(throws: Failure.self) {
            try await playground.publish(asked)
        }
        #expect(error?.code == .publishDeltaBaseDamaged)
        #expect(try await playground.reader().pointer(.production)?.pointer.sequence == 3)
    }

    @Test(arguments: damages.filter { $0.store == .memory }, [true, false])
    func oneWholeCopyOfABaseIsEnoughInABucket(_ damage: InStore, isPackage: Bool) async throws {
        let (playground, one, object) = try await Self.prepared(in: damage.store)
        let package = "origin/\(OriginLayout.package(one))"
        try Self.damage(playground, isPackage ? package : object, damage.how)
        let report = try await playground.publish(Self.release(3), label: "3.0", deltas: 3)
        #expect(report.deltas.count == 2)
    }

    @Test(arguments: damages)
    func regressionADamagedManifestCostsItsDeltaOnly(_ damage: InStore) async throws {
        let (playground, one, _) = try await Self.prepared(in: damage.store)
        try Self.damage(playground, "origin/releases/\(one)/info.json", damage.how)
        let report = try await playground.publish(Self.release(3), deltas: 3)
        #expect(report.sequence == 3 && report.deltas.count == 1)
        #expect(report.notes.contains { $0.contains("no delta from \(one)") })
    }

    /// Sizes are not part of a version; only the pointer binds them.
    @Test(.eachStore, arguments: ["5", "1000000000000000", "9007199253740991"])
    func regressionALyingSizeIsNotUsed(_ size: String) async throws {
        let (playground, one, _) = try await Self.prepared()
        let path = "origin/releases/\(one)/info.json"
        let length = (Self.release(1)["a.js"] ?? "").utf8.count
        let text = try playground.text(path)
        let lying = text.replacingOccurrences(of: "\"size\": \(length)", with: "\"size\": \(size)")
        #expect(lying != text)
        try playground.overwrite(path, Array(lying.utf8))
        let report = try await playground.publish(Self.release(3), deltas: 3)
        #expect(report.notes.contains { $0.contains("no delta from \(one)") })
        // A rollback to that release needs the manifest, so the error names it.
        let error = await #expect(throws: Failure.self) {
            try await playground.publish(Self.release(1))
        }
        #expect(error?.code == .publishDamaged)
        #expect(error?.description.contains("\(playground.path)/\(path)") == true)
        await expectFailure(of: "origin") {
            try await playground.history().manifest(named: one.description)
        }
    }

    @Test(arguments: damages)
    func regressionADamagedLogEntryDoesNotStopALabel(_ damage: InStore) async throws {
        let (playground, _, _) = try await Self.prepared(in: damage.store)
        try Self.damage(playground, "origin/channels/production/log/1.json", damage.how)
        let report = try await playground.publish(Self.release(3), label: "3.0", deltas: 3)
        #expect(report.sequence == 3 && report.label == "3.0")
        if damage.how != "gone" {
            #expect(report.notes.contains { $0.contains("label '3.0'") })
            #expect(report.notes.contains { $0.contains("no delta from the release of") })
        }
    }

    /// Publishing an old release needs its objects.
    ///
    /// The error names the damaged one and the fix.
    @Test(arguments: damages.filter { $0.store == .directory && $0.how != "gone" })
    func aDamagedObjectThatIsNeededIsNamed(_ damage: InStore) async throws {
        let (playground, one, object) = try await Self.prepared(in: damage.store)
        try Self.damage(playground, object, damage.how)
        let error = await #expect(throws: Failure.self) {
            try await playground.publish(Self.release(1), deltas: 1)
        }
        #expect(error?.code == .publishDamagedObject)
        #expect(error?.description.contains("\(playground.path)/\(object)") == true)
        try playground.remove(object)
        #expect(try await playground.publish(Self.release(1), deltas: 1).version == one)
        #expect(try await playground.verify().isSound)
    }

    /// Stores that compare existing files before uploading replace a damaged one.
    @Test(arguments: damages.filter { $0.store == .memory && $0.how != "gone" })
    func aDamagedObjectThatIsNeededIsReplacedInABucket(_ damage: InStore) async throws {
        let (playground, _, object) = try await Self.prepared(in: damage.store)
        try Self.damage(playground, object, damage.how)
        let report = try await playground.publish(Self.release(1), deltas: 1)
        #expect(report.notes.contains { $0.contains(object) && $0.contains("is replaced") })
        #expect(try await playground.verify().isSound)
    }

    /// The pointer omits a damaged delta from an earlier publish of the same release.
    @Test(arguments: damages)
    func regressionADamagedDeltaIsLeftOut(_ damage: InStore) async throws {
        let (playground, one, _) = try await Self.prepared(in: damage.store)
        let two = try #require(try await playground.reader().pointer(.production)).pointer.version
        let path = "origin/releases/\(two)/delta-\(one).zip"
        try Self.damage(playground, path, damage.how)
        let report = try await playground.publish(Self.release(2), label: "2.0.1", deltas: 1)
        #expect(report.sequence == 3)
        // A missing delta is made with the same bytes.
        #expect(report.deltas.count == (damage.how == "gone" ? 1 : 0))
        #expect(report.notes.contains { $0.contains(path) } == (damage.how != "gone"))
    }

    /// A missing manifest is restored only with the bytes that its pointer binds.
    @Test(.eachStore) func regressionAMissingManifestIsNotReplacedByAnother() async throws {
        let (playground, one, _) = try await Self.prepared()
        let path = "origin/releases/\(one)/info.json"
        let bytes = try playground.read(path)
        try playground.remove(path)
        let other = try await playground.request(Self.release(1), commit: "another")
        await expectFailure(of: "publish") { try await playground.publish(other) }
        #expect(!playground.exists(path))
        try await playground.publish(Self.release(1))
        #expect(try playground.read(path) == bytes)
        #expect(try await playground.verify().isSound)
    }

    /// A renewal does not require an intact delta.
    @Test(arguments: damages) func regressionADamagedDeltaDoesNotStopARenewal(_ damage: InStore)
        async throws
    {
        let (playground, one, _) = try await Self.prepared(in: damage.store)
        let two = try #require(try await playground.reader().pointer(.production)).pointer.version
        let path = "origin/releases/\(two)/delta-\(one).zip"
        try Self.damage(playground, path, damage.how)
        var request = try await playground.request(Self.release(2), renew: true)
        let report = try await playground.publish(request)
        #expect(report.outcome == .renewed && report.sequence == 3)
        #expect(report.notes.contains { $0.contains(path) })
        #expect(try await playground.reader().pointer(.production)?.pointer.deltas == [])
        #expect(try await playground.install().outcome == .installed)
        request.renew = false
        #expect(try await playground.publish(request).outcome == .unchanged)
    }

    /// Regression: without the pointer, every recorded release counted as never live.
    @Test(.eachStore) func regressionALostPointerFreesNoLabel() async throws {
        let (playground, one, _) = try await Self.prepared()
        try playground.remove("origin/channels/production/pointer.json")
        let request = try await playground.request(Self.release(3), label: "1.0")
        await #expect(
            throws: Failure.publishLabelTaken(label: "1.0", version: one.description)
        ) { try await playground.publish(request) }
        let report = try await playground.publish(Self.release(3), label: "3.0")
        #expect(report.sequence == 3)
        #expect(report.notes.contains { $0.contains("pointer.json' is missing, but") })
        #expect(try await playground.pointer().previous == 2)
        #expect(try await playground.verify().isSound)
    }

    /// Regression: a publish after a lost pointer ended a pause, for every device.
    @Test(
        .eachStore,
        arguments: [
            (.pause(bypasses: false), "pauses the channel"), (.close(isDefaultToo: true), "closes"),
            (.rollback(to: nil, isMandatory: true), "is mandatory"),
            (.rollout(20, shrinks: true), "is not for every device"),
        ] as [(ChannelRequest.Command, String)])
    func aLostPointerKeepsItsConditions(_ command: ChannelRequest.Command, _ effect: String)
        async throws
    {
        let (playground, _, _) = try await Self.prepared()
        try await playground.change(command)
        let pointer = try playground.read("origin/channels/production/pointer.json")
        try playground.remove("origin/channels/production/pointer.json")
        let error = await #expect(throws: Failure.self) {
            try await playground.publish(Self.release(3))
        }
        #expect(error?.code == .originInvalidPointer)
        #expect(error?.description.contains(effect) == true)
        #expect(error?.description.contains("log/3.json") == true)
        try playground.write("origin/channels/production/pointer.json", pointer)
        #expect(try await playground.verify().isSound)
    }

    /// Errors not caused by an old release still stop the publish.
    @Test(.eachStore) func aBuildThatChangesStillStops() async throws {
        let (playground, _, _) = try await Self.prepared()
        let request = try await playground.request(Self.release(3), deltas: 3)
        try playground.write("build/a.js", "changed")
        await expectFailure(of: "build") { try await playground.publish(request) }
        #expect(try await playground.reader().pointer(.production)?.pointer.sequence == 2)
    }
}
