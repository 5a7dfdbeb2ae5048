import PackCheck
import PackGround
import PackSettings

/// Findings as text: source lines with carets, like compiler diagnostics, and a summary by rule.
struct FindingsText {
    let report: Checker.Report
    /// Whether hints are shown or only counted.
    let showsHints: Bool
    /// The maximum number of fully shown findings; 0 for all.
    var limit = Defaults.shownItems
    var style = TextStyle.plain
    /// The maximum number of warnings for success; `nil` for any number.
    var maxWarnings: Int?
    /// The proposed settings for intentional findings, as lines at the left margin.
    var proposal: [String] = []

    /// The maximum number of rows in the summary.
    private static let mostRows = 20
    /// Up to this number, findings need no summary.
    private static let fewFindings = 3

    var text: Text {
        let findings = report.findings.filter { showsHints || $0.severity > .hint }
        let single = findings.filter { $0.leftOut == nil }
        let shown = limit == 0 ? single : Self.choice(of: single, limit)
        var notes = FindingNotes()
        var blocks = [[verdict]]
        blocks += shown.map { Self.block($0, notes.lines(of: $0), columns: style.columns) }
        if let rest = rest(findings, shown: shown.count) { blocks.append(rest) }
        if shown.count < findings.count || findings.count > Self.fewFindings {
            blocks.append(summary(FindingsSummary(findings)))
        }
        if !proposal.isEmpty { blocks.append(proposal.map { StyledLine($0) }) }
        blocks.append(checked)
        return Text(
            joining: blocks.joined(separator: [StyledLine("")]).map {
                $0.text(isColored: style.isColored)
            }, with: "\n")
    }

    /// Selects errors before warnings, and within a severity the first finding of every rule before
    /// a second one.
    private static func choice(of findings: [Finding], _ limit: Int) -> [Finding] {
        guard findings.count > limit else { return findings }
        var seen: [Severity: [String: Int]] = [:]
        let ranked = findings.enumerated().map { offset, finding in
            let rank = seen[finding.severity]?[finding.rule] ?? 0
            seen[finding.severity, default: [:]][finding.rule] = rank + 1
            return (finding: finding, rank: rank, offset: offset)
        }.sorted {
            if $0.finding.severity != $1.finding.severity {
                return $0.finding.severity > $1.finding.severity
            }
            return ($0.rank, $0.offset) < ($1.rank, $1.offset)
        }
        return ranked.prefix(limit).sorted { $0.offset < $1.offset }.map(\.finding)
    }

    /// The omitted findings: beyond the limit, or only counted by the check.
    private func rest(_ findings: [Finding], shown: Int) -> [StyledLine]? {
        let counts = findings.filter { $0.leftOut != nil }
        if limit == 0 {
            guard !counts.isEmpty else { return nil }
            return counts.map {
                StyledLine(
                    "… and \(counted($0.count, "more finding")) of \($0.rule) in "
                        + ($0.path == "." ? "the build" : $0.path))
            }
        }
        let count = findings.clampedSum(of: \.count) - shown
        guard count > 0 else { return nil }
        return [StyledLine("… and \(counted(count, "more finding")) ('--limit 0' shows all)")]
    }

    /// The lines of a finding.
    ///
    /// - Parameters:
    ///   - notes: The notes below it; by default all notes of the finding.
    ///   - settings: The settings proposed by all findings, for these notes.
    static func block(
        _ finding: Finding, _ notes: [String]? = nil, columns: Int? = nil,
        settings: ProposedSettings = ProposedSettings([])
    ) -> [StyledLine] {
        let role = StyledLine.Role(finding.severity)
        var lines = [
            StyledLine("\(finding.severity.rawValue)[\(finding.rule)]", role)
                + StyledLine(": \(finding.summary)", .strong)
        ]
        // Notes start below the bar of the excerpt.
        var margin = " "
        if let place = finding.place {
            let number = String(place.line)
            margin = String(repeating: " ", count: number.count)
            let marked = MarkedLine(place, columns: columns.map { $0 - number.count - 3 })
            lines += [
                StyledLine("\(margin)-->", .frame)
                    + StyledLine(" \(finding.path):\(place.line):\(place.column)"),
                StyledLine("\(margin) |", .frame),
                StyledLine("\(number) |", .frame) + StyledLine(" \(marked.text)"),
                StyledLine("\(margin) | ", .frame) + StyledLine(marked.carets, role),
            ]
        } else {
            lines.append(StyledLine(" -->", .frame) + StyledLine(" \(finding.path)"))
        }
        let remedies = [
            finding.setting.map { settingText($0, settings) }, finding.fix.map(fixText),
        ]
        let all = notes ?? finding.notes + remedies.compactMap { $0 }
        return lines + all.map { StyledLine("\(margin) =", .frame) + StyledLine(" \($0)") }
    }

    /// The line to add to `packtool.yaml`, the same for all findings about a key.
    static func settingText(_ setting: SettingProposal, _ all: ProposedSettings) -> String {
        "if this is intentional, add to packtool.yaml: \(all.line(for: setting))"
    }

    static func fixText(_ fix: Fix) -> String {
        fix.safety == .safe
            ? "fix (packtool check --fix): \(fix.summary)" : "possible fix: \(fix.summary)"
    }

    private func summary(_ summary: FindingsSummary) -> [StyledLine] {
        let rows = summary.rows.prefix(Self.mostRows)
        let widest = (
            severity: rows.map(\.severity.rawValue.count).max() ?? 0,
            rule: rows.map(\.rule.count).max() ?? 0,
            count: rows.map { grouped($0.findings).count }.max() ?? 0
        )
        let used = 2 + widest.severity + 1 + widest.count + 2 + widest.rule + 2
        let room = max((style.columns ?? 100) - used, 20)
        var lines = [StyledLine("findings by rule:", .strong)]
        for row in rows {
            let severity = row.severity.rawValue
            let count = grouped(row.findings)
            // The text is shortened at its end, but never the count.
            let places = row.places > row.findings ? ", \(counted(row.places, "place"))" : ""
            let about = clipped(printable(row.about.utf8), to: room - places.count) + places
            lines.append(
                StyledLine("  ") + StyledLine(severity, .init(row.severity))
                    + StyledLine(
                        String(
                            repeating: " ",
                            count: widest.severity - severity.count + 1 + widest.count - count.count
                        )
                            + count + "  " + row.rule
                            + String(repeating: " ", count: widest.rule - row.rule.count + 2)
                            + about))
        }
        let more = summary.rows.count - rows.count
        if more > 0 { lines.append(StyledLine("  … and \(counted(more, "more rule"))")) }
        return lines
    }

    /// The first line: whether a publish would proceed.
    private var verdict: StyledLine {
        let verdict = CheckVerdict(report, maxWarnings: maxWarnings)
        return StyledLine(verdict.text, verdict.isReady ? .strong : StyledLine.Role(.error))
    }

    /// The last lines: the size of the check, and omitted findings.
    private var checked: [StyledLine] {
        let hints = report.count(.hint)
        var text = "checked \(counted(report.files, "file")), \(readableSize(report.size))"
        if hints > 0 {
            text += "; \(counted(hints, "hint"))" + (showsHints ? "" : " (shown by --hints)")
        }
        if report.ignored > 0 {
            text += "; \(counted(report.ignored, "finding")) ignored by comments"
        }
        var lines = [StyledLine(text)]
        if let opened = report.opened { lines.append(StyledLine(Self.text(of: opened))) }
        guard let rule = report.findings.first(where: { $0.severity > .hint })?.rule else {
            return lines
        }
        return lines + [StyledLine("more about the first finding: packtool rules \(rule)")]
    }

    /// "opened 12 pages in WebKitGTK 2.50.6 in 31 seconds; 3 more pages were not opened".
    static func text(of opened: OpenedPages) -> String {
        "opened \(counted(opened.pages.count, "page")) in \(opened.engine) in "
            + counted(Int(opened.seconds.rounded(.up)), "second")
            + (opened.left == 0
                ? ""
                : "; \(counted(opened.left, "more page")) "
                    + (opened.left == 1 ? "was" : "were")
                    + " not opened (see --pages and --engine-time)")
    }
}
