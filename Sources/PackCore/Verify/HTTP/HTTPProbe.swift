import PackGround
import PackOrigin

/// Asks one address for one place, and keeps all that its answer says.
struct HTTPProbe: Sendable {
    let address: HTTPAddress
    let client: HTTPClient

    /// How a place is asked for.
    struct Question: Sendable {
        var method = HTTPRequest.Method.get
        /// Reading ends above as many bytes.
        var limit: UInt64
        var keepsBytes = false
        var encoding = "identity"
        /// Gets past the caches by a random query.
        var isPastCaches = false
        /// The first and the last byte.
        var range: ClosedRange<UInt64>?
        /// The web origin of a page that asks.
        var webOrigin: String?

        init(limit: UInt64) { self.limit = limit }
    }

    /// - Parameter file: where the content goes as well.
    /// - Throws: ``HTTPError``; ``FileSystemError`` of the file.
    func ask(
        _ place: String, _ question: Question, file: SinkFile? = nil
    ) async throws -> ProbeAnswer {
        var request = HTTPRequest(
            question.method,
            address.url(of: place, pastCaches: question.isPastCaches ? uniqueName() : nil),
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
        let head = try await client.send(address.display(place)) {
            sink = ProbeSink(limit: question.limit, keepsBytes: keepsBytes, file: file)
            return (asked, sink)
        }
        return sink.answer(head)
    }
}

/// An answer with all that the checks look at.
struct ProbeAnswer: Sendable {
    let head: HTTPHead
    /// Where redirects led.
    let locations: [String]
    /// Of the content, decompressed if it was compressed.
    let digest: FileDigest
    let bytes: [UInt8]
    let isTooLong: Bool
    /// The compressed content is damaged.
    let isUnreadable: Bool

    /// The seconds that a cache has had it.
    var age: Int? { head["age"].flatMap { Int($0) } }

    /// Whether a cache says that it answered.
    var isFromCache: Bool {
        if let age, age > 0 { return true }
        return ["x-cache", "cf-cache-status", "x-cache-status"].contains { name in
            head[name]?.lowercased().contains("hit") ?? false
        }
    }

    /// Whether it is the whole file that is meant.
    func isWhole(_ content: FileDigest) -> Bool {
        head.status == 200 && !isTooLong && !isUnreadable && digest == content
    }
}

extension HTTPHead {
    /// Headers that tell an operator which cache answered, and where to find the request.
    private static let telling = [
        "age", "x-cache", "cf-cache-status", "x-cache-status", "via", "x-served-by", "cf-ray",
        "x-amz-cf-id", "x-amz-request-id", "x-request-id", "server",
    ]

    /// What the answer says of its way: `age 5310, x-cache HIT`.
    var evidence: String {
        let told = Self.telling.compactMap { name in
            self[name].map { "\(name) \(printable($0.utf8.prefix(80)))" }
        }
        return told.joined(separator: ", ")
    }
}

/// A content encoding in a message.
func shownEncoding(_ encoding: String) -> String { printable(encoding.utf8.prefix(40)) }
