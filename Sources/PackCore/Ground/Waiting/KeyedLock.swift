/// Lets one task at a time read a file; tasks waiting for it can then use the result.
package actor KeyedLock {

    package init() {}
    /// Waiting tasks, by the key that is being read.
    private var waiting: [[UInt8]: [CheckedContinuation<Void, Never>]] = [:]

    /// Runs `body` while no other task holds the key.
    package nonisolated func withLock<Result>(
        at path: String, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let key = Array(path.utf8)
        await begin(key)
        do {
            let result = try await body()
            await end(key)
            return result
        } catch {
            await end(key)
            throw error
        }
    }

    private func begin(_ key: [UInt8]) async {
        guard waiting[key] != nil else {
            waiting[key] = []
            return
        }
        await withCheckedContinuation { waiting[key]?.append($0) }
    }

    private func end(_ key: [UInt8]) {
        guard let next = waiting[key]?.first else {
            waiting[key] = nil
            return
        }
        waiting[key]?.removeFirst()
        next.resume()
    }
}
