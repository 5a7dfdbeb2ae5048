import PackGround
import PackProfile

extension Rule {
    /// A scheme that is invalid according to the URL standard.
    static let schemeSyntax = Rule(
        "scheme-syntax", group: .scheme, level: .customScheme(.error),
        document: faults { fault, _, _ in
            guard case .notAScheme(let word) = fault else { return nil }
            return FaultReport(
                message: """
                    '\(word)' is not a valid scheme, so this is a relative path
                    """)
        },
        site: { context, sink in
            let scheme = context.profile.scheme
            if Reference.scheme(of: Array("\(scheme):".utf8)) == nil {
                sink.report(
                    name: ".",
                    """
                    the configured scheme '\(printable(scheme.utf8))' is not valid; use \
                    letters, digits, '+', '-' and '.', a letter first
                    """)
            }
        })
}
