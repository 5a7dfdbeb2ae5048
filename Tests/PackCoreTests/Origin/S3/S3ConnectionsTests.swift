import PackS3
import TestSupport
import Testing

/// The number of concurrent requests to a bucket.
@Suite struct S3ConnectionsTests {
    @Test(
        "the farther a store, the more",
        arguments: [(nil, 32), (0, 32), (0.05, 32), (0.1, 64), (0.15, 96), (0.3, 192), (30, 192)])
    func byDistance(delay: Double?, connections: Int) throws {
        #expect(try BucketTransport(shortestDelay: delay).client().connections == connections)
    }
}
