extension Rule {
    /// Images from other hosts, which receive no referrer.
    static let referrerMissing = Rule(
        "referrer-missing", "another host receives no referrer", group: .security,
        level: .customPages(.hint),
        explanation: .init(
            what:
                "Lists the other https hosts that a page loads images and media from, once each.",
            why: """
                A custom-scheme page sends no Referer header. A host with hotlink protection (防盗链) \
                answers 403, which happens only on the phone.
                """,
            sources: [
                .cite(.webkitSource, "SecurityOrigin.cpp, shouldHideReferrer"),
                .proof("referrer-missing"),
            ],
            instead: "Have that host accept an empty referrer, or package the file.",
            detection:
                """
                Absolute https URLs of images and media whose host is not one of the page's \
                own are listed.
                """),
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
                    "'\(printable(host))' receives no Referer; it must serve images without one")
            }
        })
}
