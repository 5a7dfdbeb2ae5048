import PackWeb

extension Rule {
    /// A page's subresource that the handler does not find.
    static let missingFile = Rule(
        "missing-file", "a page needs a file that is not in the package", group: .lookup,
        level: .always(.error),
        explanation: .init(
            what: """
                Looks up every script, style sheet, image, font, frame and other subresource of a \
                page the way the app's handler does, and reports those it does not find.
                """,
            why: """
                Offline, the page stays blank or lacks an image. Online, the seed003 handler falls \
                back to the network; if that fails too, it finishes without a response, which \
                raises NSInternalInconsistencyException.
                """,
            sources: [
                .cite(.s003, "startURLSchemeTask"),
                .issue(
                    .cordovaIOS, 1035, 1605, 1638,
                    detail: "\"No response has been sent\", \"This task has already been stopped\""),
                .proof("missing-file"),
            ],
            instead: "Package the file, or write the URL under which it is packaged.",
            detection: """
                Each URL is resolved against the page's base by the WHATWG URL standard, then \
                looked up as the profile's client does. What the page does without is a hint: \
                icons, the manifest, `prefetch`, `nomodule`, sheets that are disabled, alternate or \
                for other media, sources of an unknown type, templates that no script uses, images \
                whose `onerror` shows another. What has a substitute or is not needed at once is a \
                warning: preloads, one of several sources or candidates, `loading=lazy`, an \
                `object` with content, URLs in an SVG file. `<use>` also needs the element. All \
                places that need one file are one finding.
                """),
        examples: [
            .bad(
                "index.html", "<script src=\"↓js/vendor.1a2b3c4d.js\"></script>",
                "the script is not packaged"),
            .bad(
                "index.html", "<img src=\"↓logo.png\"><p><img src=\"./logo.png\">",
                "one finding for all places"),
            .bad(
                "index.html",
                "<img srcset=\"a.png 1x, ↓b.png 2x\"><video poster=\"↓p.jpg\"></video>",
                "each srcset candidate is looked up", others: ["a.png": ""]),
            .bad(
                "index.html",
                "<link rel=icon href=\"↓i.png\"><link rel=stylesheet href=\"↓p.css\" media=print><script nomodule src=\"↓n.js\"></script>",
                "hints: the page does without them"),
            .bad(
                "index.html",
                "<picture><source type=\"image/nonsense\" srcset=\"↓a.xyz\"><img src=\"b.png\"></picture>",
                "a hint: no browser takes this source", others: ["b.png": ""]),
            .bad(
                "index.html",
                "<object data=\"↓a.svg\">no drawing</object><img loading=lazy src=\"↓b.png\">",
                "warnings: a substitute, and an image further down"),
            .bad(
                "index.html", "<svg><use href=\"↓s.svg#b\"></use></svg>", "no such symbol",
                others: ["s.svg": "<svg><symbol id=\"a\"/></svg>"], profile: .pathStrict),
            .good(
                "index.html", "<svg><use href=\"s.svg#a\"></use></svg>",
                others: ["s.svg": "<svg><symbol id=\"a\"/></svg>"], profile: .pathStrict),
            .bad(
                "a.svg",
                "<?xml-stylesheet href=\"↓gone.css\"?><svg xmlns=\"http://www.w3.org/2000/svg\"/>",
                except: [
                    .upperCaseTags, .string, .template, .noscript, .entities, .comment,
                    .singleQuotes,
                ]),
            .good(
                "index.html", "<script src=\"cordova.js\"></script>", "the app brings it",
                profile: .cordova),
            .good(
                "index.html",
                "<script src=\"js/vendor.1a2b3c4d.js\"></script><a href=\"#top\">top</a>",
                others: ["js/vendor.1a2b3c4d.js": ""]),
            .good(
                "index.html",
                "<link rel=\"canonical\" href=\"customscheme://www.example.com/gone\"><img src=\"data:,x\">",
                "a link for search engines loads nothing; a data: URL contains its own content"),
        ],
        document: { document, sink in
            var fragments = SVGFragments(document)
            for reference in document.references
            where reference.htmlKind != nil || reference.kind == .data(.xmlStyleSheet) {
                // Web views do not load these.
                if reference.htmlKind == .manifest || reference.htmlKind == .applicationCache {
                    continue
                }
                if fragments.isMissing(reference) {
                    sink.report(
                        reference, "'\(reference.text)' names an element that does not exist there")
                    continue
                }
                guard reference.use.isFetched, reference.isEffective,
                    LookupModel.isPlainMiss(reference, in: document.site)
                else { continue }
                sink.report(
                    reference, LookupModel.missMessage(reference, in: document.site),
                    notes: document.site.hints(for: reference.resolution),
                    cause: document.site.targetName(reference.resolution).map { "file \($0)" })
            }
        })
}
