extension Rule {
    /// Files whose content does not match their extension.
    static let mimeContentMismatch = Rule(
        "mime-content-mismatch", "the file's content does not match its extension", group: .media,
        level: .init("error for pages saved as scripts, styles or data, else warning") { _ in
            .warning
        },
        explanation: .init(
            what: """
                Compares the first bytes of files with their extensions: a JPEG named `.png`, a \
                page named `.js`, a Git LFS pointer whose file was never fetched.
                """,
            why: """
                The handler derives the type from the name. Browsers sniff images, so these \
                usually work. An error page that was saved as a script is a syntax error, and the \
                script's feature is missing.
                """,
            sources: [.cite(.mimeSniffing), .proof("mime-content-mismatch")],
            instead: "Check where the build took the file from.",
            detection: "The first 64 bytes are compared with well-known signatures."),
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
                    file: index,
                    """
                    the name ends in '.\(ending)', but the content is \(signature.rawValue)
                    """,
                    severity: isBroken ? .error : nil,
                    cause: isBroken ? nil : "\(ending) \(signature.rawValue)")
            }
        })
}
