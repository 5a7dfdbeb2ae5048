import PackWeb

extension Rule {
    /// The page's host used as the server's address.
    static let jsLocationOrigin = Rule(
        "js-location-origin", group: .script, level: .customPages(.hint),
        document: { document, sink in
            // The message is independent of which fact is first, because the order changes with
            // every build.
            sink.reportFirst(document.facts(.locationOrigin)) { _ in
                "the page's own origin and host name the package, not the server"
            }
        })
}
