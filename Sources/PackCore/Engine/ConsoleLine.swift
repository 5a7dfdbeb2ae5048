/// A message on WebKit's console: `URL:line:column: CONSOLE SOURCE LEVEL text`.
package struct ConsoleLine: Equatable, Sendable {
    /// `JS`, `NETWORK`, `SECURITY` and others; empty for a page's own messages.
    package let source: String
    package let isError: Bool
    package let message: String
    package let url: String?
    package let line: Int?
    package let column: Int?

    private static let marker = "CONSOLE "
    private static let levels: Set<Substring> = ["LOG", "INFO", "WARN", "ERROR", "DEBUG"]

    /// Reads a line; `nil` for other output.
    package init?(_ text: String) {
        guard let start = text.firstRange(of: Self.marker) else { return nil }
        var rest = text[start.upperBound...]
        func word() -> Substring {
            let word = rest.prefix { $0 != " " }
            rest = rest.dropFirst(word.count + 1)
            return word
        }
        var level = word()
        var source = ""
        if !Self.levels.contains(level) {
            source = String(level)
            level = word()
        }
        self.source = source
        isError = level == "ERROR"
        message = String(rest)
        var place = text[..<start.lowerBound]
        while let last = place.last, last == " " || last == ":" { place.removeLast() }
        let parts = place.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count > 2, let line = Int(parts[parts.count - 2]),
            let column = Int(parts[parts.count - 1])
        {
            url = parts.dropLast(2).joined(separator: ":")
            self.line = line
            self.column = column
        } else {
            url = nil
            line = nil
            column = nil
        }
    }

    /// The meaning of an error for the check.
    package enum Meaning: Equatable, Sendable {
        case failure(VisitReport.ScriptFailure.Kind)
        case refusal
        /// A missing file, which the handler reports itself.
        case other
    }

    /// Words of WebKit's messages about refused content.
    private static let refusals = [
        "efused", "not allowed", "denied", "locked", "MIME type",
    ]

    package var meaning: Meaning {
        guard isError else { return .other }
        switch source {
        case "JS":
            if message.contains("is not a valid JavaScript MIME type") { return .refusal }
            return .failure(
                message.hasPrefix("Unhandled Promise Rejection") ? .rejection : .exception)
        case "": return .failure(.console)
        // Other texts of this source are advice: an unknown directive of a policy.
        case "SECURITY": return Self.refusals.contains(where: message.contains) ? .refusal : .other
        default: return .other
        }
    }
}
