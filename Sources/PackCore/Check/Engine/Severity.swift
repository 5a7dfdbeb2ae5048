/// The severity of a finding.
package enum Severity: String, CaseIterable, Comparable, Sendable {
    /// Advice, shown with `--hints`.
    case hint
    /// Breaks under a condition named by the rule: a version, no network, a missing file.
    case warning
    /// Breaks in the selected profile.
    case error

    package static func < (one: Severity, other: Severity) -> Bool {
        one.rank < other.rank
    }

    private var rank: Int {
        switch self {
        case .hint: 0
        case .warning: 1
        case .error: 2
        }
    }
}

extension Reference {
    /// The severity, limited by the effect of a failing reference on its page.
    func consequence(_ severity: Severity) -> Severity {
        if !traits.isDisjoint(with: [.inNoscript, .unasked]) { return min(severity, .hint) }
        return traits.contains(.spare) ? min(severity, .warning) : severity
    }
}
