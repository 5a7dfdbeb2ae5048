extension Rule {
    /// Two schemes or too many slashes in one URL: a typical result of search and replace.
    static let doubleScheme = Rule(
        "double-scheme", group: .scheme, level: .customScheme(.error), fix: .safe,
        document: faults { fault, _, _ in
            guard case .doubleScheme(let meant) = fault else { return nil }
            return FaultReport(
                message: "the URL has two schemes or too many slashes", meant: meant)
        })
}
