import PackGround

extension Rule {
    /// A missing file referenced for lazy loading.
    static let lazyFileMissing = Rule(
        "lazy-file-missing", group: .markup,
        level: Level("warning; hint if no script of the page reads the attribute") { _ in .warning
        },
        site: { context, sink in
            for page in context.summaries where !page.lazyMisses.isEmpty {
                let scripts = PageScripts(of: page, context)
                for miss in page.lazyMisses where miss.marker == nil {
                    let isRead = scripts.attributes.contains(miss.attribute)
                    sink.report(
                        file: page.index, at: miss.range, "'\(miss.text)' is not in the package",
                        severity: isRead ? nil : .hint)
                }
            }
        })

    /// A missing file in an attribute of a library.
    static let libraryFileMissing = Rule(
        "library-file-missing", group: .markup,
        level: Level("error; warning if the package does not contain the library") { _ in .error },
        site: { context, sink in
            for page in context.summaries where !page.lazyMisses.isEmpty {
                let scripts = PageScripts(of: page, context)
                for miss in page.lazyMisses {
                    guard let marker = miss.marker else { continue }
                    let name = printable(miss.attribute)
                    sink.report(
                        file: page.index, at: miss.range, "'\(miss.text)' is not in the package",
                        notes: ["a script loads it from the attribute '\(name)'"],
                        severity: scripts.markers.contains(Array(marker.utf8)) ? nil : .warning)
                }
            }
        })
}

/// What the scripts of a page read and contain.
private struct PageScripts {
    /// The attributes read.
    private(set) var attributes: Set<[UInt8]>
    /// The strings by which libraries are recognised.
    private(set) var markers: Set<[UInt8]>

    init(of page: DocumentSummary, _ context: SiteContext) {
        (attributes, markers) = (page.lazyAttributes, page.libraryMarkers)
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
                attributes.formUnion(next.lazyAttributes)
                markers.formUnion(next.libraryMarkers)
                rest.append(next)
            }
        }
    }
}
