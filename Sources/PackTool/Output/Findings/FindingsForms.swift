import PackCore

/// Findings as annotations of GitHub Actions, one line each.
enum FindingsGitHub {
    static func text(_ report: Checker.Report) -> String {
        report.findings.map { finding in
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
            let message = ([finding.summary] + finding.notes).joined(separator: "\n")
            return "::\(word) \(properties.joined(separator: ","))::\(data(message))"
        }.joined(separator: "\n")
    }

    /// Percent-encodes what ends a command (actions/toolkit, `escapeData`).
    private static func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    /// The same within a property (`escapeProperty`).
    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}

/// Findings as a JUnit report: one test case a file, one failure an error or warning.
enum FindingsJUnit {
    static func text(_ report: Checker.Report) -> String {
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
                #"      <failure type="\#(finding.severity.rawValue)" message="\#(escaped(finding.summary))">\#(escaped(FindingsText.block(finding)))</failure>"#,
                "    </testcase>",
            ]
        }
        if failures.isEmpty { lines.append(#"    <testcase classname="packtool" name="check"/>"#) }
        return (lines + ["  </testsuite>", "</testsuites>"]).joined(separator: "\n")
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n": result += "&#10;"
            // XML 1.0 has no other controls, and no U+FFFE and U+FFFF.
            case "\u{0}"..."\u{8}", "\u{B}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// Findings as Markdown, for a comment on a change.
enum FindingsMarkdown {
    static func text(_ report: Checker.Report) -> String {
        var lines = [
            "## packtool check", "",
            "\(counted(report.count(.error), "error")), \(counted(report.count(.warning), "warning")), \(counted(report.count(.info), "hint")) in \(counted(report.files, "file"))",
        ]
        guard !report.findings.isEmpty else { return lines.joined(separator: "\n") }
        lines += ["", "| | rule | place | finding |", "|---|---|---|---|"]
        for finding in report.findings {
            let place = finding.place.map { ":\($0.line):\($0.column)" } ?? ""
            lines.append(
                "| \(finding.severity.rawValue) | \(finding.rule) | `\(cell(finding.path + place))` | \(cell(finding.summary)) |"
            )
        }
        return lines.joined(separator: "\n")
    }

    private static func cell(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing("`", with: "'").replacing("\n", with: " ")
            .replacing("<", with: "&lt;")
    }
}

extension String {
    /// The text with every occurrence of a character replaced.
    func replacing(_ character: Unicode.Scalar, with other: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar == character {
                result.append(contentsOf: other.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
