/// Takes what a rule finds.
package struct FindingSink {
    /// A finding before its line and column are known.
    struct Draft: Sendable {
        let rule: String
        let severity: Severity
        let subject: Subject
        let range: Range<Int>?
        let message: String
        let notes: [String]
        let fix: Fix?
    }

    /// What a finding is about.
    enum Subject: Hashable, Sendable {
        /// A file of the build, by its number.
        case file(Int)
        /// Another name: a refused one, or `.` for the build.
        case name(String)
    }

    private let rule: Rule
    /// What a finding counts unless the rule says otherwise.
    package let severity: Severity
    /// The file at hand; `nil` for rules about the whole build.
    private let file: Int?
    private(set) var drafts: [Draft] = []

    init(rule: Rule, severity: Severity, file: Int?) {
        self.rule = rule
        self.severity = severity
        self.file = file
    }

    /// Reports a reference of the file at hand.
    ///
    /// What stands in `noscript` never loads where scripts run, so it counts as advice.
    package mutating func report(
        _ reference: Reference, _ message: String, notes: [String] = [], fix: Fix? = nil,
        severity: Severity? = nil
    ) {
        let severity = severity ?? self.severity
        report(
            at: reference.range, message, notes: notes, fix: fix,
            severity: reference.traits.contains(.inNoscript) ? min(severity, .info) : severity)
    }

    /// Reports some bytes of the file at hand, or all of it.
    package mutating func report(
        at range: Range<Int>?, _ message: String, notes: [String] = [], fix: Fix? = nil,
        severity: Severity? = nil
    ) {
        append(
            file.map { .file($0) } ?? .name("."), range, message, notes, fix, severity)
    }

    /// Reports a file of the build, or some of its bytes.
    package mutating func report(
        file: Int, at range: Range<Int>? = nil, _ message: String, notes: [String] = [],
        fix: Fix? = nil, severity: Severity? = nil
    ) {
        append(.file(file), range, message, notes, fix, severity)
    }

    /// Reports a name that is no file of the build; `.` is the build itself.
    package mutating func report(
        name: String, _ message: String, notes: [String] = [], severity: Severity? = nil
    ) {
        append(.name(name), nil, message, notes, nil, severity)
    }

    private mutating func append(
        _ subject: Subject, _ range: Range<Int>?, _ message: String, _ notes: [String],
        _ fix: Fix?, _ severity: Severity?
    ) {
        drafts.append(
            Draft(
                rule: rule.id, severity: severity ?? self.severity, subject: subject,
                range: range, message: message, notes: notes, fix: fix))
    }
}
