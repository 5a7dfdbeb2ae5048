import PackCore

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
