/// Runs rules over a build: files in parallel, then the build as a whole.
package struct Checker: Sendable {
    /// What a check found.
    package struct Report: Sendable {
        /// Sorted by file, position and rule.
        package var findings: [Finding]
        package let files: Int
        /// In bytes.
        package let size: UInt64
        /// Every reference with what becomes of it; empty unless asked for.
        package let urls: [URLReport]
        /// How many findings a comment in their file keeps quiet.
        package let ignored: Int

        /// How many findings of a severity there are.
        package func count(_ severity: Severity) -> Int {
            findings.count { $0.severity == severity }
        }
    }

    private let site: SiteIndex
    private let rules: [(rule: Rule, severity: Severity)]
    private let dumpsURLs: Bool

    /// - Parameter rules: those that do not apply to the site's profile are left out.
    package init(site: SiteIndex, rules: [Rule] = RuleCatalog.all, dumpsURLs: Bool = false) {
        self.site = site
        self.rules = rules.compactMap { rule in
            rule.level.severity(site.profile).map { (rule, $0) }
        }
        self.dumpsURLs = dumpsURLs
    }

    /// Files above this are read one after the other, so that few of them are in memory.
    static let largeFile: UInt64 = 16 << 20

    /// - Parameter jobs: how many files are read at a time.
    /// - Throws: ``FileSystemError``.
    package func check(jobs: Int, progress: ProgressSink? = nil) async throws -> Report {
        let counter = ProgressCounter(
            phase: .checking, total: site.files.reduce(0) { $0 + $1.size }, sink: progress)
        let small = site.files.indices.filter { site.files[$0].size <= Self.largeFile }
        let large = site.files.indices.filter { site.files[$0].size > Self.largeFile }
        let read: @Sendable ([Int], Int) async throws -> [FileCheck] = { indices, jobs in
            try await mapInParallel(count: indices.count, jobs: jobs, makeState: { () }) {
                _, number in
                let index = indices[number]
                let check = try file(index)
                counter.add(site.files[index].size)
                return check
            }
        }
        let checks = (try await read(small, jobs) + read(large, 1)).sorted {
            $0.summary.index < $1.summary.index
        }
        let found = checks.flatMap(\.findings) + (try wholeSite(checks.map(\.summary)))
        let (findings, ignored) = quieted(found, checks.compactMap(\.comments))
        return Report(
            findings: findings.sorted(by: Finding.areInOrder), files: site.files.count,
            size: site.files.reduce(0) { $0 + $1.size }, urls: checks.flatMap(\.urls),
            ignored: ignored)
    }

    /// The findings without those that comments keep quiet, and with one for each idle comment.
    private func quieted(
        _ findings: [Finding], _ comments: [IgnoreComments]
    ) -> (findings: [Finding], ignored: Int) {
        guard !comments.isEmpty else { return (findings, 0) }
        let ids = Set(rules.map(\.rule.id))
        let idle = rules.first { $0.rule.id == UnusedIgnore.id }?.severity
        var byPath = Dictionary(grouping: findings, by: \.path)
        var ignored = 0
        for file in comments {
            let (kept, count) = file.apply(
                to: byPath[file.path] ?? [], rules: ids, unused: idle)
            byPath[file.path] = kept
            ignored += count
        }
        return (byPath.values.flatMap { $0 }, ignored)
    }

    // MARK: - One file

    private struct FileCheck: Sendable {
        let summary: DocumentSummary
        let findings: [Finding]
        let urls: [URLReport]
        let comments: IgnoreComments?
    }

    private func file(_ index: Int) throws -> FileCheck {
        let file = site.files[index]
        guard let kind = file.kind, file.size <= UInt64(SiteSource.documentLimit) else {
            return FileCheck(
                summary: try site.summary(of: index), findings: [], urls: [], comments: nil)
        }
        let bytes = try site.content(of: index)
        let context = DocumentReader.read(site: site, index: index, kind: kind, bytes: bytes)
        var drafts: [FindingSink.Draft] = []
        for (rule, severity) in rules {
            guard let check = rule.document else { continue }
            var sink = FindingSink(rule: rule, severity: severity, file: index)
            check(context, &sink)
            drafts += sink.drafts
        }
        return FileCheck(
            summary: DocumentSummary(
                context: context, sha256: StreamHasher.digest(of: bytes)),
            findings: place(drafts, in: bytes),
            urls: dumpsURLs ? URLReport.all(in: context) : [],
            comments: IgnoreComments(path: file.path.description, bytes: bytes))
    }

    /// The findings of one file, with their lines.
    private func place(_ drafts: [FindingSink.Draft], in bytes: [UInt8]) -> [Finding] {
        guard !drafts.isEmpty else { return [] }
        let lines = drafts.contains { $0.range != nil } ? LineIndex(bytes) : nil
        return drafts.map { draft in
            finding(draft, place: draft.range.flatMap { lines?.place(of: $0) })
        }
    }

    private func finding(_ draft: FindingSink.Draft, place: Place?) -> Finding {
        let path =
            switch draft.subject {
            case .file(let index): site.path(index).description
            case .name(let name): name
            }
        return Finding(
            rule: draft.rule, severity: draft.severity, path: path, place: place,
            range: draft.range, message: draft.message, notes: draft.notes, fix: draft.fix)
    }

    // MARK: - All files

    private func wholeSite(_ summaries: [DocumentSummary]) throws -> [Finding] {
        let context = SiteContext(site: site, summaries: summaries)
        var drafts: [FindingSink.Draft] = []
        for (rule, severity) in rules {
            guard let check = rule.site else { continue }
            var sink = FindingSink(rule: rule, severity: severity, file: nil)
            try check(context, &sink)
            drafts += sink.drafts
        }
        var findings: [Finding] = []
        for (subject, drafts) in Dictionary(grouping: drafts, by: \.subject) {
            if case .file(let index) = subject, drafts.contains(where: { $0.range != nil }) {
                findings += place(drafts, in: try site.content(of: index))
            } else {
                findings += drafts.map { finding($0, place: nil) }
            }
        }
        return findings
    }
}

extension SiteIndex {
    /// The summary of a file that is no document.
    fileprivate func summary(of index: Int) throws -> DocumentSummary {
        let path = files[index].path
        switch source {
        case .memory(let contents):
            let content = contents[path] ?? []
            return DocumentSummary(
                index: index, sha256: StreamHasher.digest(of: content),
                head: Array(content.prefix(DocumentSummary.headLength)))
        case .directory(let directory):
            let head = try source.head(of: path, count: DocumentSummary.headLength)
            let digest = try FileDigest.of(path.description, in: directory)
            return DocumentSummary(index: index, sha256: digest.sha256, head: head)
        }
    }
}
