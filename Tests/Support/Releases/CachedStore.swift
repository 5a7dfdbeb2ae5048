package import PackGround
package import PackOrigin
import Synchronization

/// A cache in front of a store.
///
/// It repeats earlier answers.
package final class CachedStore: OriginStore {
    package let origin: MemoryStore
    private let kept = Mutex<[String: StoredObject?]>([:])

    package init(_ origin: MemoryStore) { self.origin = origin }

    package var address: String { "cache" }
    package func display(_ path: String) -> String { "https://cdn.example/\(path)" }
    package func pastCaches() -> (any OriginStore)? { origin }
    package func purge() { kept.withLock { $0 = [:] } }

    package func read(_ path: String, limit: Int) async throws -> StoredObject? {
        if let known = kept.withLock({ $0[path] }) { return known }
        let answer = try await origin.read(path, limit: limit)
        kept.withLock { $0[path] = .some(answer) }
        return answer
    }

    package func statuses(of paths: [String]) async throws -> [StoredStatus?] {
        try await origin.statuses(of: paths)
    }
    package func read(_ content: ObjectReference) async throws -> [UInt8] {
        try await origin.read(content)
    }
    package func digest(_ path: String, limit: UInt64) async throws -> FileDigest? {
        try await origin.digest(path, limit: limit)
    }
    package func check(
        _ contents: [ObjectReference], jobs: Int, counter: ProgressCounter?
    ) async throws -> [ContentState] {
        try await origin.check(contents, jobs: jobs, counter: counter)
    }
    package func compare(_ copies: [SiteCopy], jobs: Int) async throws -> [CopyState] {
        try await origin.compare(copies, jobs: jobs)
    }
    package func fetch(
        _ content: ObjectReference, into directory: Directory, as name: String
    ) async throws {
        try await origin.fetch(content, into: directory, as: name)
    }
    package func withFiles<Result>(
        _ contents: [ObjectReference], _ body: (Directory) async throws -> Result
    ) async throws -> Result { try await origin.withFiles(contents, body) }
}
