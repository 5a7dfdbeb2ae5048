/// Reads the heads of requests, in pieces of any size, with limits on all input.
///
/// It has no effects: the same bytes give the same heads and the same refusal, however they are
/// split. Each byte is searched for a line end once, and at most ``headLimit`` bytes and one piece
/// are kept.
package struct RequestHeadReader: Sendable {
    /// The largest head in bytes, including the empty line at its end.
    package static let headLimit = 16 * 1024
    /// The largest first line of a head, in bytes.
    package static let lineLimit = 8 * 1024
    package static let fieldLimit = 100

    private static let lineFeed: UInt8 = 0x0A
    private static let carriageReturn: UInt8 = 0x0D

    /// The bytes from the start of the current head.
    private var bytes: [UInt8] = []
    private var lineStart = 0
    /// Before this index, all line ends have been handled.
    private var searched = 0
    private var draft: RequestDraft?
    private var hasSkippedLine = false

    package init() {}

    /// Whether no part of a head has been received.
    package var isEmpty: Bool { bytes.isEmpty }

    /// Adds received bytes.
    package mutating func add(_ piece: [UInt8]) { bytes.append(contentsOf: piece) }

    /// The next complete head; `nil` if there is none yet.
    ///
    /// - Throws: ``RequestRefusal``, after which nothing more can be read.
    package mutating func next() throws(RequestRefusal) -> RequestHead? {
        while true {
            guard let end = bytes[searched...].firstIndex(of: Self.lineFeed) else {
                searched = bytes.count
                // The line ends here or later.
                try checkLength(lineEnd: bytes.count)
                return nil
            }
            searched = end + 1
            try checkLength(lineEnd: end)
            guard end > lineStart, bytes[end - 1] == Self.carriageReturn else {
                throw .malformed("a line does not end with CR and LF")
            }
            let line = bytes[lineStart..<end - 1]
            lineStart = end + 1
            if var current = draft {
                guard line.isEmpty else {
                    try current.add(line)
                    draft = current
                    continue
                }
                forgetLines()
                hasSkippedLine = false
                return try current.head()
            }
            guard line.isEmpty else {
                draft = try RequestDraft(requestLine: line)
                continue
            }
            // Old clients send an empty line after the content of a request (RFC 9112, section
            // 2.2).
            guard !hasSkippedLine else {
                throw .malformed("there are empty lines before a request")
            }
            hasSkippedLine = true
            forgetLines()
        }
    }

    private mutating func forgetLines() {
        bytes.removeFirst(lineStart)
        lineStart = 0
        searched = 0
        draft = nil
    }

    /// Checks the limits of the current line.
    ///
    /// - Parameter lineEnd: The index of the line's last byte.
    private func checkLength(lineEnd: Int) throws(RequestRefusal) {
        if draft == nil, lineEnd - 1 > Self.lineLimit {
            throw RequestRefusal(414, "the first line has more than \(Self.lineLimit) bytes")
        }
        if lineEnd >= Self.headLimit {
            throw RequestRefusal(431, "the head has more than \(Self.headLimit) bytes")
        }
    }
}
