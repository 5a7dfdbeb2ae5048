/// A length, count or offset from untrusted data: an archive, a delta, a manifest, a directory.
///
/// It has no arithmetic. Every conversion to a number that slices, allocates or is added takes a
/// limit, so a length cannot be used before it is checked.
package struct UntrustedLength: Equatable, Sendable {
    private let value: UInt64

    /// Wraps a value that was read from untrusted data.
    package init(_ value: UInt64) { self.value = value }

    /// The length as a count in memory; `nil` if it exceeds `limit`.
    package func count(atMost limit: Int) -> Int? {
        guard let count = Int(exactly: value), count <= limit else { return nil }
        return count
    }
}

extension FixedWidthInteger {
    /// The sum, or the largest value on overflow, so that a later limit check fails.
    @inlinable package func addingClamped(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        guard overflow else { return sum }
        return other < 0 ? .min : .max
    }
}

extension Sequence {
    /// The sum of untrusted lengths, or the largest value on overflow.
    @inlinable package func clampedSum<Number: FixedWidthInteger>(
        of length: (Element) -> Number
    ) -> Number {
        reduce(0) { $0.addingClamped(length($1)) }
    }
}
