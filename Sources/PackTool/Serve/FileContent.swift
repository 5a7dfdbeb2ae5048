import FlyingSocks
import PackServe

/// A part of a file as it is sent: in pieces, never in memory as a whole.
struct FileContent {
    private static let pieceSize = 32 * 1024
    /// Bytes of a slow piece, and its time.
    private static let slowPiece = 8 * 1024
    private static let slowTime = Duration.milliseconds(250)
    /// Shorter content is not cut: a pointer arrives.
    private static let uncut: UInt64 = 4096

    private let file: ServedFile
    private var position: UInt64
    private let end: UInt64
    /// Where the connection ends on purpose.
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
    /// - Throws: `SocketError.disconnected` if the connection has to end in the middle.
    mutating func next() async throws -> [UInt8]? {
        guard position < end else { return nil }
        if isSlow { try await Task.sleep(for: Self.slowTime) }
        let stop = cut ?? end
        guard position < stop else { throw SocketError.disconnected }
        let wanted = min(stop - position, UInt64(isSlow ? Self.slowPiece : Self.pieceSize))
        let bytes = try file.bytes(at: position, count: Int(clamping: wanted))
        // The file has become shorter: the connection ends, so that no client takes it for complete.
        guard !bytes.isEmpty else { throw SocketError.disconnected }
        position += UInt64(bytes.count)
        return bytes
    }
}
