extension RuleCatalog {
    static let media: [Rule] = []

    static let unbuiltMedia: [UnbuiltRule] = []
}
