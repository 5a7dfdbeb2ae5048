import PackCore
import Synchronization

/// What `--verbose` shows: one line on standard error for each request, as it ends.
enum RequestTrace {
    private static let isOn = Mutex(false)

    static func begin() { isOn.withLock { $0 = true } }

    /// The transport itself, or one that shows its requests.
    static func observing(_ transport: any HTTPTransport) -> any HTTPTransport {
        guard isOn.withLock({ $0 }) else { return transport }
        return ObservedTransport(transport, clock: { Surroundings.monotonicSeconds() }) {
            Console.trace("\($0)")
        }
    }
}
