/// The headers of a delta's streams: their coding, outputs and inputs.
///
/// Read the streams of a delta in order, then create a ``DeltaDecoder``. Only the headers are kept,
/// so the streams need not be in memory together.
public struct DeltaHeaders: Sendable {
    let old: [DeltaListing.OldFile]
    let limits: DeltaLimits
    private(set) var headers: [DeltaStreamHeader] = []
    private var state: ListingState

    /// Prepares for the streams of one delta.
    ///
    /// - Parameters:
    ///   - old: All files of the old tree, in the order of their paths' bytes.
    ///   - limits: The limits for the delta.
    ///   - memory: The bytes of memory that all listings together may use; `nil` for
    ///     ``DeltaLimits/totalMemory``.
    public init(
        old: [DeltaListing.OldFile], limits: DeltaLimits = DeltaLimits(), memory: Int? = nil
    ) {
        self.old = old
        self.limits = limits
        state = ListingState(limits, memory: memory)
    }

    /// Reads the header of the delta's next stream.
    ///
    /// - Parameter stream: The whole stream.
    /// - Throws: ``DeltaCodecError/invalidHeader``, ``DeltaCodecError/invalidListing`` for a
    ///   damaged stream; ``DeltaCodecError/tooLarge`` if the stream exceeds the limits.
    public mutating func read(_ stream: [UInt8]) throws(DeltaCodecError) {
        headers.append(
            try DeltaStreamHeader(stream, old: old, limits: limits, state: &state))
    }
}

/// Decodes the streams of a delta after all of their headers have been read.
public struct DeltaDecoder: Sendable {
    private let headers: [DeltaStreamHeader]
    private let names: DeltaNames
    private let limits: DeltaLimits

    /// The listing of each stream, in the order in which the headers were read.
    public var listings: [DeltaListing] { names.listings }

    /// Checks the total work of all streams before decoding.
    ///
    /// - Parameter headers: The headers of all streams of the delta.
    /// - Throws: ``DeltaCodecError/tooMuchWork`` if decoding would take longer than the limits
    ///   allow.
    public init(_ headers: DeltaHeaders) throws(DeltaCodecError) {
        self.headers = headers.headers
        limits = headers.limits
        names = DeltaNames(headers.headers.map(\.listing), old: headers.old)
        let names = names
        let sizes = headers.old.saturatingSum(of: \.size).addingSaturated(
            self.headers.saturatingSum(of: \.listing.outputSize))
        guard self.headers.saturatingSum(of: \.codedBytes) <= limits.codedBytes,
            self.headers.saturatingSum(of: { $0.work(names) }) <= limits.work(UInt64(sizes))
        else { throw .tooMuchWork }
    }

    /// The work of decoding all streams, from their headers.
    ///
    /// ``decode(_:at:memory:load:emit:cost:)`` refuses a stream that takes another number of coded
    /// bytes.
    public var work: DeltaWork { headers.reduce(DeltaWork()) { $0 + $1.decodingWork } }

    /// The number of bytes of a stream, from its header.
    ///
    /// - Parameter index: The stream's index in ``listings``.
    public func size(at index: Int) -> Int { headers[index].count }

    /// Checks the memory for decoding a stream before allocating it.
    ///
    /// - Parameters:
    ///   - index: The stream's index in ``listings``.
    ///   - memory: The largest memory use in bytes; the limits also apply.
    /// - Throws: ``DeltaCodecError/tooLarge`` if it needs more.
    public func checkMemory(at index: Int, atMost memory: Int) throws(DeltaCodecError) {
        _ = try headers[index].mapRoom(names, at: index, limits, memory: memory)
    }

    /// Decodes a stream.
    ///
    /// The output is not authenticated: a damaged stream can decode to other content. Compare the
    /// new files with trusted hashes.
    ///
    /// - Parameters:
    ///   - stream: The whole stream whose header was read.
    ///   - index: Its index in ``listings``.
    ///   - memory: The largest memory use in bytes; the limits also apply.
    ///   - load: Fills a buffer with a piece of an old file: exactly
    ///     ``DeltaListing/Segment/length`` bytes.
    ///   - emit: Receives the content of each new file, or piece of one, in the order of the
    ///     listing. The bytes are valid during the call.
    ///   - cost: Receives the number of bytes of the stream that each file took, before the files
    ///     are emitted; not called for a stream of the fallback, which does not tell files apart.
    /// - Throws: ``DeltaCodecError/invalidContent`` for a damaged stream,
    ///   ``DeltaCodecError/tooLarge`` if it needs more memory than allowed,
    ///   ``DeltaCodecError/invalidHeader`` if the stream differs in size from the one whose header
    ///   was read, and the errors of `load` and `emit`.
    public func decode(
        _ stream: [UInt8], at index: Int, memory: Int = .max,
        load: (DeltaListing.Segment, inout MutableRawSpan) throws -> Void,
        emit: (DeltaListing.NewFile, RawSpan) throws -> Void,
        cost: (DeltaListing.NewFile, Int) -> Void = { _, _ in }
    ) throws {
        try DeltaStream(
            headers[index], stream, names: names, at: index, limits: limits, memory: memory
        ).decode(load: load, emit: emit, cost: cost)
    }
}

extension Int {
    /// The sum, or the largest number on overflow.
    func addingSaturated(_ other: Int) -> Int {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? .max : sum
    }
}

extension Sequence {
    /// The sum of non-negative numbers, or the largest `Int` on overflow.
    func saturatingSum(of number: (Element) -> Int) -> Int {
        reduce(0) { $0.addingSaturated(number($1)) }
    }
}
