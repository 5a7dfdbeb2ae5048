/// A text made from source bytes, with the way back to them.
package protocol MappedText {
    var bytes: [UInt8] { get }

    /// The source offset of the boundary before a byte.
    ///
    /// - Parameter up: Within what was decoded as a whole, the boundary after it rather than before it.
    func sourceOffset(of offset: Int, up: Bool) -> Int
}

extension MappedText {
    /// The source bytes of some bytes: all of what was decoded as a whole, even for a part of it.
    package func sourceRange(of range: Range<Int>) -> Range<Int> {
        let inside = range.clamped(to: 0..<bytes.count)
        let start = sourceOffset(of: inside.lowerBound, up: false)
        guard !inside.isEmpty else { return start..<start }
        return start..<max(sourceOffset(of: inside.upperBound, up: true), start)
    }
}

extension [UInt8] {
    /// Adds a scalar in UTF-8; U+FFFD for none, and for a number that is no scalar.
    mutating func append(scalar: UInt32?) {
        if let scalar, scalar < 0x80 { return append(UInt8(truncatingIfNeeded: scalar)) }
        guard let scalar = scalar.flatMap(Unicode.Scalar.init), let encoded = UTF8.encode(scalar)
        else { return append(contentsOf: UTF8.encodedReplacementCharacter) }
        append(contentsOf: encoded)
    }
}
