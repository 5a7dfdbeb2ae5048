import PackGround
import PackPages

/// An open file that responses read.
package final class ServedFile: Sendable {
    private struct State: ~Copyable {
        let file: OwnedDescriptor
    }

    private let state: Locked<State>
    package let size: UInt64
    let edition: FileStatus.Edition

    /// Opens a file below a directory; symbolic links are not followed.
    ///
    /// - Returns: `nil` if it is not a regular file.
    init?(_ path: String, in root: Directory) throws(Failure) {
        guard let file = try OpenedFile.open(path, in: root) else { return nil }
        size = file.status.size
        edition = file.status.edition
        state = Locked(State(file: file.release()))
    }

    /// Reads a part; returns fewer bytes only at the end of the file.
    package func bytes(at offset: UInt64, count: Int) throws -> [UInt8] {
        try state.withLock { try $0.file.bytes(at: offset, count: count) }
    }

    /// The first 32 digits of the content's SHA-256.
    func tag() throws -> String {
        var hasher = StreamHasher()
        var offset: UInt64 = 0
        while offset < size {
            let piece = try bytes(at: offset, count: 256 * 1024)
            if piece.isEmpty { break }
            hasher.update(piece)
            offset += UInt64(piece.count)
        }
        return String(hasher.finish().description.prefix(32))
    }
}

/// The tags of files whose content has already been hashed.
final class KnownTags: Sendable {
    private struct Known {
        let edition: FileStatus.Edition
        let tag: String
    }

    private let known = Locked<[String: Known]>([:])

    func tag(of file: ServedFile, at path: String) throws -> String {
        let found = known.withLock { $0[path] }
        if let found, found.edition == file.edition { return found.tag }
        let tag = try file.tag()
        known.withLock { known in
            // A build that changes for days keeps adding new names.
            if known.count > 100_000 { known = [:] }
            known[path] = Known(edition: file.edition, tag: tag)
        }
        return tag
    }
}
