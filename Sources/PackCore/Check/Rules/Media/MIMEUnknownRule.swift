extension Rule {
    /// Files whose type the handler cannot name.
    static let mimeUnknown = Rule(
        "mime-unknown", "the handler has no media type for this file", group: .media,
        level: .init(
            "error for modules, else warning; not where `media-types` names the ending"
        ) {
            _ in .warning
        },
        explanation: .init(
            what: """
                Finds files that pages load and whose ending the phone's type registry does not know: \
                `.mjs`, `.wasm`, `.glb`, and `.webp` or `.avif` before the iOS release \
                that brought them, names without an ending among them.
                """,
            why: """
                A handler takes the type from the ending. Without one it sends none, or \
                application/octet-stream: a module is refused, WebAssembly does not compile while it \
                loads, an SVG is not drawn. Pictures are sniffed and mostly work, and so do style \
                sheets as long as the handler sends no headers.
                """,
            source: """
                capacitor 6675, cordova-ios 1374, cordova-plugin-ionic-webview 455 and 456, wry 250; \
                proved in WebKitGTK (Tests/Rigs/WebKit/cases/mime-unknown, mime-wasm, mime-svg, mime-css)
                """,
            instead: """
                Let the bundler write `.js`; teach the handler the type and say so in the profile \
                (`media-types`).
                """,
            detection: """
                One finding for each file that a page or style sheet loads, and for each module and \
                WebAssembly file.
                """),
        examples: [
            .bad("app.mjs", "export {}", "no type, no module"),
            .bad(
                "model.glb", "glTF", "loaded by the page",
                others: ["index.html": "<img src=\"model.glb\">"]),
            .bad(
                "a.webp", "RIFF", "an old iOS", others: ["index.html": "<img src=\"a.webp\">"],
                profile: Example.profile.with { $0.minimumIOS = .init(13) }),
            .good(
                "a.webp", "RIFF", others: ["index.html": "<img src=\"a.webp\">"],
                profile: Example.profile.with { $0.minimumIOS = .init(15) }),
            .good(
                "app.mjs", "export {}", "the handler knows it",
                profile: Example.profile.with { $0.client.mediaTypes = ["mjs": "text/javascript"] }),
            .good("LICENSE", "MIT", "nobody loads it"),
        ],
        site: { context, sink in
            var loaded: Set<Int> = []
            for summary in context.summaries {
                // A web app manifest is nothing that a WebView reads.
                for link in summary.links
                where link.use.isFetched && link.isFromPackage && link.kind != .html(.manifest) {
                    loaded.insert(link.target)
                }
            }
            for (index, file) in context.site.files.enumerated() {
                let ending = file.path.fileEnding
                let isStrict = DeviceMediaType.isStrict(ending)
                guard loaded.contains(index) || DeviceMediaType.isLoadedByScripts(ending),
                    !DeviceMediaType.isKnown(ending, to: context.profile)
                else { continue }
                let since = DeviceMediaType.release(of: ending)
                sink.report(
                    file: index,
                    since.map {
                        "iOS knows the type of '.\(ending)' from \($0) on, and the app runs on "
                            + "\(context.profile.minimumIOS)"
                    }
                        ?? (ending.isEmpty
                            ? "it has no ending, so the handler has no type for it"
                            : "the handler has no type for '.\(ending)'"),
                    severity: isStrict ? .error : nil)
            }
        })
}
