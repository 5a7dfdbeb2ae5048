/// A fixed piece of memory that one task reads files through.
@safe final class ByteBuffer {
    private let storage: UnsafeMutableRawBufferPointer

    init(count: Int) {
        unsafe storage = .allocate(byteCount: count, alignment: 64)
    }

    deinit { unsafe storage.deallocate() }

    var count: Int { unsafe storage.count }

    /// The memory, valid while this object lives.
    var bytes: UnsafeMutableRawBufferPointer { unsafe storage }

    /// What fits a file read in few calls and still stays in the processor's cache.
    static func forReading() -> ByteBuffer { ByteBuffer(count: 256 * 1024) }
}
