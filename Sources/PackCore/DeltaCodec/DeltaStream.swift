/// A delta stream: what turns pieces of an old tree into new files (`docs/formats.md`, "Delta streams").
///
/// First the header and listing are read and checked; only then is memory taken.
package struct DeltaStream: Sendable {
    enum Method: Equatable, Sendable {
        case aligned(AlignedParameters)
        case lzma(UInt8)
    }

    let method: Method
    let listing: DeltaListing
    private let plan: TextPlan
    private let bytes: [UInt8]
    private let payload: Range<Int>

    /// Reads the header and the listing.
    ///
    /// - Parameters:
    ///   - old: the old tree's files in the order of their paths' bytes.
    ///   - others: the listings of the delta's other streams, in order: files name those of other streams.
    /// - Throws: ``DeltaCodecError``.
    init(
        _ bytes: [UInt8], old: [DeltaListing.OldFile], others: [DeltaListing] = [],
        limits: DeltaLimits = DeltaLimits()
    ) throws(DeltaCodecError) {
        var reader = HeaderReader(bytes)
        method = try reader.method()
        let length = try reader.number()
        let start = reader.position
        guard length <= bytes.count - start else { throw .invalidHeader }
        let end = start + length
        listing = try DeltaListing.decode(bytes, start..<end, old: old, limits: limits)
        payload = end..<bytes.count
        plan = try TextPlan(listing, others: others, limits: limits)
        self.bytes = bytes
        guard memory - listing.dictionarySize <= limits.memory else { throw .tooLarge }
    }

    /// The most bytes of memory that decoding takes: dictionary, output and tables.
    var memory: Int {
        let tables =
            switch method {
            case .aligned(let parameters): parameters.memory
            case .lzma: 1 << 16
            }
        return plan.layout.count + bytes.count + tables
    }

    /// Decodes the stream.
    ///
    /// - Parameters:
    ///   - load: reads a piece of an old file; it has to give all bytes that the piece has.
    ///   - emit: receives each new file or piece of one in the listing's order; the bytes are valid
    ///     during the call.
    ///   - cost: told how many bytes of the stream each file took.
    /// - Throws: ``DeltaCodecError``, what `load` and `emit` throw.
    func decode(
        load: (DeltaListing.Segment, UnsafeMutableRawBufferPointer) throws -> Void,
        emit: (DeltaListing.NewFile, UnsafeRawBufferPointer) throws -> Void,
        cost: (DeltaListing.NewFile, Int) -> Void = { _, _ in }
    ) throws {
        let text = plan.makeText()
        try unsafe plan.load(listing, into: text, load)
        switch method {
        case .lzma(let byte):
            guard let properties = LZMADecoder.Properties(byte) else {
                throw DeltaCodecError.invalidHeader
            }
            var decoder = LZMADecoder(bytes, payload, properties)
            guard decoder.decode(into: text, plan.layout) else {
                throw DeltaCodecError.invalidContent
            }
            try unsafe plan.emit(listing, text, emit)
        case .aligned(let parameters):
            var coder = AlignedCoder(
                text, plan.layout, parameters, seeds: plan.seeds, source: [],
                coder: BitDecoder(bytes, payload))
            var position = coder.coder.position
            for (file, base) in zip(listing.files, plan.bases) {
                guard
                    coder.codeFile(
                        length: file.size, base: base, isSourceMap: file.isSourceMap)
                else {
                    throw DeltaCodecError.invalidContent
                }
                cost(file, coder.coder.position - position)
                position = coder.coder.position
            }
            guard coder.coder.isAtEnd else { throw DeltaCodecError.invalidContent }
            try unsafe plan.emit(listing, coder.text, emit)
        }
    }
}

extension AlignedParameters {
    /// The most bytes that the coder's tables take.
    var memory: Int {
        let literals = LiteralModel.contexts * (LiteralModel.slotSize << literalBits)
        let flags = FlagModel.contexts * (2 << 16)
        let index = 3 * (4 << indexBits) + 4 << MatchIndex.bits4
        // Weights, renames, name shift, run flags.
        return literals + flags + index + 3 << 20
    }
}

/// The text of a stream: where its parts lie, and what follows from the names.
struct TextPlan: Sendable {
    let layout: TextLayout
    /// Where each new file's base lies in the text; empty for none.
    let bases: [Range<Int>]
    let seeds: [NameSeeds.Seed]
    private let names: [UInt8]

    /// - Throws: ``DeltaCodecError/tooLarge`` for more names than a stream's memory may hold.
    init(
        _ listing: DeltaListing, others: [DeltaListing], limits: DeltaLimits
    ) throws(DeltaCodecError) {
        var starts: [Int: Range<Int>] = [:]
        var position = TextLayout.padding
        for segment in listing.dictionary {
            if starts[segment.file] == nil {
                starts[segment.file] = position..<(position + segment.length)
            }
            position += segment.length
        }
        var names = NamesPart(start: position, limit: limits.memory)
        try names.append(listing)
        for other in others { try names.append(other) }
        self.names = names.bytes
        seeds = names.seeds
        bases = listing.files.map { file in file.base.flatMap { starts[$0] } ?? 0..<0 }
        layout = TextLayout(
            dictionary: listing.dictionarySize, names: names.bytes.count,
            output: listing.outputSize)
    }

    func makeText() -> TextBuffer {
        let text = TextBuffer(count: layout.count)
        for (index, byte) in names.enumerated() { text[layout.names.lowerBound + index] = byte }
        return text
    }

    func load(
        _ listing: DeltaListing, into text: borrowing TextBuffer,
        _ load: (DeltaListing.Segment, UnsafeMutableRawBufferPointer) throws -> Void
    ) throws {
        var position = layout.dictionary.lowerBound
        for segment in listing.dictionary {
            try unsafe load(
                segment,
                UnsafeMutableRawBufferPointer(start: text.base + position, count: segment.length))
            position += segment.length
        }
    }

    func emit(
        _ listing: DeltaListing, _ text: borrowing TextBuffer,
        _ emit: (DeltaListing.NewFile, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var position = layout.output.lowerBound
        for file in listing.files {
            try unsafe emit(
                file, UnsafeRawBufferPointer(start: text.base + position, count: file.size))
            position += file.size
        }
    }
}

/// The names of new files, a line each; before each renamed one the piece of the old name that was
/// replaced.
private struct NamesPart {
    let start: Int
    let limit: Int
    private(set) var bytes: [UInt8] = []
    private(set) var seeds: [NameSeeds.Seed] = []

    init(start: Int, limit: Int) {
        self.start = start
        self.limit = limit
    }

    mutating func append(_ listing: DeltaListing) throws(DeltaCodecError) {
        for file in listing.files {
            if let edit = file.edit, edit.oldMiddle.count >= NameSeeds.fewestBytes,
                !edit.newMiddle.isEmpty, seeds.count < NameSeeds.mostSeeds
            {
                let old = start + bytes.count
                bytes += edit.oldMiddle
                bytes.append(0x0A)
                seeds.append(
                    NameSeeds.Seed(
                        old: old, oldLength: edit.oldMiddle.count,
                        new: start + bytes.count + edit.prefix, newLength: edit.newMiddle.count))
            }
            bytes += file.path
            bytes.append(0x0A)
            guard bytes.count <= limit else { throw .tooLarge }
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
