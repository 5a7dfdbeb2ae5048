import CFiles
package import PackGround

extension Failure.Code {
    package static let compressorOutOfMemory = Self("compressor.failed")
    package static let compressorStreamFailed = Self("compressor.failed", "stream")
}

/// A compressor failed.
extension Failure {
    package static func compressorOutOfMemory() -> Failure {
        Failure(.compressorOutOfMemory, "not enough memory for a compressor")
    }

    package static func compressorStreamFailed(_ status: Int32) -> Failure {
        Failure(.compressorStreamFailed, "zlib failed with status \(status)")
    }

    /// A stream of zlib that cannot begin.
    package static func zlibFailed(_ status: Int32) -> Failure {
        status == Z_MEM_ERROR ? .compressorOutOfMemory() : .compressorStreamFailed(status)
    }
}
