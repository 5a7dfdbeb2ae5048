import CArchive
import PackGround
import PackZip

/// A libdeflate decompressor: whole streams in, whole contents out.
@safe struct Inflater: ~Copyable {
    private let handle: OpaquePointer

    /// Creates a decompressor.
    ///
    /// - Throws: ``Failure`` if memory is short.
    init() throws(Failure) {
        guard let handle = unsafe libdeflate_alloc_decompressor() else {
            throw Failure.compressorOutOfMemory()
        }
        unsafe self.handle = handle
    }

    deinit { unsafe libdeflate_free_decompressor(handle) }

    /// Decompresses a raw deflate stream (docs/sources.md#rfc1951).
    ///
    /// - Returns: Whether `input` is exactly one complete stream that fills `output`.
    func decompress(_ input: RawSpan, into output: inout MutableRawSpan) -> Bool {
        var used = 0
        var filled = 0
        let result = unsafe input.withUnsafeBytes { input in
            unsafe output.withUnsafeMutableBytes { output in
                unsafe libdeflate_deflate_decompress_ex(
                    handle, input.baseAddress, input.count, output.baseAddress, output.count,
                    &used, &filled)
            }
        }
        return result == LIBDEFLATE_SUCCESS && used == input.byteCount
            && filled == output.byteCount
    }
}
