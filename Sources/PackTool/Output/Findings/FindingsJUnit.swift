import PackCheck
import PackGround
import PackSettings

/// Findings as a JUnit report: one test case per finding; only errors are failures.
///
/// It is valid according to Jenkins' schema (`junit-10.xsd` of the xUnit plugin), which requires a
/// count of errors, meaning tests that could not run.
enum FindingsJUnit {
    static func text(_ shown: ShownFindings) -> Text {
        let cases = shown.findings
        let settings = ProposedSettings(cases)
        let failures = cases.count { $0.severity == .error }
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<testsuites name="packtool check" tests="\#(max(1, cases.count))" errors="0" failures="\#(failures)">"#,
            #"  <testsuite name="packtool check" tests="\#(max(1, cases.count))" errors="0" failures="\#(failures)">"#,
        ]
        for finding in cases {
            let place = finding.place.map { ":\($0.line):\($0.column)" } ?? ""
            lines += [
                #"    <testcase classname="\#(escaped(finding.rule))" name="\#(escaped(shown.path(finding) + place))">"#,
                result(finding, settings),
                "    </testcase>",
            ]
        }
        if cases.isEmpty { lines.append(#"    <testcase classname="packtool" name="check"/>"#) }
        return Text(lines: lines + ["  </testsuite>", "</testsuites>"])
    }

    /// An error fails its test case; other findings are its output.
    private static func result(_ finding: Finding, _ settings: ProposedSettings) -> String {
        let text = FindingsText.block(finding, settings: settings).map { escaped($0.plain) }
            .joined(separator: "&#10;")
        guard finding.severity == .error else {
            return "      <system-out>\(text)</system-out>"
        }
        return
            #"      <failure type="error" message="\#(escaped(finding.summary))">\#(text)</failure>"#
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in printable(text.utf8).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            // XML 1.0 does not allow U+FFFE and U+FFFF.
            case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
