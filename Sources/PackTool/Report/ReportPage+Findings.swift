import PackGround

extension ReportPage {
    /// The findings of the check by rule.
    var findingsSection: HTML? {
        let counts = [
            counted(report.count("error"), "error"), counted(report.count("warning"), "warning"),
            counted(report.count("hint"), "hint"),
        ].joined(separator: ", ")
        let new = report.newFindings.map {
            $0 == 0 ? "; none that the old release does not have" : "; \(grouped($0)) of them new"
        }
        guard !report.findings.isEmpty else {
            return "<p class=\"good\">Nothing was found (profile \(report.profile)).</p>"
        }
        return """
            <p>\(counts)\(new ?? "") (profile \(report.profile)).</p>
            \(HTML(joining: report.findings.map(group)))
            """
    }

    private func group(_ group: ReleaseReport.Findings) -> HTML {
        let color =
            group.severity == "error" ? "bad" : group.severity == "warning" ? "warn" : "faint"
        let fresh: HTML =
            (group.new ?? 0) > 0 ? " <span class=\"tag \(color)\">\(group.new ?? 0) new</span>" : ""
        let isOpen: HTML = group.severity == "error" ? " open" : ""
        return """
            <details\(isOpen)><summary><span class="\(color)">\(group.severity)</span> <code>\(group.rule)</code>: \
            \(group.title), \(counted(group.count, "finding"))\(fresh)</summary>
            \(HTML(joining: group.examples.map { example($0, color) }))
            \(more(group.count - group.examples.count, "more finding"))
            </details>
            """
    }

    private func example(_ example: ReleaseReport.Findings.Example, _ color: String) -> HTML {
        let excerpt = example.excerpt.map { excerpt -> HTML in
            "<pre>\(excerpt.before)<mark>\(excerpt.marked)</mark>\(excerpt.after)</pre>"
        }
        let items = example.notes.map { note -> HTML in "<li>\(note)</li>" }
        let notes: HTML =
            items.isEmpty ? "" : "<ul class=\"faint\">\(HTML(joining: items))</ul>"
        let fresh: HTML = example.isNew ? " <span class=\"tag \(color)\">new</span>" : ""
        return """
            <div><p>\(example.message)\(fresh)<br><span class="path faint">\(example.location)</span></p>
            \(excerpt ?? "")\(notes)</div>
            """
    }

    /// The limits in the settings.
    var budgetsSection: HTML? {
        guard !report.budgets.isEmpty else { return nil }
        let rows = report.budgets.map { budget -> HTML in
            """
            <tr><td>\(budget.name)</td><td class="number">\(budget.value)</td>\
            <td class="number">\(budget.limit)</td><td class="\(budget.isKept ? "good" : "bad")">\
            \(budget.isKept ? "kept" : "exceeded")</td>\(bar(budget.share, isOver: !budget.isKept))</tr>
            """
        }
        return table(
            "Values and limits",
            [("what", false), ("is", true), ("limit", true), ("status", false), ("share", false)],
            rows)
    }
}
