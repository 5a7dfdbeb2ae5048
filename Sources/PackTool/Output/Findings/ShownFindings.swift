import PackCheck
import PackGround

/// The findings shown in an output: with or without hints, with paths relative to the repository.
struct ShownFindings {
    let report: Checker.Report
    /// In the report's order.
    let findings: [Finding]
    /// The prefix of each path: the build's directory with a slash, or empty.
    let prefix: String

    /// - Parameters:
    ///   - showsHints: Whether hints are shown or only counted.
    ///   - prefix: The build's directory relative to the repository; empty for the repository
    ///     itself.
    ///   - listsUnread: Whether addresses that were not understood are shown in any case.
    init(
        _ report: Checker.Report, showsHints: Bool, prefix: String = "", listsUnread: Bool = false
    ) {
        self.report = report
        findings = report.findings.filter {
            showsHints || $0.severity > .hint || listsUnread && $0.rule == Rule.jsUnreadAddress.id
        }
        var prefix = prefix
        while prefix.hasPrefix("./") { prefix.removeFirst(2) }
        while prefix.hasSuffix("/") { prefix.removeLast() }
        self.prefix = prefix.isEmpty || prefix == "." ? "" : prefix + "/"
    }

    /// The path of a finding; the build's path for a finding about the whole build.
    func path(_ finding: Finding) -> String {
        guard finding.path == "." else { return prefix + finding.path }
        return prefix.isEmpty ? "." : String(prefix.dropLast())
    }

    /// The counts: "2 errors, 1 warning, 3 hints in 12 files".
    var summary: String {
        "\(counted(report.count(.error), "error")), \(counted(report.count(.warning), "warning")), "
            + "\(counted(report.count(.hint), "hint")) in \(counted(report.files, "file"))"
    }
}
