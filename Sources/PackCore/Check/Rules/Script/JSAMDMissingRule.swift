import PackWeb

extension Rule {
    /// A module that RequireJS loads and the package lacks.
    static let jsAMDMissing = Rule(
        "js-amd-missing", "RequireJS loads a module that is not in the package", group: .script,
        level: .always(.error),
        explanation: .init(
            what: """
                Follows the modules that RequireJS loads: `data-main` of its script, and the names \
                in `require([…])` and `define([…])`.
                """,
            why: """
                A module runs only when all modules in its list are loaded. One that is missing \
                stops the page at its start.
                """,
            sources: [.cite(.requireJS, "configuration options"), .proof("js-amd-missing")],
            instead: "Package the module, or correct `baseUrl` or `paths`.",
            detection: """
                Pages with `data-main` or `require.config` are followed. `baseUrl` and `paths` of \
                the settings count; where they are not literals, or the settings have `map`, \
                `bundles` or `packages`, only `data-main` is checked. Names that a module of the \
                build gives itself are found, and so is what a plugin loads, apart from `text!`. \
                Calls with a function for errors are left out.
                """),
        examples: [
            .bad(
                "index.html", "<script data-main=\"↓js/main\" src=\"js/require.js\"></script>",
                others: ["js/require.js": ""], profile: .pathStrict,
                except: [.noscript, .template, .entities]),
            .bad(
                "js/main.js",
                "require.config({baseUrl: \"js/lib\", paths: {app: \"../app\"}}); require([\"↓cart\", \"app/shop\"], f)",
                others: [
                    "index.html": "<script data-main=js/main src=js/require.js></script>",
                    "js/require.js": "", "js/app/shop.js": "",
                ], profile: .pathStrict),
            .bad(
                "js/app/shop.js", "define([\"./a\", \"↓./b\", \"text!t.html\"], f)",
                others: [
                    "index.html": "<script data-main=js/main src=js/require.js></script>",
                    "js/require.js": "", "js/main.js": "require([\"app/shop\"])",
                    "js/app/a.js": "", "js/t.html": "",
                ], profile: .pathStrict),
            .good(
                "js/main.js",
                "define(\"cart\", [], f); require([\"cart\", \"require\", \"css!x\", \"jquery\"], f); require([\"gone\"], f, g)",
                others: [
                    "index.html":
                        "<script>var require = {paths: {jquery: [\"https://cdn.example.org/jquery\", \"jquery\"]}}</script><script data-main=js/main src=js/require.js></script>",
                    "js/require.js": "",
                ], profile: .pathStrict),
            .good(
                "lib.js",
                "typeof define == \"function\" && define.amd ? define([\"jquery\"], f) : f()",
                "no page has a loader",
                others: ["index.html": "<script src=lib.js></script>"], profile: .pathStrict),
        ],
        site: { context, sink in
            guard
                context.summaries.contains(where: {
                    $0.amd?.main != nil || $0.amd?.hasConfiguration == true
                })
            else { return }
            let defined: Set<[UInt8]> = context.summaries.reduce(into: []) {
                $0.formUnion($1.amd?.names ?? [])
            }
            var reported: Set<ModuleWalk.Place> = []
            for page in context.summaries where context.site.files[page.index].kind == .html {
                guard let walk = AMDWalk(page, defined: defined, in: context) else { continue }
                for fault in walk.faults
                where reported.insert(.init(file: fault.file, start: fault.range.lowerBound))
                    .inserted
                {
                    sink.report(
                        file: fault.file, at: fault.range,
                        "'\(printable(fault.url))' is not in the package",
                        notes: ["the module '\(printable(fault.name))'"])
                }
            }
        })
}
