// Two rules about the check itself: comments that keep rules quiet.

extension Rule {
    /// A comment that keeps nothing quiet.
    static let unusedIgnore = Rule(
        UnusedIgnore.id, "a comment ignores a rule that finds nothing", group: .check,
        level: .always(.warning),
        explanation: .init(
            what:
                "Finds 'packtool-ignore' comments whose rule does not report anything there, or does not exist.",
            why: "The comment hides the next mistake at that place.",
            source: "html-validate no-unused-disable",
            instead: "Remove the comment.",
            detection: "Each comment is kept account of while findings are sorted out."),
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
                        at: comment.range, "no rule is called '\(rule)'",
                        notes: nearestWord(to: rule, in: RuleCatalog.all.map(\.id))
                            .map { ["did you mean '\($0)'?"] } ?? [])
                }
            }
        })

    /// A comment that does not say why.
    static let ignoreWithoutReason = Rule(
        "ignore-without-reason", "a comment ignores a rule and does not say why", group: .check,
        level: .always(.warning),
        explanation: .init(
            what:
                "Finds 'packtool-ignore' comments without ' -- ' and a reason; they do not count.",
            why: "Whoever reads it next year has to know whether it still holds.",
            source: "html-validate, eslint-comments/require-description",
            instead: "Write 'packtool-ignore missing-file -- the app injects this script'.",
            detection: "The text of the comment."),
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
                    at: comment.range, "say why, behind ' -- '; without it this does not count")
            }
        })
}

extension RuleCatalog {
    static let check: [Rule] = [.unusedIgnore, .ignoreWithoutReason]

    static let unbuiltCheck: [UnbuiltRule] = []
}
