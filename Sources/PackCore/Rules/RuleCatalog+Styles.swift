extension RuleCatalog {
    static let styles: [Rule] = [.cssEscape]

    static let unbuiltStyles: [UnbuiltRule] = []
}
