/// Rules about scripts that switch by the user agent.
extension Rule {
    /// A token other than the app's.
    static let userAgentTokenMismatch = Rule(
        "ua-token-mismatch", "the page looks for a user agent token that the app does not send",
        group: .switching,
        level: .always(.error),
        explanation: .init(
            what: """
                Compares the tokens that a switching script looks for in the user agent with the \
                one that the app adds to it.
                """,
            why: """
                With a token that does not match, including its case, the page is always loaded \
                over https. No one notices, because the page works.
                """,
            sources: [.cite(.s003, "note 3"), .proof("ua-token-mismatch")],
            instead: "Write the app's own token.",
            detection: """
                Requires the configured token. Scripts that name the user agent and the custom \
                scheme are searched, without comments, for plain words in indexOf, includes, \
                match, search and test; a script without any is skipped.
                """),
        examples: [
            .bad(
                "index.html",
                """
                <script>base = navigator.userAgent.indexOf("↓shopApp") >= 0 ? "customscheme://h/" : "https://h/"</script>
                """, options: CheckOptions(userAgentToken: "ShopApp"), silent: [.comment],
                except: [.string]),
            .good(
                "index.html",
                """
                <script>base = /shopapp/i.test(navigator.userAgent) ? "customscheme://h/" : "https://h/"</script>
                """, options: CheckOptions(userAgentToken: "ShopApp")),
            .good(
                "index.html",
                "<script>old = navigator.userAgent.indexOf(\"MSIE\") >= 0</script>",
                "it switches no scheme", options: CheckOptions(userAgentToken: "ShopApp")),
            .good(
                "index.html",
                """
                <script>/* once customscheme: */ old = navigator.userAgent.indexOf("MSIE") >= 0</script>
                """, "neither does a comment", options: CheckOptions(userAgentToken: "ShopApp")),
        ],
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
        "ua-bootstrap-order",
        """
        the switch runs after resources that it should switch
        """, group: .switching,
        level: .init("warning where pages are dual") { $0.pageOrigin == .dual ? .warning : nil },
        explanation: .init(
            what:
                "Finds switching scripts after the page's first style sheet, script or image.",
            why: """
                Everything before the switch is requested before it decides: over https in the \
                app, or over the custom scheme in a browser. A `base` that it writes only affects \
                what follows.
                """,
            sources: [.cite(.ruleStudy)],
            instead: "Make it the first script in `head`, inline.",
            detection: """
                Inline scripts that name the user agent and the custom scheme are compared with \
                the page's first loaded reference.
                """),
        examples: [
            .bad(
                "index.html",
                """
                <link rel="stylesheet" href="a.css"><script>s = navigator.↓userAgent.includes("Shop") \
                ? "customscheme:" : "https:"</script>
                """, others: ["a.css": ""], profile: Example.profile.with(pageOrigin: .dual)),
            .good(
                "index.html",
                """
                <script>s = navigator.userAgent.includes("Shop") ? "customscheme:" : "https:"</script>\
                <link rel="stylesheet" href="a.css">
                """, others: ["a.css": ""], profile: Example.profile.with(pageOrigin: .dual),
                except: [.template, .noscript]),
        ],
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
        "ua-ipad", "an iPad does not identify itself as one", group: .switching,
        level: .always(.hint),
        explanation: .init(
            what: "Finds switching scripts that look for `iPhone` or `iPad` in the user agent.",
            why: """
                From iPadOS 13 on a web view on an iPad identifies itself as a Macintosh, and \
                Safari on an iPhone has no handler for the scheme: the device's name does not \
                identify the app.
                """,
            sources: [.cite(.ruleStudy)],
            instead: "Look for the token that the app adds to its user agent.",
            detection:
                """
                Scripts that name the user agent, the custom scheme and one of the two words \
                are reported.
                """),
        examples: [
            .bad(
                "index.html",
                """
                <script>s = navigator.userAgent.indexOf("↓iPhone") >= 0 ? "customscheme:" : "https:"</script>
                """, silent: [.comment], except: [.string]),
            .good(
                "index.html",
                """
                <script>s = navigator.userAgent.includes("Shop") ? "customscheme:" : "https:"</script>
                """),
        ],
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
                    '\(printable(token.text.utf8))' matches browsers too, and no iPad since \
                    iPadOS 13
                    """
                )
            }
        })
}
