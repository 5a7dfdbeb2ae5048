import CArchive
package import PackGround

/// Decompresses gzip (docs/sources.md#rfc1952), as sent by servers, piece by piece.
///
/// The `z_stream` is on the heap: zlib keeps a pointer back to it and rejects a moved one.
@safe package final class GzipReader {
    private let stream: UnsafeMutablePointer<z_stream>
    private let scratch = ByteBuffer(count: 64 * 1024)
    private var header = GzipHeader()
    package private(set) var isComplete = false

    /// Creates a reader.
    ///
    /// - Throws: ``Failure`` if memory is short.
    package init() throws(Failure) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe carchive_raw_inflate_init(stream)
        guard status == Z_OK else {
            unsafe stream.deallocate()
            throw status == Z_MEM_ERROR ? .compressorOutOfMemory() : .compressorStreamFailed(status)
        }
        unsafe self.stream = stream
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

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
        return unsafe rest.withUnsafeBytes { unsafe read(from: $0, sink) }
    }

    private func read(from input: UnsafeRawBufferPointer, _ sink: ([UInt8]) -> Bool) -> Bool {
        guard let count = UInt32(exactly: input.count) else { return false }
        // zlib reads this memory and never writes to it.
        unsafe stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        unsafe stream.pointee.avail_in = count
        while true {
            let status = scratch.withMutableBytes { room in
                unsafe room.withUnsafeMutableBytes { room in
                    unsafe stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(
                        to: UInt8.self)
                    unsafe stream.pointee.avail_out = UInt32(clamping: room.count)
                    return unsafe inflate(stream, Z_NO_FLUSH)
                }
            }
            guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
                return false
            }
            let left = unsafe Int(stream.pointee.avail_out)
            if left < scratch.count,
                !sink(
                    scratch.withBytes(first: scratch.count - left) { content in
                        unsafe content.withUnsafeBytes { unsafe Array($0) }
                    })
            {
                return false
            }
            if status == Z_STREAM_END {
                isComplete = true
                return true
            }
            // If the output buffer is full, there may be more output.
            if left > 0 { return true }
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
