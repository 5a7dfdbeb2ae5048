/// Stops a cancelled run.
///
/// Call this only while no request is in flight. - Throws: `CancellationError`.
package func stopIfCancelled() throws { try Task.checkCancellation() }

/// Runs requests to completion even if the task is cancelled, including their cleanup.
package func uncancelled<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await Task { try await body() }.value
}
