import PackWeb

extension Rule {
    /// Files whose type the handler does not know.
    static let mimeUnknown = Rule(
        "mime-unknown", "the handler has no media type for this file", group: .media,
        level: .init(
            "error for modules, else warning; not where `media-types` names the extension"
        ) {
            _ in .warning
        },
        explanation: .init(
            what: """
                Finds files that pages load and whose extension the phone's type registry does not \
                know: `.mjs`, `.wasm`, `.glb`, names without an extension, and `.webp` or `.avif` \
                before the iOS release that introduced them.
                """,
            why: """
                A handler derives the type from the extension. Without one it sends none, or \
                application/octet-stream: a module is refused, WebAssembly does not compile while \
                it loads, an SVG is not drawn. Browsers sniff other images, so these usually work, \
                and so do style sheets as long as the handler sends no headers.
                """,
            sources: [
                .issue(.capacitor, 6675), .issue(.cordovaIOS, 1374),
                .issue(.ionicWebView, 455, 456), .issue(.wry, 250),
                .proof("mime-unknown", "mime-wasm", "mime-svg", "mime-css"),
            ],
            instead: """
                Add the type to the handler and to the profile (`media-types`), or, for a module, \
                have the bundler write `.js`.
                """,
            detection: """
                Each file that a page or style sheet loads is checked, and each module and \
                WebAssembly file. All files of one extension are one finding.
                """),
        examples: [
            .bad("app.mjs", "export {}", "no type, so the module is refused"),
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
                "app.mjs", "export {}", "the handler knows the type",
                profile: Example.profile.with { $0.client.mediaTypes = ["mjs": "text/javascript"] }),
            .bad(
                "a.mjs", "export {}", "one finding for the extension",
                others: ["b.mjs": "export {}"]),
            .good("m.wasm", "\0asm", "Capacitor's handler has the type", profile: .capacitor),
            .bad(
                "a.jsx", "export {}", "an error: it is loaded as a module",
                others: ["index.html": "<script type=module src=\"./a.jsx\"></script>"]),
            .good("LICENSE", "MIT", "nothing loads it"),
        ],
        site: { context, sink in
            var loaded: Set<Int> = []
            var modules: Set<Int> = []
            for summary in context.summaries {
                // A web view does not read web app manifests.
                for link in summary.links
                where link.use.isFetched && link.isFromPackage && link.kind != .html(.manifest) {
                    loaded.insert(link.target)
                    if MIMEUnknown.isModule(link) { modules.insert(link.target) }
                }
            }
            for (index, file) in context.site.files.enumerated() {
                let ending = file.path.fileEnding
                let isStrict = DeviceMediaType.isStrict(ending) || modules.contains(index)
                guard loaded.contains(index) || DeviceMediaType.isLoadedByScripts(ending),
                    !DeviceMediaType.isKnown(ending, to: context.profile)
                else { continue }
                // Without streaming the bytes are enough.
                let isMaterial =
                    ending != "wasm" || context.summaries.contains(where: \.streamsWebAssembly)
                let since = DeviceMediaType.release(of: ending)
                sink.report(
                    file: index,
                    since.map {
                        """
                        iOS knows the type of '.\(ending)' from \($0) on, but the app also \
                        runs on \
                        \(context.profile.minimumIOS)
                        """
                    }
                        ?? (ending.isEmpty
                            ? "without an extension the handler has no type for this file"
                            : "the handler has no type for '.\(ending)'"),
                    severity: !isMaterial ? .hint : isStrict ? .error : nil, cause: ending,
                    setting: DeviceMediaType.registered[ending].map {
                        SettingProposal("profile.media-types", name: ending, $0)
                    })
            }
        })
}

private enum MIMEUnknown {
    /// Whether a file is loaded as a module, which is refused without the type of a script.
    static func isModule(_ link: DocumentSummary.Link) -> Bool {
        guard !link.traits.contains(.inTemplate), !link.traits.contains(.typed) else {
            return false
        }
        return link.kind == .html(.moduleScript) || link.kind == .script(.staticImport)
    }
}
