import PackCheck
import PackGround

/// Whether a check allows to publish the release: the first line of every output format.
struct CheckVerdict {
    let errors: Int
    let warnings: Int
    /// The maximum number of warnings for success; `nil` for any number.
    let maxWarnings: Int?
    /// The number of addresses that were seen and not understood.
    let unread: Int
    /// The places of the first of them.
    private let unreadPlaces: [String]
    /// The number of files with an error or a warning.
    private let files: Int
    /// The rules with errors, or otherwise with warnings, and their numbers of findings.
    private let rules: [String]

    init(_ report: Checker.Report, maxWarnings: Int?) {
        errors = report.count(.error)
        warnings = report.count(.warning)
        self.maxWarnings = maxWarnings
        let unread = report.findings.filter { $0.rule == Rule.jsUnreadAddress.id }
        self.unread = unread.clampedSum(of: \.count)
        unreadPlaces = unread.prefix(2).compactMap { finding in
            finding.place.map { "\(finding.path):\($0.line):\($0.column)" }
        }
        let counted = report.findings.filter { $0.severity > .hint }
        files = Set(counted.map(\.path)).count
        let least: Severity = report.count(.error) > 0 ? .error : .warning
        rules = FindingsSummary(counted.filter { $0.severity >= least }).rows.map {
            "\($0.rule) (\(grouped($0.findings)))"
        }
    }

    private var hasTooManyWarnings: Bool { maxWarnings.map { warnings > $0 } ?? false }

    /// Whether a publish would proceed.
    var isReady: Bool { errors == 0 && !hasTooManyWarnings }

    /// "12 errors, 3 warnings".
    var counts: String { Self.counts(errors: errors, warnings: warnings) }

    static func counts(errors: Int, warnings: Int) -> String {
        (errors == 0 ? "no errors" : counted(errors, "error")) + ", "
            + (warnings == 0 ? "no warnings" : counted(warnings, "warning"))
    }

    /// "12 errors, 3 warnings in 2 files — not ready to publish".
    var text: String {
        let amount = counts + (files > 1 ? " in \(counted(files, "file"))" : "")
        if isReady { return amount + (coverage.map { "; " + $0 } ?? "") }
        let limit =
            errors == 0 ? maxWarnings.map { "; check.max-warnings is \(grouped($0))" } ?? "" : ""
        return "\(amount)\(limit) — not ready to publish"
    }

    /// "2 addresses were not understood (a.js:1:482, …)"; `nil` if all were.
    var coverage: String? {
        guard unread > 0 else { return nil }
        let more = unread > unreadPlaces.count ? ", …" : ""
        return
            "\(counted(unread, "address", plural: "addresses")) \(unread == 1 ? "was" : "were") not "
            + "understood (\(unreadPlaces.joined(separator: ", "))\(more))"
    }

    /// The reason for the exit code 1, and the way to accept the findings; `nil` for the exit code
    /// 0.
    ///
    /// - Parameters:
    ///   - build: The build as given; `nil` for a release not supported by `check`.
    ///   - baseline: The file of accepted findings, if the project has one.
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
