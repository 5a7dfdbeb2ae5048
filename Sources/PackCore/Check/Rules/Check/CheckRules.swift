// Two rules about the comments that suppress findings.

extension Rule {
    /// A comment that suppresses nothing.
    static let unusedIgnore = Rule(
        UnusedIgnore.id, "a comment ignores a rule that finds nothing here", group: .check,
        level: .always(.warning),
        explanation: .init(
            what:
                """
                Finds `packtool-ignore` comments whose rule reports nothing at that place or \
                does not exist.
                """,
            why: "The comment would hide the next mistake there.",
            sources: [.cite(.htmlValidate, "no-unused-disable")],
            instead: "Remove the comment.",
            detection: "A comment that suppressed no finding of the run is reported."),
        examples: [
            .bad(
                "index.html", "<!-- ↓packtool-ignore mising-file -- the app has it -->",
                silent: [], except: [.comment, .string]),
            .good(
                "index.html",
                "<!-- packtool-ignore missing-file -- the app has it --><img src=\"gone.png\">"),
        ],
        document: { document, sink in
            for comment in document.ignoreComments where comment.reason != nil {
                for rule in comment.rules where RuleCatalog.rule(rule) == nil {
                    sink.report(
                        at: comment.range, "no rule is named '\(rule)'",
                        notes: nearestWord(to: rule, in: RuleCatalog.all.map(\.id))
                            .map { ["did you mean '\($0)'?"] } ?? [])
                }
            }
        })

    /// A comment without a reason.
    static let ignoreWithoutReason = Rule(
        "ignore-without-reason", "a comment ignores a rule without giving a reason", group: .check,
        level: .always(.warning),
        explanation: .init(
            what:
                """
                Finds `packtool-ignore` comments without ` -- ` and a reason; such comments \
                have no effect.
                """,
            why: "The next reader needs the reason to decide whether the comment is still right.",
            sources: [.cite(.htmlValidate), .cite(.eslintComments, "require-description")],
            instead: "Write `packtool-ignore missing-file -- the app injects this script`.",
            detection: "The text after the rule's id is checked for ` -- ` and a reason."),
        examples: [
            .bad(
                "index.html", "<!-- ↓packtool-ignore missing-file --><img src=\"gone.png\">",
                silent: [], except: [.comment, .string]),
            .good(
                "index.html",
                "<!-- packtool-ignore missing-file -- the app has it --><img src=\"gone.png\">"),
        ],
        document: { document, sink in
            for comment in document.ignoreComments where comment.reason == nil {
                sink.report(
                    at: comment.range,
                    """
                    add a reason after ' -- '; without one the comment has no effect
                    """)
            }
        })
}

extension RuleCatalog {
    static let check: [Rule] = [.unusedIgnore, .ignoreWithoutReason]

    static let unbuiltCheck: [UnbuiltRule] = []
}
