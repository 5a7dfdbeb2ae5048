/// A delta stream: what turns pieces of an old tree into new files (`docs/formats.md`, "Delta streams").
///
/// First the header and listing are read and checked; only then is memory taken.
struct DeltaStream: Sendable {
    typealias Method = DeltaStreamHeader.Method

    let header: DeltaStreamHeader
    private let plan: TextPlan
    private let bytes: [UInt8]
    /// The bytes that the fields of a source map may use besides ``memory``.
    private let mapRoom: Int

    var method: Method { header.method }
    var listing: DeltaListing { header.listing }

    /// - Parameters:
    ///   - bytes: The stream that the header was read from.
    ///   - names: The files of all streams of the delta: files refer to those of other streams.
    ///   - memory: The most bytes that it may use; ``DeltaLimits/memory`` applies too.
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

    /// Reads a stream whose delta has the others given.
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

    /// The memory of decoding in bytes, without the fields of source maps.
    var memory: Int { header.memory(names: plan.layout.names.count) }

    /// Decodes the stream.
    ///
    /// - Parameters:
    ///   - load: Reads a piece of an old file; it must return all bytes of the piece.
    ///   - emit: Gets each new file or piece of one in the listing's order; the bytes are valid
    ///     during the call.
    ///   - cost: Gets the number of bytes of the stream that each file took.
    /// - Throws: ``DeltaCodecError``, errors of `load` and `emit`.
    func decode(
        load: (DeltaListing.Segment, inout MutableRawSpan) throws -> Void,
        emit: (DeltaListing.NewFile, RawSpan) throws -> Void,
        cost: (DeltaListing.NewFile, Int) -> Void = { _, _ in }
    ) throws {
        let text = TextBuffer(count: plan.layout.count)
        let seeds = plan.writeNames(into: text)
        try plan.load(listing, into: text, load)
        switch method {
        case .lzma(let byte):
            guard let properties = LZMADecoder.Properties(byte) else {
                throw DeltaCodecError.invalidHeader
            }
            var decoder = LZMADecoder(bytes, header.payload, properties)
            guard decoder.decode(into: text, plan.layout) else {
                throw DeltaCodecError.invalidContent
            }
            try plan.emit(listing, text, emit)
        case .aligned(let parameters):
            var coder = AlignedCoder(
                text, plan.layout, parameters, seeds: seeds, source: [],
                mapFields: SourceMapNames.mostFields(room: mapRoom),
                coder: BitDecoder(bytes, header.payload))
            var position = coder.coder.position
            for (file, base) in zip(listing.files, plan.bases) {
                switch coder.codeFile(
                    length: file.size, base: base, isSourceMap: file.isSourceMap)
                {
                case .coded: break
                case .tooManyBytes: throw DeltaCodecError.invalidContent
                case .tooManyFields: throw DeltaCodecError.tooLarge
                }
                cost(file, coder.coder.position - position)
                position = coder.coder.position
            }
            guard coder.coder.isAtEnd else { throw DeltaCodecError.invalidContent }
            try plan.emit(listing, coder.text, emit)
        }
    }
}
