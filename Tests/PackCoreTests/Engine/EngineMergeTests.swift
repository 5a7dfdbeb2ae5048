import PackCheck
import PackEngine
import PackGround
import PackProfile
import Testing

/// The rule of docs/architecture.md, "The engine", over the static check of small builds.
struct EngineMergeTests {
    private static let base = OpenedBuild.base

    /// The static findings of a build, merged with those of a visit of its launch page.
    private func merged(
        _ files: [String: String], _ visit: (inout VisitReport) -> Void
    ) async throws -> [Finding] {
        var profile = Profile.pathStrict
        profile.hosts = ["shop.example.com"]
        var memory: [AssetPath: [UInt8]] = [:]
        for (path, text) in files { memory[try AssetPath(path)] = Array(text.utf8) }
        let site = SiteIndex(memory: memory, profile: profile)
        let report = try await Checker(
            site: site, rules: RuleCatalog.all.filter { $0.group != .engine }, dumpsURLs: true
        ).check(jobs: 1)
        var opened = VisitReport(
            url: Self.base + "index.html", file: "index.html", route: .launch)
        opened.answered[Self.base + "index.html"] = "index.html"
        visit(&opened)
        let found = EngineFindings([opened], Handler(site.resolver))
        return EngineMerge([opened], references: report.urls)
            .merged(report.findings, found.items)
    }

    private static func page(_ body: String) -> String {
        "<!doctype html><meta charset=utf-8><title>Shop</title>\(body)"
    }

    private static func miss(
        _ path: String, element: String? = nil, relation: String = ""
    ) -> VisitReport.Miss {
        VisitReport.Miss(
            url: base + path, lookedUp: path, element: element, relation: relation, isFired: false,
            isStartPage: false, isPage: false)
    }

    private func one(_ findings: [Finding], _ rule: String) throws -> Finding {
        let found = findings.filter { $0.rule == rule }
        #expect(found.count == 1, "\(findings.map { "\($0.rule): \($0.message)" })")
        return try #require(found.first)
    }

    @Test func aMissOfAKnownReferenceIsOneConfirmedFinding() async throws {
        let findings = try await merged(["index.html": Self.page("<img src=gone.png>")]) {
            $0.misses = [Self.miss("gone.png", element: "img")]
        }
        let finding = try one(findings, "missing-file")
        #expect(finding.engine == .confirmed)
        #expect(finding.severity == .error)
        #expect(!findings.contains { $0.rule == "engine-missing" })
    }

    @Test func aConfirmedWarningBecomesAnError() async throws {
        let files = [
            "index.html": Self.page("<p>x</p><script src=a.js></script>"),
            "a.js": "const u=new URL('img/gone.png',import.meta.url);",
        ]
        let before = try await merged(files) { _ in }
        let known = try #require(
            before.first { $0.severity == .warning && $0.message.contains("gone.png") })
        let findings = try await merged(files) {
            $0.answered[Self.base + "a.js"] = "a.js"
            $0.misses = [Self.miss("img/gone.png", element: "img")]
        }
        let finding = try one(findings, known.rule)
        #expect(finding.severity == .error)
        #expect(finding.engine == .confirmed)
        #expect(finding.notes.contains { $0.hasPrefix("the engine saw it fail") })
    }

    /// The next font of the list may be used instead.
    @Test func aConfirmedWarningAboutAFontStays() async throws {
        let files = [
            "index.html": Self.page(
                "<style>@font-face{font-family:a;src:url(a.woff2),url(b.woff)}</style><p>x</p>"),
            "b.woff": "wOFF",
        ]
        let findings = try await merged(files) { $0.misses = [Self.miss("a.woff2")] }
        let finding = try one(findings, "css-missing-file")
        #expect(finding.engine == .confirmed)
        #expect(finding.severity == .warning)
    }

    @Test func anErrorOnAReferenceThatWasAnsweredBecomesAWarning() async throws {
        // The URL is in the report of references; the engine got a file for it.
        let files = ["index.html": Self.page("<img src=gone.png>")]
        let findings = try await merged(files) {
            $0.answered[Self.base + "gone.png"] = "gone.png"
        }
        let finding = try one(findings, "missing-file")
        #expect(finding.severity == .warning)
        #expect(finding.engine == .contradicted)
        #expect(finding.notes.last == "the engine requested it and got a file")
    }

    /// A reference that was never requested proves nothing.
    @Test func anErrorOnAReferenceThatWasNotRequestedStays() async throws {
        let findings = try await merged(["index.html": Self.page("<img src=gone.png>")]) { _ in }
        let finding = try one(findings, "missing-file")
        #expect(finding.severity == .error)
        #expect(finding.engine == nil)
    }

    @Test func anAnswerThatWasRefusedContradictsNothing() async throws {
        let findings = try await merged(["index.html": Self.page("<img src=gone.png>")]) {
            $0.answered[Self.base + "gone.png"] = "gone.png"
            $0.refusals = [
                .init(
                    text: "Origin null is not allowed", url: Self.base + "gone.png", isFired: false,
                    isReportOnly: false)
            ]
        }
        #expect(try one(findings, "missing-file").severity == .error)
    }

    @Test func aFileThatRunsIsNotTruncated() async throws {
        let files = [
            "index.html": Self.page("<p>x</p><script src=a.js></script>"), "a.js": "f(1,{a:[2",
        ]
        let stays = try await merged(files) { _ in }
        #expect(try one(stays, "js-truncated").severity == .error)
        let used = try await merged(files) { $0.answered[Self.base + "a.js"] = "a.js" }
        #expect(try one(used, "js-truncated").engine == .contradicted)
        let failed = try await merged(files) {
            $0.answered[Self.base + "a.js"] = "a.js"
            $0.failures = [
                .init(
                    kind: .exception, message: "SyntaxError: Unexpected end of script",
                    url: Self.base + "a.js", line: 1, column: 1)
            ]
        }
        #expect(try one(failed, "js-truncated").severity == .error)
        // Without a place, the failure can be this file's.
        let unknown = try await merged(files) {
            $0.answered[Self.base + "a.js"] = "a.js"
            $0.failures = [
                .init(kind: .exception, message: "SyntaxError", url: nil, line: nil, column: nil)
            ]
        }
        #expect(try one(unknown, "js-truncated").severity == .error)
    }

    @Test(arguments: [(true, Severity.hint), (false, .warning)])
    func aWarningAboutAnImageThatNoPageNeedsIsAHint(
        _ isUsed: Bool, _ severity: Severity
    ) async throws {
        let files = [
            "index.html": Self.page("<link rel=stylesheet href=a.css><script src=a.js></script>"),
            "a.css": ".made{background:url(gone.png)}", "a.js": "p.className='made'",
        ]
        let findings = try await merged(files) {
            if isUsed { $0.answered[Self.base + "a.css"] = "a.css" }
        }
        #expect(try one(findings, "css-missing-file").severity == severity)
    }

    /// The screens of the launch page decide about its router.
    @Test(arguments: [
        ("404 not found", Severity.error, EngineEvidence.confirmed),
        ("Our shop", .hint, .contradicted),
    ])
    func theScreensDecideAboutARouter(
        _ start: String, _ severity: Severity, _ verdict: EngineEvidence
    ) async throws {
        let router = """
            <div id=a></div><script>var r=createBrowserRouter([{path:"/",element:1},{path:f()}]);\
            </script>
            """
        let findings = try await merged(["index.html": Self.page(router)]) { visit in
            func screen(_ start: String) -> FirstScreen {
                FirstScreen(
                    text: start.count, colours: 2, firstPaint: nil, title: "", start: start)
            }
            visit.screen = screen(start)
            visit.directoryScreen = screen("Our shop")
        }
        let finding = try one(findings, "js-history-router")
        #expect(finding.severity == severity)
        #expect(finding.engine == verdict)
        #expect(!findings.contains { $0.rule == "engine-route" })
    }

    @Test func anUnknownMissIsAFindingOfThePage() async throws {
        let findings = try await merged(["index.html": Self.page("<p>x</p>")]) {
            $0.misses = [
                Self.miss("red.png", element: "img"),
                Self.miss("icon.png", element: "link", relation: "icon"),
            ]
        }
        let missing = findings.filter { $0.rule == "engine-missing" }
        #expect(missing.map(\.severity) == [.error, .warning])
        #expect(missing.allSatisfy { $0.engine == .found && $0.path == "index.html" })
    }
}

struct EngineFindingsTests {
    private func findings(_ visits: [VisitReport]) throws -> [Finding] {
        EngineFindings(visits, try OpenedBuild(["index.html", "b.html"]).handler).items
            .map(\.finding)
    }

    private func visit(
        _ file: String = "index.html", _ route: VisitReport.Route = .launch,
        _ change: (inout VisitReport) -> Void
    ) -> VisitReport {
        var report = VisitReport(url: OpenedBuild.base + file, file: file, route: route)
        change(&report)
        return report
    }

    private func failure(_ message: String) -> VisitReport.ScriptFailure {
        .init(kind: .rejection, message: message, url: nil, line: nil, column: nil)
    }

    private let miss = VisitReport.Miss(
        url: OpenedBuild.base + "a.js", lookedUp: "a.js", element: "script", isFired: false,
        isStartPage: false, isPage: false)

    @Test func oneCauseIsOneFinding() throws {
        let found = try findings([
            visit { $0.misses = [miss] }, visit("b.html", .link) { $0.misses = [miss] },
        ])
        #expect(found.count == 1)
        #expect(found.first?.notes.last == "also on 1 other page: 'b.html'")
    }

    @Test func failuresAfterAMissAreItsConsequence() throws {
        let found = try findings([
            visit {
                $0.misses = [miss]
                $0.failures = [
                    failure("TypeError: Importing a module script failed."), failure("Error: own"),
                ]
            }
        ])
        #expect(found.map(\.rule) == ["engine-missing", "engine-exception"])
        let alone = try findings([visit { $0.failures = [failure("TypeError: Load failed")] }])
        #expect(alone.map(\.rule) == ["engine-exception"])
    }

    @Test(arguments: [
        ("data/a.json", [], Severity.warning), ("data/a.json", ["TypeError: null"], .error),
        // Style sheets may have requested these.
        ("a.woff2", [], .error), ("a.png", [], .error),
    ])
    func aMissThatAScriptHandlesIsAWarning(
        _ path: String, _ failures: [String], _ severity: Severity
    ) throws {
        let found = try findings([
            visit {
                $0.misses = [
                    .init(
                        url: OpenedBuild.base + path, lookedUp: path, isFired: false,
                        isStartPage: false, isPage: false)
                ]
                $0.failures = failures.map(failure)
            }
        ])
        #expect(found.first?.rule == "engine-missing")
        #expect(found.first?.severity == severity)
    }

    @Test func aPageWithoutALinkHasWarnings() throws {
        let found = try findings([visit("b.html", .file) { $0.misses = [miss] }])
        #expect(found.map(\.severity) == [.warning])
        // The same on a page that users reach.
        let both = try findings([
            visit("b.html", .file) { $0.misses = [miss] }, visit { $0.misses = [miss] },
        ])
        #expect(both.map(\.severity) == [.error])
    }

    @Test(arguments: [
        (VisitReport.Stop.noAnswer(seconds: 9), "within 9 seconds"), (.crash, "crashed"),
        (.memory(bytes: 3 << 30), "3.2 GB"), (.dialogs(kind: "alert"), "'alert' dialogs"),
        (.closesItself, "closes its window"), (.reloads, "again and again"),
        (.output(bytes: 1 << 20), "1.0 MB"), (.engineEnded, "the engine ended"),
    ])
    func aStoppedPageIsAnError(_ stop: VisitReport.Stop, _ text: String) throws {
        let found = try findings([visit { $0.stop = stop }])
        #expect(found.map(\.rule) == ["engine-stopped"])
        #expect(found.first?.severity == .error)
        #expect(found.first?.message.contains(text) == true, "\(found)")
    }

    @Test func theEndOfTheTimeIsNotThePagesFault() throws {
        #expect(try findings([visit { $0.stop = .timeOver }]).isEmpty)
    }

    @Test func aBlankScreenIsAnErrorBesideAFailure() throws {
        let blank = FirstScreen(text: 0, colours: 1, firstPaint: nil, title: "")
        let alone = try findings([visit { $0.screen = blank }])
        #expect(alone.map(\.rule) == ["engine-blank"])
        #expect(alone.map(\.severity) == [.warning])
        let failed = try findings([
            visit {
                $0.screen = blank
                $0.failures = [failure("Error: x")]
            }
        ])
        #expect(failed.map(\.severity) == [.error, .error])
    }

    private func screen(_ start: String) -> FirstScreen {
        FirstScreen(
            text: start.count, colours: start.isEmpty ? 1 : 2, firstPaint: nil, title: "",
            start: start)
    }

    @Test(
        arguments: [
            ("404 not found", Severity.warning), ("", .error), ("Our shop sells tea", nil),
        ] as [(String, Severity?)])
    func aPageThatReadsItsAddressIsAFinding(_ start: String, _ severity: Severity?) throws {
        let found = try findings([
            visit {
                $0.screen = screen(start)
                $0.directoryScreen = screen("Our shop sells tea")
            }
        ]).first { $0.rule == "engine-route" }
        #expect(found?.severity == severity)
    }

    @Test func otherHostsAreNotErrors() throws {
        func elsewhere(_ element: String?) throws -> Severity? {
            try findings([
                visit {
                    $0.misses = [
                        .init(
                            url: "https://a.example/x?token=secret", lookedUp: nil,
                            element: element, isFired: false, isStartPage: false, isPage: false)
                    ]
                }
            ]).first?.severity
        }
        #expect(try elsewhere("script") == .warning)
        #expect(try elsewhere(nil) == .hint)
    }
}
