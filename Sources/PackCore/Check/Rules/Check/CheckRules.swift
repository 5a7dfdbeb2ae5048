import PackGround

extension Rule {
    /// A comment that suppresses nothing.
    static let unusedIgnore = Rule(
        UnusedIgnore.id, group: .check, level: .always(.warning),
        document: { document, sink in
            for comment in document.ignoreComments where comment.reason != nil {
                for rule in comment.rules where RuleCatalog.rule(rule) == nil {
                    if let new = RuleCatalog.renamed[rule] {
                        sink.report(
                            at: comment.range, "'\(rule)' has been renamed; use '\(new)'",
                            severity: .hint)
                        continue
                    }
                    sink.report(
                        at: comment.range, "no rule is named '\(rule)'",
                        notes: nearestWord(to: rule, in: RuleCatalog.all.map(\.id))
                            .map { ["did you mean '\($0)'?"] } ?? [])
                }
            }
        })

    /// A comment without a reason.
    static let ignoreWithoutReason = Rule(
        "ignore-without-reason", group: .check, level: .always(.warning),
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
