extension RuleCatalog {
    static let scheme: [Rule] = []

    static let unbuiltScheme: [UnbuiltRule] = []
}
