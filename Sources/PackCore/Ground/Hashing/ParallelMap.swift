/// Applies `body` to 0..<count on at most `jobs` tasks and returns the results in order.
///
/// Each task creates one `State` (a buffer, a compressor) and keeps it: handles never cross tasks.
/// Indices are assigned in order, so early results come early. The first failure stops the rest. Of
/// several failures, the one of the lowest index is thrown, so that messages do not depend on
/// timing alone. A cancelled task starts no further call.
package func mapInParallel<State, Result: Sendable>(
    count: Int, jobs: Int, makeState: @escaping @Sendable () throws -> State,
    _ body: @escaping @Sendable (inout State, Int) throws -> Result
) async throws -> [Result] {
    let shared = SharedIndex(count: count)
    typealias Part = (results: [(Int, Result)], failure: (index: Int, error: any Error)?)
    let parts = await withTaskGroup(of: Part.self) { group in
        for _ in 0..<max(1, min(jobs, count)) {
            group.addTask {
                var results: [(Int, Result)] = []
                do {
                    var state = try makeState()
                    while let index = shared.next() {
                        do {
                            try Task.checkCancellation()
                            results.append((index, try body(&state, index)))
                        } catch {
                            shared.stop()
                            return (results, (index, error))
                        }
                    }
                } catch {
                    shared.stop()
                    return (results, (-1, error))
                }
                return (results, nil)
            }
        }
        var parts: [Part] = []
        for await part in group { parts.append(part) }
        return parts
    }
    if let failure = parts.compactMap(\.failure).min(by: { $0.index < $1.index }) {
        throw failure.error
    }
    var ordered = [Result?](repeating: nil, count: count)
    for part in parts {
        for (index, result) in part.results { ordered[index] = result }
    }
    return ordered.compactMap { $0 }
}

/// Applies the asynchronous `body` to 0..<count, at most `jobs` at a time; results in order.
package func mapConcurrently<Result: Sendable>(
    count: Int, jobs: Int, _ body: @escaping @Sendable (Int) async -> Result
) async -> [Result] {
    await withTaskGroup(of: (Int, Result).self) { group in
        var results: [(Int, Result)] = []
        for index in 0..<count {
            if index >= jobs, let finished = await group.next() { results.append(finished) }
            group.addTask { (index, await body(index)) }
        }
        for await finished in group { results.append(finished) }
        return results.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

private final class SharedIndex: Sendable {
    private let rest: Locked<Range<Int>>

    init(count: Int) { rest = Locked(0..<count) }

    func next() -> Int? { rest.withLock { $0.popFirst() } }

    func stop() { rest.withLock { $0 = $0.upperBound..<$0.upperBound } }
}
