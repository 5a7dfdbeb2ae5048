package import PackCheck
import PackGround
import PackProfile
import PackURL

/// The findings of opened pages, before they are merged with those of the static check.
package struct EngineFindings: Sendable {
    /// A finding, and its request, if any.
    package struct Item: Sendable {
        package var finding: Finding
        /// The requested URL without a fragment; `nil` for other findings.
        package let url: String?
    }

    /// The ids of the rules.
    package enum RuleID {
        package static let missing = "engine-missing"
        package static let refused = "engine-refused"
        package static let exception = "engine-exception"
        package static let blank = "engine-blank"
        package static let stopped = "engine-stopped"
        package static let route = "engine-route"

        package static let all = [missing, refused, exception, blank, stopped, route]
    }

    package private(set) var items: [Item] = []
    private let visits: [VisitReport]
    private let handler: Handler
    /// The positions of items, by their key.
    private var known: [String: Int] = [:]
    private var pages: [Int: [String]] = [:]

    /// - Parameter visits: In the order of their opening.
    package init(_ visits: [VisitReport], _ handler: Handler) {
        self.visits = visits
        self.handler = handler
        for visit in visits {
            for miss in visit.misses { add(miss, in: visit) }
            for refusal in visit.refusals { add(refusal, in: visit) }
            addFailures(of: visit)
            addScreen(of: visit)
            addRoute(of: visit)
            addStop(of: visit)
        }
        for (index, pages) in pages where pages.count > 1 {
            let shown = pages.dropFirst().prefix(3).map { "'\($0)'" }.joined(separator: ", ")
            let note =
                "also on \(counted(pages.count - 1, "other page")): \(shown)"
                + (pages.count > 4 ? ", …" : "")
            let finding = items[index].finding
            items[index].finding = finding.with(notes: finding.notes + [note])
        }
    }

    // MARK: Adding

    private func name(_ visit: VisitReport) -> String { visit.file ?? visit.url }

    /// Adds a finding, unless another page has the same.
    private mutating func add(
        _ rule: String, _ severity: Severity, in visit: VisitReport, at path: String? = nil,
        _ message: String, notes: [String] = [], url: String? = nil, key: String
    ) {
        // Users may never open a page without links to it.
        let severity = visit.route == .file ? min(severity, .warning) : severity
        let page = name(visit)
        let id = "\(rule) \(key)"
        if let index = known[id] {
            if items[index].finding.severity < severity {
                items[index].finding = items[index].finding.with(severity: severity)
            }
            if pages[index]?.last != page { pages[index, default: []].append(page) }
            return
        }
        known[id] = items.count
        pages[items.count] = [page]
        let unlinked = visit.route == .file ? ["no opened page links to '\(page)'"] : []
        items.append(
            Item(
                finding: Finding(
                    rule: rule, severity: severity, path: path ?? visit.file ?? ".",
                    message: message, notes: ["seen on '\(page)'"] + notes + unlinked,
                    engine: .found),
                url: url))
    }

    private static func key(_ url: String) -> String { String(url.prefix { $0 != "#" }) }

    /// A URL for people: the path of the package, or the whole URL of another host.
    private func shown(_ url: String) -> String {
        guard let record = URLRecord.parse(url),
            record.scheme == handler.resolver.profile.canonicalScheme,
            let path = handler.resolver.profile.packagePath(of: record)
        else { return printable(withoutSecrets(url).utf8) }
        return printable(path)
    }

    private mutating func add(_ miss: VisitReport.Miss, in visit: VisitReport) {
        let url = shown(miss.url)
        let by =
            miss.isFired
            ? "requested by packtool as a chunk that the page can load"
            : miss.element.map { "requested by '\($0)'" }
        if miss.isElsewhere {
            guard !miss.isPage else { return }
            add(
                RuleID.missing, elsewhere(miss), in: visit,
                "'\(url)' is on another host, which does not answer offline",
                notes: by.map { [$0] } ?? [], url: Self.key(miss.url), key: Self.key(miss.url))
            return
        }
        let looked = miss.lookedUp.flatMap { $0.isEmpty ? nil : ["the handler looks for '\($0)'"] }
        add(
            RuleID.missing, severity(of: miss, in: visit), in: visit,
            miss.isStartPage
                ? "the page requested '\(url)' and got the start page instead"
                : "the page requested '\(url)', which is not in the package",
            notes: (looked ?? []) + (by.map { [$0] } ?? []), url: Self.key(miss.url),
            key: Self.key(miss.url))
    }

    /// API calls and statistics fail offline in every app; scripts and style sheets may be needed.
    private func elsewhere(_ miss: VisitReport.Miss) -> Severity {
        let isNeeded = miss.element == "script" || isStyleSheet(miss)
        return isNeeded ? .warning : .hint
    }

    private func isStyleSheet(_ miss: VisitReport.Miss) -> Bool {
        miss.element == "link" && miss.relation.lowercased().contains("stylesheet")
    }

    private func severity(of miss: VisitReport.Miss, in visit: VisitReport) -> Severity {
        // Icons, preloads and manifests are not needed by the page.
        if miss.element == "link", !isStyleSheet(miss) { return .warning }
        // Phones have no pointer.
        if miss.lookedUp?.hasSuffix(".cur") == true { return .hint }
        return isHandled(miss, in: visit) ? .warning : .error
    }

    /// Whether a script requested it, and nothing failed afterwards: the script expects the miss.
    private func isHandled(_ miss: VisitReport.Miss, in visit: VisitReport) -> Bool {
        guard miss.element == nil, !miss.isFired, !miss.isPage,
            !isOfStyleSheet(miss.lookedUp ?? "")
        else { return false }
        return !visit.failures.contains { $0.kind != .console } && visit.stop == nil
            && visit.screen?.isBlank != true
    }

    /// Whether style sheets load such files; their requests have no element, too.
    private func isOfStyleSheet(_ path: String) -> Bool {
        guard let dot = path.lastIndex(of: ".") else { return false }
        let ending = path[dot...].dropFirst().lowercased()
        return Self.ofStyleSheets.contains(ending)
    }

    private static let ofStyleSheets: Set<String> = [
        "css", "woff2", "woff", "ttf", "otf", "eot", "png", "jpg", "jpeg", "gif", "webp",
        "avif", "svg", "ico", "bmp",
    ]

    private mutating func add(_ refusal: VisitReport.Refusal, in visit: VisitReport) {
        let text = printable(withoutSecrets(refusal.text).utf8)
        let url = refusal.url.map { shown($0) }
        let severity: Severity = refusal.isReportOnly ? .hint : refusal.isFired ? .warning : .error
        add(
            RuleID.refused, severity, in: visit,
            url.map { "the engine refused '\($0)'" } ?? "the engine refused content of the page",
            notes: [text], url: refusal.url.map(Self.key),
            key: "\(refusal.url.map(Self.key) ?? text)")
    }

    /// Texts of failures after a missing or refused file.
    private static let consequences = [
        "Importing a module script failed", "Load failed", "ChunkLoadError", "Loading chunk",
        "Loading CSS chunk", "NetworkError", "Failed to fetch", "Unexpected token '<'",
        "is not a valid JavaScript MIME type",
    ]

    private mutating func addFailures(of visit: VisitReport) {
        let hasCause = !visit.misses.isEmpty || !visit.refusals.isEmpty
        for failure in visit.failures {
            let message = printable(withoutSecrets(failure.message).utf8)
            if hasCause, Self.consequences.contains(where: message.contains) { continue }
            let file = failure.url.flatMap { visit.answered[Self.key($0)] }
            let place = failure.line.map {
                "line \($0)" + (failure.column.map { ", column \($0)" } ?? "")
            }
            let kind: String
            switch failure.kind {
            case .exception: kind = "an exception was not caught"
            case .rejection: kind = "a promise was rejected, and nothing handled it"
            case .console: kind = "a script wrote an error to the console"
            }
            add(
                RuleID.exception, failure.kind == .console ? .hint : .error, in: visit, at: file,
                "\(kind): \(message.prefix(200))",
                notes: place.map { ["at \($0) of the file"] } ?? [],
                key: "\(file ?? name(visit)) \(message)")
        }
    }

    private mutating func addScreen(of visit: VisitReport) {
        guard let screen = visit.screen, screen.isBlank, visit.leftFor == nil else { return }
        // A page without any failure can be blank on purpose.
        let hasFailed =
            visit.misses.contains { $0.isElsewhere || severity(of: $0, in: visit) == .error }
            || !visit.refusals.isEmpty || !visit.failures.isEmpty || visit.stop != nil
        add(
            RuleID.blank, hasFailed ? .error : .warning, in: visit,
            "the first screen is blank: no text, and one colour", key: name(visit))
    }

    /// A page that shows something else at the URL of its directory reads its own address.
    private mutating func addRoute(of visit: VisitReport) {
        guard let screen = visit.screen, let directory = visit.directoryScreen,
            visit.stop == nil, visit.leftFor == nil, directory.differs(from: screen),
            directory.text > 0
        else { return }
        let path = shown(visit.url)
        add(
            RuleID.route, screen.isBlank ? .error : .warning, in: visit,
            "the page shows something else at '\(path)' than at the URL of its directory",
            notes: [
                "there it begins with '\(Self.beginning(directory))'",
                "at '\(path)' it begins with '\(Self.beginning(screen))'",
            ], key: name(visit))
    }

    private static func beginning(_ screen: FirstScreen) -> String {
        let words = screen.start.split(whereSeparator: \.isWhitespace).prefix(8)
        return printable(words.joined(separator: " ").prefix(60).utf8)
    }

    private mutating func addStop(of visit: VisitReport) {
        if let url = visit.leftFor {
            add(
                RuleID.stopped, .error, in: visit,
                "the page opens '\(shown(url))' by itself, which the package does not have",
                key: "left \(url)")
        }
        if let dialog = visit.dialog, visit.stop == nil {
            add(
                RuleID.stopped, .warning, in: visit,
                "the page opens a dialog while it loads (\(printable(dialog.prefix(120).utf8)))",
                key: "dialog \(name(visit))")
        }
        guard let stop = visit.stop, let text = stop.text else { return }
        add(RuleID.stopped, .error, in: visit, text, key: "stop \(name(visit))")
    }
}

extension VisitReport.Stop {
    /// One sentence; `nil` if the page is not the reason.
    package var text: String? {
        switch self {
        case .noAnswer(let seconds):
            "the page's scripts did not return within \(counted(seconds, "second"))"
        case .crash: "the page crashed the engine's process"
        case .memory(let bytes) where bytes > 0:
            "the page used more than \(readableSize(bytes)) of memory"
        case .memory: "the page used more memory than the engine allows"
        case .dialogs(let kind): "the page opens '\(kind)' dialogs without end"
        case .closesItself: "the page closes its window"
        case .reloads: "the page loads itself or other pages again and again"
        case .output(let bytes):
            "the page sent more than \(readableSize(UInt64(clamping: bytes))) of requests and messages"
        case .engineEnded: "the engine ended while the page was open"
        case .timeOver: nil
        }
    }
}
