import PackGround
import PackOrigin

/// A transport that reports what it receives of the file that an update fetches, and states who asks.
final class DownloadCounter: HTTPTransport {
    private let transport: any HTTPTransport
    private let agent: String
    private let report: @Sendable (PackClient.Event) -> Void
    private let sums = Locked((total: UInt64(0), done: UInt64(0), reported: UInt64(0)))

    init(
        _ transport: any HTTPTransport, agent: String,
        _ report: @escaping @Sendable (PackClient.Event) -> Void
    ) {
        self.transport = transport
        self.agent = agent
        self.report = report
    }

    /// Begins to count for files of so many bytes.
    func begin(_ total: UInt64) {
        sums.withLock { $0 = (total, 0, 0) }
        report(.downloading(bytes: 0, of: total))
    }

    func send(_ request: HTTPRequest, to sink: any HTTPSink) async throws -> HTTPHead {
        var request = request
        request.headers.append(HTTPHeader("User-Agent", agent))
        return try await transport.send(request, to: CountingSink(sink) { self.add($0) })
    }

    /// Reports each further hundredth.
    private func add(_ count: Int) {
        let event = sums.withLock { sums -> PackClient.Event? in
            guard sums.total > 0 else { return nil }
            sums.done = min(sums.done.addingClamped(UInt64(count)), sums.total)
            guard sums.done == sums.total || sums.done - sums.reported >= sums.total / 100 else {
                return nil
            }
            guard sums.done > sums.reported else { return nil }
            sums.reported = sums.done
            return .downloading(bytes: sums.done, of: sums.total)
        }
        if let event { report(event) }
    }

    func wait(seconds: Double) async throws { try await transport.wait(seconds: seconds) }

    func openConnections(_ count: Int) { transport.openConnections(count) }

    var shortestDelay: Double? { transport.shortestDelay }
}

/// A sink that counts what it passes on.
private final class CountingSink: HTTPSink {
    private let sink: any HTTPSink
    private let count: @Sendable (Int) -> Void

    init(_ sink: any HTTPSink, _ count: @escaping @Sendable (Int) -> Void) {
        self.sink = sink
        self.count = count
    }

    var limit: UInt64 { sink.limit }

    func begin(_ head: HTTPHead) throws { try sink.begin(head) }

    func receive(_ bytes: [UInt8]) throws -> Bool {
        count(bytes.count)
        return try sink.receive(bytes)
    }
}
