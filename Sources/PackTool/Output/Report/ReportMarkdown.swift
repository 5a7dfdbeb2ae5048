import PackGround
import PackReport

/// A report as a comment on a pull request: at most 60 lines.
enum ReportMarkdown {
    /// The maximum number of lines.
    static let limit = 60

    private static let mostFindings = 10
    private static let mostCosts = 6

    static func text(_ report: ReleaseReport) -> Text {
        let parts = [
            head(report), findings(report), update(report), budgets(report), sizes(report),
        ]
        let lines = parts.filter { !$0.isEmpty }.joined(separator: [""])
        return Text(lines: lines.prefix(limit))
    }

    /// A section's title with an anchor, because comments have none of their own.
    private static func title(_ text: String, _ name: String) -> [String] {
        ["### <a name=\"packtool-\(name)\"></a>\(text)", ""]
    }

    /// The verdict, and other decisive results.
    private static func head(_ report: ReleaseReport) -> [String] {
        let app = report.app.map { "\(Markdown.prose($0)) " } ?? ""
        var lines = [
            "## \(app)\(Markdown.code(report.new.version))", "",
            "**[\(report.verdict)](#packtool-findings)**", "",
        ]
        if let new = report.newFindings {
            lines.append("- New findings: \(new == 0 ? "none" : grouped(new))")
        }
        if let route = report.routes.first {
            lines.append(
                "- [Update](#packtool-update): \(readableSize(route.bytes)) by \(route.name)")
        }
        if !report.budgets.isEmpty {
            let over = report.budgets.count { !$0.isKept }
            lines.append(
                "- [Budgets](#packtool-budgets): "
                    + (over == 0
                        ? "\(report.budgets.count) kept"
                        : "**\(over) of \(report.budgets.count) exceeded**"))
        }
        return lines
    }

    private static func sizes(_ report: ReleaseReport) -> [String] {
        let (new, old) = (report.new, report.old)
        var lines = title("Sizes", "sizes")
        if let old {
            lines += [
                "Compared with \(Markdown.code(old.version)) (\(Markdown.code(old.path))).", "",
            ]
        }
        lines += ["| | now | before |", "|---|---:|---:|"]
        lines.append("| files | \(grouped(new.files)) | \(old.map { grouped($0.files) } ?? "") |")
        lines.append(
            "| size | \(readableSize(new.bytes ?? 0)) | \(old?.bytes.map(readableSize) ?? "") |")
        lines.append(
            "| package | \(readableSize(report.package)) | "
                + "\(old?.package.map(readableSize) ?? "") |")
        if old != nil {
            let counts = ["added", "removed", "changed", "renamed", "moved"].compactMap { kind in
                let count = report.changes.count { $0.kind == kind }
                return count > 0 ? "\(grouped(count)) \(kind)" : nil
            }
            lines.append(
                "| changes | \(counts.isEmpty ? "none" : counts.joined(separator: ", ")) | |")
        }
        return lines
    }

    private static func update(_ report: ReleaseReport) -> [String] {
        guard !report.routes.isEmpty else { return [] }
        let costs = costs(report)
        return title("Update", "update") + ["| by | fetches | bytes |", "|---|---|---:|"]
            + report.routes.map { route in
                let parts = route.parts.map { "\($0.what) \(readableSize($0.bytes))" }
                return "| \(route.name) | \(parts.joined(separator: " + ")) | "
                    + "\(readableSize(route.bytes)) |"
            } + (costs.isEmpty ? [] : [""] + costs)
    }

    private static func budgets(_ report: ReleaseReport) -> [String] {
        guard !report.budgets.isEmpty else { return [] }
        return title("Budgets", "budgets") + ["| budget | is | limit | |", "|---|---:|---:|---|"]
            + report.budgets.map {
                "| \($0.name) | \($0.value) | \($0.limit) | \($0.isKept ? "kept" : "**exceeded**") |"
            }
    }

    /// The new findings if there is an old release; otherwise all errors and warnings.
    private static func findings(_ report: ReleaseReport) -> [String] {
        let shown = report.findings.filter { $0.severity != "hint" && $0.new != 0 }
        guard !shown.isEmpty else { return title("Findings", "findings") + [known(report)] }
        var lines =
            title("Findings", "findings") + [
                "| \(report.old == nil ? "finding" : "new finding") | | first location |",
                "|---|---|---|",
            ]
        lines += shown.prefix(mostFindings).map { group in
            let count = group.new ?? group.count
            let location = group.examples.first.map { Markdown.codeCell($0.location) } ?? ""
            return "| \(group.severity) \(Markdown.codeCell(group.rule)) | "
                + "\(Markdown.cell(group.title))\(count > 1 ? " (\(grouped(count)))" : "") | \(location) |"
        }
        if shown.count > mostFindings {
            lines.append("| … and \(counted(shown.count - mostFindings, "more rule")) | | |")
        }
        return lines
    }

    /// The findings of a report without new ones, which the verdict still counts.
    private static func known(_ report: ReleaseReport) -> String {
        let known = report.findings.filter { $0.severity != "hint" }
        guard report.newFindings != nil, !known.isEmpty else { return "None." }
        let rules = known.prefix(mostFindings).map { Markdown.codeCell($0.rule) }
        let more = known.count > mostFindings ? ", …" : ""
        return "None that are new. Existing: \(rules.joined(separator: ", "))\(more)."
    }

    private static func costs(_ report: ReleaseReport) -> [String] {
        let costs = report.costs.filter { $0.bytes > 0 }
        guard !costs.isEmpty else { return [] }
        return ["| largest in the delta | reason | bytes |", "|---|---|---:|"]
            + costs.prefix(mostCosts).map {
                "| \(Markdown.codeCell($0.path)) | \(Markdown.cell($0.reason)) | \(readableSize($0.bytes)) |"
            }
    }
}
