import PackGround
import TestSupport

/// Lets several runs on one store take turns, one change each, in an order set by a seed.
///
/// A run may be killed at one of its changes.
actor Turns {
    struct Killed: Error {}

    @TaskLocal static var id: Int?

    private var noise: Noise
    private var running: Set<Int> = []
    private var waiting: [(id: Int, continuation: CheckedContinuation<Void, Never>)] = []
    /// The number of changes left until a run is killed, by run.
    private var fuses: [Int: Int] = [:]
    private(set) var kills = 0

    init(seed: UInt64) { noise = Noise(seed: seed) }

    /// Runs bodies concurrently.
    ///
    /// - Parameter fuses: The change at which each run is killed, by run.
    func run(
        _ bodies: [@Sendable () async -> Void], fuses: [Int: Int] = [:]
    ) async {
        self.fuses = fuses
        running = Set(bodies.indices)
        await withTaskGroup(of: Void.self) { group in
            for (index, body) in bodies.enumerated() {
                group.addTask {
                    await Turns.$id.withValue(index) {
                        try? await self.change()
                        await body()
                    }
                    await self.end(index)
                }
            }
        }
    }

    /// Waits for the calling run's turn.
    func change() async throws {
        guard let id = Self.id else { return }
        if let left = fuses[id] {
            // A killed run cannot make further changes, not even to clean up.
            guard left > 0 else { throw Killed() }
            fuses[id] = left - 1
            if left == 1 {
                kills += 1
                throw Killed()
            }
        }
        running.remove(id)
        await withCheckedContinuation {
            waiting.append((id, $0))
            next()
        }
    }

    private func end(_ id: Int) {
        running.remove(id)
        next()
    }

    private func next() {
        guard running.isEmpty, !waiting.isEmpty else { return }
        let turn = waiting.remove(at: Int.random(in: waiting.indices, using: &noise))
        running.insert(turn.id)
        turn.continuation.resume()
    }
}
