import PackGround
import PackProfile

extension Rule {
    /// Files without references.
    static let unreferencedFile = Rule(
        "unreferenced-file", group: .lookup, level: .always(.hint),
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
    /// Files used by browsers or servers without a reference.
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
