extension Rule {
    /// Pictures of other hosts, which see no referrer.
    static let referrerMissing = Rule(
        "referrer-missing", "the other host sees no referrer", group: .security,
        level: .customPages(.info),
        explanation: .init(
            what:
                "Lists the other https hosts that a page loads pictures and media from, once each.",
            why: """
                A page of a custom scheme sends no Referer. A host that protects its pictures against \
                hotlinks (防盗链) by the referrer answers 403, which shows on the phone only.
                """,
            source: """
                WebKit SecurityOrigin::shouldHideReferrer; proved in WebKitGTK \
                (Tests/Rigs/WebKit/cases/referrer-missing)
                """,
            instead: "Let that host accept an empty referrer, or package the file.",
            detection:
                "Absolute https URLs of pictures and media whose host is none of the page's own."),
        examples: [
            .bad(
                "index.html",
                """
                <img src="↓https://img.example.org/a.png"><img src="https://img.example.org/b.png">
                """),
            .good("index.html", "<img src=\"a.png\">", others: ["a.png": ""]),
        ],
        document: { document, sink in
            var hosts: Set<[UInt8]> = []
            for reference in document.references
            where SecurityModel.isPassive(reference) && reference.isEffective {
                guard let url = reference.resolution.url, url.scheme.elementsEqual("https".utf8),
                    let host = url.host?.serialized, !document.profile.ownsWebHost(url.host),
                    hosts.insert(host).inserted
                else { continue }
                sink.report(
                    reference,
                    "'\(printable(host))' gets no Referer: it has to serve pictures without one")
            }
        })
}
