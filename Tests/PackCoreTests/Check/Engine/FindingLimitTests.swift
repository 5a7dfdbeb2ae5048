import PackGround
import TestSupport
import Testing

@testable import PackCheck

// @testable: the sink and the edits are internal to the check.

/// Findings are limited for each rule, severity and file; the rest is counted.
struct FindingLimitTests {
    private func report(
        _ files: [String: String], _ rules: [String], keepsFixes: Bool = false
    ) async throws -> Checker.Report {
        var memory: [AssetPath: [UInt8]] = [:]
        for (path, content) in files { memory[try AssetPath(path)] = Array(content.utf8) }
        let site = SiteIndex(memory: memory, profile: Example.profile)
        return try await Checker(
            site: site, rules: rules.compactMap { RuleCatalog.rule($0) }, keepsFixes: keepsFixes
        ).check(jobs: 2)
    }

    /// Missing images; those of another page have other names, and therefore another cause.
    private func images(_ count: Int, of page: String = "") -> String {
        (0..<count).map { "<img src=i\(page)\($0).png>" }.joined(separator: "\n")
    }

    @Test func manyFindingsBecomeAHundredAndACount() async throws {
        // 50,000 candidates: the findings alone would take a hundred megabytes.
        let candidates = (0..<50_000).map { "a\($0).png \($0 + 1)w" }.joined(separator: ", ")
        let report = try await report(
            ["a.html": "<img srcset=\"\(candidates)\">"], ["missing-file"])
        #expect(report.findings.count == FindingSink.limit + 1)
        #expect(report.findings.last?.leftOut == 50_000 - FindingSink.limit)
        #expect(report.findings.last?.range == nil)
        #expect(report.findings.dropLast().allSatisfy { $0.leftOut == nil && $0.place != nil })
        #expect(report.count(.error) == 50_000)
    }

    @Test(arguments: [
        FindingSink.limit - 1, FindingSink.limit, FindingSink.limit + 1, FindingSink.limit + 2,
    ])
    func nothingIsCutUnlessItSavesALine(_ count: Int) async throws {
        let report = try await report(["a.html": images(count)], ["missing-file"])
        #expect(report.count(.error) == count)
        #expect(report.findings.count == min(count, FindingSink.limit + 1))
        let leftOut = count > FindingSink.limit + 1 ? count - FindingSink.limit : nil
        #expect(report.findings.last?.leftOut == leftOut)
    }

    @Test func eachRuleFileAndSeverityHasItsOwnLimit() async throws {
        let many = images(150)
        let report = try await report(
            [
                "a.html": "<noscript>\(many)</noscript>\(many)", "b.html": images(150, of: "b"),
                "c.css": (0..<150).map { "a{background:url(\($0).png)}" }.joined(),
            ], ["missing-file", "css-missing-file"])
        #expect(
            report.count(.error) == 300
                + report.findings.filter { $0.path == "c.css" }
                .reduce(0) { $0 + ($1.severity == .error ? $1.count : 0) })
        let cuts = report.findings.filter { $0.leftOut != nil }
        // Sorted by severity: the hints of a.html are last.
        #expect(cuts.map(\.path) == ["a.html", "b.html", "c.css", "a.html"])
        #expect(cuts.allSatisfy { $0.leftOut == 50 })
        #expect(cuts.first?.severity == .error && cuts.last?.severity == .hint)
    }

    @Test func whatACommentKeepsQuietDoesNotUseUpTheLimit() async throws {
        let quiet = (0..<500).map {
            "<img src=q\($0).png><!-- packtool-ignore missing-file -- the app has it -->\n\n"
        }.joined()
        let report = try await report(
            ["a.html": quiet + images(3)], ["missing-file", "unused-ignore"])
        #expect(report.ignored == 500)
        #expect(report.findings.map(\.leftOut) == [nil, nil, nil])
        #expect(report.findings.allSatisfy { $0.message.hasPrefix("'i") })
    }

    @Test func textsOfWhatIsOnlyCountedAreNotMade() {
        var sink = FindingSink(file: 0, comments: [:], keepsFixes: false)
        var made = 0
        sink.run("x", .error) { sink in
            for _ in 0..<1_000 {
                sink.report(
                    at: 0..<1,
                    {
                        made += 1
                        return "text"
                    }())
            }
        }
        #expect(made == FindingSink.limit + 1)
        #expect(sink.drafts.count == FindingSink.limit + 1)
        #expect(sink.drafts.last?.leftOut == 1_000 - FindingSink.limit)
    }

    @Test func textsDoNotRepeatWhatIsMegabytesLong() async throws {
        let long = String(repeating: "\u{1}é", count: 20_000)
        let report = try await report(["a.html": "<img src=\"/\(long)\">"], ["missing-file"])
        let finding = try #require(report.findings.first)
        for text in [finding.message] + finding.notes {
            #expect(text.utf8.count <= FindingSink.longestText + 3)
        }
        #expect(finding.message.hasSuffix("…"))
    }

    @Test func namesThatAreNoFilesShareOneLimit() {
        var sink = FindingSink(file: nil, comments: [:], keepsFixes: false)
        sink.run("x", .error) { sink in
            for number in 0..<1_000 { sink.report(name: "\(number)", "refused") }
        }
        #expect(sink.drafts.count == FindingSink.limit + 1)
        #expect(sink.drafts.last?.subject == .name("."))
    }

    @Test func aBuildOfManyFilesIsBoundedToo() async throws {
        var files: [String: String] = [:]
        for number in 0..<150 { files["p\(number).html"] = images(100, of: "\(number)-") }
        let report = try await report(files, ["missing-file"])
        #expect(report.count(.error) == 15_000)
        #expect(report.findings.count == FindingTotals.limit + 1)
        #expect(report.findings.filter { $0.leftOut != nil }.map(\.path) == ["."])
    }

    @Test func whatAllPagesMissIsOneFinding() async throws {
        var files: [String: String] = [:]
        for number in 0..<300 {
            files["p\(number).html"] = "<img src=/logo.png><a href=/about>us</a>"
        }
        let report = try await report(files, ["missing-file", "nav-target-missing"])
        #expect(report.findings.map(\.rule) == ["missing-file", "nav-target-missing"])
        #expect(report.findings.allSatisfy { $0.path == "p0.html" && $0.places == 300 })
    }

    @Test func whatALayoutRepeatsIsOneFinding() async throws {
        let page =
            "<base href=/app/><a href=\"http://example.org/\">x</a><html manifest=a.appcache>"
        let report = try await report(
            ["a.html": page, "b.html": "<p>\(page)", "c/d.html": page + page],
            ["nav-http", "appcache", "missing-charset"])
        #expect(
            report.findings.map(\.rule).sorted() == ["appcache", "missing-charset", "nav-http"])
        #expect(report.findings.allSatisfy { $0.path == "a.html" })
        #expect(report.findings.first { $0.rule == "nav-http" }?.places == 4)
    }

    @Test func whatResolvesToOtherFilesHasAnotherCause() async throws {
        let page = "<link rel=preload href=f.woff2 as=font>"
        let report = try await report(
            ["a/index.html": page, "b/index.html": page, "a/f.woff2": "", "b/f.woff2": ""],
            ["missing-file"])
        #expect(report.findings.isEmpty)
        let gone = try await self.report(
            [
                "a/index.html": "<img src=Logo.png>", "b/index.html": "<img src=Logo.png>",
                "a/logo.png": "", "b/logo.png": "",
            ], ["case-mismatch"])
        #expect(gone.findings.map(\.path) == ["a/index.html", "b/index.html"])
    }

    @Test func fixesBeyondTheLimitAreMade() async throws {
        let links = (0..<1_000).map { "<a href=\"http://example.com/\($0)\">x</a>\n" }.joined()
        try await TemporaryFolder.with { folder in
            try folder.write(Array(links.utf8), as: "a.html")
            let directory = try folder.directory()
            let rules = ["nav-http"].compactMap { RuleCatalog.rule($0) }
            var checks = 0
            let outcome = try await FixApplier(directory: directory).run {
                checks += 1
                return try await Checker(
                    site: SiteIndex(directory: directory, profile: Example.profile), rules: rules,
                    keepsFixes: true
                ).check(jobs: 1)
            }
            #expect(outcome.fixes == 1_000)
            #expect(checks == 2)
            #expect(outcome.report.findings.isEmpty)
        }
    }

    @Test func aHundredThousandFixesDoNotCopyTheFileEach() {
        var edits = CompatibleEdits(length: 1_000_000)
        var made = 0
        for number in 0..<100_000 where edits.add([ByteEdit(number * 10..<number * 10 + 5, "x")]) {
            made += 1
        }
        #expect(made == 100_000)
        #expect(edits.list.count == 100_000)
    }

    @Test func editsThatOverlapAreLeftOutWhole() {
        var edits = CompatibleEdits(length: 100)
        let first = ByteEdit(10..<20, "a")
        let added = [
            edits.add([first]),
            edits.add([ByteEdit(30..<40, "b"), ByteEdit(15..<25, "c")]),
            edits.add([ByteEdit(20..<25, "d"), ByteEdit(5..<10, "e")]),
            // Already applied.
            edits.add([first]),
            edits.add([ByteEdit(95..<101, "f")]),
        ]
        #expect(added == [true, false, true, true, false])
        #expect(edits.list.map(\.range) == [5..<10, 10..<20, 20..<25])
    }
}

/// A baseline with findings that are only counted.
struct BaselineLimitTests {
    private func finding(_ name: String) -> Finding {
        Finding(
            rule: "missing-file", severity: .error, path: "a.html",
            message: "'\(name)' is not in the package")
    }

    private func rest(_ count: Int) -> Finding {
        Finding(
            rule: "missing-file", severity: .error, path: "a.html",
            message: Finding.leftOutMessage, leftOut: count)
    }

    @Test func acceptsTheSameAgain() {
        let all = [finding("a"), finding("b"), rest(50)]
        let (kept, accepted, gone) = Baseline(of: all).apply(to: all)
        #expect(kept.isEmpty && accepted == 52 && gone == 0)
    }

    @Test func oneMoreBeforeTheLimitIsOneNewFinding() {
        let old = Baseline(of: [finding("a"), finding("b"), rest(50)])
        // 'b' is beyond the limit now.
        let (kept, accepted, gone) = old.apply(to: [finding("new"), finding("a"), rest(51)])
        #expect(kept.map(\.message) == ["'new' is not in the package"])
        #expect(accepted == 52 && gone == 0)
    }

    @Test func oneLessBeforeTheLimitIsNone() {
        let old = Baseline(of: [finding("a"), finding("b"), rest(50)])
        // The finding previously beyond the limit is listed now.
        let (kept, accepted, gone) = old.apply(to: [finding("b"), finding("c"), rest(49)])
        #expect(kept.isEmpty && accepted == 51 && gone == 1)
    }

    @Test func moreBeyondTheLimitAreCounted() {
        let old = Baseline(of: [finding("a"), rest(50)])
        let (kept, _, _) = old.apply(to: [finding("a"), rest(57)])
        #expect(kept.map(\.leftOut) == [7])
    }

    @Test func aBaselineOfBeforeTheLimitHolds() {
        let old = Baseline(of: (0..<300).map { finding("f\($0)") })
        let (kept, accepted, gone) = old.apply(
            to: (0..<100).map { finding("f\($0)") } + [rest(200)])
        #expect(kept.isEmpty && accepted == 300 && gone == 0)
    }

    @Test func countsThatNoNumberHoldsAreClamped() throws {
        let most = 9_007_199_254_740_991
        let members = (0..<1_100).map { "\"k\($0) a: x\": \(most)" }.joined(separator: ",")
        let baseline = try Baseline(
            Array("{\"schema\":1,\"findings\":{\(members)}}".utf8), path: "b.json")
        #expect(baseline.apply(to: []).gone == Int.max)
    }
}
