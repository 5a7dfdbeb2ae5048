extension Rule {
    /// Files that nothing refers to.
    static let unreferencedFile = Rule(
        "unreferenced-file", "nothing in the build refers to a file", group: .lookup,
        level: .always(.hint),
        explanation: .init(
            what: "Lists files that no page, style sheet, script or manifest refers to.",
            why: "Every phone downloads and stores them.",
            sources: [.cite(.ruleStudy)],
            instead: """
                Find out what wrote them, and leave out of the build what nothing needs. A name that a \
                script composes at run time is not seen: try the app without the files first.
                """,
            detection: """
                Files without a reference are listed. A script names a file by a URL, by the end of \
                its path, and by its name alone if that has a content hash. Scripts may compose names \
                at run time, so this is only a hint; pages, the launch page and files that browsers request on \
                their own are not listed.
                """),
        examples: [
            .bad("index.html", "<p>x</p>", others: ["old/hero.png": ""], silent: []),
            .good(
                "app.js",
                "e.exports=(()=>{return self.p||\"\"})()+\"/_next/media/a.4a95ea77.svg\";f(g+\"b-4a95ea77.png\")",
                "a part of an address names the file",
                others: [
                    "index.html": "<script src=app.js></script>",
                    "x/_next/media/a.4a95ea77.svg": "",
                    "img/b-4a95ea77.png": "",
                ], except: [.comment, .string]),
            .good(
                "index.html", "<img src=\"hero.png\">", others: ["hero.png": "", "robots.txt": ""],
                except: [.comment, .string]),
        ],
        site: { context, sink in
            var named: Set<Int> = []
            for summary in context.summaries {
                named.formUnion(summary.links.map(\.target))
                named.formUnion(summary.missedTwins)
                named.formUnion(summary.namedByScripts)
            }
            let unnamed = context.site.files.indices.filter { index in
                !named.contains(index) && !UnreferencedFile.isExpected(context.site, index)
            }
            guard !unnamed.isEmpty else { return }
            let size = unnamed.clampedSum { context.site.files[$0].size }
            sink.report(
                name: ".",
                "nothing refers to some files",
                notes: ["\(counted(unnamed.count, "file")), \(readableSize(size))"]
                    + unnamed.prefix(10).map { printable(context.site.path($0).bytes) }
                    + (unnamed.count > 10 ? ["and \(unnamed.count - 10) more"] : []))
        })
}

private enum UnreferencedFile {
    /// Files that browsers or servers use without a reference.
    static func isExpected(_ site: SiteIndex, _ index: Int) -> Bool {
        let path = site.path(index)
        if path.bytes.elementsEqual(site.profile.launch.utf8) { return true }
        switch path.fileEnding {
        case "html", "htm", "map", "webmanifest", "txt", "md", "xml": return true
        default: break
        }
        let name = path.fileName
        return path.bytes.starts(with: ".well-known/".utf8)
            || [
                "favicon.ico", "manifest.json", "info.json", "asset-manifest.json",
                "apple-touch-icon.png",
            ]
            .contains { $0.utf8.elementsEqual(name) }
    }
}
