// Two rules about the `base` element.

extension Rule {
    /// A base that redirects every relative URL.
    static let baseConflict = Rule(
        "base-conflict", "a base element points the page's relative URLs elsewhere", group: .markup,
        level: .always(.error), fix: .unsafe,
        explanation: .init(
            what: """
                Finds an https base in custom-scheme pages, a custom base in https pages, and a \
                second base.
                """,
            why: """
                One attribute changes every relative URL of the page: scripts, images, links, even \
                `#top`. With an https base nothing is loaded from the package any more.
                """,
            sources: [.cite(.htmlStandard, "the base element"), .proof("base-conflict")],
            instead: "Remove `base`, or make it relative: `<base href=\"/\">`.",
            detection:
                """
                The scheme of the first base is compared with that of the page; further ones \
                are a warning.
                """
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
                    "every relative URL of this page resolves to '\(printable(scheme))'")
            }
        })

    /// A reference within the page that base points at another page.
    static let baseFragmentSVG = Rule(
        "base-fragment-svg", "a base element breaks references inside an SVG",
        group: .markup, level: .always(.warning),
        explanation: .init(
            what:
                """
                Finds `url(#g)` and `<use href="#i">` in pages whose base is not the page's \
                own URL.
                """,
            why: """
                `#g` resolves against the base, so it names a place in another document. Newer \
                browsers make an exception for it; older versions of Safari do not, and the shape \
                has no fill.
                """,
            sources: [.cite(.svg2, "16.1.5"), .cite(.ruleStudy)],
            instead: "Remove the base element, or write colors instead of references.",
            detection: """
                SVG references that are only a fragment are reported in pages with a base.
                """),
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
                        reference, "'\(reference.text)' resolves against the base, not this page")
                default: break
                }
            }
        })
}
