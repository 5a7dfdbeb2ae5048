import PackGround
import PackS3
import Synchronization
import TestSupport
import Testing

/// Valid answers to a deletion.
@Suite struct S3DeletionTests {
    private let playground: Playground
    private let path = ".packtool/intents/production.0"

    init() throws { playground = try Playground() }

    /// A bucket that gives this answer to the first deletions, and then deletes.
    private func bucket(
        first count: Int, _ reply: BucketTransport.Reply
    ) -> BucketTransport {
        let left = Mutex(count)
        let bucket = BucketTransport { request in
            guard request.hasPrefix("DELETE ") else { return nil }
            return left.withLock { left in
                left -= 1
                return left < 0 ? nil : reply
            }
        }
        bucket.set(path, [1])
        return bucket
    }

    @Test("a deletion that failed under status 200 was taken for done")
    func errorUnderSuccess() async throws {
        let error = Array("<Error><Code>InternalError</Code></Error>".utf8)
        let passing = bucket(first: 2, (200, [:], error))
        try await passing.store(playground.path).remove([path])
        #expect(passing.files.isEmpty)
        #expect(passing.asked.count == 3)

        let lasting = bucket(first: .max, (200, [:], error))
        let store = try lasting.store(playground.path)
        await expectFailure(of: "s3") { try await store.remove([path]) }
        #expect(lasting.files[path] != nil)
    }

    @Test("a sign-in page was taken for a deletion")
    func page() async throws {
        let page = (200, ["Content-Type": "text/html"], Array("<!doctype html>".utf8))
        let bucket = bucket(first: .max, page)
        let store = try bucket.store(playground.path)
        let error = await #expect(throws: Failure.self) { try await store.remove([path]) }
        #expect(error?.code.name == "s3.not-s3")
    }

    @Test("a denied deletion is over, unless an earlier one may still come")
    func denied() async throws {
        let answer: BucketTransport.Reply = (
            403, [:], Array("<Error><Code>AccessDenied</Code></Error>".utf8)
        )
        let lasting = bucket(first: .max, answer)
        let error = await #expect(throws: Failure.self) {
            try await lasting.store(playground.path).remove([path])
        }
        #expect(error?.code.name == "s3.denied" && error?.meansDenial == true)
        #expect(error?["action"] == "DeleteObject")
        let left = Mutex(1)
        let busy = BucketTransport { request in
            guard request.hasPrefix("DELETE ") else { return nil }
            return left.withLock { left in
                left -= 1
                return left < 0 ? answer : (500, [:], [])
            }
        }
        let second = await #expect(throws: Failure.self) {
            try await busy.store(playground.path).remove(["releases/a/info.json"])
        }
        #expect(second?.code.name == "s3.status" && second?.meansDenial == false)
    }

    @Test(
        "an empty answer is a deletion, whatever its status of success", arguments: [200, 202, 204])
    func empty(status: Int) async throws {
        let bucket = bucket(first: .max, (status, [:], []))
        try await bucket.store(playground.path).remove([path])
        #expect(bucket.asked.count == 1)
    }
}
