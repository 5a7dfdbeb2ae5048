import CArchive
import CFiles
import PackGround
import PackZip

/// A zlib compressor for content too large for memory.
///
/// The `z_stream` is on the heap: zlib keeps a pointer back to it and rejects a moved one.
@safe struct StreamDeflater: ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>

    init(level: CompressionLevel) throws(Failure) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe carchive_raw_deflate_init(stream, level.zlib)
        guard status == Z_OK else {
            unsafe stream.deallocate()
            throw .zlibFailed(status)
        }
        unsafe self.stream = stream
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Compresses a piece and passes the output to `sink`.
    ///
    /// - Parameter isLast: Ends the stream.
    func update(
        _ input: RawSpan, isLast: Bool, scratch: ByteBuffer, sink: (RawSpan) throws -> Void
    ) throws {
        try unsafe input.withUnsafeBytes { input in
            try unsafe update(reading: input, isLast: isLast, scratch: scratch, sink: sink)
        }
    }

    private func update(
        reading input: UnsafeRawBufferPointer, isLast: Bool, scratch: ByteBuffer,
        sink: (RawSpan) throws -> Void
    ) throws {
        guard let count = UInt32(exactly: input.count) else {
            throw Failure.compressorStreamFailed(Z_STREAM_ERROR)
        }
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
                    return unsafe deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                }
            }
            guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
                throw Failure.compressorStreamFailed(status)
            }
            let left = unsafe Int(stream.pointee.avail_out)
            if left < scratch.count {
                try scratch.withBytes(first: scratch.count - left, sink)
            }
            if status == Z_STREAM_END { return }
            // If the output buffer is full, there may be more output.
            if left > 0, !isLast { return }
        }
    }
}
