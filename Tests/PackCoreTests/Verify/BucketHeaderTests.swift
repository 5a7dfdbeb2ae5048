import PackPublish
import PackS3
import PackVerify
import TestSupport
import Testing

/// Clients receive the headers of a bucket's files, so verifying the bucket compares them.
@Suite struct BucketHeaderTests {
    private let playground: Playground
    private let bucket = BucketTransport()

    init() async throws {
        playground = try Playground()
        let store = try bucket.store(playground.path)
        _ = try await Publisher.publish(playground.request(Playground.first), to: store)
        _ = try await Publisher.publish(
            playground.request(Playground.second),
            to: bucket.store(playground.path))
    }

    private func verify() async throws -> Verification {
        bucket.clear()
        // `verify` opens the store so that every file is read.
        let store = S3Store(try bucket.client(), scratch: playground.path)
        return try await OriginVerifier.verify(store, now: Playground.now, jobs: 2)
    }

    private func paths(_ prefix: String, _ ending: String = "") -> [String] {
        bucket.files.keys.filter { $0.hasPrefix(prefix) && $0.hasSuffix(ending) }.sorted()
    }

    @Test func whatAPublishSetsIsRight() async throws {
        let result = try await verify()
        #expect(result.isSound, "\(result.failures)")
        #expect(result.headers.isEmpty && result.notes.isEmpty, "\(result.headers) \(result.notes)")
        // The answers to reads include the headers, so no HEAD request is sent.
        #expect(!bucket.asked.contains { $0.hasPrefix("HEAD ") && !$0.contains("site/") })
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        let prefix: String
        let ending: String
        let header: String
        let value: String?
        let kind: AuditFinding.Kind
        let severity: AuditFinding.Severity
        var testDescription: String { "\(prefix)…\(ending): \(header) \(value ?? "none")" }
    }

    static let wrongs = [
        Wrong(
            prefix: "objects/", ending: "", header: "cache-control", value: "no-store",
            kind: .notCached, severity: .warning),
        Wrong(
            prefix: "releases/", ending: "package.zip", header: "cache-control",
            value: "public, max-age=60", kind: .notCached, severity: .warning),
        Wrong(
            prefix: "channels/", ending: "log/1.json", header: "cache-control", value: nil,
            kind: .notCached, severity: .warning),
        Wrong(
            prefix: "channels/", ending: "pointer.json", header: "cache-control",
            value: "public, max-age=86400", kind: .cachedTooLong, severity: .error),
        Wrong(
            prefix: "info.json", ending: "", header: "cache-control", value: "max-age=600",
            kind: .cachedTooLong, severity: .warning),
        Wrong(
            prefix: "site/", ending: ".html", header: "cache-control",
            value: "max-age=31536000, immutable", kind: .cachedTooLong, severity: .error),
        Wrong(
            prefix: "objects/", ending: ".js", header: "content-type", value: "text/html",
            kind: .wrongType, severity: .error),
        Wrong(
            prefix: "site/", ending: ".js", header: "content-type",
            value: "application/octet-stream", kind: .wrongType, severity: .error),
        Wrong(
            prefix: "releases/", ending: "package.zip", header: "content-type", value: "text/plain",
            kind: .wrongType, severity: .warning),
        Wrong(
            prefix: "site/", ending: ".html", header: "content-type",
            value: "text/html; charset=iso-8859-1", kind: .wrongType, severity: .warning),
        Wrong(
            prefix: "objects/", ending: ".js", header: "content-encoding", value: "gzip",
            kind: .transformed, severity: .error),
    ]

    @Test(arguments: wrongs) func oneKindIsOneFinding(_ wrong: Wrong) async throws {
        let changed = paths(wrong.prefix, wrong.ending)
        try #require(!changed.isEmpty)
        for path in changed { bucket.set(wrong.header, wrong.value, of: path) }
        let result = try await verify()
        #expect(result.headers.map(\.kind) == [wrong.kind], "\(result.headers)")
        #expect(result.headers.map(\.severity) == [wrong.severity])
        #expect(result.headers.first?.paths == changed)
        #expect(result.isSound == (wrong.severity == .warning))
        #expect(result.failures.isEmpty && result.notes.isEmpty)
        #expect(result.headers.first?.remedy.isEmpty == false)
    }

    /// A problem of all files is reported once.
    @Test(arguments: ["cache-control", "content-type"])
    func aStoreThatGivesAHeaderNeverBack(_ header: String) async throws {
        for path in bucket.files.keys { bucket.set(header, nil, of: path) }
        let result = try await verify()
        #expect(result.isSound && result.headers.isEmpty)
        #expect(result.notes.count == 1)
    }

    /// Equivalent media types and harmless parameters.
    @Test func whatMeansTheSameIsRight() async throws {
        for path in paths("objects/", ".js") + paths("site/", ".js") {
            bucket.set("content-type", "application/javascript", of: path)
        }
        for path in paths("objects/") {
            bucket.set("cache-control", "max-age=31536000", of: path)
        }
        #expect(try await verify().headers.isEmpty)
    }

    /// The web server sets the headers of files in a directory.
    @Test func aDirectoryHasNone() async throws {
        try await playground.publish(Playground.first)
        let result = try await playground.verify()
        #expect(result.headers.isEmpty && result.notes.isEmpty)
    }
}
