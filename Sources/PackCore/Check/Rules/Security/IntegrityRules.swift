import PackWeb

/// Three rules about `integrity` attributes; IntegrityImportMapRule covers import maps.
extension Rule {
    /// Hashes that the packaged files do not match.
    package static let integrityStale = Rule(
        "integrity-stale", "a packaged file does not match its integrity hash",
        group: .security, level: .always(.error), fix: .safe,
        explanation: .init(
            what: "Compares `integrity` with the hash of the packaged file.",
            why: """
                Browsers discard a script or style sheet whose bytes do not match the hash, online \
                and offline. It happens when a later build step, such as a rewriter, changes a \
                file after its hash was computed.
                """,
            sources: [.cite(.sri, "section 3.3"), .proof("integrity-stale")],
            instead: "Compute the hash last. The fix writes that of the packaged bytes.",
            detection: """
                For each script, style sheet and preload whose URL finds a packaged file, the \
                bytes are hashed with the strongest algorithm that is named.
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
                """, "a third-party file"),
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
                    """
                    '\(printable(document.site.path(file).bytes))' does not match this hash: \
                    browsers discard \
                    it
                    """,
                    notes: ["its \(strongest.rawValue) hash is \(right)"],
                    fix: document.edits([
                        HTMLEdit(attribute, nil, value: Array(right.utf8))
                    ]).map { Fix(.safe, "write the file's hash", edits: $0) })
            }
        })

    /// Hashes on other web origins without the CORS request that checking them needs.
    static let integrityCrossOrigin = Rule(
        "integrity-cross-origin", "integrity on another web origin needs crossorigin",
        group: .security, level: .always(.error),
        explanation: .init(
            what: "Finds `integrity` without `crossorigin` on URLs of another web origin.",
            why: """
                A browser may check the bytes from another web origin only if the server allows \
                it. Without `crossorigin` it does not send a CORS request, and blocks the file \
                whatever its hash.
                """,
            sources: [
                .cite(.sri, "section 3.3, eligible for integrity validation"),
                .proof("integrity-cross-origin"),
            ],
            instead: """
                Add `crossorigin` where the other host sends Access-Control-Allow-Origin; \
                otherwise load the file from the page's own host.
                """,
            detection: """
                The web origins of the page and of the URL are compared, including the custom \
                scheme's hosts.
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
                    // Modules are always loaded with CORS.
                    reference.htmlKind != .moduleScript, reference.htmlKind != .modulePreload,
                    let element = document.element(of: reference),
                    !document.has("crossorigin", element),
                    SecurityModel.isOtherCustomOrigin(reference, in: document)
                        || SecurityModel.isOtherWebOrigin(reference, in: document)
                else { continue }
                sink.report(
                    at: SecurityModel.range(of: attribute),
                    "'\(reference.text)' has another web origin and no `crossorigin`: browsers "
                        + "block it")
            }
        })

    /// Hashes that browsers do not understand.
    static let integrityFormat = Rule(
        "integrity-format", "browsers ignore an integrity hash", group: .security,
        level: .always(.warning),
        explanation: .init(
            what: "Finds words in `integrity` that are not a SHA-256, SHA-384 or SHA-512 hash.",
            why: """
                A browser silently ignores an unknown hash: if there is no other, nothing is \
                checked at all.
                """,
            sources: [.issue(.sriTracker, 120), .proof("integrity-format")],
            instead: "Write `sha384-` and the base64 of the hash.",
            detection: """
                Each word is split at its first `-` and decoded, and its length is checked.
                """),
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
                    "'\(printable(first.utf8))' is not a valid integrity hash; browsers ignore it")
            }
        })
}
