import PackGround
import PackOrigin

extension WritableStore {
    /// Runs `body` under the store's lock, if it has one.
    ///
    /// - Parameter isNew: whether the store is empty. If `body` then fails, what this call created is removed.
    /// - Throws: ``Failure/publishBusy(origin:)`` if another publisher has the lock; what `body` throws.
    func alone<Result>(
        isNew: Bool = false, _ body: () async throws -> Result
    ) async throws -> Result {
        guard let result = try await exclusively(isNew: isNew, body) else {
            throw Failure.publishBusy(origin: address)
        }
        return result
    }
}
