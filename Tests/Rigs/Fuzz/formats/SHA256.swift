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
