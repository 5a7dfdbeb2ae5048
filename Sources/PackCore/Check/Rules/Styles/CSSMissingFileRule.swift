import PackWeb

extension Rule {
    /// A style sheet's sub-resource that the handler does not find.
    static let cssMissingFile = Rule(
        "css-missing-file", "a style sheet needs a file that is not in the package", group: .styles,
        level: .always(.error),
        explanation: .init(
            what: """
                Looks up every image, font and imported style sheet of CSS, in files, in style elements \
                and attributes, the way the app's handler does.
                """,
            why:
                "The picture, the font or the whole imported sheet is missing, offline without a word.",
            source: "CSS Values 4, url(); rules section 5",
            instead:
                "Package the file, or correct the URL; it counts from the style sheet it stands in.",
            detection: """
                CSS is tokenized by CSS Syntax 3; URLs in custom properties are a warning, for they load \
                only where the property is used.
                """),
        examples: [
            .bad("css/app.css", "a { background: url(↓img/gone.png) }"),
            .bad("css/app.css", "@import \"↓gone.css\";"),
            .bad(
                "index.html",
                "<p style=\"background: url(↓gone.png)\">x</p><style>@font-face { src: url(↓f.woff2) }</style>",
                others: [:]),
            .good(
                "css/app.css",
                "a { background: url(../img/a.png); fill: url(#g) } b { mask: url(data:,x) } c { behavior: url(#default#VML) }",
                others: ["img/a.png": ""]),
            .good("css/app.css", "/* url(gone.png) */ a::before { content: 'url(gone.png)' }"),
        ],
        document: { document, sink in
            for reference in document.references {
                guard let role = reference.cssRole, reference.use == .subresource,
                    LookupModel.isPlainMiss(reference, in: document.site),
                    InlinedBase.meant(reference, document) == nil
                else { continue }
                sink.report(
                    reference, LookupModel.missMessage(reference, in: document.site),
                    notes: document.site.hints(for: reference.resolution),
                    severity: reference.traits.contains(.inNoscript)
                        ? .info : role == .customProperty ? .warning : nil)
            }
        })
}
