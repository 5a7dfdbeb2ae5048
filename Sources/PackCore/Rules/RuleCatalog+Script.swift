extension RuleCatalog {
    static let script: [Rule] = []

    static let unbuiltScript: [UnbuiltRule] = []
}
