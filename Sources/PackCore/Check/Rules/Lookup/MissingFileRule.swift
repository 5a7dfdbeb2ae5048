import PackWeb

extension Rule {
    /// A page's sub-resource that the handler does not find.
    static let missingFile = Rule(
        "missing-file", "a page needs a file that is not in the package", group: .lookup,
        level: .always(.error),
        explanation: .init(
            what: """
                Looks up every script, style sheet, image, font, frame and other sub-resource of the \
                pages the way the app's handler does, and reports what it does not find.
                """,
            why: """
                Offline the page stays blank or loses its picture. Online the handler of the seed asks \
                the network instead, and where that fails too, it answers without a response, which \
                ends in NSInternalInconsistencyException.
                """,
            source: """
                S003 startURLSchemeTask; cordova-ios 1035, 1605 and 1638 ("No response has been sent", \
                "This task has already been stopped")
                """,
            instead: "Package the file, or write the URL that the build gave it.",
            detection: """
                Each URL is resolved by the WHATWG URL standard against the page's base and looked up \
                with the model of the profile's client.
                """),
        examples: [
            .bad(
                "index.html", "<script src=\"↓js/vendor.1a2b3c4d.js\"></script>",
                "the script was not packaged"),
            .bad(
                "index.html",
                "<img srcset=\"a.png 1x, ↓b.png 2x\"><video poster=\"↓p.jpg\"></video>",
                "each candidate of srcset counts", others: ["a.png": ""]),
            .good(
                "index.html",
                "<script src=\"js/vendor.1a2b3c4d.js\"></script><a href=\"#top\">top</a>",
                others: ["js/vendor.1a2b3c4d.js": ""]),
            .good(
                "index.html",
                "<link rel=\"canonical\" href=\"customscheme://www.example.com/gone\"><img src=\"data:,x\">",
                "a link for search engines loads nothing, and data: holds its content itself"),
        ],
        document: { document, sink in
            for reference in document.references where reference.htmlKind != nil {
                // No web view fetches these.
                if reference.htmlKind == .manifest || reference.htmlKind == .applicationCache {
                    continue
                }
                guard reference.use.isFetched, reference.isEffective,
                    LookupModel.isPlainMiss(reference, in: document.site)
                else { continue }
                sink.report(
                    reference, LookupModel.missMessage(reference, in: document.site),
                    notes: document.site.hints(for: reference.resolution))
            }
        })
}
