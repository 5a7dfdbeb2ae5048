import PackArchive
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

/// `publish --repair` restores lost files of a published release from its build, without changing a
/// pointer.
@Suite(.eachStore) struct RepairTests: PrunedShop {
    private let playground: Playground

    init() throws { playground = try Playground() }

    private static let script =
        "objects/\(StreamHasher.digest(of: Array("go()\n".utf8)))/main.js"

    private func repair(
        _ files: [String: String], in other: Playground? = nil
    ) async throws -> PublishReport {
        let playground = other ?? playground
        var request = try await playground.request(files)
        request.repairs = true
        let before = try playground.publicContent()
        let plan = try await playground.plan(request)
        #expect(try playground.publicContent() == before)
        let report = try await playground.publish(request)
        #expect(plan.outcome == report.outcome)
        #expect(Set(plan.repairs.map(\.path)) == Set(report.repairs.map(\.path)))
        return report
    }

    private func lose(_ path: String, _ how: String, in other: Playground? = nil) throws {
        let playground = other ?? playground
        let bytes = try playground.read("origin/\(path)")
        try playground.remove("origin/\(path)")
        switch how {
        case "cut": try playground.write("origin/\(path)", bytes.dropLast())
        case "flipped": try playground.write("origin/\(path)", bytes.map { $0 ^ 1 })
        default: break
        }
    }

    @Test(arguments: ["gone", "cut", "flipped"])
    func whatIsLostComesBack(_ how: String) async throws {
        let version = try await playground.publish(Playground.first).version
        let before = try playground.publicContent()
        let lost = [
            Self.script, OriginLayout.package(version), "info.json", "site/static/main.js",
        ]
        for path in lost {
            try lose(path, how)
            let report = try await repair(Playground.first)
            #expect(report.outcome == .repaired && report.repairs.map(\.path) == [path])
            #expect(try playground.publicContent() == before)
        }
        for path in lost { try lose(path, how) }
        #expect(try await repair(Playground.first).repairs.count == lost.count)
        #expect(try playground.publicContent() == before)
        #expect(try await playground.verify().isSound)
        #expect(try await repair(Playground.first).outcome == .unchanged)
    }

    /// Restores the package of a rollback's target.
    @Test func aReleaseThatIsNotLiveIsRestored() async throws {
        let first = try await playground.publish(Playground.first)
        try await playground.publish(Playground.second)
        let before = try playground.publicContent()
        let lost = [OriginLayout.package(first.version), Self.script]
        for path in lost { try lose(path, "flipped") }
        let report = try await repair(Playground.first)
        #expect(Set(report.repairs.map(\.path)) == Set(lost) && report.sequence == 1)
        #expect(try playground.publicContent() == before)
        _ = try await playground.change(.rollback(to: nil, isMandatory: true))
        #expect(try await playground.verify().isSound)
    }

    // MARK: Deltas and manifests

    /// Three releases with deltas between all of them, published from commits unknown to the
    /// repair.
    ///
    /// - Returns: Their versions.
    private func three() async throws -> [Version] {
        var versions: [Version] = []
        for number in 1...3 {
            let request = try await playground.request(
                Playground.numbered(number), commit: "c\(number)", deltas: 2)
            versions.append(try await playground.publish(request).version)
        }
        return versions
    }

    @Test("publish --repair did not restore deltas", arguments: ["gone", "cut", "flipped"])
    func deltasAreMadeAgain(_ how: String) async throws {
        let versions = try await three()
        let before = try playground.publicContent()
        let lost = [
            OriginLayout.delta(versions[2], from: versions[0]),
            OriginLayout.delta(versions[2], from: versions[1]),
        ]
        for path in lost { try lose(path, how) }
        #expect(try await !playground.verify().isSound)
        let report = try await repair(Playground.numbered(3))
        #expect(Set(report.repairs.map(\.path)) == Set(lost), "\(report.notes)")
        #expect(report.notes.isEmpty, "\(report.notes)")
        #expect(try playground.publicContent() == before)
        #expect(try await playground.verify().isSound)
    }

    /// The live release's manifest is in `info.json`; others are made from a delta to their
    /// release.
    @Test(
        "publish --repair did not restore manifests",
        arguments: [1, 2], ["gone", "cut", "flipped"])
    func manifestsAreMadeAgain(_ index: Int, _ how: String) async throws {
        let versions = try await three()
        let before = try playground.publicContent()
        let path = OriginLayout.manifest(versions[index])
        try lose(path, how)
        #expect(try await !playground.verify().isSound)
        let report = try await repair(Playground.numbered(index + 1))
        #expect(report.repairs.map(\.path) == [path] && report.notes.isEmpty, "\(report.notes)")
        #expect(try playground.publicContent() == before)
        #expect(try await playground.verify().isSound)
    }

    @Test func allFilesOfAReleaseComeBack() async throws {
        let versions = try await three()
        let before = try playground.publicContent()
        for path in before.keys where path.hasPrefix("releases/\(versions[2])/") {
            try lose(path, "gone")
        }
        let report = try await repair(Playground.numbered(3))
        #expect(report.repairs.count == 4 && report.notes.isEmpty, "\(report.notes)")
        #expect(try playground.publicContent() == before)
    }

    /// No file records the commit of the first release.
    @Test func aManifestWithOtherBytesIsNotPutBack() async throws {
        let versions = try await three()
        let before = try playground.publicContent()
        let path = OriginLayout.manifest(versions[0])
        try lose(path, "gone")
        let error = await #expect(throws: Failure.self) {
            try await repair(Playground.numbered(1))
        }
        #expect(error?.code == .publishNotRemade)
        #expect(!playground.exists("origin/\(path)"))
        var request = try await playground.request(Playground.numbered(1), commit: "c1")
        request.repairs = true
        #expect(try await playground.publish(request).repairs.map(\.path) == [path])
        #expect(try playground.publicContent() == before)
    }

    /// Without the files of its base release, a delta cannot be made.
    ///
    /// Everything else is restored.
    @Test func aDeltaWithoutItsBaseIsNoted() async throws {
        let versions = try await three()
        let delta = OriginLayout.delta(versions[2], from: versions[0])
        try lose(delta, "flipped")
        try lose(OriginLayout.manifest(versions[0]), "flipped")
        try lose(OriginLayout.package(versions[2]), "gone")
        let report = try await repair(Playground.numbered(3))
        #expect(report.repairs.map(\.path) == [OriginLayout.package(versions[2])])
        #expect(report.notes.count == 1 && report.notes[0].contains(delta), "\(report.notes)")
        #expect(report.notes[0].contains("\(versions[0])/info.json"), "\(report.notes)")
    }

    @Test("the damaged manifest of one release kept another one from being repaired")
    func theLiveManifestIsDamaged() async throws {
        let versions = try await three()
        let before = try playground.publicContent()
        let lost = [versions[1], versions[2]].map(OriginLayout.manifest)
        for path in lost { try lose(path, "flipped") }
        let report = try await repair(Playground.numbered(2))
        #expect(report.repairs.map(\.path) == [lost[0]])
        #expect(
            report.notes.count == 1 && report.notes[0].contains("build of release \(versions[2])"),
            "\(report.notes)")
        #expect(try await repair(Playground.numbered(3)).repairs.map(\.path) == [lost[1]])
        #expect(try playground.publicContent() == before)
    }

    /// The pointer was renewed without the damaged delta, but log entries still reference it.
    @Test func whatOnlyTheLogNamesComesBack() async throws {
        let versions = try await three()
        let delta = OriginLayout.delta(versions[2], from: versions[0])
        let bytes = try playground.read("origin/\(delta)")
        try lose(delta, "flipped")
        try await playground.publish(Playground.numbered(3), renew: true)
        #expect(try await playground.pointer().deltas.count == 1)
        #expect(try await repair(Playground.numbered(3)).repairs.map(\.path) == [delta])
        #expect(try playground.read("origin/\(delta)") == bytes)
        #expect(try await playground.verify().isSound)
    }

    /// Files referenced only by entries below the prune mark may be missing and are not restored.
    @Test func prunedDeltasStayAway() async throws {
        let (shop, versions) = try await shop(3)
        let delta = OriginLayout.delta(versions[1], from: versions[0])
        #expect(shop.exists("origin/\(delta)"))
        try await shop.publish(
            shop.request(Self.release(2), now: Self.time(81), lifetimeDays: nil))
        #expect(try await prune(shop, at: 200, keep: 1, grace: 0, delay: 0).gone.count == 2)
        if shop.exists("origin/\(delta)") { try shop.remove("origin/\(delta)") }
        try await expectSound(shop)
        let report = try await repair(Self.release(2), in: shop)
        #expect(report.outcome == .unchanged && report.notes.isEmpty, "\(report.notes)")
        #expect(!shop.exists("origin/\(delta)"))
    }

    @Test("a release that only a pin keeps could not be repaired")
    func aPinnedReleaseIsRestored() async throws {
        let (shop, versions) = try await shop(3)
        _ = try await Pin.record(
            "1.0", of: .production, at: shop.writable, now: Self.time(100), clock: Self.time(100),
            reason: "app 1")
        _ = try await prune(shop, at: 200, keep: 1, grace: 0, delay: 0)
        let path = OriginLayout.package(versions[0])
        try lose(path, "flipped", in: shop)
        #expect(try await repair(Self.release(1), in: shop).repairs.map(\.path) == [path])
        try await expectSound(shop)
    }

    // MARK: Errors

    @Test func anotherBuildIsRefused() async throws {
        try await playground.publish(Playground.first)
        let before = try playground.publicContent()
        var request = try await playground.request(Playground.second)
        request.repairs = true
        let other = request
        let error = await #expect(throws: Failure.self) {
            try await playground.publish(other)
        }
        #expect(error?.code == .publishNotPublished)
        #expect(try playground.publicContent() == before)
    }

    /// The same release, packed at another level: the pointer binds the published bytes.
    @Test func aPackageWithOtherBytesIsNotPutBack() async throws {
        let version = try await playground.publish(Playground.first).version
        try lose(OriginLayout.package(version), "gone")
        var request = try await playground.request(Playground.first)
        request.repairs = true
        request.level = .max
        let other = request
        let error = await #expect(throws: Failure.self) {
            try await playground.publish(other)
        }
        #expect(error?.code == .publishNotRepacked)
        #expect(!playground.exists("origin/\(OriginLayout.package(version))"))
    }
}
