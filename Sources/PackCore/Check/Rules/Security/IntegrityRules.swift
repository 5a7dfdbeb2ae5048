/// The three rules about `integrity` attributes; that of import maps has a file of its own.
extension Rule {
    /// Hashes of packaged files that are not theirs.
    static let integrityStale = Rule(
        "integrity-stale", "the file does not have the hash that the page demands",
        group: .security, level: .always(.error), fix: .safe,
        explanation: .init(
            what: "Compares `integrity` with the hash of the packaged file.",
            why: """
                A script or style sheet whose bytes differ from the hash is thrown away: the page stays \
                without it, online and offline. It happens when a later build step, a rewriter for \
                instance, changes a file after its hash was taken.
                """,
            source: """
                W3C Subresource Integrity, section 3.3; proved in WebKitGTK \
                (Tests/Rigs/WebKit/cases/integrity-stale)
                """,
            instead: "Compute the hash last; the fix writes that of the packaged bytes.",
            detection: """
                For each script, style sheet and preload whose URL finds a packaged file, its bytes are \
                hashed with the strongest algorithm named.
                """),
        examples: [
            .bad(
                "index.html",
                """
                <script src="app.js" \
                integrity="↓sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="></script>
                """, others: ["app.js": "changed"]),
            .good(
                "index.html",
                """
                <script src="app.js" \
                integrity="sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="></script>
                """, others: ["app.js": "abc"]),
            .good(
                "index.html",
                """
                <script src="https://cdn.example.org/lib.js" crossorigin \
                integrity="sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="></script>
                """, "a file of somebody else"),
        ],
        document: { document, sink in
            for reference in document.references {
                guard let file = reference.resolution.file,
                    let (attribute, value) = SecurityModel.integrity(reference, in: document)
                else { continue }
                let integrity = SubresourceIntegrity(value.utf8)
                guard let strongest = integrity.strongest,
                    let digest = document.site.integrityDigest(of: file, strongest),
                    !integrity.accepts(digest: digest)
                else { continue }
                let right = strongest.expression(digest: digest)
                sink.report(
                    at: SecurityModel.range(of: attribute),
                    "'\(printable(document.site.path(file).bytes))' has another hash: browsers throw "
                        + "it away",
                    notes: ["its \(strongest.rawValue) hash is \(right)"],
                    fix: document.edits([
                        HTMLEdit(.attribute(attribute, nil), value: Array(right.utf8))
                    ]).map { Fix(.safe, "write the file's hash", edits: $0) })
            }
        })

    /// Hashes on other origins, without the CORS that checking them needs.
    static let integrityCrossOrigin = Rule(
        "integrity-cross-origin", "integrity on another origin needs crossorigin",
        group: .security, level: .always(.error),
        explanation: .init(
            what: "Finds `integrity` without `crossorigin` on URLs of another origin.",
            why: """
                A browser may check the bytes of another origin only if that origin permits it. Without \
                `crossorigin` it does not even ask, and blocks the file whatever its hash.
                """,
            source: """
                W3C Subresource Integrity, section 3.3 ("eligible for integrity validation"); proved in \
                WebKitGTK (Tests/Rigs/WebKit/cases/integrity-cross-origin)
                """,
            instead: """
                Add `crossorigin` where the other host sends Access-Control-Allow-Origin; else load the \
                file from the page's own host.
                """,
            detection: """
                The page's origin and that of the URL are compared (scheme, host, port), the custom \
                scheme's hosts among them.
                """),
        examples: [
            .bad(
                "index.html",
                """
                <script src="https://cdn.example.org/lib.js" \
                integrity="↓sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="></script>
                """),
            .good(
                "index.html",
                """
                <script src="https://cdn.example.org/lib.js" crossorigin \
                integrity="sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="></script>
                """),
            .good(
                "index.html",
                """
                <script src="app.js" \
                integrity="sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="></script>
                """, others: ["app.js": "abc"]),
        ],
        document: { document, sink in
            for reference in document.references {
                guard let (attribute, value) = SecurityModel.integrity(reference, in: document),
                    SubresourceIntegrity(value.utf8).strongest != nil,
                    // Modules are loaded with CORS anyhow.
                    reference.htmlKind != .moduleScript, reference.htmlKind != .modulePreload,
                    let element = document.element(of: reference),
                    !document.has("crossorigin", element),
                    SecurityModel.isOtherCustomOrigin(reference, in: document)
                        || SecurityModel.isOtherWebOrigin(reference, in: document)
                else { continue }
                sink.report(
                    at: SecurityModel.range(of: attribute),
                    "'\(reference.text)' is of another origin and has no `crossorigin`: browsers "
                        + "block it")
            }
        })

    /// Hashes that browsers do not understand.
    static let integrityFormat = Rule(
        "integrity-format", "browsers ignore this hash", group: .security,
        level: .always(.warning),
        explanation: .init(
            what: "Finds words in `integrity` that are no hash by SHA-256, SHA-384 or SHA-512.",
            why: """
                A browser ignores what it does not know, without a word: where nothing else stands \
                there, nothing is checked at all.
                """,
            source: """
                W3C webappsec-sri #120; proved in WebKitGTK (Tests/Rigs/WebKit/cases/integrity-format)
                """,
            instead: "Write `sha384-` and the base64 of the hash.",
            detection: "Each word is split at its first '-' and decoded; its length is checked."),
        examples: [
            .bad(
                "index.html",
                "<script src=\"app.js\" integrity=\"↓md5-kAFQmDzST7DWlj99KOF/cg==\"></script>",
                others: ["app.js": "abc"]),
            .bad(
                "index.html", "<script src=\"app.js\" integrity=\"↓sha384-abc\"></script>",
                "too short", others: ["app.js": "abc"]),
            .good(
                "index.html",
                """
                <script src="app.js" \
                integrity="sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="></script>
                """, others: ["app.js": "abc"]),
        ],
        document: { document, sink in
            for reference in document.references {
                guard let (attribute, value) = SecurityModel.integrity(reference, in: document),
                    let first = SubresourceIntegrity(value.utf8).ignored.first
                else { continue }
                sink.report(
                    at: SecurityModel.range(of: attribute),
                    "'\(printable(first.utf8))' is no hash that browsers know: they ignore it")
            }
        })
}
