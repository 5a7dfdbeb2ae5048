import PackGround
import PackOrigin
import PackPublish
import PackS3
import TestSupport
import Testing

/// Evidence for the content of a file that this run did not write.
///
/// Its size is not enough.
@Suite struct S3ProofTests {
    private let playground: Playground

    init() throws { playground = try Playground() }

    private static let logo = "static/logo.svg"
    private static let logoObject =
        "objects/\(StreamHasher.digest(of: Array(Playground.logo.utf8)))/logo.svg"

    @discardableResult
    private func publish(
        _ files: [String: String], to bucket: BucketTransport,
        _ readBack: ReadBack = .hashes, deltas: Int = 0
    ) async throws -> PublishReport {
        try await Publisher.publish(
            playground.request(files, deltas: deltas),
            to: bucket.store(playground.path, readBack: readBack))
    }

    private func roll(
        back bucket: BucketTransport, _ readBack: ReadBack = .hashes
    ) async throws -> ChannelReport {
        try await ChannelChanger.run(
            playground.request(.rollback(to: nil, isMandatory: true)),
            on: bucket.store(playground.path, readBack: readBack))
    }

    /// Changes a byte in the middle, as a failing store or tool might.
    private func damage(_ path: String, of bucket: BucketTransport) throws -> [UInt8] {
        let bytes = try #require(bucket.files[path])
        var other = bytes
        other[other.count / 2] ^= 1
        bucket.set(path, other)
        return bytes
    }

    private func pointer(of bucket: BucketTransport) -> [UInt8]? {
        bucket.files["channels/production/pointer.json"]
    }

    @Test(
        "an object that was damaged at its size was copied over the good file of site/",
        arguments: [true, false])
    func aDamagedObjectIsNotSpread(hasHashes: Bool) async throws {
        let bucket = BucketTransport(hasHashes: hasHashes)
        try await publish(Playground.first, to: bucket)
        let right = try damage(Self.logoObject, of: bucket)
        let report = try await publish(Playground.second, to: bucket)
        #expect(bucket.files["site/\(Self.logo)"] == right)
        #expect(bucket.files[Self.logoObject] == right)
        let notes = report.notes.filter { $0.contains(Self.logoObject) }
        #expect(notes.count == 1 && notes[0].contains("was damaged and is replaced"))
    }

    /// Publishing the same content detects damaged or truncated objects and restores them from the
    /// build.
    @Test(arguments: [true, false], [true, false])
    func aRepublishRepairsObjects(hasHashes: Bool, isCut: Bool) async throws {
        let bucket = BucketTransport(hasHashes: hasHashes)
        try await publish(Playground.first, to: bucket)
        let right = try damage(Self.logoObject, of: bucket)
        if isCut { bucket.set(Self.logoObject, Array(right.dropLast())) }
        let planned = try await Publisher.plan(
            playground.request(Playground.first), to: bucket.store(playground.path))
        #expect(planned.notes.contains { $0.contains("\(Self.logoObject)' was damaged") })
        try await publish(Playground.first, to: bucket)
        #expect(bucket.files[Self.logoObject] == right)
        #expect(bucket.files["site/\(Self.logo)"] == right)
    }

    @Test("a rollback to a release whose package is damaged ended with success")
    func aRollbackProvesThePackage() async throws {
        for hasHashes in [true, false] {
            let bucket = BucketTransport(hasHashes: hasHashes)
            let first = try await publish(Playground.first, to: bucket)
            try await publish(Playground.second, to: bucket)
            let live = pointer(of: bucket)
            let path = "releases/\(first.version)/package.zip"
            let right = try damage(path, of: bucket)
            let error = await #expect(throws: Failure.self) { try await roll(back: bucket) }
            #expect(error?.code == .channelReleaseDamaged && error?.exitCode == .verification)
            #expect(error?.description.contains(path) == true)
            #expect(pointer(of: bucket) == live)
            // No intent blocks the next command.
            #expect(!bucket.files.keys.contains { $0.hasPrefix(".packtool/intents/") })
            bucket.set(path, right)
            #expect(try await roll(back: bucket).outcome == .changed)
        }
    }

    @Test func aRollbackThatTrustsSizesReadsNoPackage() async throws {
        let bucket = BucketTransport()
        let first = try await publish(Playground.first, to: bucket)
        try await publish(Playground.second, to: bucket)
        _ = try damage("releases/\(first.version)/package.zip", of: bucket)
        bucket.clear()
        #expect(try await roll(back: bucket, .sizes).outcome == .changed)
        #expect(!bucket.asked.contains { $0.contains("package.zip") })
    }

    /// A damaged object used only by the earlier release.
    @Test(arguments: [true, false]) func aRollbackProvesObjects(hasHashes: Bool) async throws {
        let bucket = BucketTransport(hasHashes: hasHashes)
        try await publish(Playground.first, to: bucket)
        try await publish(Playground.second, to: bucket)
        let sha = StreamHasher.digest(of: Array("go()\n".utf8))
        let before = bucket.files.filter { $0.key.hasPrefix("site/") }
        _ = try damage("objects/\(sha)/main.js", of: bucket)
        let error = await #expect(throws: Failure.self) { try await roll(back: bucket) }
        #expect(error?.description.contains("objects/\(sha)/main.js") == true)
        #expect(bucket.files.filter { $0.key.hasPrefix("site/") } == before)
    }

    /// The package is read once and gives the ETags that the objects must have.
    @Test func aRollbackReadsThePackageAndNoObject() async throws {
        let bucket = BucketTransport()
        let first = try await publish(Playground.first, to: bucket)
        try await publish(Playground.second, to: bucket)
        bucket.clear()
        _ = try await roll(back: bucket)
        #expect(!bucket.asked.contains { $0.hasPrefix("GET objects/") })
        let package = "GET releases/\(first.version)/package.zip"
        #expect(bucket.asked.count { $0 == package } == 1)
    }

    /// Publishing the same content reads only the package, whose bytes are missing on this machine.
    @Test func aRepublishReadsThePackageAndNoObject() async throws {
        let bucket = BucketTransport()
        let first = try await publish(Playground.first, to: bucket)
        for readBack in [ReadBack.hashes, .sizes] {
            bucket.clear()
            #expect(try await publish(Playground.first, to: bucket, readBack).outcome == .unchanged)
            #expect(!bucket.asked.contains { $0.contains(" objects/") || $0.contains(" site/") })
            let package = bucket.asked.count { $0 == "GET releases/\(first.version)/package.zip" }
            #expect(package == (readBack == .hashes ? 1 : 0))
        }
    }

    /// If ETags are not hashes, the uploader's metadata is not evidence either.
    @Test func metadataIsNoProof() async throws {
        let bucket = BucketTransport(hasHashes: false)
        try await publish(Playground.first, to: bucket)
        let right = try damage("site/\(Self.logo)", of: bucket)
        #expect(try await publish(Playground.first, to: bucket).outcome == .completed)
        #expect(bucket.files["site/\(Self.logo)"] == right)
    }

    /// A pause does not read the release.
    ///
    /// Unchanged files need no evidence and may be damaged.
    @Test(arguments: [true, false]) func aPauseReadsNoObject(hasHashes: Bool) async throws {
        let bucket = BucketTransport(hasHashes: hasHashes)
        try await publish(Playground.first, to: bucket)
        _ = try damage(Self.logoObject, of: bucket)
        bucket.clear()
        _ = try await ChannelChanger.run(
            playground.request(.pause(bypasses: false)), on: bucket.store(playground.path))
        #expect(
            !bucket.asked.contains { $0.hasPrefix("GET objects/") || $0.hasPrefix("GET site/") })
    }
}
