import CFiles
import PackGround
import PackZip

/// The boundaries of the blocks of a raw deflate stream, as zlib reads them
/// (docs/sources.md#rfc1951, 3.2.3).
struct DeflateBlocks {
    struct Block {
        /// The first bit of the block's header, counted from the start of the stream.
        var bit: Int
        /// The size of the content before the block, in bytes.
        var content: Int
        /// Stored blocks start at a whole byte, so they cannot be shifted by single bits.
        var isStored: Bool
    }

    private(set) var blocks: [Block] = []
    /// The bit after the last block, if the end was reached.
    private(set) var end: Int?

    /// Reads a stream from its start.
    ///
    /// - Throws: ``Failure`` if it is not a deflate stream, or if memory is short.
    init(_ stream: RawSpan) throws(Failure) {
        self = try unsafe stream.withUnsafeBytes { bytes throws(Failure) in
            try unsafe DeflateBlocks(reading: bytes)
        }
    }

    private init(reading stream: UnsafeRawBufferPointer) throws(Failure) {
        let state = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe state.initialize(to: z_stream())
        defer { unsafe state.deallocate() }
        let status = unsafe cfiles_raw_inflate_init(state)
        guard status == Z_OK else {
            throw .zlibFailed(status)
        }
        defer { unsafe inflateEnd(state) }
        // The output is not needed, so every round overwrites the same buffer.
        let scratch = ByteBuffer(count: 1 << 16)
        unsafe state.pointee.next_in = UnsafeMutablePointer(
            mutating: stream.baseAddress?.assumingMemoryBound(to: UInt8.self))
        unsafe state.pointee.avail_in = UInt32(clamping: stream.count)
        try unsafe add(stream, bit: 0, content: 0)
        while true {
            let status = scratch.withMutableBytes { room in
                unsafe room.withUnsafeMutableBytes { room in
                    unsafe state.pointee.next_out = room.baseAddress?.assumingMemoryBound(
                        to: UInt8.self)
                    unsafe state.pointee.avail_out = UInt32(clamping: room.count)
                    return unsafe inflate(state, Z_BLOCK)
                }
            }
            let unused = unsafe Int(state.pointee.data_type & 7)
            let bit = unsafe Int(state.pointee.total_in) * 8 - unused
            if status == Z_STREAM_END { return }
            guard status == Z_OK else { throw .compressorStreamFailed(status) }
            // 128: at the end of a block; 64: in the last block, before the padding of its last
            // byte.
            let place = unsafe state.pointee.data_type & 192
            if place == 192 { end = bit }
            guard place == 128 else { continue }
            let content = unsafe Int(state.pointee.total_out)
            try unsafe add(stream, bit: bit, content: content)
        }
    }

    private mutating func add(
        _ stream: UnsafeRawBufferPointer, bit: Int, content: Int
    ) throws(Failure) {
        guard bit + 3 <= stream.count * 8 else { throw .compressorStreamFailed(Z_DATA_ERROR) }
        let kind = (0..<2).reduce(0) { kind, index in
            let place = bit + 1 + index
            return unsafe kind | Int(stream[place / 8] >> UInt8(place % 8) & 1) << index
        }
        blocks.append(Block(bit: bit, content: content, isStored: kind == 0))
    }
}
