/// The catalogue for people: `packtool rules` and `docs/rules.md`, from the rules themselves.
package enum RuleDocument {
    /// `docs/rules.md`.
    package static var markdown: String {
        var lines = [
            "# Rules of packtool check",
            "",
            "Written by `make rules-doc` from the rules themselves; do not edit.",
            "",
            """
            `packtool check` runs \(RuleCatalog.all.count) rules. `packtool rules ID` explains one. \
            `↓` marks where a finding is. A rule is silenced for a line by a comment \
            `packtool-ignore ID -- reason`, for a file by `packtool-ignore-file ID -- reason`, for a \
            run by `--ignore ID`.
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
        lines += ["", "## Not built", "", "| rule | why |", "|---|---|"]
        for rule in RuleCatalog.unbuilt { lines.append("| \(rule.id) | \(rule.reason) |") }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func section(_ rule: Rule) -> [String] {
        var lines = [
            "", "### \(rule.id)", "",
            "\(sentence(rule.title)) *Level:* \(rule.level.text). *Fix:* \(rule.fix.rawValue).",
            "", "**What it does.** \(rule.explanation.what)",
            "", "**Why this is bad.** \(rule.explanation.why) *(\(rule.explanation.source))*",
            "", "**Use instead.** \(rule.explanation.instead)",
            "", "**How it is found.** \(rule.explanation.detection)",
        ]
        for (title, isBad) in [("Bad", true), ("Good", false)] {
            for example in rule.examples where example.isBad == isBad {
                lines += ["", "\(title)\(caption(example)):", ""]
                lines += code(example).map { "    " + $0 }
            }
        }
        return lines
    }

    /// One rule for a terminal, at most 80 columns wide but for code.
    package static func text(_ rule: Rule) -> String {
        var lines = ["\(rule.id): \(rule.title)", ""]
        lines.append("Level  \(rule.level.text)")
        lines.append(
            "Fix    \(rule.fix == .none ? "none" : "\(rule.fix.rawValue), by packtool check --fix where it is safe")"
        )
        for (title, text) in [
            ("What it does", rule.explanation.what), ("Why this is bad", rule.explanation.why),
            ("Use instead", rule.explanation.instead),
            ("How it is found", rule.explanation.detection),
            ("Source", rule.explanation.source),
        ] {
            lines += ["", title] + wrapped(text, width: 76).map { "  " + $0 }
        }
        for (title, isBad) in [("Bad", true), ("Good", false)] {
            for example in rule.examples where example.isBad == isBad {
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
            .split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }
        if !example.others.isEmpty {
            lines.append("beside it: " + example.others.keys.sorted().joined(separator: ", "))
        }
        if example.profile != Example.profile {
            lines.append(
                "profile: \(example.profile.name), scheme \(example.profile.scheme), pages over "
                    + example.profile.pageOrigin.rawValue)
        }
        return lines
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
