import PackOrigin
import Synchronization

/// An in-memory web server and network that returns scripted answers and records requests.
final class ScriptedTransport: HTTPTransport {
    enum Answer: Sendable {
        case reply(Int, [HTTPHeader] = [], [UInt8] = [])
        /// Sends these bytes, then closes the connection.
        case cut([UInt8], length: Int)
        case fail(HTTPFailure.Kind)
    }

    private struct State {
        var answers: [Answer]
        var requests: [HTTPRequest] = []
        var waits: [Double] = []
    }

    private let state: Mutex<State>

    init(_ answers: [Answer]) { state = Mutex(State(answers: answers)) }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }
    var urls: [String] { requests.map(\.url) }
    var waits: [Double] { state.withLock { $0.waits } }

    /// A client without random delays.
    func client(budget: Int = 100) -> HTTPClient {
        var policy = RetryPolicy()
        policy.budget = budget
        return HTTPClient(self, policy: policy, random: { 0.5 })
    }

    func store(
        _ address: String = "https://a.example/shop", mirrors: [String] = [], budget: Int = 100,
        parts: String? = nil
    ) throws -> HTTPStore {
        HTTPStore(
            try HTTPAddress(address), mirrors: try mirrors.map { try HTTPAddress($0) },
            client: client(budget: budget), parts: parts, scratch: "/tmp")
    }

    func send(_ request: HTTPRequest, to sink: any HTTPSink) async throws -> HTTPHead {
        let answer = state.withLock { state in
            state.requests.append(request)
            // The last answer is repeated.
            return state.answers.count > 1 ? state.answers.removeFirst() : state.answers[0]
        }
        switch answer {
        case .fail(let kind): throw HTTPFailure(kind, "as scripted")
        case .reply(let status, let headers, let body):
            let head = HTTPHead(status: status, headers: headers)
            try sink.begin(head)
            if !body.isEmpty { _ = try sink.receive(body) }
            return head
        case .cut(let body, let length):
            try sink.begin(
                HTTPHead(status: 200, headers: [HTTPHeader("Content-Length", "\(length)")]))
            _ = try sink.receive(body)
            throw HTTPFailure(.interrupted, "as scripted")
        }
    }

    func wait(seconds: Double) async throws { state.withLock { $0.waits.append(seconds) } }
}
