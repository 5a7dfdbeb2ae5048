/// A length, count or offset that somebody else wrote: in an archive, a delta, a manifest, a directory.
///
/// It has no arithmetic. Every way to a number that slices, allocates or is added names a bound of ours, so a
/// length cannot be used before it was checked.
package struct ForeignLength: Equatable, Sendable {
    private let value: UInt64

    /// - Parameter value: as it was read.
    package init(_ value: UInt64) { self.value = value }

    /// The length as a count in memory; `nil` where it is more than `limit`.
    package func count(atMost limit: Int) -> Int? {
        guard let count = Int(exactly: value), count <= limit else { return nil }
        return count
    }

    /// Where so many bytes from `offset` on end; `nil` where that is beyond `end`.
    package func end(from offset: UInt64, within end: UInt64) -> UInt64? {
        guard offset <= end, value <= end - offset else { return nil }
        return offset + value
    }
}

extension FixedWidthInteger {
    /// The sum, or the largest value where it does not fit: whatever limit that is compared with, it is above it.
    package func addingClamped(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        guard overflow else { return sum }
        return other < 0 ? .min : .max
    }
}

extension Sequence {
    /// The sum of lengths that somebody else wrote, or the largest value where it does not fit.
    package func clampedSum<Number: FixedWidthInteger>(of length: (Element) -> Number) -> Number {
        reduce(0) { $0.addingClamped(length($1)) }
    }
}
