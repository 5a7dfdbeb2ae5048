extension Rule {
    /// Inline scripts and styles that the page's own policy refuses.
    static let cspInlineHash = Rule(
        "csp-inline-hash", "the page's policy refuses its own inline code", group: .security,
        level: .always(.error), fix: .safe,
        explanation: .init(
            what: """
                Compares the hashes in a page's content security policy with its inline scripts and \
                style sheets.
                """,
            why: """
                A hash holds for exact bytes: when a build step or a rewriter changes an inline script \
                after the policy was made, the script does not run. A nonce in a static page is no \
                protection, but it works.
                """,
            source: """
                W3C CSP Level 3, section 6.7.3.3; proved in WebKitGTK \
                (Tests/WebKit/cases/csp-inline-hash)
                """,
            instead:
                "Compute the hashes last; the fix writes the right one where only one can be meant.",
            detection: """
                The content of each inline script and style after the policy is hashed, line ends \
                normalised as a browser has them. Event handlers are not judged.
                """),
        examples: [
            .bad(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="script-src \
                'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='"><script>↓abcd</script>
                """, "the hash is that of 'abc'"),
            .bad(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="default-src 'self'"><style>↓a {}</style>
                """, "no hash at all"),
            .good(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="script-src \
                'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='"><script>abc</script>
                """),
            .good(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="script-src 'nonce-r1' 'unsafe-inline'">\
                <script nonce="r1">abcd</script>
                """),
            .good(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="script-src 'unsafe-inline'">\
                <script>abcd</script><script src="a.js"></script>
                """, others: ["a.js": ""]),
        ],
        document: { document, sink in
            for found in document.policies {
                let refused = InlineHashCheck.refused(by: found, in: document)
                for inline in refused {
                    let fix =
                        refused.count == 1
                        ? InlineHashCheck.fix(inline, found, document) : nil
                    sink.report(
                        at: inline.range,
                        "\(inline.directive.name) refuses this inline \(inline.what)",
                        notes: ["its hash is '\(inline.hash)'"], fix: fix)
                }
            }
        })
}

private enum InlineHashCheck {
    struct Inline {
        let directive: ContentSecurityPolicy.Directive
        let what: String
        let range: Range<Int>
        let content: [UInt8]

        var hash: String { SubresourceIntegrity.Algorithm.sha256.expression(of: content) }
    }

    static func refused(
        by found: DocumentContext.Policy, in document: DocumentContext
    ) -> [Inline] {
        guard let html = document.html else { return [] }
        return html.fragments.compactMap { fragment in
            guard fragment.attribute == nil, fragment.range.lowerBound >= found.start else {
                return nil
            }
            let isScript = fragment.kind == .script || fragment.kind == .moduleScript
            guard isScript || fragment.kind == .styleSheet else { return nil }
            let element = html.elements[fragment.element]
            // The content of a script with `src` is never run.
            guard !(isScript && document.has("src", element)), !element.isInTemplate,
                !element.isInNoscript,
                let directive = found.policy.directive(
                    governing: isScript ? "script-src-elem" : "style-src-elem"),
                directive.refusesInlineWithoutHash
            else { return nil }
            let content = fragment.decoded(in: document.bytes.span).bytes
            guard !content.allSatisfy({ $0 <= 0x20 }),
                !isAllowed(content, element, directive, document)
            else { return nil }
            return Inline(
                directive: directive, what: isScript ? "script" : "style sheet",
                range: fragment.range, content: content)
        }
    }

    private static func isAllowed(
        _ content: [UInt8], _ element: HTMLElement, _ directive: ContentSecurityPolicy.Directive,
        _ document: DocumentContext
    ) -> Bool {
        let nonce = document.value("nonce", of: element)
        return directive.values.contains { word in
            if let expected = SourceExpression.nonce(word) {
                return nonce.map { $0 == expected } ?? false
            }
            guard let hash = SourceExpression.hash(word) else { return false }
            return hash.algorithm.digest(of: content) == hash.digest
        }
    }

    /// The right hash in the place of the one that fits nothing, where there is one such.
    static func fix(
        _ inline: Inline, _ found: DocumentContext.Policy, _ document: DocumentContext
    ) -> Fix? {
        let contents = (document.html?.fragments ?? [])
            .filter { $0.attribute == nil }
            .map { $0.decoded(in: document.bytes.span).bytes }
        let stale = inline.directive.values.filter { word in
            guard let hash = SourceExpression.hash(word) else { return false }
            return !contents.contains { hash.algorithm.digest(of: $0) == hash.digest }
        }
        guard stale.count == 1, let old = stale.first, let hash = SourceExpression.hash(old) else {
            return nil
        }
        let values = inline.directive.values.map {
            $0 == old ? "'\(hash.algorithm.expression(of: inline.content))'" : $0
        }
        let text = "\(inline.directive.name) \(values.joined(separator: " "))"
        let edit = HTMLEdit(
            .attribute(found.attribute, inline.directive.range), value: Array(text.utf8))
        return document.edits([edit]).map {
            Fix(.safe, "write the hash of the inline \(inline.what)", edits: $0)
        }
    }
}
