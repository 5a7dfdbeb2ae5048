import PackCheck

/// The lines below a finding, the same in `check` and in a refused `publish`: its notes, and how to end it.
struct FindingNotes {
    /// The most notes of the finding itself.
    let limit: Int
    /// The rules whose advice was given: it is the same for each of their findings.
    private var advised: Set<String> = []

    init(limit: Int = .max) { self.limit = limit }

    mutating func lines(of finding: Finding) -> [String] {
        var lines = Array(finding.notes.prefix(limit))
        if let fix = finding.fix {
            lines.append(FindingsText.fixText(fix))
        } else if advised.insert(finding.rule).inserted,
            let advice = RuleCatalog.rule(finding.rule)?.explanation.instead
        {
            lines.append("fix: \(advice)")
        }
        if let setting = finding.setting {
            lines.append("if this is intentional: set '\(setting.key)' as shown below")
        }
        return lines
    }
}
