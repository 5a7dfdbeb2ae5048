import CArchive
package import PackGround
import PackZip

/// A libdeflate compressor: whole buffers in, whole buffers out.
@safe package struct Deflater: ~Copyable {
    private let handle: OpaquePointer

    /// Creates a compressor.
    ///
    /// - Parameter level: 1 to 12.
    /// - Throws: ``Failure`` if memory is short.
    package init(level: Int32) throws(Failure) {
        guard let handle = unsafe libdeflate_alloc_compressor(level) else {
            throw Failure.compressorOutOfMemory()
        }
        unsafe self.handle = handle
    }

    deinit { unsafe libdeflate_free_compressor(handle) }

    /// Compresses `input` as a raw deflate stream (docs/sources.md#rfc1951).
    ///
    /// - Returns: The number of bytes written, or `nil` if they do not fit into `output`.
    package func compress(_ input: RawSpan, into output: inout MutableRawSpan) -> Int? {
        unsafe input.withUnsafeBytes { input in
            unsafe output.withUnsafeMutableBytes { output in
                guard let source = input.baseAddress, let target = output.baseAddress,
                    unsafe !output.isEmpty
                else { return nil }
                let count = unsafe libdeflate_deflate_compress(
                    handle, source, input.count, target, output.count)
                return count == 0 ? nil : count
            }
        }
    }
}
