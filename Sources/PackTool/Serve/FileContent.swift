import FlyingSocks
import PackServe

/// A part of a file, sent in pieces and never entirely in memory.
struct FileContent {
    private static let pieceSize = 32 * 1024
    /// The size in bytes of a slow piece, and its delay.
    private static let slowPiece = 8 * 1024
    private static let slowTime = Duration.milliseconds(250)
    /// Shorter content is not cut, so that pointers always arrive; in bytes.
    private static let uncut: UInt64 = 4096

    private let file: ServedFile
    private var position: UInt64
    private let end: UInt64
    /// The offset at which the connection is dropped on purpose.
    private let cut: UInt64?
    private let isSlow: Bool

    init(file: ServedFile, offset: UInt64, count: UInt64, fault: ServeFault?) {
        self.file = file
        position = offset
        end = offset + count
        cut = fault == .cut && count > Self.uncut ? offset + count / 2 : nil
        isSlow = fault == .slow
    }

    /// The next piece; `nil` at the end.
    ///
    /// - Throws: `SocketError.disconnected` if the connection has to end early.
    mutating func next() async throws -> [UInt8]? {
        guard position < end else { return nil }
        if isSlow { try await Task.sleep(for: Self.slowTime) }
        let stop = cut ?? end
        guard position < stop else { throw SocketError.disconnected }
        let wanted = min(stop - position, UInt64(isSlow ? Self.slowPiece : Self.pieceSize))
        let bytes = try file.bytes(at: position, count: Int(clamping: wanted))
        // The file was truncated: drop the connection, so that no client considers it complete.
        guard !bytes.isEmpty else { throw SocketError.disconnected }
        position += UInt64(bytes.count)
        return bytes
    }
}
