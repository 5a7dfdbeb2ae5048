import PackProfile

extension Rule {
    /// A scheme other than the configured one.
    static let schemeInconsistent = Rule(
        "scheme-inconsistent", group: .scheme, level: .always(.error), fix: .safe,
        document: faults { fault, reference, document in
            guard case .otherScheme(let word) = fault else { return nil }
            let scheme = String(decoding: document.profile.canonicalScheme, as: UTF8.self)
            let isNear = SchemeSpelling.isNear(word, to: document.profile.scheme)
            if document.profile.isIntercepted {
                return FaultReport(
                    message: "the web view loads nothing from '\(word):'; the app answers https")
            }
            return FaultReport(
                message: "the app handles '\(scheme)', not '\(word)'",
                meant: isNear ? SchemeSpelling.replacing(reference, with: scheme) : nil)
        })
}
