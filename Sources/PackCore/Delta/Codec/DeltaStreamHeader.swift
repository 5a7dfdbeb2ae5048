/// The header of a stream: its coding method, outputs and inputs.
struct DeltaStreamHeader: Sendable {
    enum Method: Equatable, Sendable {
        case aligned(AlignedParameters)
        case lzma(UInt8)
        /// The aligned coder up to its limit, then LZMA.
        case mixed(AlignedParameters, Rest)

        /// The parameters of the aligned coder, if it is used.
        var parameters: AlignedParameters? {
            switch self {
            case .aligned(let parameters), .mixed(let parameters, _): parameters
            case .lzma: nil
            }
        }

        /// The number of bytes of `output` made by LZMA.
        func unpacked(of output: Int) -> Int {
            switch self {
            case .aligned: 0
            case .lzma: output
            case .mixed(_, let rest): rest.output
            }
        }
    }

    /// The part of a stream that LZMA codes after the aligned coder.
    struct Rest: Equatable, Sendable {
        /// lc, lp and pb.
        let properties: UInt8
        /// The number of bytes of its output, at the end of the stream's.
        let output: Int
        /// The number of bytes of content before it, of the aligned coder.
        let start: Int
    }

    let method: Method
    let listing: DeltaListing
    /// The range of the content in the stream.
    let payload: Range<Int>
    /// The size of the stream in bytes.
    let count: Int

    /// Reads the header and the listing.
    ///
    /// - Parameters:
    ///   - old: The old tree's files in the order of their paths' bytes.
    ///   - state: The state after the listings of the previous streams.
    /// - Throws: ``DeltaCodecError``.
    init(
        _ bytes: [UInt8], old: [DeltaListing.OldFile], limits: DeltaLimits,
        state: inout ListingState
    ) throws(DeltaCodecError) {
        var reader = HeaderReader(bytes)
        let kind = try reader.kind()
        method = try reader.method(kind.method)
        let length = try reader.number()
        let start = reader.position
        guard length <= bytes.count - start else { throw .invalidHeader }
        let end = start + length
        listing = try DeltaListing.decode(
            bytes, start..<end, hasCopies: kind.hasCopies, old: old, limits: limits, state: &state)
        payload = end..<bytes.count
        if case .mixed(_, let rest) = method {
            guard (1...max(1, listing.outputSize)).contains(rest.output),
                rest.start <= payload.count
            else { throw .invalidHeader }
        }
        count = bytes.count
    }

    /// Describes a newly encoded stream.
    init(_ method: Method, _ listing: DeltaListing, payload: Int, count: Int) {
        self.method = method
        self.listing = listing
        self.payload = (count - payload)..<count
        self.count = count
    }

    /// The number of bytes coded one by one; 0 for the fallback.
    var codedBytes: Int {
        method.parameters?.codedBytes ?? 0
    }

    /// The work of decoding.
    var decodingWork: DeltaWork {
        let unpacked = method.unpacked(of: listing.outputSize)
        // Decoding refuses more coded bytes than output.
        return DeltaWork(
            coded: codedBytes, copied: max(0, listing.outputSize - unpacked - codedBytes),
            unpacked: unpacked)
    }

    private var lzmaMemory: Int { 1 << 16 }

    /// The memory for decoding in bytes, without the fields of source maps: text, stream and
    /// tables.
    ///
    /// - Parameter names: The number of bytes of names in the text.
    func memory(names: Int) -> Int {
        let tables =
            switch method {
            case .aligned(let parameters): parameters.memory
            case .lzma: lzmaMemory
            case .mixed(let parameters, _): parameters.memory + lzmaMemory
            }
        return TextLayout(
            dictionary: listing.dictionarySize, names: names, output: listing.outputSize
        ).count + count + tables
    }

    /// The memory in bytes available for the fields of source maps.
    ///
    /// - Parameters:
    ///   - names: The files of all streams of the delta.
    ///   - index: The index of this stream.
    ///   - memory: The largest memory use in bytes; the limits also apply.
    /// - Throws: ``DeltaCodecError/tooLarge`` if the stream needs more.
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

    /// The approximate number of bytes touched by decoding besides coding its output.
    ///
    /// Counts memory to fill, names to write, old files to open (16 KiB each), positions to record
    /// (16 each), and bases to search for mappings and letters.
    func work(_ names: DeltaNames) -> Int {
        let positions = listing.dictionarySize + names.bytes
        var work =
            memory(names: names.bytes) + 256 * names.files + 16384 * listing.dictionary.count
        // At most every second position is recorded.
        work += 16 * (positions / 2 + 1)
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
    /// The largest work of a delta: some seconds, in proportion to the releases.
    ///
    /// - Parameter bytes: The sizes of the old release and of the streams' output.
    func work(_ bytes: UInt64) -> Int {
        let (product, isOver) = bytes.multipliedReportingOverflow(by: 64)
        return isOver ? .max : min(Int(clamping: product), .max / 2) + 4 << 30
    }
}

extension AlignedParameters {
    /// The largest size of the coder's tables in bytes.
    var memory: Int {
        let literals = LiteralModel.hashed * (LiteralModel.slotSize << literalBits)
        let flags = FlagModel.contexts * (2 << 16)
        let index = 4 << indexBits + 4 << min(indexBits, MatchIndex.bits4)
        // Weights, renames, name shift, run flags.
        return literals + flags + index + 3 << 20
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

    /// Reads a number in LEB128, in its shortest form, below 2^35.
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

    /// Reads the first byte: the number of the method, and whether the listing has copies.
    mutating func kind() throws(DeltaCodecError) -> (method: UInt8, hasCopies: Bool) {
        let first = try byte()
        return (first & ~HeaderWriter.copies, first & HeaderWriter.copies != 0)
    }

    mutating func method(_ code: UInt8) throws(DeltaCodecError) -> DeltaStream.Method {
        switch code {
        case 0:
            return .aligned(try parameters())
        case 1:
            return .lzma(try properties())
        case HeaderWriter.mixed:
            return .mixed(
                try parameters(),
                DeltaStreamHeader.Rest(
                    properties: try properties(), output: try number(), start: try number()))
        default:
            throw .invalidHeader
        }
    }

    private mutating func parameters() throws(DeltaCodecError) -> AlignedParameters {
        var parameters = AlignedParameters()
        parameters.literalBits = try byte(in: AlignedParameters.literalRange)
        parameters.indexBits = try byte(in: AlignedParameters.indexRange)
        parameters.codedBytes = try number()
        return parameters
    }

    private mutating func properties() throws(DeltaCodecError) -> UInt8 {
        let properties = try byte()
        guard LZMADecoder.Properties(properties) != nil else { throw .invalidHeader }
        return properties
    }
}

/// Writes the bytes before the listing.
enum HeaderWriter {
    /// The largest size of a header in bytes.
    static let longest = 24
    /// The bit of the first byte for a listing with copies.
    static let copies: UInt8 = 2
    /// The first byte for both coders.
    static let mixed: UInt8 = 4

    static func bytes(
        _ method: DeltaStream.Method, hasCopies: Bool, listingLength: Int
    ) -> [UInt8] {
        var result: [UInt8] = []
        switch method {
        case .aligned(let parameters):
            append(parameters, 0, to: &result)
        case .lzma(let properties):
            result = [1, properties]
        case .mixed(let parameters, let rest):
            append(parameters, mixed, to: &result)
            result.append(rest.properties)
            append(rest.output, to: &result)
            append(rest.start, to: &result)
        }
        if hasCopies { result[0] |= copies }
        append(listingLength, to: &result)
        return result
    }

    private static func append(
        _ parameters: AlignedParameters, _ method: UInt8, to bytes: inout [UInt8]
    ) {
        bytes += [method, UInt8(parameters.literalBits), UInt8(parameters.indexBits)]
        append(parameters.codedBytes, to: &bytes)
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
