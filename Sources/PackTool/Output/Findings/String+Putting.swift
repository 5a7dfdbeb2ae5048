extension String {
    /// Replaces every occurrence of a scalar.
    ///
    /// Characters are not compared: a scalar with a combining mark is another character but the
    /// same to a parser.
    func putting(_ other: String, for scalar: Unicode.Scalar) -> String {
        var result = ""
        for next in unicodeScalars {
            if next == scalar { result += other } else { result.unicodeScalars.append(next) }
        }
        return result
    }
}
