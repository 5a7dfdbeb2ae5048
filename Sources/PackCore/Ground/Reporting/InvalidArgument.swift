extension Failure {
    /// An invalid value typed by a user (a name, a URL, a level).
    ///
    /// - Parameters:
    ///   - kind: The kind of value, such as `channel`.
    ///   - example: A valid value.
    package static func invalidArgument(
        kind: String, word: String, problem: String, example: String
    ) -> Failure {
        // An environment variable is named without an article.
        let article = kind.contains("_") ? "" : "the "
        return Failure(
            Code("usage." + String(kind.lowercased().map { $0 == " " ? "-" : $0 })),
            article + "\(kind) '\(printable(withoutSecrets(word).utf8))' \(problem)",
            exitCode: .usage, details: ["problem": problem, "example": example])
    }
}
