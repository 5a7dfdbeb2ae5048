/// A delta stream, which turns pieces of an old tree into new files (`docs/formats.md`, "Delta
/// streams").
///
/// The header and listing are checked before memory is allocated.
struct DeltaStream: Sendable {
    typealias Method = DeltaStreamHeader.Method

    let header: DeltaStreamHeader
    private let plan: TextPlan
    private let bytes: [UInt8]
    /// The bytes that the fields of a source map may use besides ``memory``.
    private let mapRoom: Int

    var method: Method { header.method }
    var listing: DeltaListing { header.listing }

    /// Creates a stream from its header.
    ///
    /// - Parameters:
    ///   - bytes: The stream that the header was read from.
    ///   - names: The files of all streams of the delta, which may refer to each other.
    ///   - memory: The largest memory use in bytes; ``DeltaLimits/memory`` also applies.
    /// - Throws: ``DeltaCodecError``, `tooLarge` if it needs more.
    init(
        _ header: DeltaStreamHeader, _ bytes: [UInt8], names: DeltaNames, at index: Int,
        limits: DeltaLimits, memory: Int = .max
    ) throws(DeltaCodecError) {
        guard bytes.count == header.count else { throw .invalidHeader }
        self.header = header
        self.bytes = bytes
        plan = TextPlan(header.listing, names, at: index)
        mapRoom = try header.mapRoom(names, at: index, limits, memory: memory)
    }

    /// Reads a stream, given the other listings of its delta.
    init(
        _ bytes: [UInt8], old: [DeltaListing.OldFile], others: [DeltaListing] = [],
        limits: DeltaLimits = DeltaLimits()
    ) throws(DeltaCodecError) {
        var state = ListingState(limits)
        let header = try DeltaStreamHeader(bytes, old: old, limits: limits, state: &state)
        try self.init(
            header, bytes, names: DeltaNames([header.listing] + others, old: old), at: 0,
            limits: limits)
    }

    /// The memory for decoding in bytes, without the fields of source maps.
    var memory: Int { header.memory(names: plan.layout.names.count) }

    /// Decodes the stream.
    ///
    /// - Parameters:
    ///   - load: Reads a piece of an old file; it must return all bytes of the piece.
    ///   - emit: Receives each new file or piece of one in the listing's order; the bytes are valid
    ///     during the call.
    ///   - cost: Receives the size of each file in the stream, in bytes.
    /// - Throws: ``DeltaCodecError``, errors of `load` and `emit`.
    func decode(
        load: (DeltaListing.Segment, inout MutableRawSpan) throws -> Void,
        emit: (DeltaListing.NewFile, RawSpan) throws -> Void,
        cost: (DeltaListing.NewFile, Int) -> Void = { _, _ in }
    ) throws {
        let text = TextBuffer(count: plan.layout.count)
        let seeds = plan.writeNames(into: text)
        try plan.load(listing, into: text, load)
        let (payload, output) = (header.payload, plan.layout.output)
        switch method {
        case .lzma(let properties):
            try unpack(payload, properties, into: text, output)
            try plan.emit(listing, text, emit)
        case .aligned(let parameters):
            let coder = try align(payload, parameters, text, seeds, cost)
            guard coder.i == output.upperBound else { throw DeltaCodecError.invalidContent }
            try plan.emit(listing, coder.text, emit)
        case .mixed(let parameters, let rest):
            let start = payload.lowerBound + rest.start
            let coder = try align(payload.lowerBound..<start, parameters, text, seeds, cost)
            guard coder.i == output.upperBound - rest.output else {
                throw DeltaCodecError.invalidContent
            }
            try unpack(
                start..<payload.upperBound, rest.properties, into: coder.text,
                coder.i..<output.upperBound)
            try plan.emit(listing, coder.text, emit)
        }
    }

    /// Decodes content of the aligned coder, until a byte more than it states has to be coded.
    private func align(
        _ content: Range<Int>, _ parameters: AlignedParameters, _ text: consuming TextBuffer,
        _ seeds: [NameSeeds.Seed], _ cost: (DeltaListing.NewFile, Int) -> Void
    ) throws(DeltaCodecError) -> AlignedCoder<BitDecoder> {
        var coder = AlignedCoder(
            text, plan.layout, parameters, seeds: seeds, source: [],
            mapFields: SourceMapNames.mostFields(room: mapRoom),
            coder: BitDecoder(bytes, content))
        var position = coder.coder.position
        files: for (file, base) in zip(listing.files, plan.bases) {
            switch coder.codeFile(length: file.size, base: base, isSourceMap: file.isSourceMap) {
            case .coded: break
            case .tooManyBytes: break files
            case .tooManyFields: throw .tooLarge
            }
            cost(file, coder.coder.position - position)
            position = coder.coder.position
        }
        guard coder.coder.isAtEnd, coder.codedBytes == parameters.codedBytes else {
            throw .invalidContent
        }
        return coder
    }

    /// Decodes content of LZMA.
    private func unpack(
        _ content: Range<Int>, _ properties: UInt8, into text: borrowing TextBuffer,
        _ output: Range<Int>
    ) throws(DeltaCodecError) {
        guard let properties = LZMADecoder.Properties(properties) else { throw .invalidHeader }
        var decoder = LZMADecoder(bytes, content, properties)
        guard
            decoder.decode(
                into: text, output, dictionaryFrom: plan.layout.dictionary.lowerBound)
        else { throw .invalidContent }
    }
}
