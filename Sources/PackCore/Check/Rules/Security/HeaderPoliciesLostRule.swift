extension Rule {
    /// Policies that the server sent as headers.
    static let headerPoliciesLost = Rule(
        "header-policies-lost", "a policy that only the server's headers have", group: .security,
        level: .customPages(.warning),
        explanation: .init(
            what: """
                Finds policies in the server configuration that lies in the build (`_headers`, \
                `.htaccess`, `netlify.toml`, …).
                """,
            why: """
                A packaged page is answered without the server's headers: its content security policy, \
                referrer policy, permissions and isolation are gone. Pages that need isolation \
                (SharedArrayBuffer) do not work at all.
                """,
            source: """
                S003 (NSURLResponse without headers); proved in WebKitGTK \
                (Tests/Rigs/WebKit/cases/header-policies-lost)
                """,
            instead: """
                Write what can stand in the page into it: `<meta http-equiv="Content-Security-Policy">`, \
                `<meta name="referrer">`.
                """,
            detection: "Lines of such files that name one of the policy headers."),
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
                        "no page of the package gets the header \(name)")
                }
            }
        })
}
