import PackCheck
import PackGround
import PackProfile
import TestSupport
import Testing

struct IgnoreCommentTests {
    private func findings(
        _ files: [String: String], _ profile: Profile = Example.profile
    ) async throws -> Checker.Report {
        var memory: [AssetPath: [UInt8]] = [:]
        for (path, content) in files { memory[try AssetPath(path)] = Array(content.utf8) }
        let site = SiteIndex(memory: memory, profile: profile)
        let rules = [
            "missing-file", "css-missing-file", "basename-cache-names", "unused-ignore",
            "ignore-without-reason",
        ].compactMap { RuleCatalog.rule($0) }
        return try await Checker(site: site, rules: rules).check(jobs: 1)
    }

    @Test(arguments: [
        ("a.html", "<!-- packtool-ignore missing-file -- the app has it -->\n<img src=x.png>"),
        ("a.html", "<img src=x.png><!-- packtool-ignore missing-file -- the app has it -->"),
        ("a.html", "<!-- packtool-ignore-file missing-file -- a part -->\n\n\n<img src=x.png>"),
        ("a.html", "<!-- packtool-ignore nav-http, missing-file -- two -->\n<img src=x.png>"),
        ("a.css", "/* packtool-ignore css-missing-file -- old */ a { background: url(x.png) }"),
    ])
    func keepsARuleQuiet(_ path: String, _ content: String) async throws {
        let report = try await findings([path: content])
        #expect(report.findings.isEmpty)
        #expect(report.ignored == 1)
    }

    @Test func countsForItsOwnLineAndTheNextOnly() async throws {
        let report = try await findings([
            "a.html":
                "<!-- packtool-ignore missing-file -- why -->\n<img src=x.png>\n<img src=y.png>"
        ])
        #expect(report.findings.map(\.place?.line) == [3])
    }

    @Test func withoutAReasonDoesNotCount() async throws {
        let report = try await findings([
            "a.html": "<!-- packtool-ignore missing-file -->\n<img src=x.png>"
        ])
        #expect(report.findings.map(\.rule) == ["missing-file", "ignore-without-reason"])
    }

    @Test func isReportedWhenItsRuleFindsNothingAnyMore() async throws {
        let report = try await findings([
            "a.html": "<!-- packtool-ignore missing-file -- why -->\n<img src=x.png>", "x.png": "",
        ])
        #expect(report.findings.map(\.rule) == ["unused-ignore"])
        #expect(report.findings.first?.place?.column == 6)
    }

    @Test func anOldRuleNameStillWorksWithAHint() async throws {
        let comment = "<!-- packtool-ignore-file seed-client-names -- every app keeps paths -->"
        let report = try await findings(
            ["a/x.html": "<a href=../b/x.html>b</a>", "b/x.html": comment], .pathStrict)
        #expect(report.findings.map(\.rule) == ["unused-ignore"])
        #expect(report.findings.map(\.severity) == [.hint])
        #expect(report.ignored > 0)
    }

    @Test func aRuleThatDidNotRunIsNotJudged() async throws {
        let report = try await findings([
            "a.html": "<!-- packtool-ignore nav-http -- why --><p>x</p>"
        ])
        #expect(report.findings.isEmpty)
    }
}

/// Hundreds of thousands of comments and findings: comparing every pair would take hours.
struct ManyIgnoreCommentsTests {
    private func report(_ path: String, _ content: String) async throws -> Checker.Report {
        let site = SiteIndex(
            memory: [try AssetPath(path): Array(content.utf8)], profile: Example.profile)
        let rules = [
            "missing-file", "css-missing-file", "basename-cache-names", "unused-ignore",
            "ignore-without-reason",
        ].compactMap { RuleCatalog.rule($0) }
        return try await Checker(site: site, rules: rules).check(jobs: 1)
    }

    @Test func eachOfManyLinesHasItsComment() async throws {
        let line = "<img src=x.png><!-- packtool-ignore missing-file -- the app has it -->\n"
        let report = try await report(
            "a.html", String(repeating: line, count: 20_000) + "\n<img src=y.png>")
        #expect(report.ignored == 20_000)
        #expect(report.findings.map(\.message) == ["'y.png' is not in the package"])
    }

    @Test func allOfThemAreOnOneLine() async throws {
        let one = "<img src=x.png><!-- packtool-ignore missing-file -- the app has it -->"
        let report = try await report("a.html", String(repeating: one, count: 20_000))
        #expect(report.ignored == 20_000)
        #expect(report.findings.isEmpty)
    }

    @Test func noneOfThemIsNeeded() async throws {
        let line = "/* packtool-ignore css-missing-file -- old */\n"
        let report = try await report("a.css", String(repeating: line, count: 20_000))
        #expect(report.count(.warning) == 20_000)
        #expect(report.findings.count == 101)
        #expect(report.findings.first?.place?.line == 1)
    }

    @Test func noneOfThemEnds() async throws {
        let open = "<!-- packtool-ignore missing-file -- x "
        let report = try await report("a.html", String(repeating: open, count: 20_000))
        #expect(report.findings.map(\.rule) == ["unused-ignore"])
    }

    @Test func aRuleIsNamedAgainAndAgain() async throws {
        let names = String(repeating: "missing-file,", count: 20_000)
        let report = try await report(
            "a.html", "<!-- packtool-ignore \(names) -- why --><img src=x.png>")
        #expect(report.ignored == 1)
        #expect(report.count(.warning) == 19_999)
    }

    @Test func bothOfTwoLinesAreCoveredAndNoMore() async throws {
        let comment = "<!-- packtool-ignore missing-file -- why -->"
        let report = try await report(
            "a.html",
            "<img src=a.png>\n\(comment)<img src=b.png>\n\(comment)<img src=c.png>\r<img src=d.png>\r\n<img src=e.png>"
        )
        #expect(report.findings.map(\.place?.line) == [1, 5])
        #expect(report.ignored == 3)
    }
}

struct BaselineTests {
    private func finding(_ path: String, _ message: String) -> Finding {
        Finding(rule: "missing-file", severity: .error, path: path, message: message)
    }

    @Test func knowsFindingsInANewBuild() throws {
        let old = Baseline(of: [finding("a.html", "'js/app.3f9c2a71.js' is not in the package")])
        let read = try Baseline(JSONWriter.write(old.json), path: "b.json")
        #expect(read == old)
        let (kept, accepted, gone) = read.apply(to: [
            finding("a.html", "'js/app.0011aabb.js' is not in the package"),
            finding("a.html", "'js/other.js' is not in the package"),
        ])
        #expect(kept.map(\.message) == ["'js/other.js' is not in the package"])
        #expect(accepted == 1)
        #expect(gone == 0)
    }

    /// Bundlers move code: the first location of a cause is in another chunk of the next build.
    @Test func knowsACauseInAnotherFile() {
        func finding(_ path: String, _ message: String, _ cause: String?) -> Finding {
            Finding(
                rule: "js-cookie", severity: .warning, path: path, message: message, cause: cause)
        }
        let old = Baseline(of: [
            finding("a.3f9c2a71.js", "one", "cookie"), finding("x.js", "y", nil),
        ])
        let new = [
            finding("b.0011aabb.js", "other", "cookie"), finding("b.js", "one", "else"),
            finding("z.js", "y", nil),
        ]
        #expect(old.apply(to: new).kept == Array(new.dropFirst()))
        #expect(
            Baseline.fingerprint(of: new[0])
                == Baseline.fingerprint(of: finding("a.js", "one", "cookie")))
        #expect(Baseline.fingerprint(of: new[0]) != Baseline.fingerprint(of: new[1]))
        #expect(Baseline.fingerprint(of: new[1]) != Baseline.fingerprint(of: new[2]))
    }

    /// Webpack renumbers chunks: '6598.a73f718d.chunk.css' is '5518.…' in the next build.
    @Test func knowsANumberedChunk() {
        let old = Baseline(of: [finding("css/5518.a73f718d.chunk.css", "as 'css/17.a73f718d.css'")])
        #expect(
            old.apply(to: [finding("css/6598.b84e829e.chunk.css", "as 'css/4.b84e829e.css'")]).kept
                == [])
        let icon = Baseline(of: [finding("icon-192.png", "x"), finding("404.html", "x")])
        #expect(
            icon.apply(to: [finding("icon-512.png", "x"), finding("500.html", "x")]).kept.count == 2
        )
    }

    /// Regression: '0067ed0ab127294fd979.css' trapped, because its hash was also taken as the
    /// number of a chunk.
    @Test func aHashThatStartsWithDigitsIsNoNumberedChunk() {
        let old = Baseline(of: [
            finding("0067ed0ab127294fd979.css", "as '/_nuxt/12c3d4e5f6.js'"),
            finding("7.123abc9.js", "x"),
        ])
        let new = [
            finding("99a7ed0ab127294fd9aa.css", "as '/_nuxt/9f8e7d6c5b.js'"),
            finding("31.77abc9d.js", "x"),
        ]
        #expect(old.apply(to: new).kept == [])
        #expect(old.apply(to: [finding("0067ed0ab127294fd979.map", "x")]).kept.count == 1)
    }

    @Test func countsFindingsOfAnOldRuleNameForTheNewOne() throws {
        let name = "basename-cache-names"
        let text = """
            {"schema": 1, "findings": {"seed-client-names *: names": 1, "\(name) *: names": 2}}
            """
        let baseline = try Baseline(Array(text.utf8), path: "b.json")
        #expect(baseline.oldRules == ["seed-client-names"])
        #expect(baseline.count == 3)
        #expect(baseline.limited { $0 == name }.count == 3)
    }

    @Test func acceptsAsManyAsThereWere() {
        let one = finding("a.html", "x")
        let (kept, accepted, gone) = Baseline(of: [one, one]).apply(to: [one, one, one])
        #expect(kept.count == 1)
        #expect(accepted == 2)
        #expect(gone == 0)
        #expect(Baseline(of: [one, one]).apply(to: []).gone == 2)
    }

    @Test(arguments: [
        "", "[]", "{\"schema\":2,\"findings\":{}}", "{\"schema\":1,\"findings\":{\"x\":0}}",
    ])
    func refusesWhatIsNone(_ text: String) {
        expectFailure(of: "check") { try Baseline(Array(text.utf8), path: "b.json") }
    }
}
