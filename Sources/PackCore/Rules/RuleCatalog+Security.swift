extension RuleCatalog {
    static let security: [Rule] = []

    static let unbuiltSecurity: [UnbuiltRule] = []
}
