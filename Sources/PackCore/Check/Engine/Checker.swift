package import PackGround
import PackProfile
import PackWeb

/// Runs rules on a build: on single files in parallel, then on the whole build.
package struct Checker: Sendable {
    /// The result of a check.
    package struct Report: Sendable {
        /// Sorted by file, position and rule.
        package var findings: [Finding]
        package let files: Int
        /// In bytes.
        package let size: UInt64
        /// Every reference with its resolution; empty unless requested.
        package internal(set) var urls: [URLReport]
        /// The number of findings suppressed by comments.
        package internal(set) var ignored: Int
        /// The safe fixes of findings beyond the limit, by file; empty unless requested.
        package internal(set) var fixes: [String: [[ByteEdit]]]
        /// The digest of each checked document, by file; empty unless fixes are requested.
        ///
        /// The offsets of a fix are only valid for the same bytes.
        package let read: [String: Digest]
        /// The opened pages; `nil` if no engine opened them.
        package var opened: OpenedPages?

        /// The number of findings of a severity, including those beyond the limit.
        package func count(_ severity: Severity) -> Int {
            findings.filter { $0.severity == severity }.clampedSum(of: \.count)
        }
    }

    package let site: SiteIndex
    private let rules: [(rule: Rule, severity: Severity)]
    /// The per-file parts of the rules; capturing whole rules would copy them for each file.
    private let documentRules:
        [(
            id: String, severity: Severity,
            check: @Sendable (DocumentContext, inout FindingSink) -> Void
        )]
    private let dumpsURLs: Bool
    private let keepsFixes: Bool
    private let ids: Set<String>

    /// - Parameters:
    ///   - rules: Rules that do not apply to the site's profile are skipped.
    ///   - keepsFixes: Whether to keep the safe fixes of findings beyond the limit.
    package init(
        site: SiteIndex, rules: [Rule], dumpsURLs: Bool = false,
        keepsFixes: Bool = false
    ) {
        self.site = site
        self.rules = rules.compactMap { rule in
            rule.level.severity(site.profile).map { (rule, $0) }
        }
        documentRules = self.rules.compactMap { rule, severity in
            rule.document.map { (rule.id, severity, $0) }
        }
        self.dumpsURLs = dumpsURLs
        self.keepsFixes = keepsFixes
        ids = Set(self.rules.map(\.rule.id))
    }

    /// Larger files are read one at a time to bound memory.
    static let largeFile: UInt64 = 16 << 20

    /// The number of files read before their findings count towards the build's limit.
    private static let together = 1024

    /// - Parameter jobs: The number of files to read concurrently.
    /// - Throws: ``Failure``.
    package func check(jobs: Int, progress: ProgressSink? = nil) async throws -> Report {
        let counter = ProgressCounter(
            phase: .checking, total: site.files.clampedSum(of: \.size), sink: progress)
        var totals = FindingTotals()
        var checks: [FileCheck] = []
        var isWaiting = [Bool](repeating: false, count: site.files.count)
        // Pages first: they determine the encodings of their scripts, style sheets and frames.
        for (isPage, isLarge) in [(true, false), (true, true), (false, false), (false, true)] {
            if !isPage, !isLarge { site.inheritedEncodings.settle(in: site) }
            let jobs = isLarge ? 1 : jobs
            var rest = site.files.indices.filter {
                (site.files[$0].kind == .html && !isWaiting[$0]) == isPage
                    && (site.files[$0].size > Self.largeFile) == isLarge
            }[...]
            while !rest.isEmpty {
                let part = rest.prefix(Self.together)
                rest = rest.dropFirst(part.count)
                let read = try await mapInParallel(
                    count: part.count, jobs: jobs, makeState: { () }
                ) { _, number in
                    let index = part[part.startIndex + number]
                    let check = try file(index, mayWait: isPage)
                    if check != nil { counter.add(site.files[index].size) }
                    return check
                }
                for (index, check) in zip(part, read) {
                    guard let check else {
                        isWaiting[index] = true
                        continue
                    }
                    checks.append(limited(check, &totals))
                }
            }
        }
        checks.sort { $0.summary.index < $1.summary.index }
        confirmLate(&checks)
        checks = checks.map { $0.late.isEmpty ? $0 : limited($0, &totals) }
        var whole = try wholeSite(checks)
        // Sorted, so that a merged finding always names the same files.
        whole.findings = whole.findings.sorted(by: Finding.areInOrder)
            .filter { totals.take($0).isListed }
        let (rest, dropped) = totals.rest()
        whole.findings += rest
        for finding in dropped { keepFix(of: finding, in: &whole.fixes) }
        // In file order, so that adjacent fixes are applied together.
        let fixes = whole.fixes.merging(checks.flatMap(\.fixes), uniquingKeysWith: +)
            .mapValues { $0.sorted { $0.start < $1.start } }
        return Report(
            findings: (checks.flatMap(\.findings) + whole.findings)
                .sorted(by: Finding.areInOrder),
            files: site.files.count, size: site.files.clampedSum(of: \.size),
            urls: checks.flatMap(\.urls), ignored: whole.ignored,
            fixes: Dictionary(
                uniqueKeysWithValues: fixes.map { (site.path($0.key).description, $0.value) }),
            read: Dictionary(
                uniqueKeysWithValues: checks.compactMap { check in
                    check.read.map { (site.path(check.summary.index).description, $0) }
                }))
    }

    /// Splits a file's findings at the limit of the build, and keeps the fixes beyond it.
    private func limited(_ check: FileCheck, _ totals: inout FindingTotals) -> FileCheck {
        var limited = check
        limited.fresh = []
        for finding in check.fresh {
            let (isListed, dropped) = totals.take(finding)
            if isListed { limited.findings.append(finding) }
            if let dropped { keepFix(of: dropped, in: &limited.fixes) }
        }
        return limited
    }

    /// Safe fixes of unlisted findings are also applied.
    private func keepFix(of finding: Finding, in fixes: inout [Int: [[ByteEdit]]]) {
        guard keepsFixes, let fix = finding.fix, fix.safety == .safe,
            let path = try? AssetPath(finding.path), let file = site.listing.index(of: path.bytes)
        else { return }
        fixes[file, default: []].append(fix.edits)
    }

    /// Resolves URLs relative to the page or worker running a script, and keeps the findings about
    /// requests that fail there.
    private func confirmLate(_ checks: inout [FileCheck]) {
        guard checks.contains(where: { !$0.summary.late.isEmpty }) else { return }
        let runners = ScriptRunners(site, checks.map(\.summary))
        for index in checks.indices where !checks[index].summary.late.isEmpty {
            let script = checks[index].summary.index
            checks[index].summary.links += checks[index].summary.late.flatMap { reference in
                let (certain, possible) = reference.answers(in: script, runners, site)
                return (certain + possible).compactMap {
                    DocumentSummary.Link(
                        kind: reference.kind, use: reference.use, range: reference.range,
                        traits: reference.traits, $0.resolution)
                }
            }
            checks[index].fresh = checks[index].late.compactMap { finding, reference in
                guard let failure = reference.failure(in: script, runners, site) else { return nil }
                let runner = printable(site.path(failure.runner.file).bytes)
                return finding.noting(
                    [
                        reference.isOfProperty
                            ? "it is resolved against '\(runner)'"
                            : "requested from '\(runner)'"
                    ] + site.hints(for: failure.resolution))
            }
        }
    }

    // MARK: - One file

    private struct FileCheck: Sendable {
        var summary: DocumentSummary
        /// Not yet counted towards the build's limit.
        var fresh: [Finding]
        var findings: [Finding] = []
        /// Findings that only apply if the request fails in a page or worker.
        var late: [(Finding, LateReference)] = []
        let urls: [URLReport]
        var comments: IgnoreComments?
        var fixes: [Int: [[ByteEdit]]] = [:]
        /// The digest of the file, if fixes are made.
        var read: Digest?
    }

    /// - Parameter mayWait: Whether the page embedding this one may still be unread.
    /// - Returns: `nil` for a page whose encoding depends on an unread page.
    private func file(_ index: Int, mayWait: Bool) throws -> FileCheck? {
        let file = site.files[index]
        CurrentFile.begin(file.path)
        defer { CurrentFile.end() }
        guard let kind = file.kind, file.size <= UInt64(SiteSource.documentLimit) else {
            return FileCheck(summary: try site.summary(of: index), fresh: [], urls: [])
        }
        let bytes = try site.content(of: index)
        let context = DocumentReader.read(site: site, index: index, kind: kind, bytes: bytes)
        if mayWait, context.html?.encoding.source == .undeclared,
            bytes.contains(where: { $0 >= 0x80 })
        {
            return nil
        }
        site.inheritedEncodings.add(context)
        site.importMaps.add(context)
        let comments = IgnoreComments(context.ignoreComments, in: context.text, rules: ids)
        var sink = FindingSink(
            file: index, comments: comments.map { [index: $0] } ?? [:], keepsFixes: keepsFixes)
        for (id, severity, check) in documentRules {
            sink.begin(id, severity)
            check(context, &sink)
            sink.end()
        }
        let findings = zip(
            place(sink.drafts, in: context.text, ofPage: kind == .html), sink.drafts)
        return FileCheck(
            summary: DocumentSummary(context),
            fresh: findings.filter { $1.late == nil }.map(\.0),
            late: findings.compactMap { finding, draft in draft.late.map { (finding, $0) } },
            urls: dumpsURLs ? URLReport.all(in: context) : [],
            comments: sink.comments[index],
            fixes: sink.fixes.mapValues { $0.compactMap(context.text.sourceEdits) },
            read: keepsFixes ? StreamHasher.digest(of: bytes) : nil)
    }

    /// Turns the drafts of one file into findings with line numbers.
    ///
    /// - Parameter ofPage: Whether to merge identical findings of several pages.
    private func place(
        _ drafts: [FindingSink.Draft], in text: DocumentText, ofPage: Bool = false
    ) -> [Finding] {
        guard !drafts.isEmpty else { return [] }
        // A range can extend past the end: the file is truncated, or has changed since it was read.
        let drafts = drafts.map { $0.inside(0..<text.bytes.count) }
        let lines = drafts.contains { $0.range != nil } ? LineIndex(text) : nil
        return drafts.map { draft in
            finding(draft, text, lines, sharedCause: ofPage ? draft.sharedCause(in: text) : nil)
        }
    }

    private func finding(
        _ draft: FindingSink.Draft, _ text: DocumentText?, _ lines: LineIndex?,
        sharedCause: String? = nil
    ) -> Finding {
        let path =
            switch draft.subject {
            case .file(let index): site.path(index).description
            case .name(let name): name
            }
        var finding = Finding(
            rule: draft.rule, severity: draft.severity, path: path,
            place: draft.range.flatMap { lines?.place(of: $0) },
            range: draft.range.map { text?.sourceRange(of: $0) ?? $0 },
            message: draft.message, notes: draft.notes,
            fix: draft.fix.flatMap { fix in text.map { $0.sourceFix(fix) } ?? fix },
            leftOut: draft.leftOut, cause: draft.cause ?? sharedCause, setting: draft.setting)
        finding.repeats.count = draft.otherCount
        finding.repeats.places = draft.others.map { range in
            guard let range, let position = lines?.position(of: range.lowerBound) else {
                return path
            }
            return "\(path):\(position.line):\(position.column)"
        }
        return finding
    }

    // MARK: - All files

    /// Runs the rules on the whole build, and reports ignore comments that suppress nothing.
    private func wholeSite(
        _ checks: [FileCheck]
    ) throws -> (findings: [Finding], ignored: Int, fixes: [Int: [[ByteEdit]]]) {
        let context = SiteContext(site, checks.map(\.summary))
        var comments: [Int: IgnoreComments] = [:]
        for check in checks where check.comments != nil {
            comments[check.summary.index] = check.comments
        }
        let commented = comments.keys.map { (site.path($0).description, $0) }
        var sink = FindingSink(
            file: nil, comments: comments,
            commented: Dictionary(commented, uniquingKeysWith: { first, _ in first }),
            keepsFixes: keepsFixes)
        for (rule, severity) in rules {
            guard let check = rule.site else { continue }
            try sink.run(rule.id, severity) { try check(context, &$0) }
        }
        comments = sink.comments
        if let idle = rules.first(where: { $0.rule.id == UnusedIgnore.id })?.severity {
            sink.run(UnusedIgnore.id, idle) { sink in
                for file in comments.keys.sorted() {
                    for (rule, range) in comments[file]?.idle ?? [] {
                        sink.report(idle: range, in: file, rule: rule)
                    }
                }
            }
        }
        var findings: [Finding] = []
        for (subject, drafts) in Dictionary(grouping: sink.drafts, by: \.subject) {
            if case .file(let index) = subject, drafts.contains(where: { $0.range != nil }) {
                CurrentFile.begin(site.path(index))
                defer { CurrentFile.end() }
                findings += place(drafts, in: site.text(of: index, try site.content(of: index)))
            } else {
                findings += drafts.map { finding($0, nil, nil) }
            }
        }
        return (findings, comments.values.clampedSum(of: \.ignored), sink.fixes)
    }
}

extension SiteIndex {
    /// The summary of a file that is not a document; small files may contain a key.
    fileprivate func summary(of index: Int) throws -> DocumentSummary {
        let isSmall = files[index].size <= UInt64(KeyText.limit)
        return DocumentSummary(
            index: index,
            start: try source.head(
                of: files[index].path,
                count: isSmall ? KeyText.limit : DocumentSummary.headLength))
    }
}

extension [ByteEdit] {
    /// The offset of the first edit.
    fileprivate var start: Int { first?.range.lowerBound ?? 0 }
}
