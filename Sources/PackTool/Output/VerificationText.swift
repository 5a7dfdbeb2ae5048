import PackGround
import PackReport
import PackVerify

/// The result of a verification in every format.
protocol VerificationText {
    /// The result in one line.
    var headline: String { get }
    /// The problems, the most serious ones first.
    var items: [VerificationItem] { get }
    var json: JSONValue { get }

    /// Prints the result as text.
    ///
    /// - Parameter limit: The maximum number of items in a list; 0 for all.
    func print(limit: Int, _ console: Console)
}

/// A single problem.
struct VerificationItem {
    let isError: Bool
    /// The error code.
    let title: String
    let text: String
    /// Other locations, the server's answer, and the next step.
    let details: [String]
}

extension VerificationItem {
    /// - Parameter count: The maximum number of named locations; 0 for all.
    init(_ finding: HTTPFinding, places count: Int, help: String) {
        let others = finding.places.dropFirst()
        let shown = count == 0 ? others[...] : others.prefix(max(0, count - 1))
        var details: [String] = []
        if !shown.isEmpty {
            let more = others.count - shown.count
            details.append(
                "also \(shown.joined(separator: ", "))"
                    + (more > 0 ? " and \(counted(more, "other"))" : ""))
        }
        if !finding.evidence.isEmpty { details.append("answered with \(finding.evidence)") }
        details.append("help: \(help)")
        self.init(
            isError: finding.severity == .error, title: finding.code,
            text: "\(finding.places.first ?? "") \(finding.problem)", details: details)
    }

    /// The item as in text output.
    var shown: Text {
        Text(
            lines: ["\(isError ? "error" : "warning")[\(title)]: \(text)"]
                + details.map { "  \($0)" })
    }
}

extension HTTPFinding {
    func json(help: String) -> JSONValue {
        .members([
            "code": .string(code), "severity": .string(severity.rawValue),
            "problem": .string(problem), "paths": .strings(places),
            "answer": .string(evidence), "help": .string(help),
        ])
    }
}

extension VerificationText {
    /// An annotation for each of the first items, and one with the result.
    var github: Text {
        let items = items
        // One of the ten is the annotation with the result.
        let shown = items.prefix(GitHubCommand.limit - 1)
        let commands = shown.map { item in
            GitHubCommand(
                item.isError ? "error" : "warning", [("title", item.title)],
                [item.text] + item.details)
        }
        let rest =
            items.count > shown.count
            ? "; \(grouped(items.count - shown.count)) not annotated here" : ""
        let level = items.contains { $0.isError } ? "error" : "notice"
        return Text(
            commands: commands + [
                GitHubCommand(level, [("title", "packtool verify")], [headline + rest])
            ])
    }

    /// - Parameter limit: The maximum number of items; 0 for all.
    func markdown(limit: Int) -> Text {
        var lines = ["## packtool verify", "", Markdown.prose(headline)]
        let items = items
        guard !items.isEmpty else { return Text(lines: lines) }
        lines += ["", "| | what | next |", "|---|---|---|"]
        let shown = limit == 0 ? items[...] : items.prefix(limit)
        lines += shown.map { item in
            let level = item.isError ? "error" : "warning"
            let next = item.details.map(Markdown.cell).joined(separator: "<br>")
            return "| \(level) | \(Markdown.cell(item.text)) | \(next) |"
        }
        if items.count > shown.count {
            lines.append("| | … and \(grouped(items.count - shown.count)) more | |")
        }
        return Text(lines: lines)
    }
}
