extension RuleCatalog {
    static let data: [Rule] = []

    static let unbuiltData: [UnbuiltRule] = []
}
