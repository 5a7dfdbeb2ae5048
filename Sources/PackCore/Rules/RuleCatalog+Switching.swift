extension RuleCatalog {
    static let switching: [Rule] = []

    static let unbuiltSwitching: [UnbuiltRule] = []
}
