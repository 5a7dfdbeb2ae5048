import PackGround
import PackOrigin
import PackS3
import TestSupport
import Testing

/// The cache of a run, and the requests it repeats after writing its intent.
@Suite struct S3MemoryTests {
    private let playground: Playground
    private let bucket = BucketTransport()
    private let store: S3Store

    private static let listing = "GET ?app/"

    init() throws {
        playground = try Playground()
        store = try bucket.store(playground.path)
    }

    private func upload(_ path: String, _ text: String) -> Upload {
        Upload(path, Array(text.utf8))
    }

    private func size(of path: String) async throws -> UInt64? {
        try await store.statuses(of: [path])[0]?.size
    }

    @Test func oneListingAnswersUntilItIsForgotten() async throws {
        bucket.set("objects/a/one.js", Array("1".utf8))
        #expect(try await size(of: "objects/a/one.js") == 1)
        #expect(try await size(of: "objects/b/two.js") == nil)
        #expect(try await store.names(in: "objects") == ["a"])
        #expect(bucket.asked == [Self.listing])
        // Another run uploads, and a prune deletes.
        bucket.set("objects/b/two.js", Array("22".utf8))
        bucket.set("objects/a/one.js", nil)
        #expect(try await size(of: "objects/b/two.js") == nil)
        store.invalidateCache()
        #expect(try await size(of: "objects/b/two.js") == 2)
        #expect(try await size(of: "objects/a/one.js") == nil)
        #expect(try await store.names(in: "objects") == ["b"])
        #expect(bucket.asked == [Self.listing, Self.listing])
    }

    @Test func whatWasReadIsReadAgain() async throws {
        let path = "releases/0123456789abcdef0123/info.json"
        bucket.set(path, Array("{}".utf8))
        for _ in 0..<2 {
            #expect(try await store.read(path, limit: 10)?.bytes == Array("{}".utf8))
        }
        #expect(bucket.asked == [Self.listing, "GET \(path)"])
        bucket.set(path, nil)
        #expect(try await store.read(path, limit: 10) != nil)
        store.invalidateCache()
        #expect(try await store.read(path, limit: 10) == nil)
    }

    @Test func whatIsNeverDeletedIsReadOnce() async throws {
        for path in ["channels/beta/log/1.json", "root/1.json"] {
            bucket.set(path, Array("{}".utf8))
            bucket.clear()
            for _ in 0..<2 {
                #expect(try await store.read(path, limit: 10)?.bytes == Array("{}".utf8))
                store.invalidateCache()
            }
            #expect(bucket.asked.count(where: { $0 == "GET \(path)" }) == 1)
        }
    }

    /// A file read while the intent was being written is not requested a second time, and counts
    /// once.
    @Test func whatWasReadAheadIsReadOnce() async throws {
        let info = upload("releases/0123456789abcdef0123/info.json", "{}")
        let package = upload("releases/0123456789abcdef0123/package.zip", "PK")
        let log = upload("channels/beta/log/1.json", "{}")
        let contents = [info, package, log].map { ObjectReference($0.path, $0.content) }
        bucket.set(info.path, Array("{}".utf8))
        bucket.set(package.path, Array("PK".utf8))
        bucket.set(log.path, Array("{}".utf8))
        _ = try await store.exclusively(isNew: false) {
            await store.readAhead(contents)
            #expect(Set(bucket.asked) == Set(contents.map { "GET \($0.path)" }))
            store.invalidateCache()
            bucket.clear()
            #expect(try await store.read(contents[0]) == Array("{}".utf8))
            let directory = try Directory.open(playground.path)
            try await store.fetch(contents[1], into: directory, as: "package.zip")
            #expect(try await store.read(log.path, limit: 10)?.bytes == Array("{}".utf8))
            #expect(bucket.asked == [])
            store.invalidateCache()
            #expect(try await store.read(contents[0]) == Array("{}".utf8))
            #expect(bucket.asked.contains("GET \(info.path)"))
        }
    }

    /// A prefetched pointer is used once, and not at all after the run wrote the file or
    /// invalidated its cache.
    @Test func aPointerThatWasReadAheadIsReadOnce() async throws {
        let path = "channels/beta/pointer.json"
        bucket.set(path, Array("1".utf8))
        func read() async throws -> String? {
            try await store.read(path, limit: 10).map { String(decoding: $0.bytes, as: UTF8.self) }
        }
        await store.readAhead(path, limit: 10)
        bucket.set(path, Array("2".utf8))
        #expect(try await read() == "1")
        #expect(try await read() == "2")
        await store.readAhead(path, limit: 10)
        bucket.set(path, Array("3".utf8))
        store.invalidateCache()
        #expect(try await read() == "3")
        await store.readAhead(path, limit: 10)
        #expect(try await store.replace(upload(path, "4"), if: .always))
        #expect(try await read() == "4")
    }

    /// A listing older than the pointer may lack the log entry that the pointer names.
    @Test func aPointerThatWasReadAheadIsComparedWithTheListing() async throws {
        let path = "channels/beta/pointer.json"
        bucket.set(path, Array("1".utf8))
        _ = try await store.names(in: "channels/beta/log")
        bucket.set("channels/beta/log/2.json", Array("2".utf8))
        bucket.set(path, Array("2".utf8))
        await store.readAhead(path, limit: 10)
        #expect(try await store.names(in: "channels/beta/log") == [])
        _ = try await store.read(path, limit: 10)
        #expect(try await store.names(in: "channels/beta/log") == ["2.json"])
    }

    /// The hashes used for prefetching are not verified yet.
    @Test func whatWasReadAheadMustHaveItsHash() async throws {
        let info = upload("releases/0123456789abcdef0123/info.json", "{}")
        let content = ObjectReference(info.path, info.content)
        bucket.set(info.path, Array("[]".utf8))
        await store.readAhead([content])
        let other = ObjectReference(info.path, FileDigest(of: Array("[]".utf8)))
        bucket.clear()
        await expectFailure(of: "origin") { try await store.read(content) }
        #expect(bucket.asked.contains("GET \(info.path)"))
        // A file read with another hash does not count either.
        await store.readAhead([other])
        await expectFailure(of: "origin") { try await store.read(content) }
    }

    /// Uploads of this run are read back, never taken from a listing.
    @Test func whatThisRunMadeIsKept() async throws {
        let object = upload("objects/a/one.js", "1")
        #expect(try await store.create([object]) == [.made])
        store.invalidateCache()
        bucket.clear()
        #expect(try await store.holds(object.content, at: object.path))
        #expect(bucket.asked == ["GET objects/a/one.js"])
        // The store's tested level stays valid: a second upload sends no probes.
        bucket.clear()
        #expect(try await store.create([upload("objects/b/two.js", "22")]) == [.made])
        #expect(bucket.asked == ["PUT objects/b/two.js"])
    }

    /// A file that was read back is not downloaded a second time, before or after invalidating the
    /// cache.
    @Test func whatIsProvedStaysProved() async throws {
        var object = upload("objects/a/one.js", "1")
        object.isProvedAtOnce = true
        #expect(try await store.create([object]) == [.made])
        #expect(bucket.asked.suffix(2) == ["PUT objects/a/one.js", "GET objects/a/one.js"])
        store.invalidateCache()
        bucket.clear()
        #expect(try await store.holds(object.content, at: object.path))
        #expect(bucket.asked.isEmpty)
    }

    /// A wrong answer to the early check proves nothing; a second read decides.
    @Test("a store that damaged an upload was reported as an earlier release's fault")
    func aDamagedUploadIsTheStoresFault() async throws {
        let bucket = BucketTransport { name in
            name == "GET objects/a/one.js" ? (200, ["ETag": "\"x\""], Array("2".utf8)) : nil
        }
        let store = try bucket.store(playground.path)
        var object = upload("objects/a/one.js", "1")
        object.isProvedAtOnce = true
        #expect(try await store.create([object]) == [.made])
        let error = await #expect(throws: Failure.self) {
            try await store.holds(object.content, at: object.path)
        }
        #expect(error?.code.name == "s3.damaged-upload" && error?.exitCode == .couldNotDo)
        let package = upload("releases/0123456789abcdef0123/package.zip", "PK")
        bucket.rots = true
        var first = package
        first.isDurableFirst = true
        let durable = first
        await #expect(throws: Failure.s3DamagedUpload(path: store.display(package.path))) {
            try await store.create([durable])
        }
    }

    @Test func namesAreAskedAgainAfterTheRunWrites() async throws {
        #expect(try await store.names(in: "channels").isEmpty)
        _ = try await store.create([upload("channels/beta/log/1.json", "{}")])
        #expect(try await store.names(in: "channels") == ["beta"])
        #expect(bucket.asked.count(where: { $0 == Self.listing }) == 1)
    }
}
