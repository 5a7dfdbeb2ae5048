import PackCheck
import PackGround

/// The findings of a report as an output shows them: with hints or without, and with paths as a repository has them.
struct ShownFindings {
    let report: Checker.Report
    /// In the report's order.
    let findings: [Finding]
    /// The prefix of each path: the build's directory with a slash, or nothing.
    let prefix: String

    /// - Parameters:
    ///   - showsHints: whether hints are shown, or only counted.
    ///   - prefix: the build's directory as the repository has it; empty for the repository itself.
    init(_ report: Checker.Report, showsHints: Bool, prefix: String = "") {
        self.report = report
        findings = showsHints ? report.findings : report.findings.filter { $0.severity > .hint }
        var prefix = prefix
        while prefix.hasPrefix("./") { prefix.removeFirst(2) }
        while prefix.hasSuffix("/") { prefix.removeLast() }
        self.prefix = prefix.isEmpty || prefix == "." ? "" : prefix + "/"
    }

    /// The path of a finding; that of the build for one about the build.
    func path(_ finding: Finding) -> String {
        guard finding.path == "." else { return prefix + finding.path }
        return prefix.isEmpty ? "." : String(prefix.dropLast())
    }

    /// How much of what: "2 errors, 1 warning, 3 hints in 12 files".
    var summary: String {
        "\(counted(report.count(.error), "error")), \(counted(report.count(.warning), "warning")), "
            + "\(counted(report.count(.hint), "hint")) in \(counted(report.files, "file"))"
    }
}
