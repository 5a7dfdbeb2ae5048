extension Rule {
    /// A missing file referenced for lazy loading.
    static let lazyFileMissing = Rule(
        "lazy-file-missing", group: .markup,
        level: Level("warning; hint if no script of the page reads the attribute") { _ in .warning
        },
        site: { context, sink in
            for page in context.summaries where !page.lazyMisses.isEmpty {
                let read = LazyLoaders.attributes(readIn: page, context)
                for miss in page.lazyMisses {
                    sink.report(
                        file: page.index, at: miss.range, "'\(miss.text)' is not in the package",
                        severity: read.contains(miss.attribute) ? nil : .hint)
                }
            }
        })
}

private enum LazyLoaders {
    /// The attributes read by a page's scripts.
    static func attributes(
        readIn page: DocumentSummary, _ context: SiteContext
    ) -> Set<[UInt8]> {
        var read = page.lazyAttributes
        var seen: Set<Int> = [page.index]
        var rest = [page]
        while let summary = rest.popLast() {
            for link in summary.links
            where context.site.files[link.target].kind == .script
                && seen.insert(link.target).inserted
            {
                guard let next = context.summary(of: link.target) else {
                    continue
                }
                read.formUnion(next.lazyAttributes)
                rest.append(next)
            }
        }
        return read
    }
}
