import PackWeb

extension Rule {
    /// A name that looks like a URL and was rewritten like one.
    static let namespaceRewritten = Rule(
        "namespace-rewritten", "a namespace was rewritten like a URL", group: .markup,
        level: .always(.error), fix: .safe,
        explanation: .init(
            what: """
                Finds the custom scheme in xmlns, itemtype and other names, in the doctype, and in \
                '@namespace' of CSS.
                """,
            why: """
                'http://www.w3.org/2000/svg' is a name, not an address: nothing is loaded from there. \
                Rewritten, it names nothing; an SVG file is no picture any more.
                """,
            source: "Namespaces in XML; what sed 's#http://#cs://#g' does; lychee PR 664",
            instead: "Leave names alone.",
            detection: "Attributes of the class ID, the doctype's system identifier, @namespace."),
        examples: [
            .bad(
                "index.html", "<svg xmlns=\"↓customscheme://www.w3.org/2000/svg\"></svg>"),
            .bad("app.css", "@namespace url(↓customscheme://www.w3.org/1999/xhtml);"),
            .good("index.html", "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>"),
        ],
        document: { document, sink in
            let custom = document.profile.canonicalScheme
            for reference in document.references where reference.use == .identifier {
                guard reference.writtenScheme == custom else { continue }
                let isW3 = reference.value.firstRange(of: Array("www.w3.org/".utf8)) != nil
                sink.report(
                    reference, "this is a name, not an address; rewritten it names nothing",
                    fix: SchemeSpelling.replacing(reference, with: isW3 ? "http" : "https").flatMap
                    {
                        document.safeFix(reference, to: $0)
                    })
            }
            if let range = document.html?.doctype?.systemID,
                Reference.scheme(of: Array(document.bytes[range])) == custom
            {
                sink.report(
                    at: range, "the doctype's identifier is a name, not an address",
                    fix: Fix(
                        .safe, "write 'http'",
                        edits: [
                            ByteEdit(
                                range.lowerBound..<(range.lowerBound + custom.count), "http")
                        ]))
            }
        })
}
