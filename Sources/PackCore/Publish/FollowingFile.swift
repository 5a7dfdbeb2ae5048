import PackGround
import PackOrigin
import PackRelease

/// A small file written after the pointer, unless the file read before it has been replaced.
struct FollowingFile: Sendable {
    private(set) var upload: Upload
    /// Holds while nobody replaces the file that was there.
    private let condition: ReplaceCondition

    /// - Returns: `nil` if the file has these bytes.
    static func make(
        _ path: String, _ bytes: [UInt8], in store: any WritableStore
    ) async throws -> FollowingFile? {
        try await make(Upload(path, bytes), instead: current(path, in: store))
    }

    /// - Returns: `nil` if the file has the same bytes.
    static func make(
        _ upload: Upload, instead current: (content: FileDigest?, condition: ReplaceCondition)
    ) -> FollowingFile? {
        guard current.content != upload.content else { return nil }
        return FollowingFile(upload: upload, condition: current.condition)
    }

    /// The content of a file, and the condition under which it is still the same.
    static func current(
        _ path: String, in store: any WritableStore
    ) async throws -> (content: FileDigest?, condition: ReplaceCondition) {
        do {
            let file = try await store.read(path, limit: Manifest.sizeLimit)
            return (
                file.map { FileDigest(of: $0.bytes) },
                file.map { .unchanged($0.revision) } ?? .absent
            )
        } catch {
            if error.isLocalOrTransient { throw error }
            // What cannot be read is damaged, and is replaced.
            return (nil, .always)
        }
    }

    /// The same file with its content in a staging.
    func staged(
        in staging: Staging, of store: any WritableStore
    ) async throws -> FollowingFile {
        var file = self
        file.upload = try await store.stage([upload], in: staging, jobs: 1, counter: nil)[0]
        return file
    }

    /// Replaces the file, or does nothing if another pointer is live.
    ///
    /// - Parameter isKnownLive: Whether the pointer was live after the file was read.
    func replace(
        in store: any WritableStore, isKnownLive: Bool = false,
        while isLive: () async throws -> Bool
    ) async throws {
        var condition = condition
        var isKnownLive = isKnownLive
        do {
            for _ in 0..<Self.mostTries {
                // After the file was read: if another publisher replaces it after the look at the pointer, the condition
                // is not met.
                if !isKnownLive { guard try await isLive() else { return } }
                isKnownLive = false
                if try await store.replace(upload, if: condition) { return }
                condition = try await Self.current(upload.path, in: store).condition
            }
            throw Failure.originDiffers(
                path: store.display(upload.path),
                problem:
                    "was changed by somebody else each of \(Self.mostTries) times that it was to be replaced"
            )
        } catch StoreError.replacedNotDurable(_, let cause) {
            throw cause
        }
    }

    /// Each try needs another publisher that comes between a read and a write.
    private static let mostTries = 100
}
