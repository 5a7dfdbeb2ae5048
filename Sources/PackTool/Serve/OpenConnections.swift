import FlyingSocks
import PackGround

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The connections of a server, limited in number and time.
///
/// A connection that exceeds its time is shut down, not closed: its own task notices and closes it,
/// so that its descriptor is not reused before.
final class OpenConnections: Sendable {
    /// The maximum number of open connections; beyond it, the one waiting longest for a request is
    /// closed.
    static let limit = 256

    private enum State {
        /// Waiting for a complete request.
        case waiting
        case answering
        /// Shut down by the server.
        case ended
    }

    private struct Entry {
        let socket: Socket
        var state = State.waiting
        var deadline: ContinuousClock.Instant?
    }

    private struct All {
        var entries: [Int: Entry] = [:]
        var last = 0
    }

    private let patience: Duration
    private let all = Locked(All())

    init(patience: Duration) { self.patience = patience }

    /// - Returns: The connection's number; `nil` if the limit is reached and no connection is
    ///   waiting.
    func add(_ socket: Socket) -> Int? {
        all.withLock { all in
            if all.entries.count(where: { $0.value.state != .ended }) >= Self.limit {
                let waiting = all.entries.filter { $0.value.state == .waiting }
                guard let id = waiting.min(by: { $0.key < $1.key })?.key else { return nil }
                Self.end(&all.entries[id], SHUT_RDWR)
            }
            all.last += 1
            all.entries[all.last] = Entry(socket: socket)
            return all.last
        }
    }

    /// Starts the time limit for a request head.
    func waits(_ id: Int) { set(id, .waiting, patience) }

    /// Starts the time limit for a piece of an answer.
    func sends(_ id: Int) { set(id, .answering, patience) }

    /// Suspends the time limit while an answer is being created.
    func works(_ id: Int) { set(id, .answering, nil) }

    private func set(_ id: Int, _ state: State, _ time: Duration?) {
        all.withLock { all in
            guard let entry = all.entries[id], entry.state != .ended else { return }
            all.entries[id]?.state = state
            all.entries[id]?.deadline = time.map { .now + $0 }
        }
    }

    func isEnded(_ id: Int) -> Bool { all.withLock { $0.entries[id]?.state == .ended } }

    /// Signals the end of the answer to the client; its input is still read for two seconds.
    func stopsSending(_ id: Int) {
        all.withLock { all in
            guard let entry = all.entries[id], entry.state != .ended else { return }
            _ = shutdown(entry.socket.file.rawValue, Int32(SHUT_WR))
            all.entries[id]?.state = .answering
            all.entries[id]?.deadline = .now + .seconds(2)
        }
    }

    func close(_ id: Int) {
        all.withLock { all in
            try? all.entries.removeValue(forKey: id)?.socket.close()
        }
    }

    /// Shuts down late connections until cancelled.
    func endLateOnes() async throws {
        while true {
            try await Task.sleep(for: .milliseconds(500))
            let now = ContinuousClock.now
            all.withLock { all in
                for (id, entry) in all.entries {
                    guard let deadline = entry.deadline, deadline < now, entry.state != .ended
                    else { continue }
                    // A client that sent its request too slowly can still receive an error.
                    Self.end(&all.entries[id], entry.state == .waiting ? SHUT_RD : SHUT_RDWR)
                }
            }
        }
    }

    private static func end(_ entry: inout Entry?, _ way: Int) {
        guard let socket = entry?.socket else { return }
        _ = shutdown(socket.file.rawValue, Int32(way))
        entry?.state = .ended
    }
}
