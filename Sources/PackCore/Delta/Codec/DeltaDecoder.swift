/// The headers of a delta's streams: how each is coded, and what it makes out of what.
///
/// Read the streams of a delta in order, then make a ``DeltaDecoder`` of them. Only the headers are kept,
/// so that the streams need not be in memory together.
public struct DeltaHeaders: Sendable {
    let old: [DeltaListing.OldFile]
    let limits: DeltaLimits
    private(set) var headers: [DeltaStreamHeader] = []
    private var state: ListingState

    /// Prepares for the streams of one delta.
    ///
    /// - Parameters:
    ///   - old: All files of the old tree, in the order of their paths' bytes.
    ///   - limits: What the delta may use.
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
    /// - Throws: ``DeltaCodecError/invalidHeader``, ``DeltaCodecError/invalidListing`` for a damaged
    ///   stream; ``DeltaCodecError/tooLarge`` for one that exceeds the limits.
    public mutating func read(_ stream: [UInt8]) throws(DeltaCodecError) {
        headers.append(
            try DeltaStreamHeader(stream, old: old, limits: limits, state: &state))
    }
}

/// Decodes the streams of a delta, whose headers have all been read.
public struct DeltaDecoder: Sendable {
    private let headers: [DeltaStreamHeader]
    private let names: DeltaNames
    private let limits: DeltaLimits

    /// What each stream makes, in the order in which the headers were read.
    public var listings: [DeltaListing] { names.listings }

    /// Checks the work of all streams together, before any of it is done.
    ///
    /// - Parameter headers: Those of all streams of the delta.
    /// - Throws: ``DeltaCodecError/tooMuchWork`` if decoding would take longer than the limits allow.
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

    /// The number of bytes of a stream, from its header.
    ///
    /// - Parameter index: The stream's index in ``listings``.
    public func size(at index: Int) -> Int { headers[index].count }

    /// Checks the memory that decoding a stream needs, before any of it is allocated.
    ///
    /// - Parameters:
    ///   - index: The stream's index in ``listings``.
    ///   - memory: The most bytes of memory that it may use; the limits apply as well.
    /// - Throws: ``DeltaCodecError/tooLarge`` if it needs more.
    public func checkMemory(at index: Int, atMost memory: Int) throws(DeltaCodecError) {
        _ = try headers[index].mapRoom(names, at: index, limits, memory: memory)
    }

    /// Decodes a stream.
    ///
    /// What comes out is not authenticated: a damaged stream can decode to other content. Compare the new
    /// files with hashes that you trust.
    ///
    /// - Parameters:
    ///   - stream: The whole stream whose header was read.
    ///   - index: Its index in ``listings``.
    ///   - memory: The most bytes of memory that decoding may use; the limits apply as well.
    ///   - load: Fills a buffer with a piece of an old file: exactly ``DeltaListing/Segment/length`` bytes.
    ///   - emit: Receives the content of each new file, or piece of one, in the order of the listing. The
    ///     bytes are valid during the call.
    ///   - cost: Receives the number of bytes of the stream that each file took, before the files are
    ///     emitted; not called for a stream of the fallback, which does not tell files apart.
    /// - Throws: ``DeltaCodecError/invalidContent`` for a damaged stream, ``DeltaCodecError/tooLarge`` for
    ///   one that needs more memory than is allowed, ``DeltaCodecError/invalidHeader`` for a stream of
    ///   another size than the one whose header was read, and what `load` and `emit` throw.
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
    /// The sum, or the largest number if it is larger.
    func addingSaturated(_ other: Int) -> Int {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? .max : sum
    }
}

extension Sequence {
    /// The sum of numbers that are not negative, or the largest `Int` if it is larger.
    func saturatingSum(of number: (Element) -> Int) -> Int {
        reduce(0) { $0.addingSaturated(number($1)) }
    }
}
