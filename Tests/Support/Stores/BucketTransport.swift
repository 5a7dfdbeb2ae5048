import Foundation
import PackGround
package import PackOrigin
package import PackS3
import Synchronization

/// A correct bucket in memory that records requests.
///
/// Signatures are not checked; `Tests/Rigs/Remote/bucket.py` does this.
package final class BucketTransport: HTTPTransport {
    package typealias Reply = (status: Int, fields: [String: String], body: [UInt8])

    package static let host = "https://s3.example.com"
    package static let origin = "s3://shop/app"

    private struct State {
        var files: [String: [UInt8]] = [:]
        /// The headers of each file, by path, with names in lower case.
        var headers: [String: [String: String]] = [:]
        var asked: [String] = []
        var rots = false
    }

    private let state = Mutex(State())
    /// Called with each request, such as `PUT info.json`, before the bucket answers.
    ///
    /// May return an answer instead.
    private let intercept: @Sendable (String) -> Reply?

    package let shortestDelay: Double?
    /// Whether ETags are the MD5 of the content.
    ///
    /// With KMS encryption they only look like it.
    private let hasHashes: Bool

    package init(
        shortestDelay: Double? = nil, hasHashes: Bool = true,
        _ intercept: @escaping @Sendable (String) -> Reply? = { _ in nil }
    ) {
        self.shortestDelay = shortestDelay
        self.hasHashes = hasHashes
        self.intercept = intercept
    }

    /// The requests so far, as method and path.
    package var asked: [String] { state.withLock { $0.asked } }

    /// Whether files are stored with different bytes than sent.
    package var rots: Bool {
        get { state.withLock { $0.rots } }
        set { state.withLock { $0.rots = newValue } }
    }

    package func clear() { state.withLock { $0.asked = [] } }

    /// The files, by path.
    package var files: [String: [UInt8]] { state.withLock { $0.files } }

    /// The headers of the files, by path.
    package var headers: [String: [String: String]] { state.withLock { $0.headers } }

    /// Writes or removes a file, as another run might.
    package func set(_ path: String, _ bytes: [UInt8]?) {
        state.withLock { $0.files[path] = bytes }
    }

    /// Changes or removes a header of a file, as a store or tool might.
    package func set(_ header: String, _ value: String?, of path: String) {
        state.withLock { $0.headers[path, default: [:]][header] = value }
    }

    package func store(
        _ scratch: String, _ writing: S3Store.Writing = S3Store.Writing(),
        readBack: ReadBack = .hashes
    ) throws -> S3Store {
        S3Store(try client(), scratch: scratch, readBack: readBack, writing: writing)
    }

    /// - Parameter transport: Passes requests on to this bucket.
    package func client(through transport: (any HTTPTransport)? = nil) throws -> S3Client {
        let settings = S3Client.Settings(
            try S3Address(Self.origin), try S3Endpoint("shop", endpoint: Self.host, region: nil),
            clock: { 1_795_000_000 }, random: { 0.5 }
        ) { S3Credentials(keyID: "AKID", secret: "secret", source: "a test") }
        return S3Client(transport ?? self, settings)
    }

    package func wait(seconds: Double) async throws {}

    package func send(_ request: HTTPRequest, to sink: any HTTPSink) async throws -> HTTPHead {
        try Task.checkCancellation()
        let body = try request.body.map { try Self.bytes($0) }
        let (urlPath, query) = Self.parts(request.url)
        let path =
            urlPath.hasPrefix("/shop/app/") ? String(urlPath.dropFirst("/shop/app/".count)) : ""
        let name =
            "\(request.method.rawValue) \(path.isEmpty ? "?\(query["prefix"] ?? "")" : path)"
        state.withLock { $0.asked.append(name) }
        let fields = Dictionary(
            request.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
        let reply =
            intercept(name)
            ?? state.withLock { state in
                path.isEmpty
                    ? listing(state.files, query)
                    : answer(request.method, path, fields, body ?? [], &state)
            }
        // A cancelled transfer returns no answer, even if the bucket has changed.
        try Task.checkCancellation()
        let head = HTTPHead(
            status: reply.status, headers: reply.fields.map { HTTPHeader($0.key, $0.value) })
        try sink.begin(head)
        if request.method != .head, !reply.body.isEmpty { _ = try sink.receive(reply.body) }
        return head
    }

    private static func bytes(_ body: HTTPBody) throws -> [UInt8] {
        let reader = try HTTPBodyReader(body)
        var bytes: [UInt8] = []
        while case let piece = try reader.next(atMost: 1 << 20), !piece.isEmpty { bytes += piece }
        return bytes
    }

    private static func parts(_ url: String) -> (path: String, query: [String: String]) {
        let parts = url.dropFirst(host.count).split(separator: "?", maxSplits: 1)
        var query: [String: String] = [:]
        for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
            let words = pair.split(separator: "=", maxSplits: 1)
            query[String(words[0])] = words.dropFirst().first?.removingPercentEncoding ?? ""
        }
        return (parts[0].removingPercentEncoding ?? "", query)
    }

    private func tag(_ bytes: [UInt8]) -> String {
        let digits =
            hasHashes
            ? MD5Hasher.md5(of: bytes)
            : String(StreamHasher.digest(of: bytes).description.prefix(32))
        return "\"\(digits)\""
    }

    private func answer(
        _ method: HTTPRequest.Method, _ path: String, _ fields: [String: String],
        _ body: [UInt8], _ state: inout State
    ) -> Reply {
        let present = state.files[path]
        switch method {
        case .put:
            if fields["if-none-match"] != nil, present != nil { return (412, [:], []) }
            if let match = fields["if-match"], present.map(tag) != match { return (412, [:], []) }
            state.headers[path] = fields.filter {
                ["cache-control", "content-type", "x-amz-meta-sha256"].contains($0.key)
            }
            guard let source = fields["x-amz-copy-source"]?.removingPercentEncoding else {
                state.files[path] = state.rots ? body.map { $0 ^ 1 } : body
                return (200, ["ETag": tag(body)], [])
            }
            state.files[path] = state.files[String(source.dropFirst("shop/app/".count))]
            return (200, [:], Array("<CopyObjectResult></CopyObjectResult>".utf8))
        case .delete:
            state.files[path] = nil
            return (204, [:], [])
        case .get, .head:
            guard let present else { return (404, [:], []) }
            let fields = ["ETag": tag(present), "Content-Length": "\(present.count)"]
            return (200, fields.merging(state.headers[path] ?? [:]) { $1 }, present)
        }
    }

    private func listing(_ files: [String: [UInt8]], _ query: [String: String]) -> Reply {
        let prefix = query["prefix", default: ""]
        let found = files.map { ("app/" + $0.key, $0.value) }.filter { $0.0.hasPrefix(prefix) }
            .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
        let isFolder = { (key: String) in
            query["delimiter"] != nil && key.dropFirst(prefix.count).contains("/")
        }
        let folders = Set(
            found.filter { isFolder($0.0) }.map {
                prefix + $0.0.dropFirst(prefix.count).prefix { $0 != "/" } + "/"
            }
        ).sorted().map { "<CommonPrefixes><Prefix>\($0)</Prefix></CommonPrefixes>" }
        let rows =
            found.filter { !isFolder($0.0) }.map {
                "<Contents><Key>\($0.0)</Key><ETag>\(tag($0.1))</ETag><Size>\($0.1.count)</Size></Contents>"
            }
        let text =
            "<ListBucketResult><IsTruncated>false</IsTruncated>\((rows + folders).joined())</ListBucketResult>"
        return (200, [:], Array(text.utf8))
    }
}
