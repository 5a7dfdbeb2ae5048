import PackGround
import PackOrigin
import PackS3
import Synchronization
import TestSupport
import Testing

/// The handling of an unmet condition.
@Suite struct S3ReplaceTests {
    private let playground: Playground
    private let mark = Upload("channels/beta/pruned.json", Array("2".utf8))

    init() throws { playground = try Playground() }

    /// A bucket that reports an unmet condition for the first uploads of the mark.
    private func bucket(refusals: Int, holding bytes: [UInt8]?) -> BucketTransport {
        let left = Mutex(refusals)
        let bucket = BucketTransport { request in
            guard request == "PUT channels/beta/pruned.json" else { return nil }
            return left.withLock { left in
                left -= 1
                return left < 0 ? nil : (412, [:], [])
            }
        }
        bucket.set("channels/beta/pruned.json", bytes)
        return bucket
    }

    @Test("a mark that a store refused for no reason was taken for written, and a prune went on")
    func refusedForNoReason() async throws {
        let bucket = bucket(refusals: 1, holding: Array("1".utf8))
        #expect(try await bucket.store(playground.path).replace(mark, if: .always))
        #expect(bucket.files[mark.path] == Array("2".utf8))
    }

    @Test func anUploadAboveTheLimitOfARequestIsRefusedBeforeAnythingIsSent() async throws {
        let bucket = BucketTransport()
        let size = S3Store.largestUpload + 1
        let package = Upload(
            "releases/a/package.zip",
            .file(in: try Directory.open(playground.path), named: "package.zip"),
            FileDigest(sha256: mark.content.sha256, size: size))
        await #expect(
            throws: Failure.s3UploadTooLarge(
                path: "s3://shop/app/releases/a/package.zip", size: size,
                limit: S3Store.largestUpload)
        ) { try await bucket.store(playground.path).create([mark, package]) }
        #expect(bucket.asked == [])
    }

    @Test func aStoreThatAlwaysRefusesIsNamed() async throws {
        let bucket = bucket(refusals: .max, holding: nil)
        let store = try bucket.store(playground.path)
        for condition in [ReplaceCondition.always, .absent] {
            let error = await #expect(throws: Failure.self) {
                try await store.replace(mark, if: condition)
            }
            #expect(error?.code.name == "s3.not-s3")
        }
        #expect(bucket.files[mark.path] == nil)
    }

    @Test("an upload that was sent twice on its way was taken for another publisher's")
    func sentTwice() async throws {
        let bucket = bucket(refusals: 1, holding: Array("2".utf8))
        #expect(try await bucket.store(playground.path).replace(mark, if: .absent))
    }

    @Test func whatAnotherWroteStays() async throws {
        let bucket = bucket(refusals: 1, holding: Array("3".utf8))
        #expect(try await !bucket.store(playground.path).replace(mark, if: .absent))
        #expect(bucket.files[mark.path] == Array("3".utf8))
    }
}
