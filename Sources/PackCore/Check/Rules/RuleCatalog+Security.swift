extension RuleCatalog {
    static let security: [Rule] = [
        .mixedContentActive, .mixedContentPassive, .httpInCustom, .crossoriginNoCORS,
        .integrityStale, .integrityCrossOrigin, .integrityImportMap, .integrityFormat,
        .cspBlocksCustom, .cspInlineHash, .cspBlocksEval, .cspSyntax, .cspUpgradeInsecure,
        .headerPoliciesLost, .referrerMissing, .redirectCustom,
    ]

    static let unbuiltSecurity: [UnbuiltRule] = []
}
