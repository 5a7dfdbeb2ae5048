import PackGround
import PackOrigin

/// An unsigned request to a bucket.
struct S3Request: Sendable {
    var method: HTTPRequest.Method
    /// The object key, or `nil` for the bucket itself.
    var key: String?
    /// The path or address to print in messages.
    var shown: String
    /// The required permission, such as `PutObject`.
    var action: String
    var query: [(name: String, value: String)] = []
    var headers: [HTTPHeader] = []
    var body: HTTPBody?
    /// The required root element of an XML answer.
    ///
    /// An `Error` element is a failure even with a success status.
    var root: String?
    /// Whether a successful answer must have an ETag.
    ///
    /// Without one, the store did not send it.
    var hasTag = false

    /// Whether a header is signed.
    ///
    /// Proxies may change the others.
    static func isSigned(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["host", "content-type", "content-md5", "range"].contains(name)
            || name.hasPrefix("x-amz-") || name.hasPrefix("if-")
    }
}

/// The answer to a request, with any status.
struct S3Answer: Sendable {
    let head: HTTPHead
    /// The error code; empty after success and for HEAD requests.
    let code: String
    let message: String
    /// The XML of the answer, if any.
    let document: S3XML?
    /// Whether an earlier attempt may have changed the bucket.
    let isRepeated: Bool

    var isSuccess: Bool { head.isSuccess && code.isEmpty }
    /// Whether the object does not exist.
    var isMissing: Bool { head.status == 404 && code != "NoSuchBucket" }
    /// Whether a condition was not met.
    var isRefused: Bool {
        head.status == 412 || head.status == 409 && code == "ConditionalRequestConflict"
    }
}

/// Forwards the content of a successful answer, and stores the body of an error.
final class S3Sink: HTTPSink {
    private struct State {
        var isSuccess = false
        var bytes: [UInt8] = []
    }

    private let content: any HTTPSink
    private let state = Locked(State())
    private static let errorLimit = 64 * 1024

    init(_ content: any HTTPSink) { self.content = content }

    var limit: UInt64 { max(content.limit, UInt64(Self.errorLimit)) }

    var errorBytes: [UInt8] { state.withLock { $0.isSuccess ? [] : $0.bytes } }

    func begin(_ head: HTTPHead) throws {
        state.withLock { $0 = State(isSuccess: head.isSuccess) }
        if head.isSuccess { try content.begin(head) }
    }

    func receive(_ bytes: [UInt8]) throws -> Bool {
        let isContent = state.withLock { state in
            if !state.isSuccess { state.bytes += bytes.prefix(Self.errorLimit - state.bytes.count) }
            return state.isSuccess
        }
        if isContent { return try content.receive(bytes) }
        return state.withLock { $0.bytes.count < Self.errorLimit }
    }
}
