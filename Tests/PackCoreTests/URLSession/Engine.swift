import PackClientURLSession
import PackGround
import PackNet
import PackOrigin

/// The transports that must agree.
enum Engine: CaseIterable, Sendable {
    case libcurl
    case urlSession

    func transport(patience: Int = 30) throws -> any HTTPTransport {
        switch self {
        case .libcurl:
            var settings = CurlTransport.Settings(agent: "test/1")
            settings.patience = patience
            return try CurlTransport(settings)
        case .urlSession: return URLSessionTransport(userAgent: "test/1", patience: patience)
        }
    }
}

/// A sink that keeps an answer, as it is told to.
final class TestSink: HTTPSink {
    struct Refusal: Error, Equatable {}

    let limit: UInt64
    let heads = Locked<[HTTPHead]>([])
    let bytes = Locked<[UInt8]>([])
    private let accept: @Sendable (_ total: Int) throws -> Bool

    /// - Parameter accept: What to answer after so many bytes.
    init(
        limit: UInt64 = 1 << 20,
        accept: @escaping @Sendable (_ total: Int) throws -> Bool = { _ in true }
    ) {
        self.limit = limit
        self.accept = accept
    }

    func begin(_ head: HTTPHead) throws { heads.withLock { $0.append(head) } }

    func receive(_ piece: [UInt8]) throws -> Bool {
        let total = bytes.withLock { bytes in
            bytes += piece
            return bytes.count
        }
        return try accept(total)
    }

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
}

extension HTTPTransport {
    /// The head and content of an answer, or the kind of failure.
    func outcome(_ request: HTTPRequest) async throws -> Outcome {
        let sink = TestSink()
        do {
            let head = try await send(request, to: sink)
            return Outcome(status: head.status, text: sink.text)
        } catch let failure as HTTPFailure {
            return Outcome(failure: failure.kind)
        }
    }
}

struct Outcome: Equatable, Sendable {
    var status = 0
    var text = ""
    var failure: HTTPFailure.Kind?
}
