extension RuleCatalog {
    static let lookup: [Rule] = [.missingFile, .basenameCollision]

    static let unbuiltLookup: [UnbuiltRule] = []
}
