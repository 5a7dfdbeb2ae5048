extension Rule {
    /// Files that hold something else than their names say.
    static let mimeContentMismatch = Rule(
        "mime-content-mismatch", "the file holds something else than its name says", group: .media,
        level: .init("error for pages saved as scripts, styles or data, else warning") { _ in
            .warning
        },
        explanation: .init(
            what: """
                Compares the first bytes of files with their endings: a JPEG named `.png`, a page named \
                `.js`, the pointer of a large file that was never fetched.
                """,
            why: """
                The handler takes the type from the name. A picture is sniffed and mostly works; an \
                error page that was saved as a script is a syntax error, and that script's feature is \
                gone.
                """,
            source:
                "MIME Sniffing standard; proved in WebKitGTK (Tests/Rigs/WebKit/cases/mime-content-mismatch)",
            instead: "Look where the build took the file from.",
            detection: "Well-known signatures in the first 64 bytes."),
        examples: [
            .bad("app.js", "<!DOCTYPE html><title>404</title>", "an error page"),
            .bad("logo.png", "GIF89a......", "another format"),
            .bad("logo.png", "version https://git-lfs.github.com/spec/v1\noid sha256:1\n"),
            .good("index.html", "<!DOCTYPE html><title>404</title>", except: [.comment]),
            .good("data.txt", "<!DOCTYPE html>"),
            .good("app.js", "const page = '<!DOCTYPE html>'"),
        ],
        site: { context, sink in
            for (index, summary) in context.summaries.enumerated() {
                let ending = context.site.path(index).fileEnding
                guard let signature = ContentSignature(summary.head) else { continue }
                let isText = ContentSignature.text.contains(ending)
                guard isText || ContentSignature.signed.contains(ending) else { continue }
                if let endings = signature.endings, endings.contains(ending) { continue }
                // XHTML and SVG may start with anything that XML allows.
                if signature == .html, ending == "svg" { continue }
                let isBroken = isText || signature == .html || signature == .pointer
                sink.report(
                    file: index, "it is named '.\(ending)' and holds \(signature.rawValue)",
                    severity: isBroken ? .error : nil)
            }
        })
}
