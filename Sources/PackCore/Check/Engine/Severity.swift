/// How much a finding matters.
package enum Severity: String, CaseIterable, Comparable, Sendable {
    /// Advice, shown with `--hints`.
    case hint
    /// Breaks under a condition that the rule names: a version, no network, a missing file.
    case warning
    /// Breaks in the given profile.
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
    /// A severity, limited by what a failure of this reference means for its page.
    func consequence(_ severity: Severity) -> Severity {
        if !traits.isDisjoint(with: [.inNoscript, .unasked]) { return min(severity, .hint) }
        return traits.contains(.spare) ? min(severity, .warning) : severity
    }
}
