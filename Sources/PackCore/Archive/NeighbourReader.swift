import PackGround

/// Reads small pieces of a file that follow one another, with few calls.
///
/// A piece far from the last one is read alone, so that pieces in another order cost nothing more.
struct NeighbourReader {
    private var window: [UInt8] = []
    private var start: UInt64 = 0
    /// The end of the last piece.
    private var last = UInt64.max

    private static let windowSize = 128 << 10
    /// The largest piece that is read with its neighbours, in bytes.
    private static let largestPiece = 32 << 10
    /// The most bytes between two neighbours: the header of an entry.
    private static let widestGap: UInt64 = 2 << 10

    /// Fills a span from an offset.
    ///
    /// - Returns: The number of bytes read; fewer than requested only at the end of the file.
    mutating func fill(
        _ output: inout MutableRawSpan, from file: borrowing OwnedDescriptor, at offset: UInt64
    ) throws(Failure) -> Int {
        let count = output.byteCount
        let isNeighbour = offset >= last && offset - last <= Self.widestGap
        last = offset.addingClamped(UInt64(count))
        if offset < start || last > start + UInt64(window.count) {
            guard isNeighbour, count <= Self.largestPiece else {
                return try file.fill(&output, at: offset)
            }
            window = try file.bytes(at: offset, count: Self.windowSize)
            start = offset
        }
        let first = Int(offset - start)
        let end = min(first + count, window.count)
        unsafe output.replaceFirst(with: window.span.bytes.extracting(first..<end))
        return end - first
    }
}
