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
                has. So does a relative path beside another file of its kind that the script names, \
                scripts only in a list. Markup and `url(…)` inside strings count too. Strings that are compared or \
                searched do not, and what is added to something else only if it is a path whose \
                name has a content hash, or behind a call that returns the public path. Where a known place takes the string, js-missing-file \
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
            .bad(
                "app.js",
                "e.exports={src:(()=>self.__webpack_public_path__||\"\")()+\"↓/_next/static/media/tool.31358ee5.svg\",width:24}",
                "behind a public path that is made at run time"),
            .bad(
                "app.js",
                "e.exports={src:(() => {if (w) {return a(/x/)} return self.__webpack_public_path__ || \"\";})() + \"↓/_next/static/media/tool.svg\"}",
                "behind a public path, and without a content hash"),
            .bad(
                "app.js", "i=[\"img/1.png\",\"↓img/2.png\"]", "beside one that is packaged",
                others: ["img/1.png": ""], silent: [.comment]),
            .bad(
                "app.js", "load([\"js/a.js\", \"↓js/b.js\"])", "in a list",
                others: ["js/a.js": ""], silent: [.comment]),
            .good(
                "app.js", "i=[\"img/2.png\"];f(\"js/a.js\");g(\"js/c.js\")",
                "parts of addresses, or names", others: ["js/a.js": ""]),
            .good(
                "app.js",
                "a=(() => self.cdn || \"\")() + \"/img/a.png\";b=(()=>__webpack_public_path__)()+\"img/b.png\"",
                others: ["static/img/b.png": ""]),
            .good(
                "app.js", "e.exports={src:f()+\"/media/tool.31358ee5.svg\"}",
                others: ["app/media/tool.31358ee5.svg": ""]),
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
                "app.js", "f(\"Noto Sans\",\"notosans/v36/o-0mIpQX5kYQ4x.woff2\")",
                "below the address of Google Fonts"),
            .good(
                "app.js", "e.register(i,n,\"/home/adele/react-paginate/PageView.js\")",
                "a path on another machine"),
            .good(
                "app.js",
                "f={key:\"image\",value:\"/path/to/image.png\"};d=[\"/px.png\",\"/nx.png\"]",
                "an example, and the default of a library"),
            .good("app.js", "x = \"<a href=/img/a.png>\" + \"<img src='\" + y + \"'>\""),
        ],
        document: { document, sink in
            var seen: Set<[UInt8]> = []
            var neighbours: ScriptAsset.Neighbours?
            for reference in document.references {
                guard case .script(let kind) = reference.kind,
                    kind == .literal || kind == .embedded,
                    reference.resolution.isMiss, !reference.traits.contains(.compared),
                    reference.writtenScheme == nil,
                    ScriptAsset.isExpected(reference, &neighbours, in: document),
                    seen.insert(reference.value).inserted
                else { continue }
                sink.report(
                    reference, LookupModel.missMessage(reference, in: document.site),
                    notes: document.site.hints(for: reference.resolution))
            }
            for part in document.facts(.literal) where part.fact.extent == .part {
                guard ScriptAsset.isPath(part.fact, missingIn: document.site),
                    seen.insert(part.fact.value).inserted
                else { continue }
                sink.report(
                    at: part.range, "'\(part.text)' is not in the package",
                    notes: ["no file of the package has a path that ends so"],
                    severity: part.isHarmless ? .hint : nil)
            }
        })
}
