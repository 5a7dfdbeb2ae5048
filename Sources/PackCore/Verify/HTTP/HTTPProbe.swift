import PackGround
import PackOrigin

/// Requests files from one address and keeps everything that the checks need.
struct HTTPProbe: Sendable {
    let address: HTTPAddress
    let client: HTTPClient

    /// The options of a request.
    struct Question: Sendable {
        var method = HTTPRequest.Method.get
        /// The content size, in bytes, above which reading stops.
        var limit: UInt64
        var keepsBytes = false
        var encoding = "identity"
        /// Bypasses caches with a random query.
        var isPastCaches = false
        /// The first and last byte to request.
        var range: ClosedRange<UInt64>?
        /// The web origin of the requesting page.
        var webOrigin: String?

        init(limit: UInt64) { self.limit = limit }
    }

    /// - Parameter file: An additional destination for the content.
    /// - Throws: ``Failure`` from writing `file`.
    func ask(
        _ path: String, _ question: Question, file: SinkFile? = nil
    ) async throws -> ProbeAnswer {
        var request = HTTPRequest(
            question.method,
            address.url(of: path, pastCaches: question.isPastCaches ? uniqueName() : nil),
            headers: [HTTPHeader("Accept-Encoding", question.encoding)])
        if let range = question.range {
            request.headers.append(
                HTTPHeader("Range", "bytes=\(range.lowerBound)-\(range.upperBound)"))
        }
        if let origin = question.webOrigin {
            request.headers.append(HTTPHeader("Origin", origin))
        }
        let asked = request
        let keepsBytes = question.keepsBytes
        var sink = ProbeSink(limit: question.limit, keepsBytes: keepsBytes, file: file)
        let head = try await client.send(address.display(path)) {
            sink = ProbeSink(limit: question.limit, keepsBytes: keepsBytes, file: file)
            return (asked, sink)
        }
        return sink.answer(head)
    }
}

/// An answer with everything that the checks need.
struct ProbeAnswer: Sendable {
    let head: HTTPHead
    /// The targets of all redirects.
    let locations: [String]
    /// The digest of the content, after decompression.
    let digest: FileDigest
    let bytes: [UInt8]
    let isTooLong: Bool
    /// Whether the compressed content is damaged.
    let isUnreadable: Bool

    /// The number of seconds since a cache stored the answer.
    var age: Int? { head["age"].flatMap { Int($0) } }

    /// Whether the headers identify the answer as cached.
    var isFromCache: Bool {
        if let age, age > 0 { return true }
        return ["x-cache", "cf-cache-status", "x-cache-status"].contains { name in
            head[name]?.lowercased().contains("hit") ?? false
        }
    }

    /// Whether the answer is the complete expected file.
    func isWhole(_ content: FileDigest) -> Bool {
        head.status == 200 && !isTooLong && !isUnreadable && digest == content
    }
}

extension HTTPHead {
    /// Headers that identify the cache and the request to an operator.
    private static let telling = [
        "age", "x-cache", "cf-cache-status", "x-cache-status", "via", "x-served-by", "cf-ray",
        "x-amz-cf-id", "x-amz-request-id", "x-request-id", "server",
    ]

    /// Cache and server headers to print: `age 5310, x-cache HIT`.
    var evidence: String {
        let told = Self.telling.compactMap { name in
            self[name].map { "\(name) \(printable($0.utf8.prefix(80)))" }
        }
        return told.joined(separator: ", ")
    }
}

/// A content encoding, shortened and escaped for messages.
func shownEncoding(_ encoding: String) -> String { printable(encoding.utf8.prefix(40)) }
