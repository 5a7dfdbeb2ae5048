extension RuleCatalog {
    static let origin: [Rule] = [
        .protocolRelativeThirdParty, .protocolRelativeOwn, .rootMismatch,
    ]

    static let unbuiltOrigin: [UnbuiltRule] = [
        UnbuiltRule(
            "protocol-relative-loadhtml", .origin,
            "no profile opens pages by file:// or loadHTMLString"),
        UnbuiltRule(
            "js-protocol-relative", .origin,
            """
            '//host/x' in a script says nothing by itself; where it reaches a call that requests, \
            js-relative-ajax and js-document-write-script judge it
            """),
    ]
}
