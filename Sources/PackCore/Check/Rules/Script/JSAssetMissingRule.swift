import PackWeb

extension Rule {
    /// An asset that a script names somewhere, and that the package lacks.
    static let jsAssetMissing = Rule(
        "js-asset-missing", "a script names an asset that is not in the package", group: .script,
        level: .always(.warning),
        explanation: .init(
            what: """
                Finds strings in scripts that are the path of an image, font, script or style \
                sheet for which the package has no file, in whatever way the script uses them.
                """,
            why: """
                Bundlers write the address of each asset as a string: \
                `const logo = "/assets/logo-DK4fa1.png"`. If the file is missing, so is the image.
                """,
            sources: [.cite(.vite, "static assets"), .cite(.webpack, "asset modules")],
            instead: "Package the file, or remove the string.",
            detection: """
                A string counts if it is the whole path and starts with a slash, or if its name \
                has a content hash; scripts and styles only below a directory that the package \
                has. Markup and `url(…)` inside strings count too. Strings that are compared, \
                joined or searched do not. Where a known place takes the string, js-missing-file \
                reports it. Values in variables are not known.
                """),
        examples: [
            .bad(
                "app.js", "const logo=\"↓/assets/logo-DK4fa1.png\";use(logo)", silent: [.comment]),
            .bad(
                "app.js", "const a=\"↓./logo-5DKCNM3C.png\"", "a content hash", silent: [.comment]),
            .bad(
                "app.js", "x = '<img alt=\"\" src=\"↓/img/a.png\">'",
                "markup of which nothing is known", silent: [.comment], except: [.string]),
            .bad(
                "app.js", "x = `.a{background:url(/img/${i}.png)}.b{mask:url(↓/img/b.svg)}`",
                silent: [.comment],
                except: [.string]),
            .good(
                "app.js", "const logo=\"/assets/logo-DK4fa1.png\"",
                others: ["assets/logo-DK4fa1.png": ""]),
            .good(
                "app.js",
                "r=[\"/users/list.html\",\"/shop.php\",\"/v1/items.json\"];t={\".png\":\"image/png\"}",
                "routes and types"),
            .good(
                "app.js",
                "a=b+\"/img/a.png\";c=\"\".concat(d,\"/img/a.png\");e.endsWith(\"/b.png\")",
                "parts of paths, and comparisons"),
            .good(
                "app.js", "e.register(i,n,\"/home/adele/react-paginate/PageView.js\")",
                "a path on another machine"),
            .good("app.js", "x = \"<a href=/img/a.png>\" + \"<img src='\" + y + \"'>\""),
        ],
        document: { document, sink in
            var seen: Set<[UInt8]> = []
            for reference in document.references {
                guard case .script(let kind) = reference.kind,
                    kind == .literal || kind == .embedded,
                    reference.resolution.isMiss, !reference.traits.contains(.compared),
                    reference.writtenScheme == nil,
                    ScriptAsset.isExpected(reference, in: document),
                    seen.insert(reference.value).inserted
                else { continue }
                sink.report(
                    reference, LookupModel.missMessage(reference, in: document.site),
                    notes: document.site.hints(for: reference.resolution))
            }
        })
}
