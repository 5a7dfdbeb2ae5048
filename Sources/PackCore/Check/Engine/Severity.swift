/// How much a finding matters.
package enum Severity: String, CaseIterable, Comparable, Sendable {
    /// Advice.
    case info
    /// Breaks under a condition that the rule states: a version, no network, a missing file.
    case warning
    /// Breaks for certain in the given profile.
    case error

    package static func < (one: Severity, other: Severity) -> Bool {
        one.rank < other.rank
    }

    private var rank: Int {
        switch self {
        case .info: 0
        case .warning: 1
        case .error: 2
        }
    }
}
