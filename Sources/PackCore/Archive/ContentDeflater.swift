package import PackGround

/// Compresses content at a package's level.
///
/// The output depends only on the content and the level.
///
/// For content of 512 KiB or more, 64 KiB from its middle are first compressed at level 1 as a
/// sample.
/// If the sample shrinks to less than 29 %, the whole content is compressed with the deeper search
/// of ``CompressionLevel/deepLibdeflate``.
/// Content of 6 MiB or more whose sample shrinks to less than 75 % is compressed in parts
/// (``SplitDeflater``).
package struct ContentDeflater: ~Copyable {
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

    /// Creates the compressors of a level.
    ///
    /// - Parameter jobs: The number of parts of large content to compress at a time; it does not
    ///   affect the output.
    package init(level: CompressionLevel, jobs: Int = 1) throws(Failure) {
        self.level = level
        self.jobs = jobs
        // Local variables first: a throw must not leave some stored properties set.
        let standard = try Deflater(level: level.libdeflate)
        let deep = try Deflater(level: level.deepLibdeflate)
        let sampler = try Deflater(level: 1)
        self.standard = standard
        self.deep = deep
        self.sampler = sampler
        scratch = ByteBuffer(count: Self.sampleSize)
    }

    /// Compresses `input` as a raw deflate stream (docs/sources.md#rfc1951).
    ///
    /// - Returns: The number of bytes written, or `nil` if they do not fit into `output`.
    package func compress(_ input: RawSpan, into output: inout MutableRawSpan) -> Int? {
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

    /// The compressed size of the middle of large content, in percent, rounded down.
    private func sampledPercent(_ input: RawSpan) -> Int? {
        guard input.byteCount >= Self.sampledFrom else { return nil }
        let start = input.byteCount / 2
        let sample = input.extracting(start..<(start + Self.sampleSize))
        let size = scratch.withMutableBytes { sampler.compress(sample, into: &$0) }
        return (size ?? Self.sampleSize) * 100 / Self.sampleSize
    }
}
