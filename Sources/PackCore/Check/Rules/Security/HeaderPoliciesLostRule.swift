extension Rule {
    /// Policies that only the server sends, as headers.
    static let headerPoliciesLost = Rule(
        "header-policies-lost", "a policy exists only in the server's headers", group: .security,
        level: .customPages(.warning),
        explanation: .init(
            what: """
                Finds policies in server configuration files in the build (`_headers`, \
                `.htaccess`, `netlify.toml`, …).
                """,
            why: """
                A packaged page is served without the server's headers: its Content Security \
                Policy, referrer policy, permissions and isolation are missing. Pages that need \
                isolation (SharedArrayBuffer) do not work at all.
                """,
            sources: [
                .cite(.s003, "NSURLResponse without headers"), .proof("header-policies-lost"),
            ],
            instead: """
                Move what is allowed there into the page: `<meta \
                http-equiv="Content-Security-Policy">`, `<meta name="referrer">`.
                """,
            detection: "Lines of such files that name one of the policy headers are reported."),
        examples: [
            .bad("_headers", "/*\n  ↓Content-Security-Policy: default-src 'self'\n"),
            .bad(
                ".htaccess", "↓Header set Cross-Origin-Opener-Policy same-origin\n"),
            .good("_headers", "/*\n  Cache-Control: no-cache\n"),
            .good("docs.txt", "Content-Security-Policy: default-src 'self'\n"),
        ],
        site: { context, sink in
            let names = [
                "content-security-policy", "referrer-policy", "cross-origin-opener-policy",
                "cross-origin-embedder-policy", "permissions-policy",
            ]
            for file in ServerFiles.files(ServerFiles.headers, in: context.site) {
                let content = try context.site.content(of: file)
                for line in ServerFiles.lines(of: content) {
                    let text = line.text.lowercased()
                    guard let name = names.first(where: { text.contains($0) }) else { continue }
                    let indent = line.text.utf8.prefix { $0 <= 0x20 }.count
                    sink.report(
                        file: file, at: (line.range.lowerBound + indent)..<line.range.upperBound,
                        "packaged pages do not get the header \(name)")
                }
            }
        })
}
