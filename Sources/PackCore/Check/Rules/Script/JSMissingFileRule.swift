import PackWeb

extension Rule {
    /// A file that a script loads and the package lacks.
    static let jsMissingFile = Rule(
        "js-missing-file", "a script loads a file that is not in the package", group: .script,
        level: .always(.error),
        explanation: .init(
            what: """
                Looks up what scripts load: `img.src = "…"` and the same of other elements, \
                `setAttribute("src", "…")`, properties of an element that is created, markup and \
                `url(…)` that become part of the page, `new Audio("…")`, fonts, worklets, \
                functions such as `loadScript("…")`, what a bundle joins to its public path, pages \
                that `location` opens, and custom URLs anywhere.
                """,
            why: """
                The handler cannot answer, so the image, script or page that the script needs is \
                missing.
                """,
            sources: [
                .cite(.ruleStudy, "client model"), .cite(.webpack, "output.publicPath"),
                .cite(.htmlStandard, "update the image data"),
            ],
            instead: "Package the file, or write the URL under which it is packaged.",
            detection: """
                Only literals, two literals that are added, and constants that are one literal \
                are looked up; values in variables are not known. An address counts if its last \
                component has an ending. Composed addresses are looked up where each part is known: \
                a literal, a constant, a counter between two numbers, the elements of an array. Where a condition decides about old browsers or the \
                page's protocol, or in `onerror`, it is a hint. An asset of a bundle without a \
                known public path may be in any directory.
                """),
        examples: [
            .bad("app.js", "x = \"↓customscheme://www.example.com/gone.js\""),
            .bad("app.js", "i = new Image; i.src = \"↓/img/gone.png\""),
            .bad("app.js", "i.setAttribute('src', '↓img/gone.png')"),
            .bad(
                "app.js", "e.innerHTML = '<img alt=\"\" src=\"↓img/gone.png\">'",
                silent: [.comment], except: [.string]),
            .bad(
                "app.js", "e.innerHTML = `<img id=\"${n}\" src=\"↓img/gone.png\">`",
                silent: [.comment], except: [.string]),
            .bad("app.js", "(0,r.jsx)(\"img\", {alt: \"\", src: \"↓/img/gone.png\"})"),
            .bad(
                "app.js", "e.style.backgroundImage = 'url(\"↓/img/gone.png\")'",
                silent: [.comment], except: [.string]),
            .bad(
                "app.js", "new FontFace(n, \"url(↓/f/gone.woff2)\")", silent: [.comment],
                except: [.string]),
            .bad("app.js", "loadScript('↓js/gone.js'); new Audio(\"↓/gone.mp3\").play()"),
            .bad(
                "app.js", "consts:[[\"alt\",\"\",\"src\",\"↓assets/logo.png\"]]",
                "a template of Angular"),
            .bad("app.js", "i.src = new URL(\"↓img/gone.png\", document.baseURI).href"),
            .bad("app.js", "const dir = \"/img/\"; i.src = dir + \"↓gone.png\""),
            .bad(
                "app.js",
                "12:(e,t,n)=>{e.exports=n.p+\"↓media/logo.6ce24c58.png\"};n.p=\"/static/\""),
            .bad("app.js", "location.replace(\"↓/gone.html\")"),
            .bad(
                "app.js", "for (let i = 1; i < 4; i++) { a().src = `↓/img/${i}.png` }",
                "one finding for all that a place names", others: ["img/1.png": ""]),
            .bad(
                "app.js", "[\"a\", \"b\"].forEach(n => { e.src = \"↓/img/\" + n + \".png\" })",
                others: ["img/a.png": ""]),
            .bad(
                "app.js",
                "const build = \"out\"; c = {dataUrl: build + \"/a.data\", frameworkUrl: build + \"↓/a.js\"}",
                "settings of Unity", others: ["out/a.data": ""], profile: .pathStrict),
            .good(
                "app.js",
                "for (let i = 1; i < 4; i++) { if (h[i]) a().src = `/img/${i}.png` } f(n => { e.src = \"/img/\" + n + \".png\" })",
                "not for each number, and a name of which nothing is known"),
            .bad(
                "app.js", "if (document.documentMode) s.src = \"↓/js/html5shiv.js\"",
                "only a hint: old browsers"),
            .good("app.js", "x = \"customscheme://www.example.com/a.js\"", others: ["a.js": ""]),
            .good(
                "app.js", "x = \"customscheme://www.example.com/\" + name", "a prefix, not a file"),
            .good(
                "app.js",
                "i.src=\"/a.png\";j.src=\"data:,x\";k.src=u+\"/gone.png\";l.src=`/${n}.png`",
                others: ["a.png": ""]),
            .good("app.js", "a.href = \"/gone.html\"; x = {src: \"lib/gone.js\"}", "not loaded"),
            .good(
                "app.js", "12:(e,t,n)=>{e.exports=n.p+\"media/logo.6ce24c58.png\"}",
                "the public path is set at run time",
                others: ["static/media/logo.6ce24c58.png": ""],
                profile: .pathStrict.with(host: "www.example.com")),
        ],
        document: { document, sink in
            let scheme = document.profile.canonicalScheme
            sink.reportMisses(
                document.scriptReferences(.literal, .newURL, .moduleURL).filter {
                    $0.writtenScheme == scheme
                        && $0.resolution.lookedUp?.contains(UInt8(ascii: ".")) == true
                }, in: document)
            // What counts from the page that runs the script is known only at the end.
            for reference in document.scriptReferences(.asset, .publicAsset, .navigation)
            where !reference.traits.contains(.late) {
                guard let severity = LoadedAsset.severity(reference, in: document) else { continue }
                let isPage = reference.kind == .script(.navigation)
                sink.report(
                    reference,
                    isPage
                        ? LookupModel.pageMessage(reference, in: document.site)
                        : LookupModel.missMessage(reference, in: document.site),
                    notes: document.site.hints(for: reference.resolution), severity: severity,
                    cause: LoadedAsset.cause(reference, in: document))
            }
        },
        site: { context, sink in
            let site = context.site
            for (file, reference, failure) in LateAssets.failures(in: context) {
                guard LookupModel.cause(of: failure.resolution, in: site) == .missing,
                    RootCheck.found(failure, in: site) == nil
                else { continue }
                let runner = printable(site.path(failure.runner.file).bytes)
                sink.report(
                    file: file, at: reference.range,
                    "'\(printable(reference.value))' is not in the package",
                    notes: ["requested from '\(runner)'"] + site.hints(for: failure.resolution),
                    cause: ScriptAsset.isElsewhere(reference.value, in: site)
                        ? "base" : "file \(printable(reference.value))")
            }
        })
}

/// What scripts load by a relative URL, which counts from the page.
enum LateAssets {
    /// Those that find no file, with the page or worker where they do not.
    static func failures(
        in context: SiteContext
    ) -> [(file: Int, reference: LateReference, failure: LateReference.Answer)] {
        guard let runners = context.runners else { return [] }
        return context.summaries.flatMap { summary in
            summary.late.filter { $0.kind == .script(.asset) }.compactMap { reference in
                guard let failure = reference.failure(in: summary.index, runners, context.site),
                    // A placeholder in the page's base is one finding, there.
                    Placeholder.find(in: PercentEncoding.decode(failure.runner.base?.path ?? []))
                        == nil
                else { return nil }
                return (summary.index, reference, failure)
            }
        }
    }
}

private enum LoadedAsset {
    /// What findings have in common: the page that places open, or what is written in their place, of which a loop
    /// makes several names.
    static func cause(_ reference: Reference, in document: DocumentContext) -> String? {
        reference.kind == .script(.navigation)
            ? "page " + reference.text
            : "written " + printable(document.bytes[within: reference.range].prefix(200))
    }

    /// How much it matters that a file is missing; `nil` where it is not, or another rule says so.
    static func severity(_ reference: Reference, in document: DocumentContext) -> Severity? {
        guard reference.mayMiss else { return nil }
        let site = document.site
        switch reference.kind {
        case .script(.publicAsset):
            let name = reference.value.split(separator: UInt8(ascii: "/")).last ?? []
            guard ContentHash.isIn(Array(name)),
                !ScriptAsset.isElsewhere(reference.value, in: site)
            else { return nil }
            return .error
        case .script(.navigation):
            guard document.profile.hasCustomPages, LookupModel.isPlainMiss(reference, in: site)
            else { return nil }
            let last = reference.resolution.url?.pathComponents.last
            return last.map { $0.contains(UInt8(ascii: ".")) } == true ? .error : .warning
        default:
            if reference.traits.contains(.guarded) {
                return LookupModel.isPlainMiss(reference, in: site) ? .hint : nil
            }
            return LookupModel.isPlainMiss(reference, in: site) ? .error : nil
        }
    }
}
