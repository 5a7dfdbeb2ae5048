/// An invalid value typed by a user (a name, a URL, a level).
package struct InvalidArgument: Remedied, Equatable {
    /// The kind of value, such as `channel`.
    package let kind: String
    package let word: String
    package let problem: String
    /// A valid value.
    package let example: String

    package init(kind: String, word: String, problem: String, example: String) {
        self.kind = kind
        self.word = word
        self.problem = problem
        self.example = example
    }

    package var code: String { "usage." + String(kind.lowercased().map { $0 == " " ? "-" : $0 }) }
    package var description: String {
        // An environment variable is named without an article.
        (kind.contains("_") ? "" : "the ")
            + "\(kind) '\(printable(withoutSecrets(word).utf8))' \(problem)"
    }
    package var remedy: String { "use a value such as '\(example)'" }
    package var exitCode: ExitCode { .usage }
}
