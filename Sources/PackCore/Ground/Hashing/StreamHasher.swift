import Crypto

/// SHA-256 over bytes that arrive in pieces.
package struct StreamHasher {
    private var state = SHA256()

    package init() {}

    /// Adds the next piece.
    package mutating func update(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe state.update(bufferPointer: $0) }
    }

    /// Adds the next piece.
    package mutating func update(_ bytes: [UInt8]) { unsafe update(bytes.span.bytes) }

    /// The hash of all pieces.
    package func finish() -> Digest {
        guard let digest = Digest(bytes: state.finalize()) else {
            // Unreachable: SHA-256 always has 32 bytes.
            preconditionFailure("SHA-256 gave another length")
        }
        return digest
    }

    /// The SHA-256 of the first bytes.
    static func digest(of bytes: [UInt8], first count: Int) -> Digest {
        var hasher = StreamHasher()
        unsafe hasher.update(bytes.span.bytes.extracting(..<count))
        return hasher.finish()
    }

    /// The SHA-256 of some bytes.
    package static func digest(of bytes: [UInt8]) -> Digest {
        var hasher = StreamHasher()
        hasher.update(bytes)
        return hasher.finish()
    }
}
