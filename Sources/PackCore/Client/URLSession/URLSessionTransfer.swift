import Foundation
import PackGround
import PackOrigin

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and its answer while it arrives.
///
/// The session's delegate calls it from one thread at a time. ``cancel()`` and ``checkPace()`` may be
/// called from any thread.
final class URLSessionTransfer: Sendable {
    private struct State {
        var task: URLSessionTask?
        var continuation: CheckedContinuation<HTTPHead, any Error>?
        var outcome: Result<HTTPHead, any Error>?
        var head: HTTPHead?
        /// Whether the sink has the head.
        var hasBegun = false
        /// Received bytes of heads and content.
        var received: UInt64 = 0
        /// The value of `received` one second ago.
        var measured: UInt64 = 0
        /// The latest seconds with fewer bytes than ``leastPace`` each.
        var slowSeconds = 0
    }

    private let sink: any HTTPSink
    private let patience: Int
    private let calls: OperationQueue
    private let state = Locked(State())

    /// In bytes per second.
    private static let leastPace: UInt64 = 1024

    /// - Parameter calls: The queue for calls that may wait for the session's thread.
    init(_ sink: any HTTPSink, patience: Int, calls: OperationQueue) {
        self.sink = sink
        self.patience = patience
        self.calls = calls
    }

    var hasEnded: Bool { state.withLock { $0.outcome != nil } }

    /// Resumes a continuation at the end of the transfer.
    func expect(_ continuation: CheckedContinuation<HTTPHead, any Error>) {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.continuation = continuation }
            return state.outcome
        }
        if let outcome { continuation.resume(with: outcome) }
    }

    /// Sends the request, unless the transfer has ended before.
    func start(_ task: URLSessionTask) {
        let hasEnded = state.withLock { state in
            if state.outcome == nil { state.task = task }
            return state.outcome != nil
        }
        if hasEnded { task.cancel() } else { task.resume() }
    }

    func cancel() { end(.failure(CancellationError())) }

    /// Ends the transfer if it was slow for too long; called every second.
    func checkPace() {
        let isTooSlow = state.withLock { state in
            let isSlow = state.received - state.measured < Self.leastPace
            state.measured = state.received
            state.slowSeconds = isSlow ? state.slowSeconds + 1 : 0
            // One more, because the first bytes come late if the machine is busy.
            return state.slowSeconds > patience
        }
        if isTooSlow { end(.failure(HTTPFailure.tooSlow)) }
    }

    // MARK: The answer

    /// Keeps a head until the content, because another may follow.
    ///
    /// On Linux, these are also `103 Early Hints`, and the answer of a proxy to `CONNECT`.
    func receive(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return }
        let head = HTTPHead(response)
        let size = head.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        let isFlood = state.withLock { state in
            if !state.hasBegun { state.head = head }
            return count(size, &state)
        }
        if isFlood { end(.failure(HTTPFailure.flood(sink))) }
    }

    func receive(_ data: Data) {
        do {
            guard let head = try begin() else { return }
            guard !state.withLock({ count(data.count, &$0) }) else { throw HTTPFailure.flood(sink) }
            if try !sink.receive([UInt8](data)) { end(.success(head)) }
        } catch {
            end(.failure(error))
        }
    }

    /// Ends the transfer after the last byte, or with the session's error.
    func complete(_ task: URLSessionTask, _ error: (any Error)?) {
        let hasHead = state.withLock { $0.head != nil }
        if let error { return end(.failure(HTTPFailure(error, hasHead: hasHead))) }
        do {
            // On Linux, a redirect without `Location` is received nowhere else.
            if let response = task.response as? HTTPURLResponse {
                state.withLock { if !$0.hasBegun { $0.head = HTTPHead(response) } }
            }
            guard let head = try begin(), head.status >= 200 else {
                throw HTTPFailure(.interrupted, "no answer arrived")
            }
            end(.success(head))
        } catch {
            end(.failure(error))
        }
    }

    /// Passes the head to the sink, once.
    ///
    /// - Returns: `nil` if the transfer has ended, or has no head.
    private func begin() throws -> HTTPHead? {
        let (head, isFirst) = state.withLock { state -> (HTTPHead?, Bool) in
            guard state.outcome == nil, let head = state.head else { return (nil, false) }
            defer { state.hasBegun = true }
            return (head, !state.hasBegun)
        }
        if let head, isFirst { try sink.begin(head) }
        return head
    }

    /// Counts received bytes.
    ///
    /// - Returns: Whether more arrived than any correct answer has.
    private func count(_ size: Int, _ state: inout State) -> Bool {
        state.received &+= UInt64(clamping: size)
        return state.received > sink.mostReceived
    }

    private func end(_ outcome: Result<HTTPHead, any Error>) {
        let (continuation, task) = state.withLock { state in
            guard state.outcome == nil else {
                return (CheckedContinuation<HTTPHead, any Error>?.none, URLSessionTask?.none)
            }
            defer { (state.continuation, state.task) = (nil, nil) }
            state.outcome = outcome
            return (state.continuation, state.task)
        }
        continuation?.resume(with: outcome)
        // A task that has completed ignores it.
        if let task { calls.addOperation { task.cancel() } }
    }
}
