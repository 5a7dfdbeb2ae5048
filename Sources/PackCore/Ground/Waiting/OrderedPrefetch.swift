/// Reads values by key and returns them in order, reading ahead.
///
/// The first key is read alone, so a caller that needs only one value waits for nothing else. The
/// number of parallel reads grows with the number of values taken.
package struct OrderedPrefetch<Key: Sendable, Value: Sendable> {
    package typealias Outcome = Result<Value, any Error>

    private let mostAtOnce: Int
    private let read: @Sendable (Key) async throws -> Value
    private var left: ArraySlice<Key>
    private var ready: ArraySlice<(key: Key, outcome: Outcome)> = []
    private var taken = 0

    /// Starts without reading.
    ///
    /// - Parameter mostAtOnce: The largest number of parallel reads; 1 disables reading ahead.
    package init(
        _ keys: [Key], mostAtOnce: Int, read: @escaping @Sendable (Key) async throws -> Value
    ) {
        self.mostAtOnce = mostAtOnce
        self.read = read
        left = keys[...]
    }

    /// The next key and the result of reading it; `nil` after the last one.
    ///
    /// - Parameter isWanted: Keys before the first wanted one are skipped, and not read unless
    ///   reading has already started.
    package mutating func next(
        where isWanted: (Key) -> Bool = { _ in true }
    ) async -> (key: Key, outcome: Outcome)? {
        ready = ready.drop { !isWanted($0.key) }
        if ready.isEmpty {
            left = left.drop { !isWanted($0) }
            guard !left.isEmpty else { return nil }
            let width = min(mostAtOnce, max(1, taken - 1))
            let (read, batch) = (read, Array(left.prefix(width)))
            left = left.dropFirst(width)
            let outcomes = await mapConcurrently(count: batch.count, jobs: width) { index in
                do {
                    return Outcome.success(try await read(batch[index]))
                } catch {
                    return .failure(error)
                }
            }
            ready = Array(zip(batch, outcomes).map { ($0, $1) })[...]
        }
        taken += 1
        return ready.popFirst()
    }
}
