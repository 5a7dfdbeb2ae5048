extension Rule {
    /// Redirects to the custom scheme.
    static let redirectCustom = Rule(
        "redirect-custom", "a server cannot redirect to the custom scheme", group: .security,
        level: .always(.error),
        explanation: .init(
            what: """
                Finds custom URLs in redirect configuration files in the build (`_redirects`, \
                `.htaccess`, `vercel.json`, …).
                """,
            why: """
                Browsers follow redirects to http and https only; anything else is a network \
                error. The app's handler has no public API to answer with a redirect either.
                """,
            sources: [
                .cite(.fetchStandard, "HTTP-redirect fetch"), .cite(.s001, "problem 3"),
                .proof("redirect-custom"),
            ],
            instead: "Link to the final address.",
            detection: """
                Lines of such files that contain the custom scheme followed by a colon are \
                reported.
                """),
        examples: [
            .bad("_redirects", "/old ↓customscheme://www.example.com/new.html 301\n"),
            .good("_redirects", "/old /new.html 301\n"),
        ],
        site: { context, sink in
            let word = context.profile.canonicalScheme + Array("://".utf8)
            for file in ServerFiles.files(ServerFiles.redirects, in: context.site) {
                let content = try context.site.content(of: file)
                for line in ServerFiles.lines(of: content) {
                    let bytes = Array(line.text.lowercased().utf8)
                    guard bytes.count == line.range.count, bytes.count >= word.count,
                        let start = (0...(bytes.count - word.count)).first(where: {
                            bytes[$0...].starts(with: word)
                        })
                    else { continue }
                    sink.report(
                        file: file,
                        at: (line.range.lowerBound + start)..<line.range.upperBound,
                        "browsers do not follow a redirect to the custom scheme")
                }
            }
        })
}
