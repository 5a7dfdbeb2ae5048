package import PackCheck
import PackGround
import PackURL

/// Merges the findings of opened pages with those of the static check.
///
/// The rule is in docs/architecture.md, "The engine".
package struct EngineMerge: Sendable {
    private let visits: [VisitReport]
    /// The URLs of each reference, by file, line and column.
    private let urls: [Position: [String]]
    /// A reference to each URL.
    private let positions: [String: Position]
    private let answered: Set<String>
    private let failed: Set<String>

    private struct Position: Hashable {
        let path: String
        let line: Int
        let column: Int
    }

    /// Rules about references without a file: the request decides.
    package static let ofReferences: Set<String> = [
        "css-missing-file", "importmap-unresolved", "js-amd-missing", "js-asset-missing",
        "js-bare-import", "js-chunk-missing", "js-dynamic-import", "js-missing-file", "js-new-url",
        "js-public-path", "js-relative-ajax", "js-worker", "lazy-file-missing", "missing-file",
        "root-mismatch", "start-page-shown", "svg-external-use", "webmanifest-urls",
    ]

    /// Rules about a file as a whole: its use without a failure decides.
    package static let ofFiles: Set<String> = ["js-truncated", "svg-not-well-formed"]

    /// - Parameter references: Every reference of the build, as `--dump-urls` prints it.
    package init(_ visits: [VisitReport], references: [URLReport]) {
        self.visits = visits
        var urls: [Position: [String]] = [:]
        var positions: [String: Position] = [:]
        for reference in references {
            guard let url = reference.url.map(Self.key) else { continue }
            let position = Position(
                path: reference.path, line: reference.line, column: reference.column)
            urls[position, default: []].append(url)
            if positions[url] == nil { positions[url] = position }
        }
        self.urls = urls
        self.positions = positions
        answered = Set(visits.flatMap(\.answered.keys))
        failed = Set(
            visits.flatMap { visit in
                visit.misses.map { Self.key($0.url) }
                    + visit.refusals.compactMap { $0.url.map(Self.key) }
            })
    }

    /// The rule about images of style sheets: a page requests those that it shows.
    private static let images = "css-missing-file"
    /// The rule about routers: the screens of the launch page at two URLs decide.
    private static let router = "js-history-router"

    private static let fonts = [".woff2", ".woff", ".ttf", ".otf", ".eot"]

    private static func key(_ url: String) -> String {
        let url = URLRecord.parse(url)?.href ?? url
        return String(url.prefix { $0 != "#" })
    }

    private static let resolves = "it resolves to "

    /// The URLs of a finding.
    private func urls(of finding: Finding) -> Set<String> {
        var found: Set<String> = []
        if let place = finding.place {
            let position = Position(path: finding.path, line: place.line, column: place.column)
            found.formUnion(urls[position] ?? [])
        }
        for note in finding.notes where note.hasPrefix(Self.resolves) {
            found.insert(Self.key(String(note.dropFirst(Self.resolves.count))))
        }
        return found
    }

    /// All findings in order.
    package func merged(_ known: [Finding], _ opened: [EngineFindings.Item]) -> [Finding] {
        var known = known
        var isConfirmed: Set<Int> = []
        var rest: [Finding] = []
        var byURL: [String: [Int]] = [:]
        for (index, finding) in known.enumerated() {
            for url in urls(of: finding) { byURL[url, default: []].append(index) }
        }
        for item in opened {
            if item.finding.rule == EngineFindings.RuleID.route,
                let index = known.firstIndex(where: { $0.rule == Self.router })
            {
                isConfirmed.insert(index)
                known[index] = confirmed(known[index], item).with(severity: .error)
                continue
            }
            let same = item.url.flatMap { byURL[Self.key($0)] } ?? []
            // A confirmed hint stays one, unless the page needs the file.
            let absorbing = same.filter { known[$0].leftOut == nil }
            if absorbing.isEmpty {
                rest.append(located(item))
                continue
            }
            for index in absorbing where isConfirmed.insert(index).inserted {
                known[index] = confirmed(known[index], item)
            }
        }
        let contradicted = known.enumerated().map { index, finding in
            isConfirmed.contains(index) ? finding : weakened(finding)
        }
        return (contradicted + rest).sorted(by: Finding.areInOrder)
    }

    private func confirmed(_ finding: Finding, _ item: EngineFindings.Item) -> Finding {
        let seen = item.finding
        // A font usually has others after it.
        let isFont = item.url.map { url in Self.fonts.contains { url.hasSuffix($0) } } ?? false
        return finding.with(
            severity: isFont ? finding.severity : max(finding.severity, seen.severity),
            notes: finding.notes + ["the engine saw it fail: \(seen.message)"], engine: .confirmed)
    }

    /// The finding at the reference with its URL, if the build has one.
    private func located(_ item: EngineFindings.Item) -> Finding {
        guard let position = item.url.flatMap({ positions[Self.key($0)] }) else {
            return item.finding
        }
        return item.finding.with(
            path: position.path,
            notes: item.finding.notes + [
                "named at \(position.path):\(position.line):\(position.column)"
            ])
    }

    /// An error becomes a warning if the engine has used the finding's reference or file.
    private func weakened(_ finding: Finding) -> Finding {
        if finding.rule == Self.router, finding.severity > .hint, showsLaunchPage {
            return finding.with(
                severity: .hint,
                notes: finding.notes + [
                    "the engine shows the same at the launch URL and at the URL of its directory"
                ], engine: .contradicted)
        }
        if finding.rule == Self.images, finding.severity == .warning, isUnneeded(finding) {
            return finding.with(
                severity: .hint,
                notes: finding.notes + ["the opened pages use the style sheet without it"],
                engine: .contradicted)
        }
        guard finding.severity == .error, finding.placeCount == 1 else { return finding }
        if Self.ofReferences.contains(finding.rule) {
            let urls = urls(of: finding)
            guard !urls.isEmpty, urls.isSubset(of: answered), urls.isDisjoint(with: failed) else {
                return finding
            }
            return contradicted(finding, "the engine requested it and got a file")
        }
        if Self.ofFiles.contains(finding.rule), isUsed(finding.path) {
            return contradicted(finding, "the engine used the file without a failure")
        }
        return finding
    }

    private func contradicted(_ finding: Finding, _ note: String) -> Finding {
        finding.with(severity: .warning, notes: finding.notes + [note], engine: .contradicted)
    }

    /// Whether pages used the style sheet, and none requested the image.
    private func isUnneeded(_ finding: Finding) -> Bool {
        let urls = urls(of: finding)
        return !urls.isEmpty && urls.isDisjoint(with: failed) && urls.isDisjoint(with: answered)
            && visits.contains { $0.stop == nil && $0.answered.values.contains(finding.path) }
    }

    /// Whether the launch page has content, the same at the URL of its directory.
    private var showsLaunchPage: Bool {
        visits.contains { visit in
            guard let screen = visit.screen, let directory = visit.directoryScreen,
                visit.stop == nil
            else { return false }
            return screen.text > 0 && !directory.differs(from: screen)
        }
    }

    /// Whether pages have loaded a file, and no page reports a failure of it.
    private func isUsed(_ path: String) -> Bool {
        let urls = Set(
            visits.flatMap { visit in
                visit.answered.compactMap { $0.value == path ? Self.key($0.key) : nil }
            })
        guard !urls.isEmpty, urls.isDisjoint(with: failed) else { return false }
        return !visits.contains { visit in
            visit.failures.contains { failure in
                failure.kind != .console
                    && (failure.url.map { urls.contains(Self.key($0)) }
                        // An error without a place can be of any file of the page.
                        ?? !urls.isDisjoint(with: visit.answered.keys))
            }
        }
    }
}
