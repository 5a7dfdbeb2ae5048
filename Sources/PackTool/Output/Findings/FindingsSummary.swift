import PackCheck
import PackGround

/// Findings grouped by rule: a short overview of a build.
struct FindingsSummary {
    /// The findings of a rule with one severity.
    struct Row {
        let severity: Severity
        let rule: String
        /// Includes those beyond the limits of the check.
        var findings = 0
        /// The number of locations: one cause may have many.
        var places = 0
        var files: Set<String> = []
        /// The message and path of the first finding.
        let message: String
        let path: String
        /// Whether every finding has the same message.
        var isOneCause = true

        /// A short description: the message, or the rule's title if there are several.
        var about: String {
            isOneCause ? message : RuleCatalog.rule(rule)?.title ?? message
        }

        /// "3 findings", or "1 finding in 120 places".
        var amount: String {
            counted(findings, "finding")
                + (places > findings ? " in \(counted(places, "place"))" : "")
        }
    }

    /// Errors first, then by number of findings.
    let rows: [Row]

    init(_ findings: [Finding]) {
        var rows: [Row] = []
        var numbers: [Severity: [String: Int]] = [:]
        for finding in findings {
            let number: Int
            if let known = numbers[finding.severity]?[finding.rule] {
                number = known
            } else {
                number = rows.count
                numbers[finding.severity, default: [:]][finding.rule] = number
                rows.append(
                    Row(
                        severity: finding.severity, rule: finding.rule, message: finding.message,
                        path: finding.path))
            }
            rows[number].findings = rows[number].findings.addingClamped(finding.count)
            rows[number].places = rows[number].places.addingClamped(finding.placeCount)
            if finding.leftOut == nil { rows[number].files.insert(finding.path) }
            if finding.message != rows[number].message { rows[number].isOneCause = false }
        }
        self.rows = rows.enumerated().sorted {
            if $0.element.severity != $1.element.severity {
                return $0.element.severity > $1.element.severity
            }
            if $0.element.findings != $1.element.findings {
                return $0.element.findings > $1.element.findings
            }
            return $0.offset < $1.offset
        }.map(\.element)
    }
}
