import PackGround
import PackOrigin

extension OriginVerifier {
    /// Compares the headers of a bucket's files with those that a publish gives them: they decide how long caches keep a
    /// file and what engines make of it.
    ///
    /// The measure is that of a verification over HTTP (`HeaderChecks`).
    func checkHeaders(_ run: inout Run) {
        guard let store = store as? any HeaderStore else { return }
        let needs = run.needs
        let files = store.headersRead().filter { needs.contains($0.place) }
        guard !files.isEmpty else { return }
        var isGiven: Set<String> = []
        for (name, key) in [("Cache-Control", "cache-control"), ("Content-Type", "content-type")] {
            if files.contains(where: { $0.found[key] != nil }) {
                isGiven.insert(key)
                continue
            }
            // Of one cause, and not a matter of single files.
            run.result.notes.append(
                """
                the store gives no \(name) back for any of \(counted(files.count, "file")): \
                'packtool verify https://…' shows what clients get
                """)
        }
        var findings = HTTPFindings()
        for file in files {
            let head = HTTPHead(
                status: 200, headers: file.found.map { HTTPHeader($0.key, $0.value) })
            if isGiven.contains("cache-control") {
                findings.checkLifetime(file.place, file.isLasting ? .long : .short, head)
            }
            if isGiven.contains("content-type") {
                findings.checkType(file.place, file.mediaType, head)
            }
            if let encoding = head.encoding {
                findings.add(
                    .transformed, .error, file.place,
                    "has Content-Encoding '\(shownEncoding(encoding))': clients refuse it", head)
            }
        }
        let all = findings.all
        run.result.headers =
            all.filter { $0.severity == .error } + all.filter { $0.severity == .warning }
    }
}

extension HTTPFinding {
    /// What to change where a bucket itself has these headers.
    package var bucketRemedy: String {
        "run 'packtool publish' with the build of a published release and --repair, which restores the headers of all "
            + "files"
    }
}
