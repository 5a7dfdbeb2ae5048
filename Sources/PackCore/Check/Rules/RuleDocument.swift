import PackGround
import PackProfile

/// Renders the rules for `packtool rules` and `docs/rules.md`.
package enum RuleDocument {
    /// The content of `docs/rules.md`.
    package static var markdown: String {
        var lines = [
            "# Rules of packtool check",
            "",
            "Written by `make rules-doc` from the rules themselves; do not edit.",
            "",
            """
            `packtool check` runs \(RuleCatalog.all.count) rules; `packtool rules ID` explains one.
            In the examples, `↓` marks a finding and `…` the left-out middle of a long line.
            *Custom scheme* is the URL scheme that the app registers, written `cs:` or `customscheme:` \
            below; a *custom URL* has that scheme, and a *custom-scheme page* is loaded over it.
            The *handler* is the part of the app that answers such URLs (`WKURLSchemeHandler`), and \
            basename-cache is the client of [Article S003](sources.md#s003).

            To ignore a rule on one line, add the comment `packtool-ignore ID -- reason`; in one file, \
            `packtool-ignore-file ID -- reason`; in one run, pass `--ignore ID`.
            """,
            "",
            "| rule | level | finds | fix |", "|---|---|---|---|",
        ]
        for rule in RuleCatalog.all {
            lines.append(
                "| [\(rule.id)](#\(rule.id)) | \(rule.level.text) | \(rule.title) | \(rule.fix.rawValue) |"
            )
        }
        for group in RuleGroup.allCases {
            let rules = RuleCatalog.all.filter { $0.group == group }
            guard !rules.isEmpty else { continue }
            lines += ["", "## \(group.title)"]
            for rule in rules { lines += section(rule) }
        }
        lines += ["", "## Not implemented", "", "| rule | why |", "|---|---|"]
        for rule in RuleCatalog.unbuilt { lines.append("| \(rule.id) | \(rule.reason) |") }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func section(_ rule: Rule) -> [String] {
        let explanation = rule.explanation
        var lines = [
            "", "### \(rule.id)", "",
            "\(sentence(rule.title)) *Level:* \(rule.level.text). *Fix:* \(rule.fix.rawValue).",
            "", "**What it does.** \(explanation.what)",
            "", "**Why this is bad.** \(explanation.why)",
            "", "**Use instead.** \(explanation.instead)",
            "", "**How it is found.** \(explanation.detection)",
            "",
            "**Sources.** \(explanation.sources.map(\.markdown).joined(separator: "; ")).",
        ]
        let examples = rule.examples
        for (title, isBad) in [("Bad", true), ("Good", false)] {
            for example in examples where example.isBad == isBad {
                lines += ["", "\(title)\(caption(example)):", ""]
                lines += code(example).map { "    " + $0 }
            }
        }
        return lines
    }

    /// One rule for a terminal, at most 80 columns wide except for code and URLs.
    package static func text(_ rule: Rule) -> String {
        let explanation = rule.explanation
        let examples = rule.examples
        var lines = ["\(rule.id): \(rule.title)", ""]
        lines.append("Level  \(rule.level.text)")
        lines.append(
            "Fix    \(rule.fix == .none ? "none" : "\(rule.fix.rawValue); packtool check --fix applies safe fixes")"
        )
        for (title, text) in [
            ("What it does", explanation.what), ("Why this is bad", explanation.why),
            ("Use instead", explanation.instead),
            ("How it is found", explanation.detection),
        ] {
            lines += ["", title] + wrapped(text, width: 76).map { "  " + $0 }
        }
        lines += ["", "Sources"] + explanation.sources.map { "  " + $0.text }
        for (title, isBad) in [("Bad", true), ("Good", false)] {
            for example in examples where example.isBad == isBad {
                lines += ["", "\(title)\(caption(example))"] + code(example).map { "  " + $0 }
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func caption(_ example: Example) -> String {
        example.caption.isEmpty ? "" : " (\(example.caption))"
    }

    private static func code(_ example: Example) -> [String] {
        var lines = ["\(example.path):"]
        let content = example.markedContent
        lines += (content.isEmpty ? "(empty)" : content)
            .split(separator: "\n", omittingEmptySubsequences: false).map {
                "  " + shortened(printable($0.utf8))
            }
        if !example.others.isEmpty {
            lines.append("other files: " + example.others.keys.sorted().joined(separator: ", "))
        }
        if example.profile != Example.profile {
            lines.append(
                "profile: \(example.profile.name), scheme \(example.profile.scheme), pages over "
                    + example.profile.pageOrigin.rawValue)
        }
        return lines
    }

    /// A line of an example; the middle of a very long one is replaced by `…`.
    private static func shortened(_ line: String) -> String {
        line.count > 200 ? "\(line.prefix(60))…\(line.suffix(100))" : line
    }

    private static func sentence(_ title: String) -> String {
        title.prefix(1).uppercased() + title.dropFirst() + "."
    }

    static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " " + word
        }
        return lines + (line.isEmpty ? [] : [line])
    }
}
