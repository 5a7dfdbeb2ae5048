import PackCore

/// Findings as annotations of GitHub Actions, one line each.
enum FindingsGitHub {
    static func text(_ report: Checker.Report) -> Text {
        let lines = report.findings.map { finding in
            let word =
                switch finding.severity {
                case .error: "error"
                case .warning: "warning"
                case .hint: "notice"
                }
            var properties = ["file=\(property(finding.path))"]
            if let place = finding.place {
                properties += ["line=\(place.line)", "col=\(place.column)"]
            }
            properties.append("title=\(property("packtool " + finding.rule))")
            let message = ([finding.summary] + finding.notes).map(data).joined(separator: "%0A")
            return "::\(word) \(properties.joined(separator: ","))::\(message)"
        }
        return Text(lines: lines)
    }

    /// Percent-encodes what a command decodes (actions/toolkit, `escapeData`); what would end one is escaped.
    private static func data(_ text: String) -> String {
        printable(text.utf8).putting("%25", for: "%")
    }

    /// The same within a property (`escapeProperty`).
    private static func property(_ text: String) -> String {
        data(text).putting("%3A", for: ":").putting("%2C", for: ",")
    }
}

/// Findings as a JUnit report: one test case a file, one failure an error or warning.
enum FindingsJUnit {
    static func text(_ report: Checker.Report) -> Text {
        let failures = report.findings.filter { $0.severity > .hint }
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<testsuites name="packtool check" tests="\#(max(1, failures.count))" failures="\#(failures.count)">"#,
            #"  <testsuite name="packtool check" tests="\#(max(1, failures.count))" failures="\#(failures.count)">"#,
        ]
        for finding in failures {
            let place = finding.place.map { ":\($0.line):\($0.column)" } ?? ""
            lines += [
                #"    <testcase classname="\#(escaped(finding.rule))" name="\#(escaped(finding.path + place))">"#,
                #"      <failure type="\#(finding.severity.rawValue)" message="\#(escaped(finding.summary))">\#(FindingsText.block(finding).map(escaped).joined(separator: "&#10;"))</failure>"#,
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
            "\(counted(report.count(.error), "error")), \(counted(report.count(.warning), "warning")), \(counted(report.count(.hint), "hint")) in \(counted(report.files, "file"))",
        ]
        guard !report.findings.isEmpty else { return Text(lines: lines) }
        lines += ["", "| | rule | place | finding |", "|---|---|---|---|"]
        for finding in report.findings {
            let place = finding.place.map { ":\($0.line):\($0.column)" } ?? ""
            lines.append(
                "| \(finding.severity.rawValue) | \(finding.rule) | `\(code(finding.path + place))` | \(cell(finding.summary)) |"
            )
        }
        return Text(lines: lines)
    }

    /// Text in a table: no tag, no link, no image.
    private static func cell(_ text: String) -> String {
        printable(text.utf8).putting("\\\\", for: "\\").putting("\\|", for: "|")
            .putting("\\[", for: "[").putting("'", for: "`").putting("&lt;", for: "<")
    }

    /// Text between backticks, where only a backtick and the table's bars count.
    private static func code(_ text: String) -> String {
        printable(text.utf8).putting("\\|", for: "|").putting("'", for: "`")
    }
}

extension String {
    /// The text with every occurrence of a scalar replaced.
    ///
    /// Not of a character: with a combining mark behind it that is another one, and the same to a parser.
    func putting(_ other: String, for scalar: Unicode.Scalar) -> String {
        var result = ""
        for next in unicodeScalars {
            if next == scalar { result += other } else { result.unicodeScalars.append(next) }
        }
        return result
    }
}
