extension [UInt8] {
    /// The bytes of a range that a reader returned; whatever is outside the text is left out.
    ///
    /// A place in a text may be its end, one byte further than any byte: a tag that the end of the file cuts off
    /// is reported there.
    /// Code that takes a range from another function uses this instead of `self[range]`, which traps.
    package subscript(within range: Range<Int>) -> ArraySlice<UInt8> {
        self[range.clamped(to: 0..<count)]
    }
}
