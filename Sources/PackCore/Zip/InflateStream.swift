import CFiles
package import PackGround

/// A raw deflate stream (docs/sources.md#rfc1951) that zlib decompresses piece by piece.
///
/// The `z_stream` is on the heap: zlib keeps a pointer back to it and rejects a moved one.
@safe package struct InflateStream: ~Copyable {
    /// The result of decompressing a piece.
    package struct Step {
        /// The bytes used of the input.
        package let used: Int
        /// The bytes written to the output.
        package let filled: Int
        package let hasEnded: Bool
    }

    private let stream: UnsafeMutablePointer<z_stream>

    /// Creates a stream.
    ///
    /// - Throws: ``Failure`` if memory is short.
    package init() throws(Failure) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe cfiles_raw_inflate_init(stream)
        guard status == Z_OK else {
            unsafe stream.deallocate()
            throw .zlibFailed(status)
        }
        unsafe self.stream = stream
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Begins another stream.
    package mutating func restart() { unsafe inflateReset(stream) }

    /// Decompresses as much as the input allows and the output can hold.
    ///
    /// - Returns: `nil` if it is not a deflate stream.
    package mutating func inflate(_ input: RawSpan, into output: inout MutableRawSpan) -> Step? {
        let inputCount = UInt32(clamping: input.byteCount)
        let outputCount = UInt32(clamping: output.byteCount)
        let status = unsafe input.withUnsafeBytes { input in
            unsafe output.withUnsafeMutableBytes { output in
                // zlib reads this memory and never writes to it.
                unsafe stream.pointee.next_in = UnsafeMutablePointer(
                    mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
                unsafe stream.pointee.avail_in = inputCount
                unsafe stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(
                    to: UInt8.self)
                unsafe stream.pointee.avail_out = outputCount
                return unsafe CFiles.inflate(stream, Z_NO_FLUSH)
            }
        }
        // The last one: no progress is possible without more input or room.
        guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { return nil }
        return unsafe Step(
            used: Int(inputCount - stream.pointee.avail_in),
            filled: Int(outputCount - stream.pointee.avail_out), hasEnded: status == Z_STREAM_END)
    }
}
