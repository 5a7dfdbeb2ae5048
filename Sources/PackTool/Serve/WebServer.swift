import FlyingSocks
package import PackServe

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Answers HTTP/1.1 requests until it is cancelled: sockets by FlyingSocks, heads by ``RequestHeadReader``.
package struct WebServer: Sendable {
    package typealias Answer = @Sendable (ServeRequest) async throws -> ServeAnswer

    /// How requests are answered.
    package struct Settings: Sendable {
        package var fault: ServeFault?
        /// Seconds from the end of an answer, or the beginning of a connection, to the end of the next head;
        /// and for 32 KiB of an answer.
        package var patience = 30
        /// Seconds since 1970.
        package var now: @Sendable () -> Int
        /// Called with what was refused before it was a request.
        package var refused: @Sendable (RequestRefusal) -> Void = { _ in }

        package init(now: @escaping @Sendable () -> Int) { self.now = now }
    }

    private let address: ListenAddress
    private let settings: Settings
    private let answer: Answer

    /// - Parameter answer: called for several requests at once.
    package init(_ address: ListenAddress, _ settings: Settings, answer: @escaping Answer) {
        self.address = address
        self.settings = settings
        self.answer = answer
    }

    /// Listens and answers.
    ///
    /// - Parameter ready: called once with the address that is listened at.
    /// - Throws: ``ServeError``; `CancellationError`.
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
            throw ServeError(address: address, reason: message)
        } catch let error as SocketError {
            throw ServeError(address: address, reason: "\(error)")
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
            // The server ends only by a failure, which ends the other tasks, too.
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
                    // Every connection is being answered.
                    try? socket.socket.close()
                    continue
                }
                let connection = Connection(
                    id: id, socket: socket, others: connections, settings: settings, answer: answer)
                group.addTask { await connection.run() }
            }
        }
    }

    /// What keeps one connection from being accepted, and not the next one.
    private static let passing = [
        EMFILE, ENFILE, ENOBUFS, ENOMEM, ECONNABORTED, EPROTO, EINTR, EPERM,
    ]
}
