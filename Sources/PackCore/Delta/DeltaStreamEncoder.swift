import Synchronization

/// Encodes the streams of a delta.
struct DeltaStreamEncoder: Sendable {
    let old: [DeltaListing.OldFile]
    let limits: DeltaLimits
    /// The fallback's encoder needs some 600 MiB for the largest streams, so one runs at a time.
    private let turn = Turn()

    private final class Turn: Sendable {
        let lock = Mutex(())
    }

    init(old: [DeltaListing.OldFile], limits: DeltaLimits) {
        self.old = old
        self.limits = limits
    }

    /// Up to this many bytes coded one by one, the tables of positions are left out.
    private static let fewCodedBytes = 500
    private static let mostIndexBits = 21
    private static let mostIndexSlots = 1 << mostIndexBits
    /// A smaller stream is not compared with the fallback's.
    private static let littleCoded = 2048

    /// The memory of a stream beyond the old tree: with about 18 MiB for a process itself, a client
    /// stays below 64 MiB.
    private static let mostMemory = 45 << 20

    /// A finished stream.
    struct Stream: Sendable {
        let bytes: [UInt8]
        /// The memory that decoding it needs, in bytes.
        let memory: Int
        /// The number of bytes that are coded one by one; `nil` for the fallback.
        let codedBytes: Int?
    }

    /// Encodes a stream.
    ///
    /// - Parameters:
    ///   - listing: What it produces, and from what.
    ///   - others: The listings of the delta's other streams in order, as a decoder sees them.
    ///   - content: The content of the new files, one after another.
    ///   - novelBytes: The approximate number of its bytes that resemble nothing old.
    ///   - codedLimit: The number of bytes that the aligned coder may code one by one; beyond
    ///     it the fallback is used, and with 0 always.
    ///   - report: Called from time to time with the number of bytes that are coded; restarts
    ///     if a second way of coding is tried.
    ///   - load: Reads a piece of an old file.
    func encode(
        _ listing: DeltaListing, others: [DeltaListing] = [], content: [UInt8],
        novelBytes: Int, codedLimit: Int, report: (Int) -> Void = { _ in },
        load: (DeltaListing.Segment, UnsafeMutableRawBufferPointer) throws -> Void
    ) throws -> Stream {
        let listing = try listing.encode(old: old, limits: limits).listing
        return try unsafe encode(
            DeltaNames([listing] + others, old: old), at: 0, content: content,
            novelBytes: novelBytes, codedLimit: codedLimit, report: report, load: load)
    }

    /// Encodes a stream.
    ///
    /// - Parameters:
    ///   - names: The listings of all streams of the delta, as a decoder sees them.
    ///   - index: The index of this stream.
    func encode(
        _ names: DeltaNames, at index: Int, content: [UInt8],
        novelBytes: Int, codedLimit: Int, report: (Int) -> Void = { _ in },
        load: (DeltaListing.Segment, UnsafeMutableRawBufferPointer) throws -> Void
    ) throws -> Stream {
        let (listingBytes, listing) = try names.listings[index].encode(old: old, limits: limits)
        let method: DeltaStream.Method
        let payload: [UInt8]
        let plan = TextPlan(listing, names, at: index)
        var result = try unsafe aligned(
            listing, plan, content, novelBytes: novelBytes, limit: codedLimit, report, load)
        if let aligned = result,
            plan.layout.count + aligned.parameters.memory + aligned.bytes.count
                + listingBytes.count + HeaderWriter.longest
                + SourceMapNames.memory(fields: aligned.fields) > limits.totalMemory
        {
            // No client would spend that on the numbers of a source map.
            result = nil
        }
        // The numbers of source maps are the only text for which dictionaries can be better.
        let isRivalled = listing.files.contains(where: \.isSourceMap)
        if let result, !isRivalled || result.bytes.count < Self.littleCoded {
            method = .aligned(result.parameters)
            payload = result.bytes
        } else {
            let fallback = try unsafe dictionaryCoded(listing, plan, content, report, load)
            if let result, result.bytes.count <= fallback.count {
                method = .aligned(result.parameters)
                payload = result.bytes
            } else {
                method = .lzma(LZMAEncoder.properties)
                payload = fallback
            }
        }
        let bytes =
            HeaderWriter.bytes(method, listingLength: listingBytes.count) + listingBytes + payload
        var budget = ListingBudget(limits)
        let stream = try DeltaStream(
            DeltaStreamHeader(bytes, old: old, limits: limits, budget: &budget), bytes,
            names: names, at: index, limits: limits)
        var codedBytes: Int?
        var fields = 0
        if case .aligned(let parameters) = method {
            codedBytes = parameters.codedLimit
            fields = result?.fields ?? 0
        }
        return Stream(
            bytes: bytes, memory: stream.memory + SourceMapNames.memory(fields: fields),
            codedBytes: codedBytes)
    }

    /// The output of the aligned coder.
    private struct Aligned {
        let bytes: [UInt8]
        let parameters: AlignedParameters
        /// The most fields of the base of a source map.
        let fields: Int
    }

    private typealias Load = (DeltaListing.Segment, UnsafeMutableRawBufferPointer) throws -> Void

    /// The cheaper way first: without tables of positions, then with them.
    private func aligned(
        _ listing: DeltaListing, _ plan: TextPlan, _ content: [UInt8], novelBytes: Int, limit: Int,
        _ report: (Int) -> Void, _ load: Load
    ) throws -> Aligned? {
        guard limit > 0 else { return nil }
        if let result = try unsafe withoutIndex(listing, plan, content, report, load) {
            return result
        }
        let parameters = parameters(listing, novelBytes: novelBytes)
        return try unsafe align(listing, plan, content, parameters, limit: limit, report, load)
    }

    /// A release that only renames files needs no tables of positions, and building them takes most
    /// of the time.
    private func withoutIndex(
        _ listing: DeltaListing, _ plan: TextPlan, _ content: [UInt8],
        _ report: (Int) -> Void, _ load: Load
    ) throws -> Aligned? {
        var parameters = AlignedParameters()
        parameters.literalBits = Int(AlignedParameters.literalRange.lowerBound)
        parameters.indexBits = Int(AlignedParameters.indexRange.lowerBound)
        parameters.sampling = 0
        return try unsafe align(
            listing, plan, content, parameters, limit: Self.fewCodedBytes, report, load)
    }

    /// - Returns: `nil` if more than `limit` bytes had to be coded one by one.
    private func align(
        _ listing: DeltaListing, _ plan: TextPlan, _ content: [UInt8],
        _ parameters: AlignedParameters, limit: Int, _ report: (Int) -> Void, _ load: Load
    ) throws -> Aligned? {
        let text = TextBuffer(count: plan.layout.count)
        let seeds = plan.writeNames(into: text)
        try unsafe plan.load(listing, into: text, load)
        var parameters = parameters
        parameters.codedLimit = limit
        let room = limits.totalMemory - plan.layout.count - parameters.memory
        var coder = AlignedCoder(
            text, plan.layout, parameters, seeds: seeds, source: content,
            mapFields: SourceMapNames.mostFields(room: room), coder: BitEncoder())
        for (file, base) in zip(listing.files, plan.bases) {
            guard
                case .coded = coder.codeFile(
                    length: file.size, base: base, isSourceMap: file.isSourceMap)
            else { return nil }
            report(coder.i - plan.layout.output.lowerBound)
        }
        parameters.codedLimit = coder.codedBytes
        let fields = coder.mapNames.fields
        return Aligned(bytes: coder.finishedBytes(), parameters: parameters, fields: fields)
    }

    private func dictionaryCoded(
        _ listing: DeltaListing, _ plan: TextPlan, _ content: [UInt8],
        _ report: (Int) -> Void, _ load: Load
    ) throws -> [UInt8] {
        try turn.lock.withLock { _ in
            let text = TextBuffer(count: plan.layout.count)
            _ = plan.writeNames(into: text)
            try unsafe plan.load(listing, into: text, load)
            let dictionary = text.bytes(
                plan.layout.dictionary.lowerBound..<plan.layout.output.lowerBound)
            return try LZMAEncoder.encode(content, dictionary: dictionary, report: report)
        }
    }

    /// Tables as large as the work needs, so that a small update takes little memory and time.
    private func parameters(_ listing: DeltaListing, novelBytes: Int) -> AlignedParameters {
        var parameters = AlignedParameters()
        parameters.literalBits = max(
            6, min(14, (novelBytes / 8).bitWidth - (novelBytes / 8).leadingZeroBitCount))
        // Three positions per slot are still better than fewer: common text repeats.
        parameters.sampling = listing.dictionarySize < 1 << 18 ? 1 : 2
        while listing.dictionarySize * 10 > 33 * parameters.sampling * Self.mostIndexSlots,
            parameters.sampling < 64
        {
            parameters.sampling *= 2
        }
        let positions = listing.dictionarySize / parameters.sampling + novelBytes
        parameters.indexBits = max(
            12, min(Self.mostIndexBits, positions.bitWidth - positions.leadingZeroBitCount))
        let untouched = old.clampedSum { $0.size } - listing.dictionarySize
        while listing.outputSize + parameters.memory > Self.mostMemory.addingClamped(untouched),
            parameters.indexBits > 12
        {
            parameters.indexBits -= 1
        }
        return parameters
    }
}

extension TextBuffer {
    /// A copy of a range of the text.
    func bytes(_ range: Range<Int>) -> [UInt8] {
        unsafe Array(UnsafeRawBufferPointer(memory(range.lowerBound, range.count)))
    }
}
