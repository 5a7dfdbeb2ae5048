/// Encodes the streams of a delta.
public struct DeltaEncoder: Sendable {
    private let limits: DeltaLimits
    private let fallback: Fallback?
    /// The listings as a decoder sees them.
    private let names: DeltaNames
    /// The coded form of each listing.
    private let listings: [[UInt8]]

    /// A raw LZMA encoder, for what exceeds the aligned coder's limit of bytes coded one by one.
    public struct Fallback: Sendable {
        let properties: UInt8
        let encode: Encode

        /// Encodes content as a raw LZMA stream with an end marker.
        ///
        /// It receives the content, a function that makes the preset dictionary (as large as the
        /// old files of the stream and its output), the search effort, and a function to call from
        /// time to time with the number of bytes encoded.
        public typealias Encode =
            @Sendable (
                _ content: [UInt8], _ dictionary: () throws -> [UInt8], _ effort: Effort,
                _ report: (Int) -> Void
            ) throws -> [UInt8]

        /// The effort of the match search.
        public enum Effort: Int, Sendable {
            /// Few candidates per position: about 0.3 µs for each byte of the content, and 10 ns
            /// for each one of the dictionary.
            case shallow
            /// More candidates.
            case deep
            /// The smallest output, after about 0.5 µs for each byte of content and dictionary.
            case best
        }

        /// Describes an encoder.
        ///
        /// - Parameters:
        ///   - properties: Its lc, lp and pb, packed as in the LZMA specification: below 225, with
        ///     lc + lp at most 4.
        ///   - encode: The encoder.
        public init(properties: UInt8, encode: @escaping Encode) {
            self.properties = properties
            self.encode = encode
        }
    }

    /// Prepares to encode the streams of one delta.
    ///
    /// - Parameters:
    ///   - old: All files of the old tree, in the order of their paths' bytes.
    ///   - listings: The outputs and inputs of each stream.
    ///   - limits: The limits of the decoders that will read the delta.
    ///   - fallback: A raw LZMA encoder; with `nil`,
    ///     ``encode(at:content:novelBytes:codedLimit:isCompressed:report:load:)`` throws for streams
    ///     that exceed its limit.
    /// - Throws: ``DeltaCodecError/invalidListing`` if a listing refers to files missing in the old
    ///   tree, ``DeltaCodecError/tooLarge`` if one exceeds the limits.
    public init(
        old: [DeltaListing.OldFile], listings: [DeltaListing],
        limits: DeltaLimits = DeltaLimits(), fallback: Fallback? = nil
    ) throws(DeltaCodecError) {
        self.limits = limits
        self.fallback = fallback
        var coded: [(bytes: [UInt8], listing: DeltaListing)] = []
        var state = ListingState(limits)
        for listing in listings {
            guard listing.isCodable(old) else { throw .invalidListing }
            coded.append(try listing.encode(old: old, limits: limits, state: &state))
        }
        names = DeltaNames(coded.map(\.listing), old: old)
        self.listings = coded.map(\.bytes)
    }

    /// A smaller stream is not compared with the fallback's.
    private static let littleCoded = 2048

    /// A finished stream.
    public struct Stream: Sendable {
        /// The stream itself.
        public let bytes: [UInt8]
        /// The number of bytes of memory needed for decoding.
        public let memory: Int
        /// The number of bytes coded one by one, each of which takes 0.6 to 2.5 µs to decode.
        ///
        /// `nil` for the fallback alone.
        public let codedBytes: Int?
        /// The size in the stream, in bytes, of each file of the listing, as a decoder reports it.
        ///
        /// Files of the fallback, which are last, have none: it does not tell files apart.
        public let costs: [Int]
        /// The work of decoding.
        public let work: DeltaWork
    }

    /// Encodes a stream.
    ///
    /// - Parameters:
    ///   - index: The index of its listing.
    ///   - content: The content of the new files, one after another.
    ///   - novelBytes: The approximate number of its bytes that resemble nothing old, from 0 to the
    ///     size of the content; `nil` for all. It determines the size of the tables.
    ///   - codedLimit: The largest number of bytes to code one by one. From the first byte beyond
    ///     it, the fallback codes the rest; with 0 everything.
    ///   - isCompressed: Whether the content is already compressed. Then only the fallback is
    ///     tried, once, because new compressed content cannot be predicted.
    ///   - report: Called from time to time with the number of bytes coded; restarts if a second
    ///     way of coding is tried.
    ///   - load: Fills a buffer with a piece of an old file: exactly
    ///     ``DeltaListing/Segment/length`` bytes.
    /// - Throws: ``DeltaCodecError/invalidContent`` if the content's size differs from the
    ///   listing's, ``DeltaCodecError/tooLarge`` if decoding would need more memory than the limits
    ///   allow, ``DeltaCodecError/tooMuchWork`` if the fallback is needed but missing, and the
    ///   errors of `load` and the fallback.
    public func encode(
        at index: Int, content: [UInt8], novelBytes: Int? = nil,
        codedLimit: Int = DeltaLimits().codedBytes, isCompressed: Bool = false,
        report: (Int) -> Void = { _ in },
        load: (DeltaListing.Segment, inout MutableRawSpan) throws -> Void
    ) throws -> Stream {
        let listing = names.listings[index]
        guard content.count == listing.outputSize else { throw DeltaCodecError.invalidContent }
        let novelBytes = max(0, min(novelBytes ?? content.count, content.count))
        let plan = TextPlan(listing, names, at: index)
        let isFallbackAlone = isCompressed && fallback != nil
        let aligned = try aligned(
            listing, plan, content, novelBytes: novelBytes,
            limit: isFallbackAlone ? 0 : codedLimit, report, load)
        guard let aligned, fits(aligned, plan, listingSize: listings[index].count) else {
            let unpacked = try encodeAll(
                content, listing, plan, effort: isFallbackAlone ? .deep : .shallow, report, load)
            return try finish(unpacked.method, unpacked.payload, nil, at: index)
        }
        if let rest = aligned.rest {
            guard let fallback else { throw DeltaCodecError.tooMuchWork }
            let start = content.count - rest.count
            let payload = try fallback.encode(
                Array(content[start...]), { rest.dictionary }, .shallow
            ) { report(start + $0) }
            return try finish(
                .mixed(
                    aligned.parameters,
                    .init(
                        properties: fallback.properties, output: rest.count,
                        start: aligned.bytes.count)), aligned.bytes + payload, aligned, at: index)
        }
        // Dictionaries can only be better for the numbers of source maps.
        if fallback != nil, listing.files.contains(where: \.isSourceMap),
            aligned.bytes.count >= Self.littleCoded,
            let rival = try Self.rival(
                of: aligned.bytes.count,
                { try encodeAll(content, listing, plan, effort: $0, report, load) })
        {
            return try finish(rival.method, rival.payload, nil, at: index)
        }
        return try finish(.aligned(aligned.parameters), aligned.bytes, aligned, at: index)
    }

    /// Whether a client would spend the memory for the numbers of the source maps.
    private func fits(_ aligned: Aligned, _ plan: TextPlan, listingSize: Int) -> Bool {
        plan.layout.count + aligned.parameters.memory + aligned.bytes.count + listingSize
            + HeaderWriter.longest + SourceMapNames.memory(fields: aligned.fields)
            <= limits.totalMemory
    }

    /// Codes the whole content with the fallback.
    ///
    /// - Throws: ``DeltaCodecError/tooMuchWork`` if there is none; its errors and those of `load`.
    private func encodeAll(
        _ content: [UInt8], _ listing: DeltaListing, _ plan: TextPlan, effort: Fallback.Effort,
        _ report: (Int) -> Void, _ load: Load
    ) throws -> (method: DeltaStream.Method, payload: [UInt8]) {
        guard let fallback else { throw DeltaCodecError.tooMuchWork }
        let payload = try fallback.encode(
            content, { try dictionary(listing, plan, load) }, effort, report)
        return (.lzma(fallback.properties), payload)
    }

    /// Puts header, listing and content together.
    private func finish(
        _ method: DeltaStream.Method, _ payload: [UInt8], _ aligned: Aligned?, at index: Int
    ) throws(DeltaCodecError) -> Stream {
        let listing = names.listings[index]
        let bytes =
            HeaderWriter.bytes(
                method, hasCopies: !listing.copies.isEmpty, listingLength: listings[index].count)
            + listings[index] + payload
        let stream = try DeltaStream(
            DeltaStreamHeader(method, listing, payload: payload.count, count: bytes.count), bytes,
            names: names, at: index, limits: limits)
        return Stream(
            bytes: bytes,
            memory: stream.memory + SourceMapNames.memory(fields: aligned?.fields ?? 0),
            codedBytes: method.parameters?.codedBytes, costs: aligned?.costs ?? [],
            work: stream.header.decodingWork)
    }

    /// The fallback's result for a stream coded by the aligned coder; `nil` if it is not smaller.
    ///
    /// The best search would take most of the time of making a delta. It makes its result a sixth
    /// smaller than the quick one's at most, so it runs only if that one is smaller already.
    private static func rival(
        of aligned: Int,
        _ attempt: (Fallback.Effort) throws -> (method: DeltaStream.Method, payload: [UInt8])
    ) throws -> (method: DeltaStream.Method, payload: [UInt8])? {
        guard try attempt(.shallow).payload.count < aligned else { return nil }
        return try attempt(.best)
    }

    /// The output of the aligned coder.
    private struct Aligned {
        let bytes: [UInt8]
        let parameters: AlignedParameters
        /// The largest number of fields in the base of a source map.
        let fields: Int
        /// The size of each complete file in the stream, in bytes.
        let costs: [Int]
        /// The part of the content beyond the limit of coded bytes, if any.
        let rest: Rest?
    }

    private struct Rest {
        let count: Int
        /// All text before it.
        let dictionary: [UInt8]
    }

    private typealias Load = (DeltaListing.Segment, inout MutableRawSpan) throws -> Void

    /// Codes with the aligned coder, up to `limit` bytes coded one by one.
    ///
    /// - Returns: `nil` if it codes nothing: the limit is 0, or a source map has too many numbers.
    private func aligned(
        _ listing: DeltaListing, _ plan: TextPlan, _ content: [UInt8], novelBytes: Int, limit: Int,
        _ report: (Int) -> Void, _ load: Load
    ) throws -> Aligned? {
        guard limit > 0 else { return nil }
        let text = TextBuffer(count: plan.layout.count)
        let seeds = plan.writeNames(into: text)
        try plan.load(listing, into: text, load)
        var parameters = parameters(novelBytes: novelBytes)
        parameters.codedBytes = limit
        let room = limits.totalMemory - plan.layout.count - parameters.memory
        var coder = AlignedCoder(
            text, plan.layout, parameters, seeds: seeds, source: content,
            mapFields: SourceMapNames.mostFields(room: room), coder: BitEncoder())
        var costs: [Int] = []
        var position = 0
        files: for (file, base) in zip(listing.files, plan.bases) {
            switch coder.codeFile(length: file.size, base: base, isSourceMap: file.isSourceMap) {
            case .coded: break
            case .tooManyBytes: break files
            case .tooManyFields: return nil
            }
            costs.append(coder.coder.bytes.count - position)
            position = coder.coder.bytes.count
            report(coder.i - plan.layout.output.lowerBound)
        }
        parameters.codedBytes = coder.codedBytes
        let fields = coder.mapNames.fields
        let rest = plan.layout.output.upperBound - coder.i
        let before = plan.layout.dictionary.lowerBound..<coder.i
        let made =
            rest == 0 ? nil : Rest(count: rest, dictionary: coder.text.bytes(before))
        return Aligned(
            bytes: coder.finishedBytes(), parameters: parameters, fields: fields, costs: costs,
            rest: made)
    }

    /// All text before a stream's output.
    private func dictionary(
        _ listing: DeltaListing, _ plan: TextPlan, _ load: Load
    ) throws -> [UInt8] {
        let text = TextBuffer(count: plan.layout.count)
        _ = plan.writeNames(into: text)
        try plan.load(listing, into: text, load)
        return text.bytes(plan.layout.dictionary.lowerBound..<plan.layout.output.lowerBound)
    }

    /// Chooses table sizes by the amount of work, so that a small update takes little memory and
    /// time.
    ///
    /// Only positions around changes are recorded. Tables of all positions make larger streams,
    /// because common text displaces what is needed, and take more time.
    private func parameters(novelBytes: Int) -> AlignedParameters {
        let bits = novelBytes.bitWidth - novelBytes.leadingZeroBitCount
        var parameters = AlignedParameters()
        parameters.literalBits = max(6, min(14, bits - 3))
        parameters.indexBits = max(12, min(Int(AlignedParameters.indexRange.upperBound), bits - 1))
        return parameters
    }
}

extension TextBuffer {
    /// A copy of a range of the text.
    func bytes(_ range: Range<Int>) -> [UInt8] {
        unsafe Array(UnsafeRawBufferPointer(memory(range.lowerBound, range.count)))
    }
}
