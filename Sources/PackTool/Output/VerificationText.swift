import PackGround
import PackReport
import PackVerify

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
    init(_ finding: AuditFinding, paths count: Int) {
        let others = finding.paths.dropFirst()
        let shown = count == 0 ? others[...] : others.prefix(max(0, count - 1))
        var details: [String] = []
        if !shown.isEmpty {
            let more = others.count - shown.count
            details.append(
                "also \(shown.joined(separator: ", "))"
                    + (more > 0 ? " and \(counted(more, "other"))" : ""))
        }
        if !finding.evidence.isEmpty { details.append("answered with \(finding.evidence)") }
        details.append("help: \(finding.remedy)")
        self.init(
            isError: finding.severity == .error, title: finding.code,
            text: "\(finding.paths.first ?? "") \(finding.problem)", details: details)
    }

    /// The item as in text output.
    var shown: Text {
        Text(
            lines: ["\(isError ? "error" : "warning")[\(title)]: \(text)"]
                + details.map { "  \($0)" })
    }
}

extension AuditFinding {
    var json: JSONValue {
        .members([
            "code": .string(code), "severity": .string(severity.rawValue),
            "problem": .string(problem), "paths": .strings(paths),
            "answer": .string(evidence), "help": .string(remedy),
        ])
    }
}

extension VerificationReport {
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
        lines += ["", "| | problem | help |", "|---|---|---|"]
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
