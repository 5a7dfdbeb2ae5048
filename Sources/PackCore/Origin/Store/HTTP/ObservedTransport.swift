import PackGround

/// A transport that reports every request, for `--verbose`.
///
/// Reports contain no secrets: only the request ID of the answer's headers, and an address without
/// user, password and query.
package struct ObservedTransport: HTTPTransport {
    /// A request and its result.
    package struct Exchange: Sendable, CustomStringConvertible {
        package let method: HTTPRequest.Method
        package let address: String
        /// The status, or the reason for a missing answer.
        package let result: String
        package let seconds: Double
        /// The server's ID of the request.
        package let request: String?

        package var description: String {
            let time = Int((seconds * 1000).rounded())
            return "\(method.rawValue) \(address): \(result), \(time) ms"
                + (request.map { " (\($0))" } ?? "")
        }
    }

    private let transport: any HTTPTransport
    private let clock: @Sendable () -> Double
    private let observe: @Sendable (Exchange) -> Void

    /// - Parameter clock: The seconds of a monotonic clock.
    package init(
        _ transport: any HTTPTransport, clock: @escaping @Sendable () -> Double,
        observe: @escaping @Sendable (Exchange) -> Void
    ) {
        self.transport = transport
        self.clock = clock
        self.observe = observe
    }

    package func send(_ request: HTTPRequest, to sink: any HTTPSink) async throws -> HTTPHead {
        let started = clock()
        let report = { (result: String, name: String?) in
            observe(
                Exchange(
                    method: request.method, address: printable(withoutSecrets(request.url).utf8),
                    result: result, seconds: clock() - started, request: name))
        }
        do {
            let head = try await transport.send(request, to: sink)
            report("\(head.status)", head.requestName)
            return head
        } catch let failure as HTTPFailure {
            report(withoutSecrets(failure.reason), nil)
            throw failure
        }
    }

    package func openConnections(_ count: Int) { transport.openConnections(count) }

    package func wait(seconds: Double) async throws { try await transport.wait(seconds: seconds) }

    package var shortestDelay: Double? { transport.shortestDelay }
}
