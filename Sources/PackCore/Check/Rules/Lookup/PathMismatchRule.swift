import PackWeb

extension Rule {
    /// A file that is found only by its name.
    static let pathMismatch = Rule(
        "path-mismatch", "a URL finds a file by its name only; the path differs",
        group: .lookup,
        level: .init("error where the client looks up the last component (seed003)") {
            $0.client.lookUp == .basename ? .error : nil
        }, fix: .safe,
        explanation: .init(
            what: """
                Finds URLs whose last component is the name of a packaged file while the path \
                before it differs from that file's path.
                """,
            why: """
                The client looks up only the last component, so the page works on the tester's \
                phone. The same URL fails wherever the path counts: on the network fallback, in a \
                browser, in the next client.
                """,
            sources: [
                .cite(.s003, "lastPathComponent"), .cite(.ruleStudy, "client model"),
                .proof("path-mismatch"),
            ],
            instead: "Write the path that the file has in the build.",
            detection: """
                The file that the lookup by name finds is compared with the file at the URL's \
                path.
                """),
        examples: [
            .bad(
                "index.html",
                "<link rel=\"stylesheet\" href=\"↓customscheme://www.example.com/css/app.1a2b.css\">",
                others: ["static/css/app.1a2b.css": ""]),
            .bad(
                "css/app.css", "a { background: url(↓img/a.png) }", others: ["css/pic/a.png": ""]),
            .good(
                "index.html", "<link rel=\"stylesheet\" href=\"static/css/app.1a2b.css?v=2\">",
                others: ["static/css/app.1a2b.css": ""]),
            .good(
                "index.html", "<link rel=\"manifest\" href=\"static/manifest.json\">",
                others: ["manifest.json": "{}"]),
            .good(
                "index.html", "<a href=\"https://www.example.com/app.1a2b.css\">x</a>",
                others: ["static/app.1a2b.css": ""]),
        ],
        document: { document, sink in
            let site = document.site
            for reference in document.references where reference.isEffective {
                // Web views do not load these.
                if reference.htmlKind == .manifest || reference.htmlKind == .applicationCache {
                    continue
                }
                guard let file = reference.resolution.file, reference.resolution.twin != file,
                    reference.resolution.reachesHandler,
                    LookupModel.isOpened(reference, document) || reference.use == .request,
                    URLFault.of(reference, in: site) == nil
                else { continue }
                // query-slash reports a name that comes from the query.
                let url = reference.resolution.url
                guard
                    url?.pathComponents.last.map({ Array($0) })
                        == reference.resolution.lookedUp
                else { continue }
                let path = site.path(file)
                let name = path.fileName
                let root = url.flatMap { PathMismatch.root(of: $0.path, path.bytes) }
                let isUnique = site.listing.indices(named: name).count == 1
                sink.report(
                    reference,
                    "the file is '\(printable(path.bytes))'; the URL finds it only by its name",
                    notes: site.hints(for: reference.resolution)
                        + (root.map { ["the page assumes the root '\($0)'"] } ?? []),
                    fix: isUnique
                        ? ReferenceAddress.of(path, insteadOf: reference, in: site)
                            .flatMap { document.safeFix(reference, to: $0) } : nil,
                    severity: reference.isRarelyMissed ? .hint : nil, cause: root)
            }
        })
}

private enum PathMismatch {
    /// What stands before a file's path in a URL that ends with it.
    static func root(of path: [UInt8], _ file: [UInt8]) -> String? {
        let path = PercentEncoding.decode(path)
        guard path.count > file.count, path.suffix(file.count).elementsEqual(file) else {
            return nil
        }
        let root = path.dropLast(file.count)
        return root.last == UInt8(ascii: "/") ? String(decoding: root, as: UTF8.self) : nil
    }
}
