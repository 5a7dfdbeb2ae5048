extension Collection where Element == UInt8 {
    /// The first occurrence of some bytes.
    @specialized(where Self == [UInt8])
    @specialized(where Self == ArraySlice<UInt8>)
    package func firstRange(of piece: [UInt8]) -> Range<Index>? {
        guard let first = piece.first else { return nil }
        var start = startIndex
        while let found = self[start...].firstIndex(of: first) {
            if self[found...].starts(with: piece) {
                return found..<index(found, offsetBy: piece.count)
            }
            start = index(after: found)
        }
        return nil
    }
}
