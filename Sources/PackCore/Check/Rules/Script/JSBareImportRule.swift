import PackWeb

extension Rule {
    /// A name in an import that no import map explains.
    static let jsBareImport = Rule(
        "js-bare-import", "a module imports a name that the page's import map does not have",
        group: .script, level: .always(.error),
        explanation: .init(
            what: """
                Finds `import … from "vue"`, `export … from "vue"` and `import("vue")` in modules \
                that a page runs, where the page's import map has no such name, or a prefix below \
                which there is no such file.
                """,
            why: """
                A browser resolves a name without `/`, `./` or `../` by the page's import map \
                only. Without an entry the module does not run, and neither does what imports it.
                """,
            sources: [
                .cite(.htmlStandard, "import maps, resolve a module specifier")
            ],
            instead: """
                Bundle the script, or add the name to `<script type="importmap">` before the \
                first module.
                """,
            detection: """
                Modules are followed from each page's module scripts through their imports. \
                Entries, prefixes and scopes of the map count. `import()` is a warning, and \
                nothing whose failure is handled. Modules that no page runs are not checked.
                """),
        examples: [
            .bad(
                "index.html", "<script type=\"module\">import v from \"↓vue\";v()</script>",
                except: [.noscript, .entities]),
            .bad(
                "index.html", "<script type=\"module\">import(\"↓chart.js\")</script>",
                "only a warning", except: [.noscript, .entities]),
            .bad(
                "a.js", "export * from \"↓lodash-es\"",
                others: [
                    "index.html": "<script type=\"module\" src=\"m.js\"></script>",
                    "m.js": "import \"./a.js\"",
                ]),
            .bad(
                "index.html",
                "<script type=\"importmap\">{\"imports\":{\"kit/\":\"/lib/\"}}</script><script type=\"module\">import \"↓kit/gone.js\"</script>",
                "the package has no such file", except: [.noscript, .entities, .singleQuotes]),
            .good(
                "index.html",
                "<script type=\"importmap\">{\"imports\":{\"vue\":\"/v.js\"},\"scopes\":{\"/js/\":{\"kit\":\"/v.js\"}}}</script><script type=\"module\" src=\"js/m.js\"></script>",
                others: ["v.js": "", "js/m.js": "import \"vue\"; import \"kit\""]),
            .good(
                "lib.js", "import \"react\"", "no page runs it",
                others: ["index.html": "<script src=\"a.js\"></script>", "a.js": ""]),
            .good(
                "index.html",
                "<script type=\"module\">import(\"@capacitor/haptics\").catch(()=>a);import \"./m.js\"</script>",
                others: ["m.js": ""]),
        ],
        site: { context, sink in
            guard context.summaries.contains(where: { !$0.modules.bare.isEmpty }) else { return }
            var reported: Set<ModuleWalk.Place> = []
            for page in context.summaries where context.site.files[page.index].kind == .html {
                for fault in ModuleWalk.walk(from: page, in: context).faults
                where fault.cause != .notScript && reported.insert(fault.place).inserted {
                    sink.report(
                        file: fault.place.file, at: fault.range,
                        fault.cause == .mapped
                            ? "the import map's address for '\(printable(fault.name))' finds no file"
                            : "no import map has the name '\(printable(fault.name))'",
                        severity: fault.isDynamic ? .warning : nil)
                }
            }
        })
}
