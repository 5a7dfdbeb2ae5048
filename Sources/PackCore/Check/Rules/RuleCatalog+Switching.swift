extension RuleCatalog {
    static let switching: [Rule] = [
        .userAgentGuardMissing, .userAgentTokenMismatch, .userAgentBootstrapOrder, .userAgentIPad,
    ]

    static let unbuiltSwitching: [UnbuiltRule] = [
        UnbuiltRule(
            "ua-variants-diverge", .switching,
            "a check reads one build; 'packtool rewrite --dual' makes one variant from the other"),
        UnbuiltRule(
            "ua-cache", .switching,
            "a server setting: pages chosen by user agent need 'Vary: User-Agent'"),
        UnbuiltRule(
            "ua-old-ios", .switching,
            "an app setting: before iOS 11, and with the switch off, pages are loaded over https"),
        UnbuiltRule(
            "ua-late", .switching,
            "an app setting: the user agent is fixed before the first load"),
    ]
}
