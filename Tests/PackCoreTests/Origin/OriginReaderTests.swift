import Foundation
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import TestSupport
import Testing

@Suite(.eachStore) struct OriginReaderTests {
    private static let path = "origin/channels/production/pointer.json"
    private static let log = "origin/channels/production/log/1.json"

    /// A published origin with an edited pointer, and with an edited log entry if requested.
    private func origin(
        inLog: Bool = true, _ edit: (inout Pointer) throws -> Void
    ) async throws -> (Playground, OriginReader) {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        var pointer = try #require(try await playground.reader().pointer(.production)).pointer
        try edit(&pointer)
        let envelope = try Envelope(
            payloadType: Envelope.pointerType, payload: PointerCoding.encode(pointer))
        try playground.overwrite(Self.path, envelope.encode())
        if inLog { try playground.overwrite(Self.log, envelope.encode()) }
        return (playground, try playground.reader())
    }

    @Test func readsWhatWasPublished() async throws {
        let (playground, reader) = try await origin { _ in }
        let published = try #require(try await reader.pointer(.production))
        #expect(published.path == playground.path + "/" + Self.path)
        #expect(published.bytes == (try playground.read(Self.log)))
        #expect(published.baseURL == (try BaseURL(Playground.base)))
        #expect(
            try await reader.manifest(of: published).release.version == published.pointer.version)
        #expect(try await reader.logEntry(.production, 1).pointer == published.pointer)
        #expect(try await playground.history().channels() == [.production])
        #expect(try await reader.pointer(Channel("beta")) == nil)
    }

    @Test func aPointerThatIsNotItsLogEntry() async throws {
        let (playground, reader) = try await origin(inLog: false) { $0.label = "edited" }
        await #expect(throws: Failure.originLogDiffers(path: playground.path + "/" + Self.path)) {
            try await reader.pointer(.production)
        }
    }

    /// The bytes must match, not only their meaning.
    @Test func aPointerWithAnotherSpelling() async throws {
        let (playground, reader) = try await origin { _ in }
        try playground.overwrite(Self.path, try playground.read(Self.path) + [0x0A])
        await #expect(throws: Failure.originLogDiffers(path: playground.path + "/" + Self.path)) {
            try await reader.pointer(.production)
        }
    }

    @Test func aPointerThatTheLogDoesNotHave() async throws {
        let (playground, reader) = try await origin { _ in }
        try playground.remove(Self.log)
        await #expect(throws: Failure.originLogMissing(path: playground.path + "/" + Self.path)) {
            try await reader.pointer(.production)
        }
    }

    @Test func theSequenceOfAnotherEntry() async throws {
        let (playground, reader) = try await origin(inLog: false) { $0.sequence = 2 }
        await #expect(throws: Failure.originLogMissing(path: playground.path + "/" + Self.path)) {
            try await reader.pointer(.production)
        }
        try playground.copy(Self.path, to: "origin/channels/production/log/3.json")
        await #expect(
            throws: Failure.originInvalidPointer(
                path: playground.path + "/origin/channels/production/log/3.json",
                problem: "its sequence is 2")
        ) { try await reader.logEntry(.production, 3) }
    }

    @Test func thePointerOfAnotherChannel() async throws {
        let (playground, reader) = try await origin { _ in }
        try playground.copy("origin/channels/production", to: "origin/channels/beta")
        let beta = try Channel("beta")
        await #expect(
            throws: Failure.originInvalidPointer(
                path: playground.path + "/origin/channels/beta/pointer.json",
                problem: "it belongs to channel 'production'")
        ) { try await reader.pointer(beta) }
        await expectFailure(of: "origin") { try await reader.logEntry(beta, 1) }
    }

    private static let urlTable: [(String, String)] = [
        ("https://cdn.example.com/shop/", "https://evil.example/shop/"),
        ("https://cdn.example.com/shop/", "https://cdn.example.com/other/"),
        ("package.zip", "package.zap"), ("package.zip", "package.zip?x"),
        ("releases/", "releases//"),
        ("releases/", "releases/../releases/"), ("https://", "http://"),
    ]

    @Test(arguments: urlTable) func aPackageElsewhere(_ find: String, _ replacement: String)
        async throws
    {
        var url = ""
        let (playground, reader) = try await origin { pointer in
            url = pointer.package.url.replacingOccurrences(of: find, with: replacement)
            pointer.package = ContentReference(
                url: url, sha256: pointer.package.sha256, size: pointer.package.size)
        }
        await #expect(
            throws: Failure.originURLElsewhere(url: url, path: playground.path + "/" + Self.path)
        ) {
            try await reader.pointer(.production)
        }
    }

    private static let infoTable: [(String, String)] = [
        ("info.json", "info.json#"), ("releases/", "release/"), ("https://", "file://"),
        ("cdn.example.com", "user@cdn.example.com"),
        ("cdn.example.com/shop", "cdn.example.com/shop/.."),
        ("/releases", "//releases"), ("https://cdn.example.com/shop", ""),
    ]

    @Test(arguments: infoTable) func aManifestElsewhere(_ find: String, _ replacement: String)
        async throws
    {
        let (playground, reader) = try await origin { pointer in
            pointer.info = ContentReference(
                url: pointer.info.url.replacingOccurrences(of: find, with: replacement),
                sha256: pointer.info.sha256, size: pointer.info.size)
        }
        let error = await #expect(throws: Failure.self) {
            try await reader.pointer(.production)
        }
        #expect(error?.code.name == "origin.url-elsewhere")
        withExtendedLifetime(playground) {}
    }

    private static let sizeTable: [(Int, Bool)] = [
        (65_536, true), (65_537, false), (10_000_000, false),
    ]

    @Test(arguments: sizeTable) func sizeOfAPointer(_ size: Int, _ isRead: Bool) async throws {
        let (playground, reader) = try await origin { _ in }
        var bytes = try playground.read(Self.path)
        bytes += [UInt8](repeating: 0x20, count: size - bytes.count)
        try playground.overwrite(Self.path, bytes)
        try playground.overwrite(Self.log, bytes)
        if isRead {
            #expect(try await reader.pointer(.production)?.bytes.count == size)
        } else {
            let error = await #expect(throws: Failure.self) {
                try await reader.pointer(.production)
            }
            #expect(error?.description.contains("File too large") == true)
        }
    }

    @Test(.directoryOnly) func linksAndPipesAreNotRead() async throws {
        let (playground, reader) = try await origin { _ in }
        try playground.copy(Self.path, to: "copy.json")
        try playground.remove(Self.path)
        try playground.link(Self.path, to: playground.path + "/copy.json")
        await expectFailure(of: "origin") { try await reader.pointer(.production) }
        try playground.remove(Self.path)
        #expect(mkfifo(playground.path + "/" + Self.path, 0o600) == 0)
        await expectFailure(of: "origin") { try await reader.pointer(.production) }
        try playground.remove("origin/channels/production/pointer.json")
        try playground.makeDirectory(Self.path)
        await expectFailure(of: "origin") { try await reader.pointer(.production) }
    }

    @Test func aWrongEnvelope() async throws {
        let (playground, reader) = try await origin { _ in }
        for text in ["", "{}", "[]", try playground.text("origin/info.json")] {
            try playground.overwrite(Self.path, Array(text.utf8))
            let error = await #expect(throws: Failure.self) {
                try await reader.pointer(.production)
            }
            #expect(error?.code.name == "origin.invalid-pointer")
        }
    }

    // MARK: Manifests

    @Test func theManifestHasToBeThePointersOwn() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let one = try #require(try await playground.reader().pointer(.production)).pointer
        try await playground.publish(Playground.second)
        let reader = try playground.reader()
        let two = try #require(try await reader.pointer(.production))
        let oneManifest = "origin/" + OriginLayout.manifest(one.version)
        let twoManifest = "origin/" + OriginLayout.manifest(two.pointer.version)

        // The intact manifest of the other release.
        let own = try playground.read(twoManifest)
        try playground.overwrite(twoManifest, try playground.read(oneManifest))
        let path = playground.path + "/" + twoManifest
        await #expect(
            throws: Failure.originDiffers(path: path, problem: "does not match its pointer")
        ) {
            try await reader.manifest(of: two)
        }
        // The same, but with its hash in the pointer.
        let bytes = try playground.read(oneManifest)
        var pointer = two.pointer
        pointer.info = ContentReference(
            url: pointer.info.url, sha256: StreamHasher.digest(of: bytes), size: UInt64(bytes.count)
        )
        let mixed = OriginReader.Published(
            pointer: pointer, bytes: [], payloadHash: two.payloadHash, path: "p",
            baseURL: two.baseURL, revision: two.revision)
        await #expect(
            throws: Failure.originDiffers(
                path: path, problem: "describes another release than its pointer")
        ) { try await reader.manifest(of: mixed) }
        try playground.remove(twoManifest)
        await #expect(throws: Failure.originMissing(path: path)) {
            try await reader.manifest(of: two)
        }
        try playground.write(twoManifest, own)
        await #expect(throws: Never.self) { try await reader.manifest(of: two) }
    }

    private static let manifestTable: [(String, String, String)] = [
        ("\"app\": \"shop\"", "\"app\": \"other\"", "belongs to app 'other'"),
        ("/package.zip\"", "/package.zap\"", "names another package than its pointer"),
    ]

    @Test(arguments: manifestTable) func aManifestThatContradicts(
        _ find: String, _ replacement: String, _ problem: String
    ) async throws {
        let (reader, published, path) = try await edited(find, replacement)
        await #expect(throws: Failure.originDiffers(path: path, problem: problem)) {
            try await reader.manifest(of: published)
        }
    }

    @Test func anObjectElsewhere() async throws {
        let (reader, published, path) = try await edited(
            "https://cdn.example.com/shop/objects/e3b0", "https://evil.example/shop/objects/e3b0")
        let error = await #expect(throws: Failure.self) {
            try await reader.manifest(of: published)
        }
        #expect(error?.code.name == "origin.url-elsewhere")
        #expect(error?.description.contains(path) == true)
    }

    /// An origin with an edited manifest and a pointer with the matching hash.
    private func edited(
        _ find: String, _ replacement: String
    ) async throws -> (OriginReader, OriginReader.Published, String) {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let reader = try playground.reader()
        let published = try #require(try await reader.pointer(.production))
        let path = "origin/" + OriginLayout.manifest(published.pointer.version)
        let text = try playground.text(path).replacingOccurrences(of: find, with: replacement)
        try playground.overwrite(path, Array(text.utf8))
        var pointer = published.pointer
        pointer.info = ContentReference(
            url: pointer.info.url, sha256: StreamHasher.digest(of: Array(text.utf8)),
            size: UInt64(text.utf8.count))
        held.append(playground)
        return (
            reader,
            .init(
                pointer: pointer, bytes: [], payloadHash: published.payloadHash, path: "p",
                baseURL: published.baseURL, revision: published.revision),
            playground.path + "/" + path
        )
    }

    private let held = Held()

    /// Keeps playgrounds alive during the test.
    private final class Held: @unchecked Sendable {
        private var playgrounds: [Playground] = []
        func append(_ playground: Playground) { playgrounds.append(playground) }
    }

    // MARK: Names

    @Test func onlySequencesCount() async throws {
        let (playground, _) = try await origin { _ in }
        for name in [
            "02.json", "0.json", "-1.json", "x.json", "2.txt", "3.json.bak", "+4.json", "10.json",
            "9.json",
            ".json",
        ] { try playground.write("origin/channels/production/log/\(name)", "{}") }
        #expect(try await playground.history().logSequences(.production) == [1, 9, 10])
    }

    /// Regression: such a name led to a sequence beyond the largest number, and a crash.
    @Test func regressionSequencesThatNoPointerCanHave() async throws {
        let (playground, _) = try await origin { _ in }
        for name in ["9223372036854775807", "9007199254740992", "99999999999999999999"] {
            try playground.write("origin/channels/production/log/\(name).json", "{}")
        }
        #expect(try await playground.history().logSequences(.production) == [1])
        // The largest number, but not a pointer: it does not use up the channel.
        try playground.write("origin/channels/production/log/9007199254740991.json", "{}")
        #expect(try await playground.publish(Playground.second).sequence == 2)
    }

    @Test(.directoryOnly) func directoriesThatAreNoOrigins() async throws {
        let playground = try Playground()
        try playground.makeDirectory("origin")
        await #expect(throws: Failure.originNotAnOrigin(path: playground.origin)) {
            try await playground.history().channels()
        }
        try playground.makeDirectory("origin/.packtool")
        #expect(try await playground.history().channels().isEmpty)
        try playground.makeDirectory("origin/channels/Beta")
        try playground.makeDirectory("origin/channels/beta")
        try playground.write("origin/channels/.DS_Store", "x")
        #expect(try await playground.history().channels().map(\.description) == ["beta"])
    }
}
