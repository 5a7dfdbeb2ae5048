/// A text made from source bytes, with a mapping back to them.
package protocol MappedText {
    var bytes: [UInt8] { get }

    /// The source offset of the boundary before a byte.
    ///
    /// - Parameter up: Inside bytes that were decoded as a unit, the boundary after it instead of
    ///   before it.
    func sourceOffset(of offset: Int, up: Bool) -> Int
}

extension MappedText {
    /// The source bytes of some bytes, extended to whole decoded units.
    package func sourceRange(of range: Range<Int>) -> Range<Int> {
        let inside = range.clamped(to: 0..<bytes.count)
        let start = sourceOffset(of: inside.lowerBound, up: false)
        guard !inside.isEmpty else { return start..<start }
        return start..<max(sourceOffset(of: inside.upperBound, up: true), start)
    }
}

extension [UInt8] {
    /// Appends a scalar in UTF-8; U+FFFD for `nil` and for invalid scalars.
    mutating func append(scalar: UInt32?) {
        if let scalar, scalar < 0x80 { return append(UInt8(truncatingIfNeeded: scalar)) }
        guard let scalar = scalar.flatMap(Unicode.Scalar.init), let encoded = UTF8.encode(scalar)
        else { return append(contentsOf: UTF8.encodedReplacementCharacter) }
        append(contentsOf: encoded)
    }
}
