import PackGround

/// A question on the terminal with a default answer.
struct Question {
    private let text: String
    private let standard: String
    private let end: String
    private let streams: any StandardStreams

    /// The end of the input, as typed in a terminal.
    static let endOfInput = "\u{4}"

    /// - Parameter end: The answer at the end of the input; by default the same as an empty one.
    init(
        _ text: String, default standard: String, atEnd end: String? = nil,
        on streams: any StandardStreams
    ) {
        self.text = text
        self.standard = standard
        self.end = end ?? standard
        self.streams = streams
    }

    /// The maximum number of attempts.
    private static let attempts = 3

    /// Asks until an answer is valid.
    ///
    /// - Throws: The error of `read` for the last answer.
    func ask<Answer>(_ read: (String) throws -> Answer) throws -> Answer {
        for _ in 1..<Self.attempts {
            do {
                return try read(answer())
            } catch {
                guard let remedy = Remedies.remedy(after: error) else { throw error }
                streams.prompt("\(error); \(remedy)\n")
            }
        }
        return try read(answer())
    }

    private func answer() -> String {
        streams.prompt(standard.isEmpty ? "\(text): " : "\(text) [\(standard)]: ")
        guard let text = streams.readLine() else {
            streams.prompt("\n")
            return end
        }
        let line = text.split(separator: " ").joined(separator: " ")
        return line.isEmpty ? standard : line
    }
}
