/// Runs requests to their end, also where the task is cancelled: what was begun is ended, and what was left is removed.
func uncancelled<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await Task { try await body() }.value
}
