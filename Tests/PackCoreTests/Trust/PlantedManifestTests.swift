import PackClient
import PackOrigin
import PackPublish
import PackRelease
import PackSigning
import PackTrust
import PackVerify
import TestSupport
import Testing

/// A manifest stored under a release's key before the release is published.
@Suite(.eachStore) struct PlantedManifestTests {
    private let play: Playground

    init() throws { play = try Playground() }

    private func request(
        _ files: [String: String], commit: String, keys: [Int]
    ) async throws -> PublishRequest {
        var request = try await play.request(files, commit: commit)
        request.signers = Signers(keys: try keys.map(TrustLab.key), commands: [])
        return request
    }

    private func publish(
        _ files: [String: String], commit: String, keys: [Int] = []
    ) async throws -> PublishReport {
        try await play.publish(request(files, commit: commit, keys: keys))
    }

    /// Copies the manifest and package of the same release made from another commit.
    private func plant(commit: String) async throws -> Pointer {
        let elsewhere = try Playground()
        let report = try await elsewhere.publish(
            elsewhere.request(Playground.second, commit: commit))
        for path in [OriginLayout.manifest(report.version), OriginLayout.package(report.version)] {
            try play.write("origin/\(path)", elsewhere.read("origin/\(path)"))
        }
        return try await elsewhere.pointer()
    }

    private func commit() async throws -> String? {
        let published = try #require(try await play.reader().pointer(.production))
        return try await play.reader().manifest(of: published).build.commit
    }

    @Test(
        "who could write to the storage chose the commit of a manifest that the owner then signed",
        arguments: [[], [7]])
    func anotherCommit(keys: [Int]) async throws {
        if !keys.isEmpty { try play.publishRoot(1, release: keys) }
        _ = try await publish(Playground.first, commit: "one", keys: keys)
        let planted = try await plant(commit: "thief")
        let plan = try await play.plan(
            request(Playground.second, commit: "honest", keys: keys))
        let report = try await publish(Playground.second, commit: "honest", keys: keys)
        #expect(report.outcome == .published && report.version == planted.version)
        #expect(try await commit() == "honest")
        #expect(report.notes.contains { $0.contains("no log entry of yours names") })
        if keys.isEmpty { #expect(plan.packageSize == report.packageSize) }
        #expect(try await play.verify().isSound)
        #expect(try await play.install().installed.version == planted.version)
        // The log names it from now on.
        let again = try await publish(Playground.second, commit: "later", keys: keys)
        #expect(again.outcome == .unchanged)
        #expect(try await commit() == "honest")
    }

    @Test func anUnsignedEntryDoesNotVouchForIt() async throws {
        try play.publishRoot(1, release: [7])
        _ = try await publish(Playground.first, commit: "one", keys: [7])
        var forged = try await plant(commit: "thief")
        forged.sequence = 2
        forged.previous = 1
        try play.write(Playground.entry(2), TrustLab.envelope(forged, by: []).encode())
        let report = try await publish(Playground.second, commit: "honest", keys: [7])
        #expect(report.outcome == .published && report.sequence == 3)
        #expect(try await commit() == "honest")
    }

    /// A second manifest, named only by such an entry.
    @Test func norForAnotherManifest() async throws {
        try play.publishRoot(1, release: [7])
        _ = try await publish(Playground.first, commit: "one", keys: [7])
        var forged = try await plant(commit: "thief")
        let usual = "origin/\(OriginLayout.manifest(forged.version))"
        let path = OriginLayout.manifest(forged.version, forged.info.sha256)
        try play.write("origin/\(path)", play.read(usual))
        forged.info = ContentReference(
            url: "\(Playground.base)/\(path)", sha256: forged.info.sha256, size: forged.info.size)
        forged.sequence = 2
        forged.previous = 1
        try play.write(Playground.entry(2), TrustLab.envelope(forged, by: []).encode())
        _ = try await publish(Playground.second, commit: "honest", keys: [7])
        #expect(try await commit() == "honest")
    }

    @Test func theSameBytesAreKept() async throws {
        _ = try await publish(Playground.first, commit: "one")
        let planted = try await plant(commit: "two")
        let report = try await publish(Playground.second, commit: "two")
        #expect(report.outcome == .published)
        #expect(try await play.pointer().info == planted.info)
    }
}
