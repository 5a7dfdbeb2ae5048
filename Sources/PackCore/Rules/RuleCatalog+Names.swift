extension RuleCatalog {
    static let names: [Rule] = []

    static let unbuiltNames: [UnbuiltRule] = []
}
