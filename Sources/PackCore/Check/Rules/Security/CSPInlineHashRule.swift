import PackWeb

extension Rule {
    /// Inline scripts and styles that the page's own policy blocks.
    package static let cspInlineHash = Rule(
        "csp-inline-hash", "the page's policy blocks its own inline code", group: .security,
        level: .always(.error), fix: .safe,
        explanation: .init(
            what: """
                Compares the hashes in a page's Content Security Policy (CSP) with its inline \
                scripts and style sheets.
                """,
            why: """
                A hash matches exact bytes: if a build step or a rewriter changes an inline script \
                after the policy was written, the script does not run. A nonce in a static page \
                works but protects nothing.
                """,
            sources: [.cite(.csp, "section 6.7.3.3"), .proof("csp-inline-hash")],
            instead:
                """
                Compute the hashes last. The fix writes the right ones where it is clear which \
                are meant.
                """,
            detection: """
                The content of each inline script, import map and style sheet after the policy is \
                hashed with line endings normalized as in a browser. Event handlers are not \
                checked.
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
                """, "no hash"),
            .bad(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="script-src 'self' \
                'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=' \
                'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='">\
                <script type="importmap">↓{"imports": {"a": "./a.js"}}</script><script>↓abcd</script>
                """, "both match; an import map counts as a script", others: ["a.js": ""]),
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
                // All are in one attribute, so one fix corrects them all.
                let (fix, mended) = InlineHashCheck.fix(refused, found, document)
                for inline in refused {
                    sink.report(
                        at: inline.range,
                        "\(inline.directive.name) blocks this inline \(inline.what)",
                        notes: ["its hash is '\(inline.hash)'"],
                        fix: mended.contains(inline.directive.range.lowerBound) ? fix : nil)
                }
            }
        })
}

/// What a directive allows inline, computed once for all inline code.
private struct InlineSources {
    let refusesOthers: Bool
    private let nonces: Set<String>
    private let digests: [SubresourceIntegrity.Algorithm: Set<[UInt8]>]

    init(_ directive: ContentSecurityPolicy.Directive) {
        refusesOthers = directive.refusesInlineWithoutHash
        nonces = Set(directive.values.compactMap { SourceExpression.nonce($0).map(String.init) })
        digests = Dictionary(
            grouping: directive.values.compactMap(SourceExpression.hash), by: \.algorithm
        ).mapValues { Set($0.map(\.digest)) }
    }

    func contains(_ content: [UInt8], nonce: String?) -> Bool {
        if let nonce, nonces.contains(nonce) { return true }
        return digests.contains { $0.value.contains($0.key.digest(of: content)) }
    }
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
        var sources: [String: InlineSources] = [:]
        return html.fragments.compactMap { fragment in
            guard fragment.attribute == nil, fragment.range.lowerBound >= found.start else {
                return nil
            }
            // A policy treats import maps as scripts.
            let isScript =
                fragment.kind == .script || fragment.kind == .moduleScript
                || fragment.kind == .importMap
            guard isScript || fragment.kind == .styleSheet else { return nil }
            let element = html.elements[fragment.element]
            // The content of a script with `src` never runs.
            guard !(isScript && document.has("src", element)), !element.isInTemplate,
                !element.isInNoscript,
                let directive = found.policy.directive(
                    governing: isScript ? "script-src-elem" : "style-src-elem")
            else { return nil }
            let allowed = sources[directive.name] ?? InlineSources(directive)
            sources[directive.name] = allowed
            guard allowed.refusesOthers else { return nil }
            let content = fragment.decoded(in: document.bytes.span).bytes
            guard !content.allSatisfy({ $0 <= 0x20 }),
                !allowed.contains(content, nonce: document.value("nonce", of: element))
            else { return nil }
            return Inline(
                directive: directive,
                what: fragment.kind == .importMap
                    ? "import map" : isScript ? "script" : "style sheet",
                range: fragment.range, content: content)
        }
    }

    /// The correct hashes in place of those that match nothing, in each directive with equal
    /// numbers of both, and where those directives start.
    static func fix(
        _ refused: [Inline], _ found: DocumentContext.Policy, _ document: DocumentContext
    ) -> (fix: Fix?, directives: Set<Int>) {
        let contents = (document.html?.fragments ?? [])
            .filter { $0.attribute == nil }
            .map { $0.decoded(in: document.bytes.span).bytes }
        var edits: [HTMLEdit] = []
        var mended: Set<Int> = []
        var digests: [SubresourceIntegrity.Algorithm: Set<[UInt8]>] = [:]
        let byDirective = Dictionary(grouping: refused, by: { $0.directive.range.lowerBound })
        for (start, inlines) in byDirective.sorted(by: { $0.key < $1.key }) {
            guard let directive = inlines.first?.directive else { continue }
            let stale = words(of: directive, in: found.text.bytes).compactMap { word in
                SourceExpression.hash(word.text).map { (hash: $0, range: word.range) }
            }.filter { word in
                let algorithm = word.hash.algorithm
                let known =
                    digests[algorithm] ?? Set(contents.map { algorithm.digest(of: $0) })
                digests[algorithm] = known
                return !known.contains(word.hash.digest)
            }
            guard stale.count == inlines.count else { continue }
            mended.insert(start)
            for (inline, word) in zip(inlines, stale) {
                let right = "'\(word.hash.algorithm.expression(of: inline.content))'"
                edits.append(
                    HTMLEdit(found.attribute, word.range, value: Array(right.utf8)))
            }
        }
        guard !edits.isEmpty else { return (nil, []) }
        let only = refused.count == 1 ? refused.first : nil
        let what =
            only.map { "write the hash of the inline \($0.what)" }
            ?? "write the hashes of the inline code"
        return (document.edits(edits).map { Fix(.safe, what, edits: $0) }, mended)
    }

    /// The values of a directive, each with its place in the policy's text.
    private static func words(
        of directive: ContentSecurityPolicy.Directive, in text: [UInt8]
    ) -> [(text: String, range: Range<Int>)] {
        text[directive.range.clamped(to: text.indices)].split(whereSeparator: { $0 <= 0x20 })
            .dropFirst().map { ($0.startIndex..<$0.endIndex) }
            .map { (String(decoding: text[$0], as: UTF8.self), $0) }
    }
}
