package import PackGround
import PackZip

/// Decompresses gzip (docs/sources.md#rfc1952), as sent by servers, piece by piece.
package final class GzipReader {
    private var stream: InflateStream
    private let scratch = ByteBuffer(count: 64 * 1024)
    private var header = GzipHeader()
    package private(set) var isComplete = false

    /// Creates a reader.
    ///
    /// - Throws: ``Failure`` if memory is short.
    package init() throws(Failure) { stream = try InflateStream() }

    /// Decompresses a piece and passes the content to `sink`.
    ///
    /// The checksum and size after the compressed content are not compared, because the caller
    /// checks a SHA-256.
    ///
    /// - Returns: `false` if the input is not gzip, or the sink wants no more.
    package func read(_ piece: [UInt8], _ sink: ([UInt8]) -> Bool) -> Bool {
        var rest = piece[...]
        guard header.skip(&rest) else { return false }
        guard !rest.isEmpty, !isComplete else { return true }
        return unsafe read(from: rest.span.bytes, sink)
    }

    private func read(from input: RawSpan, _ sink: ([UInt8]) -> Bool) -> Bool {
        var rest = input
        while true {
            let step = scratch.withMutableBytes { room in stream.inflate(rest, into: &room) }
            guard let step else { return false }
            rest = rest.extracting(step.used...)
            if step.filled > 0,
                !sink(
                    scratch.withBytes(first: step.filled) { content in
                        unsafe content.withUnsafeBytes { unsafe Array($0) }
                    })
            {
                return false
            }
            if step.hasEnded {
                isComplete = true
                return true
            }
            // If the output buffer is full, there may be more output.
            if step.filled < scratch.count { return true }
        }
    }
}

/// The header before gzip's compressed content, which arrives in pieces of any size.
private struct GzipHeader {
    private var fixed: [UInt8] = []
    private var extraLength: [UInt8] = []
    private var extraLeft: Int?
    private var textsLeft: Int?
    private var checkLeft: Int?

    /// Removes bytes of the header from the start of `bytes`.
    ///
    /// - Returns: `false` if the input is not gzip.
    mutating func skip(_ bytes: inout ArraySlice<UInt8>) -> Bool {
        while fixed.count < 10 {
            guard let byte = bytes.popFirst() else { return true }
            fixed.append(byte)
        }
        guard fixed[0] == 0x1F, fixed[1] == 0x8B, fixed[2] == 8 else { return false }
        let flags = fixed[3]
        while flags & 4 != 0, extraLength.count < 2 {
            guard let byte = bytes.popFirst() else { return true }
            extraLength.append(byte)
        }
        var extra =
            extraLeft ?? (flags & 4 != 0 ? Int(extraLength[0]) | Int(extraLength[1]) << 8 : 0)
        while extra > 0, bytes.popFirst() != nil { extra -= 1 }
        extraLeft = extra
        if extra > 0 { return true }
        // Name and comment, each up to a zero byte.
        var texts = textsLeft ?? ((flags & 8 != 0 ? 1 : 0) + (flags & 16 != 0 ? 1 : 0))
        while texts > 0, let byte = bytes.popFirst() {
            if byte == 0 { texts -= 1 }
        }
        textsLeft = texts
        if texts > 0 { return true }
        var check = checkLeft ?? (flags & 2 != 0 ? 2 : 0)
        while check > 0, bytes.popFirst() != nil { check -= 1 }
        checkLeft = check
        return true
    }
}
