import PackCheck

/// The lines below a finding in `check` and in a rejected `publish`: its notes, and the way to
/// resolve it.
struct FindingNotes {
    /// The maximum number of the finding's own notes.
    let limit: Int
    /// The keys of settings shown below the findings; `nil` for all.
    private let keys: Set<String>?
    /// The rules whose advice is already printed: it is the same for all their findings.
    private var advised: Set<String> = []

    init(limit: Int = .max, keys: Set<String>? = nil) {
        self.limit = limit
        self.keys = keys
    }

    mutating func lines(of finding: Finding) -> [String] {
        var lines = Array(finding.notes.prefix(limit))
        if let fix = finding.fix {
            lines.append(FindingsText.fixText(fix))
        } else if advised.insert(finding.rule).inserted,
            let advice = RuleCatalog.rule(finding.rule)?.explanation.instead
        {
            lines.append("fix: \(advice)")
        }
        if let setting = finding.setting, keys?.contains(setting.key) ?? true {
            lines.append("if this is intentional: set '\(setting.key)' as shown below")
        }
        return lines
    }
}
