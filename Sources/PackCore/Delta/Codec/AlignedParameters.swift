/// The positions of the parts of the coder's text.
///
/// Padding of zeros, the dictionary, the names of the new files, the output, padding again; the last
/// bytes are the scratch for predicted names.
struct TextLayout: Equatable, Sendable {
    /// Leading zeros: reading back by up to this many bytes stays in the text.
    static let padding = 64
    private static let behind = 192

    package let dictionary: Range<Int>
    let names: Range<Int>
    let output: Range<Int>
    let count: Int

    /// The position for predicted names.
    var scratch: Int { output.upperBound + 128 }

    init(dictionary: Int, names: Int, output: Int) {
        self.dictionary = Self.padding..<(Self.padding + dictionary)
        self.names = self.dictionary.upperBound..<(self.dictionary.upperBound + names)
        self.output = self.names.upperBound..<(self.names.upperBound + output)
        count = self.output.upperBound + Self.behind
    }
}

/// The encoder's choices, which the stream declares.
struct AlignedParameters: Equatable, Sendable {
    static let literalRange: ClosedRange<UInt8> = 4...15
    static let indexRange: ClosedRange<UInt8> = 8...20

    /// The binary logarithm of the slots of each literal context, 4 to 15.
    var literalBits = 10
    /// The binary logarithm of the slots of each table of positions, 8 to 20.
    var indexBits = 18
    /// The number of bytes coded one by one; while encoding, the largest number.
    var codedBytes = 1 << 34
}
