import PackWeb

extension Rule {
    /// A file that the app's framework answers with a script of its own.
    static let platformName = Rule(
        "platform-name", "the app answers this name with an empty script", group: .lookup,
        level: .init("error where the handler is Capacitor's") {
            $0.frameworkAnswers(Array("cordova.js".utf8)) ? .error : nil
        },
        explanation: .init(
            what: "Finds files with `cordova.js` in their path that a page loads.",
            why: """
                Capacitor answers every path that contains `cordova.js` with an empty script and \
                reads no file.
                """,
            sources: [.cite(.capacitor, "WebViewAssetHandler.swift")],
            instead: "Give the file another name.",
            detection: """
                Paths are searched for the word. `cordova.js` at the top is the platform's own file \
                and may be replaced; an empty file loses nothing.
                """),
        examples: [
            .bad(
                "index.html", "<script src=\"↓js/start.cordova.js\"></script>",
                others: ["js/start.cordova.js": "start()"], profile: .capacitor),
            .good(
                "index.html", "<script src=\"cordova.js\"></script>",
                others: ["cordova.js": "start()"], profile: .capacitor),
            .good(
                "index.html", "<script src=\"js/start.cordova.js\"></script>",
                others: ["js/start.cordova.js": "start()"], profile: .cordova),
        ],
        document: { document, sink in
            for reference in document.references where reference.use.isFetched {
                guard reference.resolution.outcome == .notARequest(.platform),
                    let url = reference.resolution.url,
                    let path = document.profile.packagePath(of: url).map(PercentEncoding.decode),
                    !path.elementsEqual("cordova.js".utf8),
                    document.profile.frameworkAnswers(path),
                    let file = document.site.listing.index(of: path),
                    document.site.files[file].size > 0
                else { continue }
                sink.report(
                    reference, "'\(reference.text)' is packaged, and the app answers with nothing")
            }
        })
}
