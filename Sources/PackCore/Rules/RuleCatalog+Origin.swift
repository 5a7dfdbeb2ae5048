extension RuleCatalog {
    static let origin: [Rule] = [
        .protocolRelativeThirdParty, .protocolRelativeOwn, .rootMismatch,
    ]

    static let unbuiltOrigin: [UnbuiltRule] = [
        UnbuiltRule(
            "protocol-relative-loadhtml", .origin,
            "no profile opens pages by file:// or loadHTMLString")
    ]
}
