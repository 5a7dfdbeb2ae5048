import PackArchive
import PackDelta
import PackDeltaFile
import PackDeltaMaking
import PackGround
import PackOrigin

/// A delta that another run uploaded before a pointer names it: an interrupted run, or one that is at work.
///
/// As with ``OrphanedPackage``: in a store without a lock nobody knows which of both, and another version of packtool may
/// have made other bytes. So it is used while it proves itself.
enum OrphanedDelta: Sendable {
    case none
    /// Applied to its base, it gives the release and its manifest.
    case whole(FileDigest, Pointer.Needs)
    /// No run names it, because each proves its delta first.
    case unusable(Revision)

    /// Looks at the place of a delta.
    ///
    /// - Parameters:
    ///   - packed: asked for the package's size only if something is there: a larger delta is worth nothing.
    ///   - prove: proves a file of `workshop` as ``DeltaBuilder/prove(_:in:)`` does.
    /// - Throws: an error of the store; ``Failure``; ``PromiseCancelled``.
    static func look(
        at path: String, in store: any WritableStore, _ packed: Promise<DeltaMaker.Packed>,
        in workshop: Directory, by prove: (String) async throws -> AppliedDelta
    ) async throws -> OrphanedDelta {
        guard let left = try await store.left(at: path, limit: { try await packed.value.size })
        else { return .none }
        let revision = left.revision
        guard let content = left.content else { return .unusable(revision) }
        do {
            try await store.fetch(ObjectReference(path, content), into: workshop, as: "left.zip")
            let applied = try await prove("left.zip")
            return .whole(content, Pointer.Needs(applied.manifest.memory, applied.work))
        } catch {
            // A failure of the origin: it is being replaced, or is gone.
            guard error.isFailure(of: "delta", "archive", "origin") || error is DeltaCodecError
            else { throw error }
            return .unusable(revision)
        }
    }
}

extension Pointer.Needs {
    /// - Parameter memory: In bytes.
    init(_ memory: Int, _ work: DeltaWork) {
        self.init(
            memory: UInt64(clamping: memory), coded: UInt64(clamping: work.coded),
            copied: UInt64(clamping: work.copied).addingClamped(UInt64(clamping: work.unpacked)))
    }
}
