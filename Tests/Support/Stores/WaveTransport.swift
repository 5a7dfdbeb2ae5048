package import PackOrigin
import Synchronization

/// Divides the requests of a run into waves, the round trips: requests that are sent while others wait
/// for their answers are in one wave with them.
///
/// Answers are held back until the run has sent nothing for a while, so each wave has all requests
/// that do not depend on an answer of it.
package final class WaveTransport: HTTPTransport {
    private struct State {
        var waiting: [CheckedContinuation<Void, Never>] = []
        var sent: [String] = []
        var waves: [[String]] = []
    }

    private let transport: any HTTPTransport
    private let state = Mutex(State())
    private let pause: Duration

    /// - Parameter pause: The time without a request after which a wave is answered.
    package init(_ transport: any HTTPTransport, pause: Duration) {
        self.transport = transport
        self.pause = pause
    }

    /// As far away as to send all requests of a small release at once.
    package var shortestDelay: Double? { 1 }

    package func wait(seconds: Double) async throws { try await transport.wait(seconds: seconds) }

    package func send(_ request: HTTPRequest, to sink: any HTTPSink) async throws -> HTTPHead {
        let path = request.url.split(separator: "/", maxSplits: 4).last ?? ""
        await withCheckedContinuation { continuation in
            state.withLock {
                $0.waiting.append(continuation)
                $0.sent.append("\(request.method.rawValue) \(path)")
            }
        }
        return try await transport.send(request, to: sink)
    }

    /// Runs `body`, and returns the requests of each of its waves.
    package func waves(_ body: () async throws -> Void) async throws -> [[String]] {
        let ticks = Task {
            var count = 0
            while !Task.isCancelled {
                try? await Task.sleep(for: pause)
                let ended = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                    guard state.sent.count == count, count > 0 else {
                        count = state.sent.count
                        return []
                    }
                    count = 0
                    state.waves.append(state.sent)
                    state.sent = []
                    defer { state.waiting = [] }
                    return state.waiting
                }
                for continuation in ended { continuation.resume() }
            }
        }
        defer { ticks.cancel() }
        state.withLock { $0.waves = [] }
        try await body()
        return state.withLock { $0.waves }
    }
}
