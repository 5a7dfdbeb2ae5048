/// Ends a run that is being cancelled where nothing of it is on its way.
///
/// - Throws: `CancellationError`.
package func stopIfCancelled() throws { try Task.checkCancellation() }

/// Runs requests to their end, also where the task is cancelled: what was begun is ended, and what was left is removed.
package func uncancelled<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await Task { try await body() }.value
}
