extension RuleCatalog {
    static let switching: [Rule] = [
        .userAgentGuardMissing, .userAgentTokenMismatch, .userAgentBootstrapOrder, .userAgentIPad,
    ]

    static let unbuiltSwitching: [UnbuiltRule] = [
        UnbuiltRule(
            "ua-variants-diverge", .switching,
            "a check sees one build; 'packtool rewrite --dual' makes one variant of the other"),
        UnbuiltRule(
            "ua-cache", .switching,
            "a note for the server: pages chosen by user agent need 'Vary: User-Agent'"),
        UnbuiltRule(
            "ua-old-ios", .switching,
            "a note for the app: before iOS 11, and with the switch off, pages come over https"),
        UnbuiltRule(
            "ua-late", .switching,
            "a note for the app: the user agent is fixed before the first load"),
    ]
}
