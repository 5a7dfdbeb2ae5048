import PackArchive
import PackGround
import PackOrigin

/// Receives the answer to a probe, decompresses gzip and hashes the content.
final class ProbeSink: HTTPSink {
    private struct State: ~Copyable {
        var head: HTTPHead?
        var locations: [String] = []
        var hasher = StreamHasher()
        var count: UInt64 = 0
        var bytes: [UInt8] = []
        var isTooLong = false
        var gzip: GzipReader?
        var isUnreadable = false
    }

    private let state = Locked(State())
    let limit: UInt64
    private let keepsBytes: Bool
    private let file: SinkFile?

    /// - Parameters:
    ///   - limit: The maximum size of the content in bytes, after decompression.
    ///   - keepsBytes: Whether to keep the content in memory.
    ///   - file: An additional destination for the content.
    init(limit: UInt64, keepsBytes: Bool, file: SinkFile?) {
        self.limit = limit
        self.keepsBytes = keepsBytes
        self.file = file
    }

    func begin(_ head: HTTPHead) throws {
        try state.withLock { state in
            state.head = head
            state.hasher = StreamHasher()
            state.count = 0
            state.bytes = []
            state.isTooLong = false
            state.isUnreadable = false
            state.gzip = nil
            if let location = head["location"], head.isRedirect { state.locations.append(location) }
            if head.encoding == "gzip" { state.gzip = try GzipReader() }
        }
        try file?.rewind()
    }

    func receive(_ bytes: [UInt8]) throws -> Bool {
        let wantsMore = state.withLock { state in
            guard state.head?.isSuccess == true else {
                state.count = state.count.addingClamped(UInt64(bytes.count))
                return state.count <= 16 * 1024
            }
            guard let gzip = state.gzip else {
                return Self.take(bytes, &state, limit, keepsBytes)
            }
            var isWanted = true
            let isGzip = gzip.read(bytes) { piece in
                isWanted = Self.take(piece, &state, limit, keepsBytes)
                return isWanted
            }
            if isWanted, !isGzip { state.isUnreadable = true }
            return isGzip && isWanted
        }
        if wantsMore, let file, state.withLock({ $0.gzip == nil }) { try file.write(bytes) }
        return wantsMore
    }

    private static func take(
        _ bytes: [UInt8], _ state: inout State, _ limit: UInt64, _ keepsBytes: Bool
    ) -> Bool {
        state.count = state.count.addingClamped(UInt64(bytes.count))
        guard state.count <= limit else {
            state.isTooLong = true
            return false
        }
        state.hasher.update(bytes)
        if keepsBytes { state.bytes += bytes }
        return true
    }

    /// The content received after the last redirect.
    func answer(_ head: HTTPHead) -> ProbeAnswer {
        state.withLock { state in
            ProbeAnswer(
                head: head, locations: state.locations,
                digest: FileDigest(sha256: state.hasher.finish(), size: state.count),
                bytes: state.bytes, isTooLong: state.isTooLong,
                isUnreadable: state.isUnreadable || state.gzip.map { !$0.isComplete } ?? false)
        }
    }
}

/// The local file of a download.
final class SinkFile: Sendable {
    private struct State: ~Copyable {
        let file: OwnedDescriptor
    }

    private let state: Locked<State>

    init(_ name: String, in directory: Directory) throws(Failure) {
        state = Locked(State(file: try directory.createFile(name)))
    }

    /// Truncates the file; each attempt starts from the beginning.
    func rewind() throws { try state.withLock { try $0.file.seek(to: 0, truncating: true) } }

    func write(_ bytes: [UInt8]) throws { try state.withLock { try $0.file.write(bytes) } }

    /// Reads part of the written content.
    func bytes(at offset: UInt64, count: Int) throws -> [UInt8] {
        try state.withLock { try $0.file.bytes(at: offset, count: count) }
    }
}
