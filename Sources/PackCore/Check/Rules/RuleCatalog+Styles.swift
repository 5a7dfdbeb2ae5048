extension RuleCatalog {
    static let styles: [Rule] = [
        .cssMissingFile, .cssURLNotRewritten, .cssInlinedBase, .cssEscape, .fontCORS,
        .cssCORSImages, .cssCharset,
    ]

    static let unbuiltStyles: [UnbuiltRule] = [
        .init("css-namespace", .styles, "is namespace-rewritten, which looks at @namespace too"),
        .init(
            "css-fragment-only", .styles,
            "'url(#g)' and 'url()' ask for nothing; no rule reports them"),
        .init(
            "css-legacy", .styles,
            "behavior, progid and expression() mean nothing to a web view; no rule reports them"),
    ]
}
