import Crypto

/// MD5 over bytes that arrive in pieces: the hash that buckets report for their files as an ETag.
///
/// It detects damage, but not a second file made by the author of the first to have the same MD5.
/// So it never replaces SHA-256.
package struct MD5Hasher {
    private var state = Insecure.MD5()

    package init() {}

    /// Adds the next piece.
    package mutating func update(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe state.update(bufferPointer: $0) }
    }

    /// 32 hexadecimal digits.
    package func finish() -> String { hexadecimal(state.finalize()) }

    /// The MD5 of some bytes.
    package static func md5(of bytes: [UInt8]) -> String {
        var hasher = MD5Hasher()
        unsafe hasher.update(bytes.span.bytes)
        return hasher.finish()
    }
}

extension FileDigest {
    /// Computes SHA-256 and MD5 of a file below a directory in one pass.
    ///
    /// - Parameter limit: The largest size in bytes; the result is `nil` if the file is longer.
    package static func readWithMD5(
        _ name: String, in directory: Directory, buffer: ByteBuffer, limit: UInt64
    ) throws(Failure) -> (content: FileDigest, md5: String)? {
        var md5 = MD5Hasher()
        let digest = try read(name, in: directory, buffer: buffer, limit: limit) {
            piece throws(Failure) in md5.update(piece)
        }
        return digest.map { ($0, md5.finish()) }
    }
}
