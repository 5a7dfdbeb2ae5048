import PackOrigin
import Synchronization

/// A request to a bucket, before it is signed.
struct S3Request: Sendable {
    var method: HTTPRequest.Method
    /// Of an object; `nil` for the bucket itself.
    var key: String?
    /// What is requested, as it may be shown.
    var shown: String
    /// The right that it needs, such as `PutObject`.
    var action: String
    var query: [(name: String, value: String)] = []
    var headers: [HTTPHeader] = []
    var body: HTTPBody?
    /// The root that an XML answer must have; an `Error` in a successful answer is a failure.
    var root: String?
    /// Whether a success must have an ETag, without which the answer is not the store's.
    var hasTag = false

    /// Headers that are signed; others may be changed by a proxy.
    static func isSigned(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["host", "content-type", "content-md5", "range"].contains(name)
            || name.hasPrefix("x-amz-") || name.hasPrefix("if-")
    }
}

/// The answer to a request, of any status.
struct S3Answer: Sendable {
    let head: HTTPHead
    /// What an error says; empty for a success and for HEAD.
    let code: String
    let message: String
    /// The XML of a successful answer, where one was wanted.
    let document: S3XML?
    /// Whether an earlier attempt may have changed the bucket.
    let isRepeated: Bool

    var isSuccess: Bool { head.isSuccess && code.isEmpty }
    /// Nothing is at the key.
    var isMissing: Bool { head.status == 404 && code != "NoSuchBucket" }
    /// A condition was not met.
    var isRefused: Bool {
        head.status == 412 || head.status == 409 && code == "ConditionalRequestConflict"
    }
}

/// Passes the content of a success on, and keeps what an error says.
final class S3Sink: HTTPSink {
    private struct State {
        var isSuccess = false
        var bytes: [UInt8] = []
    }

    private let content: any HTTPSink
    private let state = Mutex(State())
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
