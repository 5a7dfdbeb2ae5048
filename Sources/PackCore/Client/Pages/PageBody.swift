import PackGround

/// The content of an answer, read in pieces.
///
/// It holds one open file until the content ends, an error occurs, or ``close()`` is called. Any
/// thread may call it, one ``next(upTo:)`` at a time.
public final class PageBody: Sendable {
    /// The largest piece in bytes.
    public static let pieceSize = 256 * 1024

    private struct State: ~Copyable {
        /// `nil` while a piece is being read, for short texts, and after the end.
        var file: OwnedDescriptor?
        var text: [UInt8] = []
        var offset: UInt64
        var rest: UInt64
        var isClosed = false
    }

    private let state: Locked<State>
    /// The total number of bytes returned by ``next(upTo:)``.
    public let length: UInt64

    /// A part of an open file.
    init(_ file: consuming OwnedDescriptor, offset: UInt64, count: UInt64) {
        length = count
        state = Locked(State(file: file, offset: offset, rest: count))
    }

    /// A short text; empty by default.
    init(_ text: [UInt8] = []) {
        length = UInt64(text.count)
        state = Locked(State(file: nil, text: text, offset: 0, rest: length))
    }

    deinit { close() }

    /// The next piece; `nil` at the end or once closed.
    ///
    /// - Parameter limit: The largest piece in bytes, at most ``pieceSize``.
    /// - Throws: ``PageError`` `pages.unreadable` if the file cannot be read, or is shorter than
    ///   before.
    public func next(upTo limit: Int = PageBody.pieceSize) throws(PageError) -> [UInt8]? {
        let limit = UInt64(max(1, min(limit, Self.pieceSize)))
        var file: OwnedDescriptor?
        let (offset, count) = state.withLock { state in
            let count = min(limit, state.rest)
            if count > 0 { file = state.file.take() }
            return (state.offset, count)
        }
        guard count > 0, let piece = try read(&file, at: offset, count: Int(count)) else {
            close()
            return nil
        }
        return state.withLock { state in
            // Unless put back, the file is closed at the end of this function.
            guard !state.isClosed else { return nil }
            state.offset = offset + count
            state.rest -= count
            if state.rest > 0 { state.file = file.take() }
            return piece
        }
    }

    /// Reads from the file, or from the text if there is no file.
    private func read(
        _ file: inout OwnedDescriptor?, at offset: UInt64, count: Int
    ) throws(PageError) -> [UInt8]? {
        guard let opened = file.take() else { return text(at: Int(offset), count: count) }
        let piece: [UInt8]
        do {
            piece = try opened.bytes(at: offset, count: count)
        } catch {
            close()
            throw PageError("unreadable", error.description)
        }
        guard piece.count == count else {
            close()
            throw PageError("unreadable", "'\(opened.path)' is shorter than when it was opened")
        }
        file = consume opened
        return piece
    }

    private func text(at offset: Int, count: Int) -> [UInt8]? {
        state.withLock { state in
            offset + count <= state.text.count ? Array(state.text[offset..<(offset + count)]) : nil
        }
    }

    /// Ends the content and closes the file: at once, or when the piece being read is complete.
    public func close() {
        state.withLock { state in
            state.isClosed = true
            state.rest = 0
            state.file = nil
        }
    }
}
