import PackGround
import PackOrigin
import PackPublish
import PackRelease
import Synchronization
import TestSupport
import Testing

/// A pointer that cannot be read is not a damaged one.
@Suite struct UnreadablePointerTests {
    private static let denied: BucketTransport.Reply = (
        403, [:], Array("<Error><Code>AccessDenied</Code></Error>".utf8)
    )

    @Test("a root was published past a channel whose pointer could not be read")
    func noRootIsPublished() async throws {
        let playground = try Playground()
        let isDenied = Mutex(false)
        let bucket = BucketTransport { request in
            let isPointer = request == "GET channels/production/pointer.json"
            return isPointer && isDenied.withLock { $0 } ? Self.denied : nil
        }
        _ = try await Publisher.publish(
            playground.request(Playground.first), to: bucket.store(playground.path))
        isDenied.withLock { $0 = true }
        let root = try TrustLab.file(TrustLab.root(1, keys: [1]), by: [1])
        let error = await #expect(throws: Failure.self) {
            try await RootPublisher.publish(
                root, path: "new", on: bucket.store(playground.path), now: Playground.now,
                force: true)
        }
        #expect(error?.meansDenial == true, "\(String(describing: error))")
        #expect(bucket.files["root/1.json"] == nil)
        isDenied.withLock { $0 = false }
        bucket.set("channels/production/pointer.json", Array("damaged".utf8))
        _ = try await RootPublisher.publish(
            root, path: "new", on: bucket.store(playground.path), now: Playground.now)
        #expect(bucket.files["root/1.json"] == root)
    }
}
