import CArchive
import PackGround

/// A libdeflate compressor: whole buffers in, whole buffers out.
@safe package struct Deflater: ~Copyable {
    private let handle: OpaquePointer

    /// Creates a compressor.
    ///
    /// - Parameter level: 1 to 12.
    /// - Throws: ``CompressorError`` if memory is short.
    package init(level: Int32) throws(CompressorError) {
        guard let handle = unsafe libdeflate_alloc_compressor(level) else {
            throw CompressorError.outOfMemory
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

/// A compressor failed.
package enum CompressorError: Remedied, Equatable {
    case outOfMemory
    case streamFailed(Int32)

    package var code: String { "compressor.failed" }
    package var description: String {
        switch self {
        case .outOfMemory: "not enough memory for a compressor"
        case .streamFailed(let status): "zlib failed with status \(status)"
        }
    }
    package var remedy: String { "free some memory, then run the same command again" }
}
