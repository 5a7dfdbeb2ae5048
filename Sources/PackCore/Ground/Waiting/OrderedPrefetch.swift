/// What reading some keys gives, one after the other in their order.
///
/// Those that come next are read at the same time: none at first, so that who needs only the first one waits for that
/// alone, and more the more were taken.
package struct OrderedPrefetch<Key: Sendable, Value: Sendable> {
    package typealias Outcome = Result<Value, any Error>

    private let mostAtOnce: Int
    private let read: @Sendable (Key) async throws -> Value
    private var left: ArraySlice<Key>
    private var ready: ArraySlice<(key: Key, outcome: Outcome)> = []
    private var taken = 0

    /// - Parameter mostAtOnce: 1 to read nothing before it is asked for.
    package init(
        _ keys: [Key], mostAtOnce: Int, read: @escaping @Sendable (Key) async throws -> Value
    ) {
        self.mostAtOnce = mostAtOnce
        self.read = read
        left = keys[...]
    }

    /// The next key with what reading it gave; `nil` after the last one.
    ///
    /// - Parameter isWanted: keys before the first wanted one are left out, and not read if they were not yet.
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
