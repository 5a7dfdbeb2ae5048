import PackCore

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A question on the terminal, with what an empty answer means.
struct Question {
    private let text: String
    private let standard: String

    init(_ text: String, default standard: String) {
        self.text = text
        self.standard = standard
    }

    /// How often a wrong answer is asked again.
    private static let attempts = 3

    /// Asks until an answer is right.
    ///
    /// - Throws: What `read` threw for the last answer.
    func ask<Answer>(_ read: (String) throws -> Answer) throws -> Answer {
        for _ in 1..<Self.attempts {
            do {
                return try read(answer())
            } catch let error as any Remedied {
                Surroundings.prompt("\(error); \(error.remedy)\n")
            }
        }
        return try read(answer())
    }

    private func answer() -> String {
        Surroundings.prompt(standard.isEmpty ? "\(text): " : "\(text) [\(standard)]: ")
        let line = readLine()?.split(separator: " ").joined(separator: " ") ?? ""
        return line.isEmpty ? standard : line
    }
}

extension Surroundings {
    /// Whether somebody can answer a question: standard input and standard error are a terminal.
    static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    static func prompt(_ text: String) {
        var text = text
        text.withUTF8 { bytes in _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
    }
}
