package import PackGround

/// The bytes of an unwanted answer read to keep the connection; reconnecting is cheaper than
/// reading more.
private let unwantedBytes = 16 * 1024

/// Keeps the content of a successful answer, or only its hash, in memory.
package final class ContentSink: HTTPSink {
    private struct State {
        var head: HTTPHead?
        var bytes: [UInt8] = []
        var hasher = StreamHasher()
        var count: UInt64 = 0
        var isTooLong = false
    }

    private let state = Locked(State())
    package let limit: UInt64
    private let keepsBytes: Bool

    /// - Parameter limit: The size in bytes above which reading stops.
    package init(limit: UInt64, keepsBytes: Bool) {
        self.limit = limit
        self.keepsBytes = keepsBytes
    }

    package var bytes: [UInt8] { state.withLock { $0.bytes } }
    package var isTooLong: Bool { state.withLock { $0.isTooLong } }
    package var digest: FileDigest {
        state.withLock {
            keepsBytes
                ? FileDigest(of: $0.bytes)
                : FileDigest(sha256: $0.hasher.finish(), size: $0.count)
        }
    }

    package func begin(_ head: HTTPHead) throws {
        state.withLock {
            $0 = State()
            $0.head = head
        }
    }

    package func receive(_ bytes: [UInt8]) throws -> Bool {
        state.withLock { state in
            state.count = state.count.addingClamped(UInt64(bytes.count))
            guard state.head?.isSuccess == true else { return state.count <= unwantedBytes }
            guard state.count <= limit else {
                state.isTooLong = true
                return false
            }
            if keepsBytes { state.bytes += bytes } else { state.hasher.update(bytes) }
            return true
        }
    }
}

/// Appends the content of an answer to a partial file.
package final class PartSink: HTTPSink {
    private struct State: ~Copyable {
        let file: OwnedDescriptor
        var hasher: StreamHasher
        var count: UInt64
        var problem: String?
        var isContent = false
        var unwanted = 0
    }

    private let state: Locked<State>
    private let size: UInt64
    package let offset: UInt64

    /// Opens or creates a partial file, and hashes its content.
    ///
    /// - Parameter size: The size of the complete file.
    package init(_ name: String, in directory: Directory, size: UInt64) throws {
        var hasher = StreamHasher()
        var count: UInt64 = 0
        if let status = try directory.status(name), status.kind == .file, status.size <= size {
            let file = try directory.openFile(name)
            while count < size {
                let piece = try file.bytes(at: count, count: 256 * 1024)
                if piece.isEmpty { break }
                hasher.update(piece)
                count = count.addingClamped(UInt64(piece.count))
            }
        } else {
            try directory.removeFile(name)
            try directory.createFile(name).close()
        }
        self.size = size
        offset = count
        state = Locked(
            State(file: try directory.openFileForAppending(name), hasher: hasher, count: count))
    }

    /// The hash and size of the file so far.
    package var digest: FileDigest {
        state.withLock { FileDigest(sha256: $0.hasher.finish(), size: $0.count) }
    }

    /// The whole file, because a server may not resume.
    package var limit: UInt64 { size }

    /// The reason for rejecting the answer; `nil` if there is none so far.
    package var problem: String? { state.withLock { $0.problem } }

    package func begin(_ head: HTTPHead) throws {
        try state.withLock { state in
            state.isContent = false
            state.unwanted = 0
            guard head.isSuccess else { return }
            if let encoding = head.encoding {
                state.problem =
                    "arrives with Content-Encoding \(printable(encoding.utf8.prefix(40)))"
                return
            }
            if head.status == 206 {
                let range = head["content-range"] ?? ""
                guard offset > 0, range == "bytes \(offset)-\(size - 1)/\(size)" else {
                    state.problem = "is answered with another range than was asked for"
                    return
                }
            } else {
                // The server did not resume and sends the whole file.
                try state.file.seek(to: 0, truncating: true)
                state.hasher = StreamHasher()
                state.count = 0
            }
            if let length = head.length, length != size - state.count {
                state.problem = "has another size than in its pointer or manifest"
                return
            }
            state.isContent = true
        }
    }

    package func receive(_ bytes: [UInt8]) throws -> Bool {
        try state.withLock { state in
            guard state.isContent else {
                state.unwanted += bytes.count
                return state.problem == nil && state.unwanted <= unwantedBytes
            }
            guard UInt64(bytes.count) <= size - state.count else {
                state.problem = "is longer than in its pointer or manifest"
                return false
            }
            try state.file.write(bytes)
            state.hasher.update(bytes)
            state.count += UInt64(bytes.count)
            return true
        }
    }
}
