/// Compresses content at a package's level.
///
/// What it gives depends on the content and the level alone.
///
/// Content of 512 KiB or more is first sampled: 64 KiB from its middle at level 1. Where these shrink to
/// less than 29 %, the whole is compressed with the deeper search of
/// ``CompressionLevel/deepLibdeflate``.
struct ContentDeflater: ~Copyable {
    private let standard: Deflater
    private let deep: Deflater
    private let sampler: Deflater
    private let scratch: ByteBuffer

    private static let sampledFrom = 512 << 10
    private static let sampleSize = 64 << 10
    private static let deepPercent = 29

    init(level: CompressionLevel) throws(CompressorError) {
        // Into locals first: what throws must not find some of the stored properties set.
        let standard = try Deflater(level: level.libdeflate)
        let deep = try Deflater(level: level.deepLibdeflate)
        let sampler = try Deflater(level: 1)
        self.standard = standard
        self.deep = deep
        self.sampler = sampler
        scratch = ByteBuffer(count: Self.sampleSize)
    }

    /// Compresses `input` as a raw deflate stream (RFC 1951).
    ///
    /// - Returns: the number of bytes written, or `nil` where they do not fit into `output`.
    func compress(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> Int? {
        unsafe shrinksALot(input)
            ? deep.compress(input, into: output) : standard.compress(input, into: output)
    }

    private func shrinksALot(_ input: UnsafeRawBufferPointer) -> Bool {
        guard input.count >= Self.sampledFrom else { return false }
        let start = input.count / 2
        let sample = unsafe UnsafeRawBufferPointer(
            rebasing: input[start..<(start + Self.sampleSize)])
        let size = unsafe sampler.compress(sample, into: scratch.bytes) ?? Self.sampleSize
        return size * 100 < Self.deepPercent * Self.sampleSize
    }
}
