extension Rule {
    /// Redirects to the custom scheme.
    static let redirectCustom = Rule(
        "redirect-custom", "a server cannot redirect to the custom scheme", group: .security,
        level: .always(.error),
        explanation: .init(
            what: """
                Finds custom-scheme URLs in the redirects that lie in the build (`_redirects`, \
                `.htaccess`, `vercel.json`, …).
                """,
            why: """
                Browsers follow redirects to http and https only: anything else is a network error. \
                The app's handler, on its side, has no public way to answer with a redirect.
                """,
            source: """
                Fetch standard, "HTTP-redirect fetch"; S001 problem 3; proved in WebKitGTK \
                (Tests/Rigs/WebKit/cases/redirect-custom)
                """,
            instead: "Link to the final address.",
            detection: "Lines of such files that hold the custom scheme followed by a colon."),
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
