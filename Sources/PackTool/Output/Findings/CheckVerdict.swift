import PackCheck
import PackGround

/// Whether a check lets a release be published, in one line: what every form of the result begins with.
struct CheckVerdict {
    let errors: Int
    let warnings: Int
    /// The most warnings that pass; `nil` for any number.
    let maxWarnings: Int?
    /// The number of files with an error or a warning.
    private let files: Int
    /// The rules with the errors, or else with the warnings, each with its number of findings.
    private let rules: [String]

    init(_ report: Checker.Report, maxWarnings: Int?) {
        errors = report.count(.error)
        warnings = report.count(.warning)
        self.maxWarnings = maxWarnings
        let counted = report.findings.filter { $0.severity > .hint }
        files = Set(counted.map(\.path)).count
        let least: Severity = report.count(.error) > 0 ? .error : .warning
        rules = FindingsSummary(counted.filter { $0.severity >= least }).rows.map {
            "\($0.rule) (\(grouped($0.findings)))"
        }
    }

    private var hasTooManyWarnings: Bool { maxWarnings.map { warnings > $0 } ?? false }

    /// Whether a publish would go on.
    var isReady: Bool { errors == 0 && !hasTooManyWarnings }

    /// "12 errors, 3 warnings".
    var counts: String {
        (errors == 0 ? "no errors" : counted(errors, "error")) + ", "
            + (warnings == 0 ? "no warnings" : counted(warnings, "warning"))
    }

    /// "12 errors, 3 warnings in 2 files — not ready to publish".
    var text: String {
        let amount = counts + (files > 1 ? " in \(counted(files, "file"))" : "")
        if isReady { return amount }
        let limit =
            errors == 0 ? maxWarnings.map { "; check.max-warnings is \(grouped($0))" } ?? "" : ""
        return "\(amount)\(limit) — not ready to publish"
    }

    /// Why the exit code is 1, and how to accept the findings; `nil` if it is 0.
    ///
    /// - Parameters:
    ///   - build: the build as it was given; `nil` for a release that `check` does not take.
    ///   - baseline: the file with accepted findings, if the project has one.
    func failure(build: String?, baseline: String?) -> Text? {
        guard !isReady else { return nil }
        let file = baseline ?? "packtool-baseline.json"
        let shown = rules.prefix(5).joined(separator: ", ")
        let more = rules.count > 5 ? " and \(counted(rules.count - 5, "other rule"))" : ""
        let what =
            errors > 0
            ? counted(errors, "error")
            : "\(counted(warnings, "warning")); check.max-warnings is \(grouped(maxWarnings ?? 0))"
        var help = "fix them in the build"
        if let build {
            help +=
                ", or accept them: 'packtool check \(shellWord(build)) --baseline \(shellWord(file)) --update-baseline'"
                + (baseline == nil ? ", with 'check.baseline: \(file)' in packtool.yaml" : "")
        }
        return "error: the check found \(what): \(shown)\(more)\nhelp: \(help)"
    }
}
