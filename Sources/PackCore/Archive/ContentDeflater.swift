/// Compresses content at a package's level.
///
/// What it gives depends on the content and the level alone.
///
/// Content of 512 KiB or more is first sampled: 64 KiB from its middle at level 1. Where these shrink to
/// less than 29 %, the whole is compressed with the deeper search of
/// ``CompressionLevel/deepLibdeflate``. Content of 6 MiB or more whose sample shrinks to less than 75 % is
/// compressed in parts (``SplitDeflater``).
struct ContentDeflater: ~Copyable {
    private let standard: Deflater
    private let deep: Deflater
    private let sampler: Deflater
    private let scratch: ByteBuffer
    private let level: CompressionLevel
    private let jobs: Int

    private static let sampledFrom = 512 << 10
    private static let sampleSize = 64 << 10
    private static let deepPercent = 29
    private static let splitPercent = 75

    /// - Parameter jobs: how many parts of large content may be compressed at a time; it changes no byte.
    init(level: CompressionLevel, jobs: Int = 1) throws(CompressorError) {
        self.level = level
        self.jobs = jobs
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
    func compress(_ input: RawSpan, into output: inout MutableRawSpan) -> Int? {
        let percent = sampledPercent(input)
        let isDeep = percent.map { $0 < Self.deepPercent } ?? false
        if let percent, percent < Self.splitPercent, SplitDeflater.parts(of: input.byteCount) > 1 {
            let split = SplitDeflater(
                level: isDeep ? level.deepLibdeflate : level.libdeflate, jobs: jobs)
            if let size = split.compress(input, into: &output) { return size }
        }
        return isDeep
            ? deep.compress(input, into: &output) : standard.compress(input, into: &output)
    }

    /// To how many percent, rounded down, the middle of large content shrinks.
    private func sampledPercent(_ input: RawSpan) -> Int? {
        guard input.byteCount >= Self.sampledFrom else { return nil }
        let start = input.byteCount / 2
        let sample = input.extracting(start..<(start + Self.sampleSize))
        let size = scratch.withMutableBytes { sampler.compress(sample, into: &$0) }
        return (size ?? Self.sampleSize) * 100 / Self.sampleSize
    }
}
