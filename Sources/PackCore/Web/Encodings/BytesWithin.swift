extension [UInt8] {
    /// The bytes of a range, clamped to the text.
    ///
    /// A position in a text may be its end, one past the last byte: a tag cut off by the end of the
    /// file is reported there. Code that receives a range from another function uses this instead
    /// of `self[range]`, which traps.
    package subscript(within range: Range<Int>) -> ArraySlice<UInt8> {
        self[range.clamped(to: 0..<count)]
    }
}
