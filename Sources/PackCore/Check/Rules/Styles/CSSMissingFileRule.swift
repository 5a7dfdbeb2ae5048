import PackWeb

extension Rule {
    /// A style sheet's subresource that the handler does not find.
    static let cssMissingFile = Rule(
        "css-missing-file", "a style sheet needs a file that is not in the package", group: .styles,
        level: .always(.error),
        explanation: .init(
            what: """
                Looks up every image, font and imported style sheet in CSS files, style elements \
                and style attributes the way the app's handler does.
                """,
            why:
                """
                The image, the font or the whole imported style sheet is missing, offline \
                without any error.
                """,
            sources: [.cite(.cssValues, "url()"), .proof("css-missing-file")],
            instead:
                """
                Package the file, or correct the URL; it is relative to the style sheet that \
                contains it.
                """,
            detection: """
                CSS is tokenized by CSS Syntax 3. URLs in custom properties are only a warning, \
                since they load only where the property is used. What WebKit never asks for is a \
                hint: properties and at-rules of other engines, `@media print`, false `@supports`, \
                `.eot` and unknown formats, a `src` that another one replaces, cursors. A font or \
                an image beside which another source is found is a warning, or a hint behind it.
                """),
        examples: [
            .bad("css/app.css", "a { background: url(↓img/gone.png) }"),
            .bad("css/app.css", "@import \"↓gone.css\";"),
            .bad(
                "index.html",
                "<p style=\"background: url(↓gone.png)\">x</p><style>@font-face { src: url(↓f.woff2) }</style>",
                others: [:]),
            .bad(
                "css/app.css", "@import url(↓gone.css) layer(base);", "a layer is no medium"),
            .bad(
                "app.css",
                "@font-face { src: url(↓a.eot); src: url(↓b.eot?#iefix) format('embedded-opentype'), url(a.woff) format('woff'), url(↓a.svg#a) format('svg') }",
                "hints: WebKit takes the one that is there", others: ["a.woff": ""],
                profile: .pathStrict),
            .bad(
                "app.css",
                "@media print { a { background: url(↓a.png) } } @supports not (display: grid) { a { background: url(↓b.png) } } a { -o-border-image: url(↓c.png) 1; cursor: url(↓d.cur), auto }",
                "hints: nothing asks for these"),
            .bad(
                "app.css", "@media not print { a { background: url(↓a.png) } }", "this counts"),
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
                    notes: InlinedBase.isOfBase(reference, document)
                        ? ["from the page itself, without its base, the file is found"]
                        : document.site.hints(for: reference.resolution),
                    severity: role == .customProperty ? .warning : nil,
                    cause: InlinedBase.isOfBase(reference, document)
                        ? "base" : reference.resolution.lookedUp.map { "file " + printable($0) })
            }
        })
}
