import PackCore

/// Findings as annotations of GitHub Actions, one line each.
enum FindingsGitHub {
    static func text(_ report: Checker.Report) -> Text {
        let lines = report.findings.map { finding in
            let word =
                switch finding.severity {
                case .error: "error"
                case .warning: "warning"
                case .info: "notice"
                }
            var properties = ["file=\(property(finding.path))"]
            if let place = finding.place {
                properties += ["line=\(place.line)", "col=\(place.column)"]
            }
            properties.append("title=\(property("packtool " + finding.rule))")
            let message = ([finding.message] + finding.notes).map(data).joined(separator: "%0A")
            return "::\(word) \(properties.joined(separator: ","))::\(message)"
        }
        return Text(lines: lines)
    }

    /// Percent-encodes what a command decodes (actions/toolkit, `escapeData`); what would end one is escaped.
    private static func data(_ text: String) -> String {
        printable(text.utf8).replacing("%", with: "%25")
    }

    /// The same within a property (`escapeProperty`).
    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}

/// Findings as a JUnit report: one test case a file, one failure an error or warning.
enum FindingsJUnit {
    static func text(_ report: Checker.Report) -> Text {
        let failures = report.findings.filter { $0.severity > .info }
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<testsuites name="packtool check" tests="\#(max(1, failures.count))" failures="\#(failures.count)">"#,
            #"  <testsuite name="packtool check" tests="\#(max(1, failures.count))" failures="\#(failures.count)">"#,
        ]
        for finding in failures {
            let place = finding.place.map { ":\($0.line):\($0.column)" } ?? ""
            lines += [
                #"    <testcase classname="\#(escaped(finding.rule))" name="\#(escaped(finding.path + place))">"#,
                #"      <failure type="\#(finding.severity.rawValue)" message="\#(escaped(finding.message))">\#(FindingsText.block(finding).map(escaped).joined(separator: "&#10;"))</failure>"#,
                "    </testcase>",
            ]
        }
        if failures.isEmpty { lines.append(#"    <testcase classname="packtool" name="check"/>"#) }
        return Text(lines: lines + ["  </testsuite>", "</testsuites>"])
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in printable(text.utf8).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            // XML 1.0 has no U+FFFE and U+FFFF.
            case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// Findings as Markdown, for a comment on a change.
enum FindingsMarkdown {
    static func text(_ report: Checker.Report) -> Text {
        var lines = [
            "## packtool check", "",
            "\(counted(report.count(.error), "error")), \(counted(report.count(.warning), "warning")), \(counted(report.count(.info), "hint")) in \(counted(report.files, "file"))",
        ]
        guard !report.findings.isEmpty else { return Text(lines: lines) }
        lines += ["", "| | rule | place | finding |", "|---|---|---|---|"]
        for finding in report.findings {
            let place = finding.place.map { ":\($0.line):\($0.column)" } ?? ""
            lines.append(
                "| \(finding.severity.rawValue) | \(finding.rule) | `\(cell(finding.path + place))` | \(cell(finding.message)) |"
            )
        }
        return Text(lines: lines)
    }

    private static func cell(_ text: String) -> String {
        printable(text.utf8).replacing("|", with: "\\|").replacing("`", with: "'")
            .replacing("<", with: "&lt;")
    }
}

extension String {
    /// The text with every occurrence of a piece replaced.
    func replacing(_ piece: String, with other: String) -> String {
        var result = ""
        var rest = self[...]
        while let found = String(rest).range(of: piece) {
            let text = String(rest)
            result += text[..<found.lowerBound] + other
            rest = Substring(text[found.upperBound...])
        }
        return result + rest
    }
}
