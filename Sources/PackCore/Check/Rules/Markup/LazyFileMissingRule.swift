import PackWeb

extension Rule {
    /// A file that a lazy loader loads later, and that the package lacks.
    static let lazyFileMissing = Rule(
        "lazy-file-missing", "an attribute for lazy loading names a file that is not packaged",
        group: .markup,
        level: Level("warning; hint if no script of the page reads the attribute") { _ in .warning
        },
        explanation: .init(
            what: """
                Looks up the paths in `data-src`, `data-srcset`, `data-original`, `data-bg` and \
                similar attributes, from which scripts load pictures when they come into view.
                """,
            why:
                "The browser ignores the attribute, so the picture is missing only after the script ran.",
            sources: [.cite(.htmlStandard, "embedding custom non-visible data")],
            instead: "Package the file, or correct the path.",
            detection: """
                A path whose last component has an ending, and for which the package has no file. \
                It is a hint if no script in the page, or loaded by it, names the attribute \
                (`dataset.src`, `\"data-src\"`).
                """),
        examples: [
            .bad(
                "index.html", "<img alt=\"\" data-src=\"↓gone.png\"><script src=\"l.js\"></script>",
                others: ["l.js": "i.src = i.dataset.src"], except: [.template]),
            .bad(
                "index.html", "<img alt=\"\" data-original=\"↓gone.png\">", "only a hint",
                except: [.template]),
            .good("index.html", "<img alt=\"\" data-src=\"a.png\">", others: ["a.png": ""]),
            .good("index.html", "<div data-src=\"item-4\"></div>", "no file"),
        ],
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
    /// The attributes that the scripts of a page read.
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
