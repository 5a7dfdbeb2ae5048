extension RuleCatalog {
    static let origin: [Rule] = [
        .protocolRelativeThirdParty, .protocolRelativeOwn, .rootMismatch,
        .externalSubresource,
    ]

    static let unbuiltOrigin: [UnbuiltRule] = [
        UnbuiltRule(
            "protocol-relative-loadhtml", .origin,
            "no profile opens pages with file:// or loadHTMLString"),
        UnbuiltRule(
            "js-protocol-relative", .origin,
            """
            a '//host/x' string in a script proves nothing by itself; where it is requested, \
            js-relative-ajax and js-document-write-script report it
            """),
    ]
}
