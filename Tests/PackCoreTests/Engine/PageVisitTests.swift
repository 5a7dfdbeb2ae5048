import PackEngine
import PackGround
import PackProfile
import Testing

struct PageVisitTests {
    private func opened(_ paths: [String] = ["index.html", "a.js"]) throws -> PageVisit {
        var visit = try OpenedBuild(paths).visit()
        visit.take(.navigation(url: OpenedBuild.base + "index.html"), .request("index.html"))
        for kind in EngineEvent.Kind.loaded { visit.take(kind) }
        return visit
    }

    @Test func goesThroughAllSteps() throws {
        var visit = try opened()
        #expect(visit.tick(now: 0.3).isEmpty, "the page is not quiet yet")
        let commands = visit.complete()
        let scripts = commands.compactMap { command in
            if case .evaluate(let number, _) = command { number } else { nil }
        }
        #expect(scripts == [1, 2, 3, 4])
        #expect(visit.isFinished)
        #expect(visit.report.stop == nil)
        #expect(
            visit.report.screen
                == FirstScreen(text: 4, colours: 4, firstPaint: nil, title: "Shop"))
        #expect(visit.report.picture == "/p.png")
        #expect(visit.report.answered == [OpenedBuild.base + "index.html": "index.html"])
    }

    /// The launch page at the URL of its directory.
    @Test func aPageUnderAnotherURLEndsAfterItsFirstScreen() throws {
        let path = try AssetPath("index.html")
        var visit = try OpenedBuild(["index.html", "a.js"]).visit(OpenedBuild.base, alias: path)
        let answers = visit.take(.navigation(url: OpenedBuild.base), .request(""))
        #expect(
            answers == [
                .answer(
                    number: 1,
                    HandlerAnswer(
                        file: "index.html", type: "text/html", status: 200, sendsCORS: true))
            ])
        for kind in EngineEvent.Kind.loaded { visit.take(kind) }
        let commands = visit.complete(facts: #"{"text":9,"start":"Our shop"}"#)
        let scripts = commands.compactMap { command in
            if case .evaluate(let number, _) = command { number } else { nil }
        }
        #expect(scripts == [1])
        #expect(visit.isFinished)
        #expect(visit.report.screen?.start == "Our shop")
        #expect(visit.report.misses.isEmpty)
    }

    @Test func answersAsTheHandler() throws {
        var visit = try opened()
        #expect(
            visit.take(.request("a.js"))
                == [
                    .answer(
                        number: 1,
                        HandlerAnswer(
                            file: "a.js", type: "text/javascript", status: 200, sendsCORS: true))
                ])
        guard case .answer(_, let answer)? = visit.take(.request("gone.js#x")).first else {
            Issue.record("no answer")
            return
        }
        #expect(answer.status == 404 && answer.file == nil)
        visit.take(.request("gone.js#x"))
        #expect(visit.report.misses.map(\.url) == [OpenedBuild.base + "gone.js#x"])
        #expect(visit.report.misses.first?.lookedUp == "gone.js")
    }

    @Test func theStartPageInAFrameIsNoAnswer() throws {
        var visit = try OpenedBuild(["index.html"], .capacitor).visit()
        let url = "capacitor://localhost/embed/player"
        visit.take(
            .navigation(url: url), .request(number: 1, url: url, method: "GET", range: nil))
        #expect(visit.report.answered.isEmpty)
        #expect(visit.report.misses.isEmpty)
    }

    @Test func aMissHasItsElement() throws {
        var visit = try opened()
        visit.take(
            .request("icon.png"),
            .message(
                #"{"kind":"element","tag":"link","rel":"icon","url":"\#(OpenedBuild.base)icon.png"}"#
            ))
        visit.complete()
        #expect(visit.report.misses.first?.element == "link")
        #expect(visit.report.misses.first?.relation == "icon")
    }

    /// The engine's own requests run chunks outside their context.
    @Test func failuresOfRequestedChunksAreNotThePages() throws {
        var visit = try opened()
        visit.take(.console("CONSOLE JS ERROR Error: early"))
        var now = 1.0
        var isFiring = false
        while !isFiring {
            now += 0.2
            for command in visit.tick(now: now) {
                guard case .evaluate(let number, _) = command else {
                    visit.take(.snapshot(number: 0, colours: 4, path: nil), at: now)
                    continue
                }
                visit.take(.value(number: number, text: ""), at: now)
                if number == 2 { visit.take(.message(#"{"kind":"scrolled"}"#), at: now) }
                isFiring = number == 3
            }
        }
        visit.take(.console("CONSOLE JS ERROR Error: late"), .request("chunk.js"), at: now)
        visit.take(.message(#"{"kind":"fired"}"#), at: now)
        visit.complete(from: now)
        #expect(visit.report.failures.map(\.message) == ["Error: early"])
        #expect(visit.report.misses.first?.isFired == true)
    }

    @Test func aRunningScriptStopsTheVisit() throws {
        var visit = try OpenedBuild(["index.html"]).visit()
        var now = 0.0
        while !visit.isFinished, now < 100 {
            now += 0.5
            _ = visit.tick(now: now)
        }
        guard case .noAnswer? = visit.report.stop else {
            Issue.record("\(String(describing: visit.report.stop))")
            return
        }
        #expect(now < 20)
    }

    /// A page that polls is not stopped.
    @Test func aBusyPageGoesOn() throws {
        var visit = try opened()
        var now = 0.0
        while !visit.isFinished, now < 100 {
            now += 0.2
            visit.take(.request("a.js"), at: now)
            for command in visit.tick(now: now) {
                guard case .evaluate(let number, _) = command else {
                    visit.take(.snapshot(number: 0, colours: 4, path: nil), at: now)
                    continue
                }
                visit.take(.value(number: number, text: "{}"), at: now)
            }
        }
        #expect(visit.isFinished)
        #expect(visit.report.stop == nil)
    }

    @Test func dialogsWithoutEndStopTheVisit() throws {
        var visit = try opened()
        visit.take(.dialog(kind: "alert", text: "Hello"))
        #expect(!visit.isFinished)
        #expect(visit.report.dialog == "alert: Hello")
        for _ in 0..<20 { visit.take(.dialog(kind: "alert", text: "Hello")) }
        #expect(visit.report.stop == .dialogs(kind: "alert"))
    }

    @Test func reloadsStopTheVisit() throws {
        var visit = try opened()
        for _ in 0..<20 { for kind in EngineEvent.Kind.loaded { visit.take(kind) } }
        #expect(visit.report.stop == .reloads)
    }

    @Test(arguments: [
        (EngineEvent.Kind.crashed("crash"), VisitReport.Stop.crash),
        (.crashed("memory"), .memory(bytes: 0)), (.closed, .closesItself),
    ])
    func someEventsEndTheVisit(_ kind: EngineEvent.Kind, _ stop: VisitReport.Stop) throws {
        var visit = try opened()
        visit.take(kind)
        #expect(visit.isFinished)
        #expect(visit.report.stop == stop)
        #expect(visit.report.seconds >= 0)
    }

    @Test func eventsOfAnotherPageAreIgnored() throws {
        var visit = try opened()
        let commands = visit.receive(
            EngineEvent(
                .request(number: 9, url: "customscheme://a/b", method: "GET", range: nil), page: 5),
            now: 1)
        #expect(commands == [.answer(number: 9, HandlerAnswer(reason: "the page is closed"))])
        #expect(visit.report.misses.isEmpty)
    }

    @Test func aPageCanLeaveThePackage() throws {
        var visit = try opened()
        visit.take(
            .unloaded(url: "mailto:a@b", reason: "no"),
            .unloaded(url: "https://a.example/", reason: "Load request cancelled"))
        #expect(visit.report.leftFor == nil)
        visit.take(.unloaded(url: "https://a.example/", reason: "Connection refused"))
        #expect(visit.report.leftFor == "https://a.example/")
    }

    @Test func refusalsHaveTheirURL() throws {
        var visit = try opened(["index.html", "a.js", "style.txt"])
        visit.take(
            .request("a.js"), .request("style.txt"),
            .failed(url: OpenedBuild.base + "a.js", reason: "Origin null is not allowed"),
            .console("CONSOLE SECURITY ERROR Origin null is not allowed"),
            .failed(url: OpenedBuild.base + "gone.js", reason: "not in the package"),
            .failed(url: OpenedBuild.base + "a.js", reason: "Load request cancelled"),
            .failed(url: "https://a.example/x", reason: "Connection refused"))
        visit.complete(
            facts: #"{"text":1,"sheets":["\#(OpenedBuild.base)style.txt","\#(OpenedBuild.base)a"]}"#
        )
        #expect(
            visit.report.refusals.map(\.url)
                == [OpenedBuild.base + "a.js", OpenedBuild.base + "style.txt"])
        #expect(visit.report.misses.map(\.isElsewhere) == [true])
    }

    @Test func listsAreBounded() throws {
        var visit = try opened()
        for number in 0..<10_000 {
            visit.take(
                .console("CONSOLE ERROR number \(number)"), .request("gone\(number).js"))
        }
        #expect(visit.report.failures.count == VisitReport.limit)
        #expect(visit.report.misses.count == VisitReport.limit)
        #expect(visit.report.leftOut == 2 * (10_000 - VisitReport.limit))
    }

    @Test(arguments: [
        ("Our shop sells tea", "404 not found", true), ("Our shop sells tea", "", true),
        ("Our shop sells tea at 9", "Our shop sells tea at 10", false), ("", "", false),
        ("You are at /", "You are at /index.html", false),
    ])
    func screensDiffer(_ one: String, _ other: String, _ differs: Bool) {
        func screen(_ start: String) -> FirstScreen {
            FirstScreen(
                text: start.count, colours: 2, firstPaint: nil, title: "", start: start)
        }
        #expect(screen(one).differs(from: screen(other)) == differs)
        #expect(screen(other).differs(from: screen(one)) == differs)
    }

    /// The screens at the directory's URL and, again, at the page's own.
    @Test(
        arguments: [
            (["Our shop"], "Our shop"), (["404"], nil), (["404", "Our shop"], "404"),
            (["404", "Tip of the day"], nil), ([], nil),
        ] as [([String], String?)])
    func aPageThatDiffersFromItselfReadsNoAddress(_ starts: [String], _ kept: String?) {
        func screen(_ start: String) -> FirstScreen {
            FirstScreen(
                text: start.count, colours: 2, firstPaint: nil, title: "", start: start)
        }
        var report = VisitReport(url: OpenedBuild.base, file: "index.html", route: .launch)
        report.screen = screen("Our shop")
        report.note(directory: starts.map(screen))
        #expect(report.directoryScreen?.start == kept)
    }

    @Test(arguments: [(0, 1, true), (0, 2, false), (3, 1, false)])
    func blankScreens(_ text: Int, _ colours: Int, _ isBlank: Bool) {
        #expect(
            FirstScreen(text: text, colours: colours, firstPaint: nil, title: "").isBlank == isBlank
        )
    }
}
