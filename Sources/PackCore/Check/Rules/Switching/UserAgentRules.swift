import PackGround
import PackProfile

/// Rules about scripts that switch by the user agent.
extension Rule {
    /// A token other than the app's.
    static let userAgentTokenMismatch = Rule(
        "ua-token-mismatch", group: .switching, level: .always(.error),
        document: { document, sink in
            guard let token = document.site.options.userAgentToken, !token.isEmpty else { return }
            for found in UserAgentSwitch.all(in: document) {
                guard let first = found.tokens.first,
                    !found.tokens.contains(where: { fits($0, token) })
                else { continue }
                sink.report(
                    at: found.script.fileRange(of: first.range),
                    """
                    the script looks for '\(printable(first.text.utf8))', but the app sends \
                    '\(token)'
                    """
                )
            }
        })

    private static func fits(_ token: UserAgentSwitch.Token, _ word: String) -> Bool {
        token.text.split(separator: "|").contains { part in
            token.ignoresCase
                ? word.lowercased().hasPrefix(part.lowercased())
                    || part.lowercased().hasPrefix(word.lowercased())
                : word.hasPrefix(part) || part.hasPrefix(word)
        }
    }

    /// A switch that runs too late.
    static let userAgentBootstrapOrder = Rule(
        "ua-bootstrap-order", group: .switching,
        level: .init("warning if pages are dual") { $0.pageOrigin == .dual ? .warning : nil },
        document: { document, sink in
            guard document.kind == .html,
                let first = document.references.first(where: {
                    $0.use.isFetched && $0.isEffective && $0.element != nil
                })
            else { return }
            for found in UserAgentSwitch.all(in: document) {
                let range = found.script.fileRange(of: found.asks)
                guard range.lowerBound > first.range.lowerBound else { continue }
                sink.report(
                    at: range, "'\(first.text)' is requested before this script chooses a scheme"
                )
            }
        })

    /// A switch that only recognizes the iPhone.
    static let userAgentIPad = Rule(
        "ua-ipad", group: .switching, level: .always(.hint),
        document: { document, sink in
            for found in UserAgentSwitch.all(in: document) {
                guard
                    let token = found.tokens.first(where: {
                        let text = $0.text.lowercased()
                        return text.contains("iphone") || text.contains("ipad")
                    })
                else { continue }
                sink.report(
                    at: found.script.fileRange(of: token.range),
                    """
                    '\(printable(token.text.utf8))' also matches browsers, but no iPad since \
                    iPadOS 13
                    """
                )
            }
        })
}
