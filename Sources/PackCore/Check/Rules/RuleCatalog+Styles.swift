extension RuleCatalog {
    static let styles: [Rule] = [
        .cssMissingFile, .cssURLNotRewritten, .cssInlinedBase, .cssEscape, .fontCORS,
        .cssCORSImages, .cssCharset,
    ]

    static let unbuiltStyles: [UnbuiltRule] = [
        .init(
            "css-namespace", .styles,
            """
            covered by namespace-rewritten, which also reads @namespace
            """),
        .init(
            "css-fragment-only", .styles,
            "'url(#g)' and 'url()' request nothing, so no rule reports them"),
        .init(
            "css-legacy", .styles,
            "web views ignore behavior, progid and expression(), so no rule reports them"),
    ]
}
