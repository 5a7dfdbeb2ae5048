import FlyingSocks
import PackGround
package import PackServe

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Answers HTTP/1.1 requests until cancelled; FlyingSocks provides sockets, ``RequestHeadReader``
/// parses heads.
package struct WebServer: Sendable {
    /// Answers a request; an error is answered with status 500.
    package typealias Answer = @Sendable (ServeRequest) async throws -> ServeAnswer

    /// The settings of a server.
    package struct Settings: Sendable {
        package var fault: ServeFault?
        /// The time limit in seconds from the end of an answer, or the start of a connection, to
        /// the end of the next head; also for 32 KiB of an answer.
        package var patience = 30
        /// Seconds since 1970.
        package var now: @Sendable () -> Int
        /// Called for input refused before it was a valid request.
        package var refused: @Sendable (RequestRefusal) -> Void = { _ in }

        package init(now: @escaping @Sendable () -> Int) { self.now = now }
    }

    private let address: ListenAddress
    private let settings: Settings
    private let answer: Answer

    /// - Parameter answer: Called concurrently for several requests.
    package init(_ address: ListenAddress, _ settings: Settings, answer: @escaping Answer) {
        self.address = address
        self.settings = settings
        self.answer = answer
    }

    /// Listens and answers.
    ///
    /// - Parameter ready: Called once with the actual address.
    /// - Throws: ``Failure``; `CancellationError`.
    package func run(ready: @escaping @Sendable (ListenAddress) async throws -> Void) async throws {
        do {
            let socket = try address.listen()
            defer { try? socket.close() }
            var own = address
            switch try socket.sockname() {
            case .ip4(_, let port), .ip6(_, let port): own = address.with(port: port)
            default: break
            }
            try await run(socket, at: own, ready)
        } catch SocketError.failed(_, _, let message) {
            throw Failure.serveAddress(address, reason: message)
        } catch let error as SocketError {
            throw Failure.serveAddress(address, reason: "\(error)")
        }
    }

    private func run(
        _ socket: Socket, at own: ListenAddress,
        _ ready: @escaping @Sendable (ListenAddress) async throws -> Void
    ) async throws {
        let pool: some AsyncSocketPool = SocketPool.make()
        try await pool.prepare()
        let listener = try AsyncSocket(socket: socket, pool: pool)
        let connections = OpenConnections(patience: .seconds(settings.patience))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run() }
            group.addTask { try await accept(from: listener, connections) }
            group.addTask { try await connections.endLateOnes() }
            group.addTask { try await ready(own) }
            // The server only ends by a failure, which also ends the other tasks.
            while try await group.next() != nil {}
        }
    }

    private func accept(
        from listener: AsyncSocket, _ connections: OpenConnections
    ) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                let socket: AsyncSocket
                do {
                    socket = try await listener.accept()
                } catch SocketError.failed(_, let number, _) where Self.passing.contains(number) {
                    try await Task.sleep(for: .milliseconds(100))
                    continue
                }
                guard let id = connections.add(socket.socket) else {
                    // All connections are busy.
                    try? socket.socket.close()
                    continue
                }
                let connection = Connection(
                    id: id, socket: socket, others: connections, settings: settings, answer: answer)
                group.addTask { await connection.run() }
            }
        }
    }

    /// Errors of accepting one connection that do not affect the next one.
    private static let passing = [
        EMFILE, ENFILE, ENOBUFS, ENOMEM, ECONNABORTED, EPROTO, EINTR, EPERM,
    ]
}
