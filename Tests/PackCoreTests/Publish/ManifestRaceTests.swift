import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

/// Two publishers of one build with different manifests, for example because of the commit.
@Suite struct ManifestRaceTests {
    private func request(
        _ playground: Playground, _ channel: String, commit: String
    ) async throws -> PublishRequest {
        var request = try await playground.request(
            Playground.first, channel: channel, commit: commit)
        request.scan = try await playground.scan(Playground.second, in: channel)
        return request
    }

    @Test("who lost a race for a manifest was told to remove it")
    func bucket() async throws {
        let (playground, store, script) = try ChangeScript.scripted()
        _ = try await Publisher.publish(playground.request(Playground.first), to: store)
        let ours = try await request(playground, "beta", commit: "bbbb")
        let theirs = try await request(playground, "production", commit: "aaaa")
        let manifest = OriginLayout.manifest(ours.scan.release.version)
        script.run(after: 0) {
            guard $0 == .create(manifest) else { return }
            script.run(nil)
            _ = try await Publisher.publish(theirs, to: store)
        }
        let error = await #expect(throws: Failure.self) {
            try await Publisher.publish(ours, to: store)
        }
        #expect(error == .publishConcurrentUpload(path: store.display(manifest)))
        #expect(error?.exitCode == .conflict)
        // Repeat the publish as the message suggests.
        #expect(try await Publisher.publish(ours, to: store).outcome == .published)
        #expect(try await OriginVerifier.verify(store, now: Playground.now, jobs: 1).isSound)
    }

    /// A lock that does not reach all publishers of a directory.
    @Test func directory() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        var request = try await request(playground, "beta", commit: "bbbb")
        let path = "origin/" + OriginLayout.manifest(request.scan.release.version)
        request.signer = { _ in
            try playground.write(path, "{}")
            return []
        }
        let error = await #expect(throws: Failure.self) {
            try await playground.publish(request)
        }
        #expect(error?.code == .publishConcurrentUpload)
    }
}
