import Synchronization

/// The addresses that gave wrong bytes in this run.
final class StruckAddresses: Sendable {
    private let addresses = Mutex<Set<HTTPAddress>>([])

    func add(_ address: HTTPAddress) {
        addresses.withLock { _ = $0.insert(address) }
    }

    /// Those that may be asked: all of them where none is left.
    func rest(of all: [HTTPAddress]) -> [HTTPAddress] {
        addresses.withLock { struck in
            let rest = all.filter { !struck.contains($0) }
            return rest.isEmpty ? all : rest
        }
    }
}
