import PackWeb

// Two rules about one thing: the element base.

extension Rule {
    /// A base that leads every relative URL elsewhere.
    static let baseConflict = Rule(
        "base-conflict", "base leads the page's relative URLs elsewhere", group: .markup,
        level: .always(.error), fix: .unsafe,
        explanation: .init(
            what: """
                Finds a base with an https URL in pages of the custom scheme, a custom one in pages that \
                come over https, and a second base.
                """,
            why: """
                One attribute changes every relative URL of the page: scripts, pictures, links, even \
                '#top'. With an https base nothing comes from the package any more.
                """,
            source: "HTML standard, the base element",
            instead: "Remove base, or make it relative: <base href=\"/\">.",
            detection:
                "The scheme of the first base against that of the page; further ones are a warning."
        ),
        examples: [
            .bad("index.html", "<base href=\"↓https://www.example.com/app/\">"),
            .bad(
                "index.html", "<base href=\"↓customscheme://www.example.com/\">",
                profile: Example.profile.with(pageOrigin: .https)),
            .bad("index.html", "<base href=\"/\"><base href=\"↓/app/\">", "only the first counts"),
            .good("index.html", "<base href=\"/\">"),
        ],
        document: { document, sink in
            for reference in document.references where reference.htmlKind == .base {
                guard !reference.traits.contains(.inTemplate),
                    !reference.traits.contains(.inNoscript)
                else { continue }
                guard reference.isEffective else {
                    sink.report(
                        reference, "only the first base of a page counts", severity: .warning)
                    continue
                }
                guard let scheme = reference.resolution.url?.scheme,
                    let own = document.url?.scheme, scheme != own
                else { continue }
                sink.report(
                    reference,
                    "every relative URL of this page becomes one of '\(printable(scheme))'")
            }
        })

    /// A place in the page that base turns into another page.
    static let baseFragmentSVG = Rule(
        "base-fragment-svg", "with base, references within an SVG lead out of the page",
        group: .markup, level: .always(.warning),
        explanation: .init(
            what:
                "Finds 'url(#g)' and '<use href=\"#i\">' in pages whose base is another URL than the page's.",
            why: """
                '#g' counts from the base, so it names a place in another document. Newer browsers make \
                an exception for it; older Safari does not, and the shape has no fill.
                """,
            source: "SVG 2, 16.1.5; older Safari from memory",
            instead: "Do without base, or write colours instead of references.",
            detection: "References of SVG that are only a fragment, in a page with a base."),
        examples: [
            .bad(
                "index.html",
                "<base href=\"/app/\"><svg><path fill=\"url(↓#g)\"/><use href=\"↓#i\"/></svg>",
                except: [.comment, .string]),
            .good("index.html", "<svg><path fill=\"url(#g)\"/><use href=\"#i\"/></svg>"),
            .good("index.html", "<base href=\"/index.html\"><svg><use href=\"#i\"/></svg>"),
        ],
        document: { document, sink in
            guard document.html != nil, let base = document.baseURL, let url = document.url,
                base.serialized(includingFragment: false)
                    != url.serialized(includingFragment: false)
            else { return }
            for reference in document.references {
                guard reference.resolution.outcome == .notARequest(.fragment) else { continue }
                switch reference.kind {
                case .html(.svgUse), .html(.svgResource), .css(.svgResource):
                    sink.report(
                        reference, "'\(reference.text)' counts from the base, not from this page")
                default: break
                }
            }
        })
}
