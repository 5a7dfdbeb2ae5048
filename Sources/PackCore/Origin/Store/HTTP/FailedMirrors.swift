import PackGround

/// The addresses that served wrong bytes in this run.
final class FailedMirrors: Sendable {
    private let addresses = Locked<[HTTPAddress: String]>([:])

    /// - Parameter reason: The address's first failure.
    func add(_ address: HTTPAddress, _ reason: String) {
        addresses.withLock { if $0[address] == nil { $0[address] = reason } }
    }

    /// The failures of the given addresses, in order.
    func reasons(of all: [HTTPAddress]) -> [(address: HTTPAddress, reason: String)] {
        addresses.withLock { struck in all.compactMap { each in struck[each].map { (each, $0) } } }
    }

    /// The addresses without failures; all addresses if every one has failed.
    func rest(of all: [HTTPAddress]) -> [HTTPAddress] {
        addresses.withLock { struck in
            let rest = all.filter { struck[$0] == nil }
            return rest.isEmpty ? all : rest
        }
    }
}
