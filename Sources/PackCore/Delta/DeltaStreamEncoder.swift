/// Encodes the streams of a delta.
struct DeltaStreamEncoder: Sendable {
    let old: [DeltaListing.OldFile]
    let limits: DeltaLimits

    /// A finished stream.
    struct Stream: Sendable {
        let bytes: [UInt8]
        /// What decoding it takes, in bytes.
        let memory: Int
        let codedBytes: Int
        let isFallback: Bool
    }

    /// Encodes a stream.
    ///
    /// - Parameters:
    ///   - listing: what it makes out of what.
    ///   - content: the new files' content, one after another.
    ///   - novelBytes: about how much of it resembles nothing old.
    ///   - codedLimit: how many bytes the aligned coder may code one by one; beyond it the fallback is
    ///     taken.
    ///   - load: reads a piece of an old file.
    func encode(
        _ listing: DeltaListing, content: [UInt8], novelBytes: Int, codedLimit: Int,
        load: (DeltaListing.Segment, UnsafeMutableRawBufferPointer) throws -> Void
    ) throws -> Stream {
        let (listingBytes, listing) = try listing.encode(old: old, limits: limits)
        let plan = TextPlan(listing)
        let text = plan.makeText(listing)
        try unsafe plan.load(listing, into: text, load)
        var parameters = Self.parameters(listing, novelBytes: novelBytes)
        parameters.codedLimit = codedLimit
        let dictionary = text.bytes(0..<plan.layout.output.lowerBound)
        var coder = AlignedCoder(
            text, plan.layout, parameters, seeds: plan.seeds, source: content, coder: BitEncoder())
        var isWithinLimit = true
        for (file, base) in zip(listing.files, plan.bases) {
            guard
                coder.codeFile(
                    length: file.size, base: base, isSourceMap: file.isSourceMap)
            else {
                isWithinLimit = false
                break
            }
        }
        let method: DeltaStream.Method
        let payload: [UInt8]
        let codedBytes = coder.codedBytes
        if isWithinLimit {
            parameters.codedLimit = codedBytes
            method = .aligned(parameters)
            payload = coder.finishedBytes()
        } else {
            method = .lzma(LZMAEncoder.properties)
            payload = try LZMAEncoder.encode(
                content, dictionary: Array(dictionary[plan.layout.dictionary.lowerBound...]))
        }
        let bytes =
            HeaderWriter.bytes(method, listingLength: listingBytes.count) + listingBytes + payload
        let stream = try DeltaStream(bytes, old: old, limits: limits)
        return Stream(
            bytes: bytes, memory: stream.memory, codedBytes: isWithinLimit ? codedBytes : 0,
            isFallback: !isWithinLimit)
    }

    /// Tables as large as the work needs, so that a small update takes little memory and time.
    static func parameters(_ listing: DeltaListing, novelBytes: Int) -> AlignedParameters {
        var parameters = AlignedParameters()
        parameters.literalBits = max(
            6, min(14, (novelBytes / 8).bitWidth - (novelBytes / 8).leadingZeroBitCount))
        parameters.sampling = listing.dictionarySize < 4 << 20 ? 1 : 4
        let positions = listing.dictionarySize / parameters.sampling + novelBytes
        parameters.indexBits = max(
            12, min(21, positions.bitWidth - positions.leadingZeroBitCount))
        return parameters
    }
}

extension TextBuffer {
    /// A copy of a stretch of the text.
    func bytes(_ range: Range<Int>) -> [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: base + range.lowerBound, count: range.count))
    }
}
