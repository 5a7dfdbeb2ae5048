import PackWeb

extension Rule {
    /// A module that imports a style sheet or data as if it were a script.
    static let jsImportType = Rule(
        "js-import-type", "a module imports a file that is not a script", group: .script,
        level: .always(.error),
        explanation: .init(
            what: """
                Finds `import "./a.css"` and `import x from "./a.json"` in modules that a page \
                runs.
                """,
            why: """
                Bundlers understand such imports, browsers refuse them by the file's type: the \
                module and everything that imports it do not run.
                """,
            sources: [.cite(.htmlStandard, "fetch a single module script")],
            instead: """
                Bundle the script. JSON can be imported with `with {type: "json"}`, a style sheet \
                loaded with `<link>`.
                """,
            detection: """
                Static imports without `with` in modules that a page runs are looked at, by the \
                ending of the packaged file.
                """),
        examples: [
            .bad(
                "m.js", "import \"↓./a.css\"",
                others: [
                    "a.css": "", "index.html": "<script type=\"module\" src=\"m.js\"></script>",
                ]),
            .good(
                "m.js", "import d from \"./d.json\" with {type: \"json\"}",
                others: [
                    "d.json": "1", "index.html": "<script type=\"module\" src=\"m.js\"></script>",
                ]
            ),
            .good(
                "m.js", "import \"./a.css\"", "no page runs it",
                others: ["a.css": "", "index.html": "<p>a</p>"]),
        ],
        site: { context, sink in
            let isNeeded = context.summaries.contains { summary in
                summary.links.contains {
                    $0.kind == .script(.staticImport) && !$0.traits.contains(.typed)
                        && ["css", "json"].contains(context.site.path($0.target).fileEnding)
                }
            }
            guard isNeeded else { return }
            var reported: Set<ModuleWalk.Place> = []
            for page in context.summaries where context.site.files[page.index].kind == .html {
                for fault in ModuleWalk.walk(from: page, in: context).faults
                where fault.cause == .notScript && reported.insert(fault.place).inserted {
                    sink.report(
                        file: fault.place.file, at: fault.range,
                        "'\(printable(fault.name))' is not a script: the module does not run")
                }
            }
        })
}
