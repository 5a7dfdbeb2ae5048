import CFuzz

/// SHA-256 for the fuzz targets: swift-crypto's interface over `sha256/sha256.c`.
struct SHA256 {
    private var state = fuzz_sha256()

    init() { fuzz_sha256_begin(&state) }

    mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        fuzz_sha256_add(&state, start.assumingMemoryBound(to: UInt8.self), bytes.count)
    }

    func finalize() -> [UInt8] {
        var last = state
        var digest = [UInt8](repeating: 0, count: 32)
        fuzz_sha256_end(&last, &digest)
        return digest
    }
}

/// MD5 for the fuzz targets: half of a SHA-256, because no target compares it with other programs.
enum Insecure {
    struct MD5 {
        private var hash = SHA256()

        mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
            hash.update(bufferPointer: bytes)
        }

        func finalize() -> [UInt8] { Array(hash.finalize().prefix(16)) }
    }
}
