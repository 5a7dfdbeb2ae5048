extension RuleCatalog {
    static let markup: [Rule] = []

    static let unbuiltMarkup: [UnbuiltRule] = []
}
