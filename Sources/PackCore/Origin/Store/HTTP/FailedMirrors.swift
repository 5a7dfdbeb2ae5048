import Synchronization

/// The addresses that gave wrong bytes in this run.
final class FailedMirrors: Sendable {
    private let addresses = Mutex<[HTTPAddress: String]>([:])

    /// - Parameter reason: what it did first.
    func add(_ address: HTTPAddress, _ reason: String) {
        addresses.withLock { if $0[address] == nil { $0[address] = reason } }
    }

    /// What each of some addresses did, in their order.
    func reasons(of all: [HTTPAddress]) -> [(address: HTTPAddress, reason: String)] {
        addresses.withLock { struck in all.compactMap { each in struck[each].map { (each, $0) } } }
    }

    /// Those that may be asked: all of them where none is left.
    func rest(of all: [HTTPAddress]) -> [HTTPAddress] {
        addresses.withLock { struck in
            let rest = all.filter { struck[$0] == nil }
            return rest.isEmpty ? all : rest
        }
    }
}
