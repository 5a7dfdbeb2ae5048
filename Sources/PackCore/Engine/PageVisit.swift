package import PackGround
import PackProfile
import PackURL

/// One page in the engine, from its opening to its last lazy chunk.
///
/// A state machine: events and the time in, commands out.
package struct PageVisit: Sendable {
    /// Limits in seconds, and counts.
    package struct Limits: Sendable {
        /// The time without events after which a step is complete.
        package var quiet = 0.5
        /// The longest step; a page with a timer never becomes quiet.
        package var step = 8.0
        /// The time for the page's process to answer a script.
        package var reply = 6.0
        package var dialogs = 10
        package var documents = 10

        package init() {}
    }

    private enum Step: Int, Comparable {
        case loading, looking, scrolling, firing, ending, finished

        static func < (one: Step, other: Step) -> Bool { one.rawValue < other.rawValue }
    }

    package private(set) var report: VisitReport
    private let page: Int
    private let handler: Handler
    private let lazy: LazyChunks
    private let picture: String
    private let limits: Limits
    /// The file that answers the page's own URL, if only its first screen is wanted.
    private let alias: AssetPath?
    private var step = Step.loading
    private let started: Double
    private var stepStarted: Double
    private var last: Double
    private var isLoaded = false
    private var hasRested = false
    /// Messages and values awaited by the current step.
    private var awaited: Set<String> = []
    private var documents = 0
    private var dialogs = 0
    private var facts: JSONObject?
    private var firstPaint: Int?
    private var colours: Int?
    /// The addresses to which frames navigate.
    private var pages: Set<String> = []
    /// The media types of answers, by URL.
    private var types: [String: String] = [:]
    /// The elements that failed, by URL.
    private var elements: [String: (tag: String, relation: String)] = [:]

    /// - Parameter alias: The file that answers the page's own URL; the visit then ends after the
    ///   first screen.
    package init(
        _ report: VisitReport, page: Int, handler: Handler, lazy: LazyChunks, picture: String,
        alias: AssetPath? = nil, limits: Limits = Limits(), now: Double
    ) {
        self.report = report
        self.alias = alias
        self.page = page
        self.handler = handler
        self.lazy = lazy
        self.picture = picture
        self.limits = limits
        started = now
        stepStarted = now
        last = now
    }

    package var isFinished: Bool { step == .finished }

    /// The commands for opening the page.
    package var opening: [EngineCommand] {
        [.visit(page: page, url: report.url, width: 390, height: 700)]
    }

    /// Ends the visit early.
    package mutating func stop(_ reason: VisitReport.Stop, now: Double) {
        guard !isFinished else { return }
        report.stop = reason
        finish(now)
    }

    private mutating func finish(_ now: Double) {
        step = .finished
        report.seconds = now - started
        if let facts { note(facts) }
        for index in report.misses.indices {
            guard let known = elements[Self.key(report.misses[index].url)] else { continue }
            report.misses[index].element = known.tag
            report.misses[index].relation = known.relation
        }
    }

    // MARK: Events

    /// Takes an event, and returns commands.
    package mutating func receive(_ event: EngineEvent, now: Double) -> [EngineCommand] {
        guard event.page == page || event.page == 0, !isFinished else {
            if case .request(let number, _, _, _) = event.kind {
                return [.answer(number: number, HandlerAnswer(reason: "the page is closed"))]
            }
            return []
        }
        switch event.kind {
        case .console(let text): note(console: text)
        case .request(let number, let url, _, let range):
            last = now
            return [.answer(number: number, answer(url, range))]
        case .failed(let url, let reason):
            last = now
            note(failed: url, reason)
        case .message(let text):
            last = now
            note(message: text)
        case .load(let state, let url):
            last = now
            note(load: state, url, now)
        case .unloaded(let url, let reason):
            last = now
            note(unloaded: url, reason)
        case .navigation(let url): pages.insert(Self.key(url))
        case .value(let number, let text):
            awaited.remove("value \(number)")
            if let text, let object = try? JSONObject(JSONParser.parse(Array(text.utf8))) {
                facts = object
            }
        case .snapshot(_, let colours, let path):
            awaited.remove("picture")
            self.colours = colours
            report.picture = path.flatMap { $0.isEmpty ? nil : $0 }
        case .crashed(let reason):
            stop(reason == "memory" ? .memory(bytes: 0) : .crash, now: now)
        case .dialog(let kind, let text):
            dialogs += 1
            if report.dialog == nil { report.dialog = text.isEmpty ? kind : "\(kind): \(text)" }
            if dialogs > limits.dialogs { stop(.dialogs(kind: kind), now: now) }
        case .closed: stop(.closesItself, now: now)
        case .ready, .unusable, .window, .left, .download: break
        }
        return []
    }

    private static func key(_ url: String) -> String { String(url.prefix { $0 != "#" }) }

    private var isFiring: Bool { step >= .firing }

    private mutating func answer(_ url: String, _ range: String?) -> HandlerAnswer {
        let key = Self.key(url)
        let isPage = pages.contains(key)
        if let alias, key == Self.key(report.url) { return handler.answer(with: alias, url) }
        let decision = handler.answer(url, range: range, isPage: isPage)
        // The start page in a frame proves nothing about its URL.
        if let file = decision.file, decision.resolution?.isStartPage != true,
            !decision.isStartPage
        {
            report.answered[key] = file
            types[key] = decision.answer.type
        } else if decision.isMiss || decision.isStartPage {
            add(
                VisitReport.Miss(
                    url: url,
                    lookedUp: decision.resolution?.lookedUp.map { printable($0) } ?? "",
                    isFired: isFiring, isStartPage: decision.isStartPage, isPage: isPage))
        }
        return decision.answer
    }

    private mutating func add(_ miss: VisitReport.Miss) {
        guard !report.misses.contains(where: { $0.url == miss.url }) else { return }
        if report.misses.count < VisitReport.limit {
            report.misses.append(miss)
        } else {
            report.leftOut += 1
        }
    }

    private mutating func add(_ refusal: VisitReport.Refusal) {
        guard
            !report.refusals.contains(where: {
                $0.text == refusal.text && ($0.url == refusal.url || refusal.url == nil)
            })
        else { return }
        if report.refusals.count < VisitReport.limit {
            report.refusals.append(refusal)
        } else {
            report.leftOut += 1
        }
    }

    private mutating func note(failed url: String, _ reason: String) {
        guard let record = URLRecord.parse(url) else { return }
        let isCancelled = reason.lowercased().contains("cancel")
        if record.scheme == handler.resolver.profile.canonicalScheme {
            // The handler has answered, but the engine has not accepted the answer.
            guard report.answered[Self.key(url)] != nil, !isCancelled else { return }
            add(
                VisitReport.Refusal(
                    text: reason, url: url, isFired: isFiring, isReportOnly: false))
        } else if ["http", "https", "ws", "wss"].contains(
            String(decoding: record.scheme, as: UTF8.self)), !isCancelled
        {
            add(
                VisitReport.Miss(
                    url: url, lookedUp: nil, isFired: isFiring, isStartPage: false,
                    isPage: pages.contains(Self.key(url))))
        }
    }

    private mutating func note(load state: String, _ url: String, _ now: Double) {
        switch state {
        case "committed":
            documents += 1
            isLoaded = false
            hasRested = false
            if step == .loading { stepStarted = now }
            if documents > limits.documents { stop(.reloads, now: now) }
        case "finished": isLoaded = true
        default: break
        }
    }

    private mutating func note(unloaded url: String, _ reason: String) {
        guard !reason.lowercased().contains("cancel"), !reason.contains("interrupted") else {
            return
        }
        hasRested = true
        isLoaded = true
        guard Self.key(url) != Self.key(report.url), let record = URLRecord.parse(url) else {
            return
        }
        let scheme = String(decoding: record.scheme, as: UTF8.self)
        if ["http", "https"].contains(scheme) { report.leftFor = url }
    }

    private mutating func note(message line: String) {
        guard let object = try? JSONObject(JSONParser.parse(Array(line.utf8))),
            let kind = try? object.string("kind")
        else { return }
        func text(_ name: String) -> String { (try? object.string(name)) ?? "" }
        switch kind {
        case "rested": hasRested = true
        case "scrolled", "fired": awaited.remove(kind)
        case "painted":
            if firstPaint == nil { firstPaint = try? object.integer("time", in: 0...60_000) }
        case "element": elements[Self.key(text("url"))] = (text("tag"), text("rel"))
        case "policy":
            let blocked = text("url")
            add(
                VisitReport.Refusal(
                    text: "the policy '\(text("directive"))' refuses "
                        + (blocked.isEmpty ? "inline content" : "'\(blocked)'"),
                    url: URLRecord.parse(blocked) == nil ? nil : blocked, isFired: isFiring,
                    isReportOnly: text("disposition") == "report"))
        default: break
        }
    }

    private mutating func note(console text: String) {
        guard let line = ConsoleLine(text) else { return }
        switch line.meaning {
        case .other: break
        case .refusal:
            // The observer and failed requests report the same with the URL.
            let isKnown = report.refusals.contains { $0.text == line.message }
            guard !isKnown, !line.message.contains("Content Security Policy") else { return }
            add(
                VisitReport.Refusal(
                    text: line.message, url: line.url, isFired: isFiring, isReportOnly: false))
        case .failure(let kind):
            // Chunks requested by the engine run outside their context.
            guard !isFiring else { return }
            let failure = VisitReport.ScriptFailure(
                kind: kind, message: line.message, url: line.url, line: line.line,
                column: line.column)
            guard !report.failures.contains(failure) else { return }
            if report.failures.count < VisitReport.limit {
                report.failures.append(failure)
            } else {
                report.leftOut += 1
            }
        }
    }

    private mutating func note(_ facts: JSONObject) {
        func texts(_ name: String) -> [String] {
            ((try? facts.array(name, atMost: 500)) ?? []).compactMap {
                if case .string(let text) = $0 { text } else { nil }
            }
        }
        let large = 0...Int(Int32.max)
        if report.screen == nil {
            report.screen = FirstScreen(
                text: (try? facts.integer("text", in: large)) ?? 0, colours: colours,
                firstPaint: firstPaint, title: (try? facts.string("title")) ?? "",
                start: (try? facts.string("start")) ?? "")
        }
        for link in texts("links") where !report.links.contains(link) { report.links.append(link) }
        for sheet in texts("sheets") {
            guard let type = types[Self.key(sheet)], type != "text/css" else { continue }
            add(
                VisitReport.Refusal(
                    text: "a style sheet with the type '\(type)' is not used", url: sheet,
                    isFired: false, isReportOnly: false))
        }
    }

    // MARK: Steps

    /// Continues when a step is complete; to be called often.
    package mutating func tick(now: Double) -> [EngineCommand] {
        guard !isFinished else { return [] }
        let elapsed = now - stepStarted
        if !awaited.isEmpty {
            // An endless script blocks all others.
            if awaited.contains(where: { $0.hasPrefix("value") }), elapsed > limits.reply {
                stop(.noAnswer(seconds: Int(now - started)), now: now)
                return []
            }
            guard elapsed > limits.step else { return [] }
        }
        let isQuiet = now - last > limits.quiet
        switch step {
        case .loading:
            guard isLoaded && hasRested && isQuiet || elapsed > limits.step else { return [] }
        case .scrolling, .firing: guard isQuiet || elapsed > limits.step else { return [] }
        case .looking, .ending, .finished: break
        }
        return advance(now)
    }

    private mutating func advance(_ now: Double) -> [EngineCommand] {
        step = Step(rawValue: step.rawValue + 1) ?? .finished
        stepStarted = now
        last = now
        awaited = []
        switch step {
        case .loading: return []
        case .looking:
            awaited = ["value 1", "picture"]
            return [
                .snapshot(number: 0, path: picture),
                .evaluate(number: 1, script: ObserverScript.facts),
            ]
        case .scrolling:
            if let facts { note(facts) }
            if alias != nil {
                finish(now)
                return []
            }
            awaited = ["value 2", "scrolled"]
            return [.evaluate(number: 2, script: ObserverScript.scroll)]
        case .firing:
            let (modules, files) = lazy.unrequested(
                after: report, profile: handler.resolver.profile)
            awaited = ["value 3", "fired"]
            return [
                .evaluate(
                    number: 3, script: ObserverScript.fire(modules: modules, files: files))
            ]
        case .ending:
            awaited = ["value 4"]
            return [.evaluate(number: 4, script: ObserverScript.facts)]
        case .finished:
            finish(now)
            return []
        }
    }
}
