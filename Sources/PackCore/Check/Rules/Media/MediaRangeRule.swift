extension Rule {
    /// Audio and video from a handler that cannot serve part of a file.
    static let mediaRange = Rule(
        "media-range", "the handler cannot serve audio and video", group: .media,
        level: .init("error where the handler does not answer Range requests (seed003)") {
            $0.client.answersRanges ? nil : .error
        }, fix: .unsafe,
        explanation: .init(
            what: "Finds audio and video that the app's handler would have to serve.",
            why: """
                iOS requests the first two bytes of a file (`Range: bytes=0-1`) and plays it only \
                if the response is 206 with exactly these bytes. The handler answers with the \
                whole file and no status, and the player stays black.
                """,
            sources: [
                .issue(.capacitor, 2634, 5420, 6790), .issue(.ionicWebView, 134),
                .issue(.kiwix, 767),
                .cite(
                    .ruleStudy,
                    "not provable in WebKitGTK, whose GStreamer plays nothing from a custom scheme"),
            ],
            instead: "Load media over https, or implement Range requests in the handler.",
            detection: """
                The source of an `audio`, `video` or `source` element resolves to the custom \
                scheme; files that only scripts name are not found.
                """),
        examples: [
            .bad("index.html", "<video src=\"↓a.mp4\"></video>", others: ["a.mp4": ""]),
            .bad(
                "index.html", "<audio><source src=\"↓a.mp3\"></audio>", others: ["a.mp3": ""]),
            .good("index.html", "<video src=\"https://www.example.com/a.mp4\"></video>"),
            .good(
                "index.html", "<video src=\"a.mp4\"></video>", "a handler that answers ranges",
                others: ["a.mp4": ""], profile: .pathStrict),
        ],
        document: { document, sink in
            for reference in document.references
            where reference.htmlKind == .media && reference.isEffective
                && reference.resolution.reachesHandler
            {
                var fix: Fix?
                if !document.profile.hosts.isEmpty, let twin = reference.resolution.twin,
                    let url = document.profile.url(of: document.site.path(twin), secure: true)
                {
                    fix = document.fix(.unsafe, reference, to: url.href)
                }
                sink.report(
                    reference,
                    "iOS requests parts of '\(reference.text)', which the handler does not support",
                    fix: fix)
            }
        })
}
