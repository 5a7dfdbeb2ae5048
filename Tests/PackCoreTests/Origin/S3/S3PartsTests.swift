import PackGround
import PackOrigin
import PackS3
import Synchronization
import TestSupport
import Testing

/// Files that are uploaded in parts, and what is left of them in the bucket.
@Suite struct S3PartsTests {
    private static let place = "objects/a/film.bin"

    private static let joined = Array("<CompleteMultipartUploadResult/>".utf8)
    private static let over = Array("<Error><Code>NoSuchUpload</Code></Error>".utf8)

    private let playground: Playground
    private let film: Upload

    init() throws {
        playground = try Playground()
        let bytes = [UInt8](repeating: 7, count: 250)
        try playground.write("film.bin", bytes)
        film = Upload(
            Self.place, .file(in: try Directory.open(playground.path), named: "film.bin"),
            FileDigest(sha256: StreamHasher.digest(of: bytes), size: 250))
    }

    /// A bucket that keeps 'create only' when it joins parts.
    private func bucket(
        at name: String, joining: BucketTransport.Reply = (200, [:], joined),
        _ act: @escaping @Sendable () -> Void
    ) -> (BucketTransport, S3Store.Writing) {
        let begun = Mutex<Set<String>>([])
        let transport = BucketTransport { asked in
            if asked == name { act() }
            guard asked.hasPrefix("POST ") else { return nil }
            let isFirst = begun.withLock { $0.insert(asked).inserted }
            guard isFirst else {
                return asked == "POST \(Self.place)" ? joining : (412, [:], [])
            }
            let text =
                "<InitiateMultipartUploadResult><UploadId>7</UploadId></InitiateMultipartUploadResult>"
            return (200, [:], Array(text.utf8))
        }
        var writing = S3Store.Writing()
        writing.largestRequest = 100
        return (transport, writing)
    }

    @Test func aFileAboveTheLimitIsJoinedOfItsParts() async throws {
        let (bucket, writing) = bucket(at: "", {})
        let store = try bucket.store(playground.path, writing)
        #expect(try await store.create([film]) == [.made])
        #expect(bucket.asked.count(where: { $0 == "PUT \(Self.place)" }) == 3)
        #expect(!bucket.asked.contains("DELETE \(Self.place)"))
    }

    /// Uploads run beside each other and beside the packing: the first that fails cancels the others, whose parts
    /// stayed in the bucket.
    @Test(arguments: ["POST \(place)", "PUT \(place)"])
    func anUploadThatIsCancelledLeavesNoParts(at request: String) async throws {
        let uploading = Mutex<Task<[CreateResult], any Error>?>(nil)
        let (bucket, writing) = bucket(at: request) { uploading.withLock { $0?.cancel() } }
        let store = try bucket.store(playground.path, writing)
        let film = film
        uploading.withLock { $0 = Task { try await store.create([film]) } }
        let task = try #require(uploading.withLock { $0 })
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(bucket.asked.last == "DELETE \(Self.place)")
    }

    @Test(
        "a request that was sent twice on its way failed the upload: the first one had joined its parts",
        arguments: [[UInt8](repeating: 7, count: 250), [7], nil])
    func joinedTheFirstTime(found: [UInt8]?) async throws {
        let holder = Mutex<BucketTransport?>(nil)
        let (bucket, writing) = bucket(at: "POST \(Self.place)", joining: (404, [:], Self.over)) {
            holder.withLock { $0?.set(Self.place, found) }
        }
        holder.withLock { $0 = bucket }
        let store = try bucket.store(playground.path, writing)
        if found?.count == 250 {
            #expect(try await store.create([film]) == [.made])
        } else {
            await #expect(throws: S3Error.self) { try await store.create([film]) }
        }
    }

    @Test("the probe of uploads in parts was sent twice on its way, and the store was called no S3")
    func probeSentTwice() async throws {
        let isFirst = Mutex(true)
        var writing = S3Store.Writing()
        writing.largestRequest = 100
        let holder = Mutex<BucketTransport?>(nil)
        let begun = Mutex<Set<String>>([])
        let bucket = BucketTransport { asked in
            if asked.hasPrefix("PUT .packtool/probe."),
                isFirst.withLock({ was in
                    defer { was = false }
                    return was
                })
            {
                holder.withLock { $0?.set(String(asked.dropFirst(4)), Array("{}\n".utf8)) }
                return (412, [:], [])
            }
            guard asked.hasPrefix("POST ") else { return nil }
            guard begun.withLock({ $0.insert(asked).inserted }) else {
                return asked == "POST \(Self.place)" ? (200, [:], Self.joined) : (412, [:], [])
            }
            let text =
                "<InitiateMultipartUploadResult><UploadId>7</UploadId></InitiateMultipartUploadResult>"
            return (200, [:], Array(text.utf8))
        }
        holder.withLock { $0 = bucket }
        #expect(try await bucket.store(playground.path, writing).create([film]) == [.made])
    }
}
