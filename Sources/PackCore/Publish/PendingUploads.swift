import PackGround

/// Uploads of files that nothing names yet, beside the work on other files.
///
/// The run waits for all of them before its log entry.
final class PendingUploads: Sendable {
    private let tasks = Locked<[Task<Void, any Error>]>([])

    /// Runs `body`, and ends all uploads before it returns or throws.
    static func with<Result>(
        _ body: (PendingUploads) async throws -> Result
    ) async throws -> Result {
        let pending = PendingUploads()
        do {
            let result = try await body(pending)
            try await pending.wait()
            return result
        } catch {
            // The intent is removed next, and nothing may be uploaded without one.
            pending.cancel()
            for task in pending.started { _ = await task.result }
            throw error
        }
    }

    private var started: [Task<Void, any Error>] { tasks.withLock { $0 } }

    private func cancel() { for task in started { task.cancel() } }

    func add(_ upload: @escaping @Sendable () async throws -> Void) {
        let task = Task { try await upload() }
        tasks.withLock { $0.append(task) }
    }

    /// Waits for all uploads.
    ///
    /// - Throws: The first error.
    func wait() async throws {
        try await withTaskCancellationHandler {
            for task in started { try await task.value }
        } onCancel: {
            cancel()
        }
    }
}
