import PackWeb

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
                let host = reference.resolution.url?.host.map { "://" + printable($0.serialized) }
                sink.report(
                    reference,
                    """
                    every relative URL of this page resolves to '\(printable(scheme))\(host ?? ":")'
                    """)
            }
        })

    /// A link within the page that base points at another page.
    static let baseFragment = Rule(
        "base-fragment", "a base element takes links within the page to another page",
        group: .markup, level: .always(.warning),
        explanation: .init(
            what: "Finds `<a href=\"#part\">` in pages whose base names another page or none.",
            why: """
                `#part` resolves against the base like any other URL: the tap leaves the page \
                instead of scrolling.
                """,
            sources: [.cite(.htmlStandard, "the base element")],
            instead: "Remove the base element, or write the page's name: `index.html#part`.",
            detection: """
                Links with a name after `#` and without `onclick`, which may keep the tap for \
                itself. References inside SVG (`<use href="#i">`, `fill="url(#g)"`, `clip-path`, \
                `mask`, `filter`, `marker`, gradients, `textPath`, `mpath`) stay in the page \
                whatever its base is. All links of a page are one finding.
                """),
        examples: [
            .bad("index.html", "<base href=\"/app/\"><a href=\"↓#part\">x</a>"),
            .bad(
                "about.html",
                "<base href=\"/index.html\"><a href=\"↓#a\">x</a><a href=\"#b\">y</a>",
                "one finding for all links", others: ["index.html": ""]),
            .good("index.html", "<a href=\"#part\">x</a>"),
            .good("index.html", "<base href=\"/index.html\"><a href=\"#part\">x</a>"),
            .good(
                "index.html",
                "<base href=\"/app/\"><a href=\"#\">x</a><a href=\"#a\" onclick=\"f()\">y</a>",
                "for scripts"),
            .good(
                "index.html", "<base href=\"/\"><a href=\"#part\">x</a>",
                "the base opens this page", profile: .capacitor),
            .good(
                "index.html",
                "<base href=\"/app/\"><svg><path fill=\"url(#g)\"/><use href=\"#i\"/></svg>"
            ),
        ],
        document: { document, sink in
            guard document.html != nil, let base = document.baseURL, let url = document.url,
                base.serialized(includingFragment: false)
                    != url.serialized(includingFragment: false),
                document.site.resolver.resolve(base, for: .navigation).file != document.index
            else { return }
            for reference in document.references where reference.htmlKind == .navigation {
                guard reference.resolution.outcome == .notARequest(.fragment),
                    reference.value.drop(while: { $0 <= 0x20 }).count > 1,
                    let element = document.element(of: reference),
                    !document.has("onclick", element)
                else { continue }
                sink.report(
                    reference, "'\(reference.text)' leads to a place in another page: the base's",
                    cause: "base")
            }
        })
}
