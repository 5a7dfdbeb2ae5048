extension String {
    /// The text with every occurrence of a scalar replaced.
    ///
    /// Not of a character: with a combining mark behind it that is another one, and the same to a parser.
    func putting(_ other: String, for scalar: Unicode.Scalar) -> String {
        var result = ""
        for next in unicodeScalars {
            if next == scalar { result += other } else { result.unicodeScalars.append(next) }
        }
        return result
    }
}
