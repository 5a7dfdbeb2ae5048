/// The header of a stream: how it is coded, what it produces, and from what.
struct DeltaStreamHeader: Sendable {
    enum Method: Equatable, Sendable {
        case aligned(AlignedParameters)
        case lzma(UInt8)
    }

    let method: Method
    let listing: DeltaListing
    /// The range of the content in the stream.
    let payload: Range<Int>
    /// How many bytes the stream has.
    let count: Int

    /// Reads the header and the listing.
    ///
    /// - Parameters:
    ///   - old: The old tree's files in the order of their paths' bytes.
    ///   - budget: What the listings of this stream and those after it may use.
    /// - Throws: ``DeltaCodecError``.
    init(
        _ bytes: [UInt8], old: [DeltaListing.OldFile], limits: DeltaLimits,
        budget: inout ListingBudget
    ) throws(DeltaCodecError) {
        var reader = HeaderReader(bytes)
        method = try reader.method()
        let length = try reader.number()
        let start = reader.position
        guard length <= bytes.count - start else { throw .invalidHeader }
        let end = start + length
        listing = try DeltaListing.decode(
            bytes, start..<end, old: old, limits: limits, budget: &budget)
        payload = end..<bytes.count
        count = bytes.count
    }

    /// How many bytes are coded one by one; 0 for the fallback.
    var codedBytes: Int {
        if case .aligned(let parameters) = method { parameters.codedLimit } else { 0 }
    }

    var sampling: Int {
        if case .aligned(let parameters) = method { parameters.sampling } else { 0 }
    }

    /// The memory of decoding in bytes, without the fields of source maps: text, stream and tables.
    ///
    /// - Parameter names: The bytes of names in the text.
    func memory(names: Int) -> Int {
        let tables =
            switch method {
            case .aligned(let parameters): parameters.memory
            case .lzma: 1 << 16
            }
        return TextLayout(
            dictionary: listing.dictionarySize, names: names, output: listing.outputSize
        ).count + count + tables
    }

    /// The memory in bytes that is left for the fields of source maps.
    ///
    /// - Parameters:
    ///   - names: The files of all streams of the delta.
    ///   - index: The index of this stream.
    ///   - memory: The most bytes that it may use; the limits apply too.
    /// - Throws: ``DeltaCodecError/tooLarge`` if it needs more.
    func mapRoom(
        _ names: DeltaNames, at index: Int, _ limits: DeltaLimits, memory: Int
    ) throws(DeltaCodecError) -> Int {
        let needed = self.memory(names: names.count(at: index))
        let allowed = min(memory, limits.totalMemory)
        guard needed <= allowed, needed - listing.dictionarySize <= limits.memory else {
            throw .tooLarge
        }
        return allowed - needed
    }

    /// The approximate number of bytes that decoding touches besides coding its output: memory that
    /// is filled, names that are written, old files that are opened (counted as 16 KiB each),
    /// positions that are recorded (16 each), bases that are searched for mappings and letters.
    func work(_ names: DeltaNames) -> Int {
        let places = listing.dictionarySize + names.bytes
        var work =
            memory(names: names.bytes) + 256 * names.files + 16384 * listing.dictionary.count
        if sampling > 0 { work += 16 * (places / sampling + 1) }
        var sizes: [Int: Int] = [:]
        for segment in listing.dictionary { sizes[segment.file] = segment.length }
        for file in listing.files where file.size > 0 {
            let base = file.base.flatMap { sizes[$0] } ?? 0
            work += file.isSourceMap ? base : min(base, NameShift.sample)
        }
        return work
    }
}

extension DeltaLimits {
    /// The most work of a delta: some seconds, in proportion to the releases.
    ///
    /// - Parameter bytes: Those of the old release, and those that the streams produce.
    func work(_ bytes: UInt64) -> Int {
        let (product, isOver) = bytes.multipliedReportingOverflow(by: 64)
        return isOver ? .max : min(Int(clamping: product), .max / 2) + 4 << 30
    }
}

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
        var budget = ListingBudget(limits)
        let header = try DeltaStreamHeader(bytes, old: old, limits: limits, budget: &budget)
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

extension AlignedParameters {
    /// The largest size of the coder's tables in bytes.
    var memory: Int {
        let literals = LiteralModel.contexts * (LiteralModel.slotSize << literalBits)
        let flags = FlagModel.contexts * (2 << 16)
        let index = 3 * (4 << indexBits) + 4 << MatchIndex.bits4
        // Weights, renames, name shift, run flags.
        return literals + flags + index + 3 << 20
    }
}

/// The names of all files that a delta's streams produce: each stream's text contains them, its own
/// first.
///
/// Each name is on its own line, preceded, if the file was renamed, by the piece of the old name
/// that was replaced.
struct DeltaNames: Sendable {
    let listings: [DeltaListing]
    private let old: [DeltaListing.OldFile]
    /// How many files there are.
    let files: Int
    /// The bytes of all of them, with every piece that was replaced: no stream's text has more.
    let bytes: Int
    /// Whether there are so many renames that a stream's text depends on their order.
    private let isCut: Bool

    init(_ listings: [DeltaListing], old: [DeltaListing.OldFile]) {
        self.listings = listings
        self.old = old
        var (files, bytes, seeds) = (0, 0, 0)
        for listing in listings {
            for file in listing.files {
                files += 1
                bytes += file.path.count + 1
                if let edit = Self.seed(file) {
                    seeds += 1
                    bytes += edit.oldLength + 1
                }
            }
        }
        self.files = files
        self.bytes = bytes
        isCut = seeds > NameSeeds.mostSeeds
    }

    /// The edit of a file's path, if it shows what a content hash became.
    private static func seed(_ file: DeltaListing.NewFile) -> DeltaListing.Edit? {
        guard let edit = file.edit, edit.oldLength >= NameSeeds.fewestBytes, edit.newLength > 0
        else { return nil }
        return edit
    }

    /// How many bytes of names a stream's text has.
    fileprivate func count(at index: Int) -> Int {
        guard isCut else { return bytes }
        var count = 0
        var seeds = 0
        forEach(from: index) { file in
            count += file.path.count + 1
            if seeds < NameSeeds.mostSeeds, let edit = Self.seed(file) {
                seeds += 1
                count += edit.oldLength + 1
            }
        }
        return count
    }

    /// Calls `body` with the files of a stream, then with those of the others in their order.
    private func forEach(from index: Int, _ body: (DeltaListing.NewFile) -> Void) {
        guard listings.indices.contains(index) else { return }
        for file in listings[index].files { body(file) }
        for (other, listing) in listings.enumerated() where other != index {
            for file in listing.files { body(file) }
        }
    }

    /// Writes the names of a stream's text and returns what follows from them.
    fileprivate func write(at index: Int, into text: borrowing TextBuffer, from start: Int)
        -> [NameSeeds.Seed]
    {
        var seeds: [NameSeeds.Seed] = []
        var place = start
        forEach(from: index) { file in
            if seeds.count < NameSeeds.mostSeeds, let edit = Self.seed(file), let base = file.base {
                let piece = place
                place = text.writeLine(
                    old[base].path[edit.prefix..<(edit.prefix + edit.oldLength)], at: place)
                seeds.append(
                    NameSeeds.Seed(
                        old: piece, oldLength: edit.oldLength, new: place + edit.prefix,
                        newLength: edit.newLength))
            }
            place = text.writeLine(file.path[...], at: place)
        }
        return seeds
    }
}

extension TextBuffer {
    /// Writes bytes and a line feed, and returns the place after it.
    fileprivate func writeLine(_ bytes: ArraySlice<UInt8>, at start: Int) -> Int {
        var place = start
        for byte in bytes {
            self[place] = byte
            place += 1
        }
        self[place] = 0x0A
        return place + 1
    }
}

/// The text of a stream: where its parts lie.
struct TextPlan: Sendable {
    let layout: TextLayout
    /// The range of each new file's base in the text; empty for none.
    let bases: [Range<Int>]
    private let names: DeltaNames
    private let index: Int

    init(_ listing: DeltaListing, _ names: DeltaNames, at index: Int) {
        var starts: [Int: Range<Int>] = [:]
        var position = TextLayout.padding
        for segment in listing.dictionary {
            starts[segment.file] = position..<(position + segment.length)
            position += segment.length
        }
        bases = listing.files.map { file in file.base.flatMap { starts[$0] } ?? 0..<0 }
        self.names = names
        self.index = index
        layout = TextLayout(
            dictionary: listing.dictionarySize, names: names.count(at: index),
            output: listing.outputSize)
    }

    /// Writes the names of a text and returns what they say became of content hashes.
    func writeNames(into text: borrowing TextBuffer) -> [NameSeeds.Seed] {
        names.write(at: index, into: text, from: layout.names.lowerBound)
    }

    func load(
        _ listing: DeltaListing, into text: borrowing TextBuffer,
        _ load: (DeltaListing.Segment, inout MutableRawSpan) throws -> Void
    ) throws {
        var position = layout.dictionary.lowerBound
        for segment in listing.dictionary {
            var piece = unsafe MutableRawSpan(
                _unsafeBytes: text.memory(position, segment.length))
            try load(segment, &piece)
            position += segment.length
        }
    }

    func emit(
        _ listing: DeltaListing, _ text: borrowing TextBuffer,
        _ emit: (DeltaListing.NewFile, RawSpan) throws -> Void
    ) throws {
        var position = layout.output.lowerBound
        for file in listing.files {
            let piece = unsafe RawSpan(
                _unsafeBytes: UnsafeRawBufferPointer(text.memory(position, file.size)))
            try emit(file, piece)
            position += file.size
        }
    }
}

/// Reads the bytes before the listing.
private struct HeaderReader {
    let bytes: [UInt8]
    var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func byte() throws(DeltaCodecError) -> UInt8 {
        guard position < bytes.count else { throw .invalidHeader }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func byte(in range: ClosedRange<UInt8>) throws(DeltaCodecError) -> Int {
        let value = try byte()
        guard range.contains(value) else { throw .invalidHeader }
        return Int(value)
    }

    /// A number in LEB128, in its shortest form, below 2^35.
    mutating func number() throws(DeltaCodecError) -> Int {
        var value = 0
        for shift in stride(from: 0, through: 28, by: 7) {
            let byte = try byte()
            value |= Int(byte & 0x7F) << shift
            if byte < 0x80 {
                guard byte > 0 || shift == 0 else { throw .invalidHeader }
                return value
            }
        }
        throw .invalidHeader
    }

    mutating func method() throws(DeltaCodecError) -> DeltaStream.Method {
        switch try byte() {
        case 0:
            var parameters = AlignedParameters()
            parameters.literalBits = try byte(in: AlignedParameters.literalRange)
            parameters.indexBits = try byte(in: AlignedParameters.indexRange)
            parameters.sampling = try byte(in: 0...255)
            parameters.codedLimit = try number()
            return .aligned(parameters)
        case 1:
            let properties = try byte()
            guard LZMADecoder.Properties(properties) != nil else { throw .invalidHeader }
            return .lzma(properties)
        default:
            throw .invalidHeader
        }
    }
}

/// Writes the bytes before the listing.
enum HeaderWriter {
    /// The most bytes that a header has.
    static let longest = 14

    static func bytes(_ method: DeltaStream.Method, listingLength: Int) -> [UInt8] {
        var result: [UInt8] = []
        switch method {
        case .aligned(let parameters):
            result = [
                0, UInt8(parameters.literalBits), UInt8(parameters.indexBits),
                UInt8(parameters.sampling),
            ]
            append(parameters.codedLimit, to: &result)
        case .lzma(let properties):
            result = [1, properties]
        }
        append(listingLength, to: &result)
        return result
    }

    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
