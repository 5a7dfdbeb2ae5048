extension RuleCatalog {
    static let origin: [Rule] = []

    static let unbuiltOrigin: [UnbuiltRule] = []
}
