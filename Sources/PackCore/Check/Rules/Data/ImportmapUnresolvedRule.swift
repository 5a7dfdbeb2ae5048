import PackWeb

extension Rule {
    /// An import map address that finds no file.
    package static let importmapUnresolved = Rule(
        "importmap-unresolved", "an import map has an address that finds no file", group: .data,
        level: .always(.error), fix: .safe,
        explanation: .init(
            what: """
                Checks that every address of an import map is a URL and that the package contains \
                the file.
                """,
            why: """
                An address that is not absolute and does not start with `/`, `./` or `../` is \
                ignored, and importing its name throws; so does one without a file.
                """,
            sources: [
                .cite(.htmlStandard, "import maps, resolving a URL-like module specifier"),
                .proof("importmap-unresolved"),
            ],
            instead: "Write `\"./js/a.js\"`.",
            detection: """
                The map is parsed as JSON; addresses are resolved against the page's base. An \
                entry that no module of the page imports is a hint. In a map of SystemJS \
                (`systemjs-importmap`) the names in `System.import` and `System.register` count.
                """),
        examples: [
            .bad(
                "index.html",
                "<script type=\"importmap\">{\"imports\":{\"a\":\"↓js/a.js\"}}</script>",
                others: ["js/a.js": ""]),
            .bad(
                "index.html",
                "<script type=\"importmap\">{\"imports\":{\"a\":\"↓./js/gone.js\"}}</script><script type=\"module\">import \"a\"</script>",
                except: [.noscript]),
            .bad(
                "index.html",
                "<script type=\"importmap\">{\"imports\":{\"a\":\"↓./js/gone.js\"}}</script>",
                "only a hint: nothing imports it", except: [.template]),
            .bad(
                "index.html",
                "<script type=\"systemjs-importmap\">{\"imports\":{\"a\":\"↓/js/gone.js\"}}</script><script>System.import(\"a\")</script>",
                "a map of SystemJS", except: [.noscript]),
            .good(
                "index.html",
                "<script type=\"importmap\">{\"imports\":{\"a\":\"./js/a.js\",\"b/\":\"./b/\"}}</script>",
                others: ["js/a.js": ""]),
        ],
        document: { document, sink in
            for reference in document.references where reference.kind == .data(.importMap) {
                if !DocumentReader.isAddress(reference.value) {
                    let fixed = Array("./".utf8) + reference.value
                    let isPackaged = document.resolve(fixed).file != nil
                    sink.report(
                        reference,
                        """
                        '\(reference.text)' is not a valid address; it needs a leading './'
                        """,
                        fix: isPackaged
                            ? document.safeFix(
                                reference, to: String(decoding: fixed, as: UTF8.self)) : nil)
                }
            }
        },
        site: { context, sink in
            let hasSystem = context.summaries.contains { !$0.modules.systemLost.isEmpty }
            let systemNames: Set<[UInt8]> =
                hasSystem
                ? context.summaries.reduce(into: []) { $0.formUnion($1.systemNames) } : []
            for page in context.summaries {
                for entry in page.modules.systemLost {
                    sink.report(
                        file: page.index, at: entry.range,
                        "'\(printable(entry.address))' is not in the package",
                        severity: entry.isImported(by: systemNames) ? nil : .hint)
                }
            }
            for page in context.summaries where !page.modules.lost.isEmpty {
                let names = ModuleWalk.walk(from: page, in: context).names
                for entry in page.modules.lost {
                    sink.report(
                        file: page.index, at: entry.range,
                        "'\(printable(entry.address))' is not in the package",
                        severity: entry.isImported(by: names) ? nil : .hint)
                }
            }
        })
}
