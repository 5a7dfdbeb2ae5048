/// Runs requests in parallel and returns their results in order.
package func requestInParallel<Result: Sendable>(
    _ count: Int, atMost connections: Int,
    _ body: @escaping @Sendable (Int) async throws -> Result
) async throws -> [Result] {
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
        var results: [(Int, Result)] = []
        var next = 0
        while next < min(count, connections) {
            let index = next
            group.addTask { (index, try await body(index)) }
            next += 1
        }
        while let result = try await group.next() {
            results.append(result)
            guard next < count else { continue }
            let index = next
            group.addTask { (index, try await body(index)) }
            next += 1
        }
        return results.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
