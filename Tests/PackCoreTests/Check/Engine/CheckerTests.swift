import Foundation
import PackCheck
import PackGround
import PackProfile
import PackRelease
import TestSupport
import Testing

struct CheckerTests {
    private func site(
        _ files: [String: String], _ profile: Profile = Example.profile
    ) throws -> SiteIndex {
        var memory: [AssetPath: [UInt8]] = [:]
        for (path, content) in files { memory[try AssetPath(path)] = Array(content.utf8) }
        return SiteIndex(memory: memory, profile: profile)
    }

    @Test func sortsFindingsByFileAndPosition() async throws {
        let site = try site([
            "b.html": "<img src=1.png>\n<img src=2.png>", "a.html": "<img src=3.png>",
            "x/c.png": "1", "c.png": "2",
        ])
        for jobs in [1, 3] {
            let report = try await Checker(
                site: site,
                rules: [Rule.named("missing-file"), Rule.named("basename-collision")].compactMap {
                    $0
                }
            ).check(jobs: jobs)
            let lines = report.findings.map {
                "\($0.path):\($0.place?.line ?? 0):\($0.place?.column ?? 0) \($0.rule)"
            }
            #expect(
                lines == [
                    "a.html:1:10 missing-file", "b.html:1:10 missing-file",
                    "b.html:2:10 missing-file", "x/c.png:0:0 basename-collision",
                ])
            #expect(report.files == 4)
        }
    }

    @Test func readsTheSameFromDiskAndFromMemory() async throws {
        let files = ["index.html": "<script src=a.js></script><img src=b.png>", "a.js": "1"]
        let memory = try await Checker(site: site(files), rules: RuleCatalog.all).check(jobs: 1)
        try await TemporaryFolder.with { folder in
            for (name, content) in files { try folder.write(Array(content.utf8), as: name) }
            let index = try SiteIndex(directory: folder.directory(), profile: Example.profile)
            let disk = try await Checker(site: index, rules: RuleCatalog.all).check(jobs: 2)
            #expect(disk.findings == memory.findings)
            #expect(disk.size == memory.size)
        }
    }

    /// A publish checks the build it has hashed without scanning or hashing again, and reports the
    /// same findings.
    @Test func findsTheSameInABuildThatWasHashedBefore() async throws {
        let files = [
            "index.html": """
            <script src=a.js integrity=sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=></script>
            <img src=b.png><img src=c.png><img src=gone.png>
            """,
            "a.js": "1", "b.png": String(repeating: "b", count: 5000),
            "c.png": String(repeating: "b", count: 5000), ".DS_Store": "x",
        ]
        try await TemporaryFolder.with { folder in
            for (name, content) in files { try folder.write(Array(content.utf8), as: name) }
            let scan = try await BuildScan.scan(folder.path, jobs: 1)
            let walked = try await Checker(
                site: SiteIndex(directory: folder.directory(), profile: Example.profile),
                rules: RuleCatalog.all
            ).check(jobs: 2)
            // Same size: only a second scan or hash would notice the change.
            try folder.write(
                Array(("c" + files["c.png", default: ""].dropLast()).utf8), as: "c.png")
            try folder.write([1], as: "later.png")
            let scanned = try await Checker(
                site: SiteIndex(scan: scan, profile: Example.profile), rules: RuleCatalog.all
            ).check(jobs: 2)
            #expect(scanned.findings == walked.findings)
            #expect(scanned.files == walked.files && scanned.size == walked.size)
            let rules = Set(scanned.findings.map(\.rule))
            #expect(rules.isSuperset(of: ["missing-file", "integrity-stale", "duplicate-content"]))
        }
    }

    @Test func placesFindingsInLongLinesAndAfterOtherLineEnds() async throws {
        let long = String(repeating: "x", count: 500)
        let site = try site(["a.html": "\u{E9}\r\n\r<p>\(long)<img src='q.png'>\(long)"])
        let report = try await Checker(
            site: site, rules: [Rule.named("missing-file")].compactMap { $0 }
        ).check(jobs: 1)
        let place = try #require(report.findings.first?.place)
        #expect(place.line == 3)
        #expect(place.column == 514)
        #expect(place.excerpt.hasPrefix("…") && place.excerpt.hasSuffix("…"))
        let start = place.excerpt.index(place.excerpt.startIndex, offsetBy: place.caret)
        #expect(place.excerpt[start...].prefix(place.caretLength) == "q.png")
    }

    @Test func dumpsEveryURLWithItsVerdict() async throws {
        let site = try site([
            "index.html": "<img src=a.png><img src=gone.png><a href=mailto:a@b>",
            "a.png": "", "s.css": "a{background:url(https://www.example.com/a.png)}",
        ])
        let report = try await Checker(site: site, rules: [], dumpsURLs: true).check(jobs: 1)
        let lines = report.urls.map { "\($0.value) \($0.kind) \($0.verdict) \($0.target ?? "-")" }
        #expect(
            lines == [
                "a.png image file a.png",
                "gone.png image fallback http://www.example.com/gone.png",
                "mailto:a@b navigation no-request:app-scheme -",
                "https://www.example.com/a.png css-image other-origin a.png",
            ])
    }

    @Test func leavesOutRulesThatDoNotApplyToTheProfile() async throws {
        let site = try site(["a/x.png": "1", "b/x.png": "2"], .pathStrict)
        let report = try await Checker(
            site: site, rules: [Rule.named("basename-collision")].compactMap { $0 }
        ).check(jobs: 1)
        #expect(report.findings.isEmpty)
    }
}

extension Rule {
    static func named(_ id: String) -> Rule? { RuleCatalog.rule(id) }
}

/// Builds with files that no check may read completely.
struct StrangeFilesTests {
    @Test func aSparseFileOfATerabyteIsNotRead() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write([UInt8]("<p>x".utf8), as: "index.html")
            for name in ["a/huge.bin", "b/huge.bin", "huge.html"] {
                try folder.write([1], as: name)
                #expect(truncate(folder.file(name), 1 << 40) == 0)
            }
            let index = try SiteIndex(
                directory: folder.directory(), profile: Example.profile,
                options: CheckOptions(budgets: .init(file: 1 << 20)))
            let report = try await Checker(site: index, rules: RuleCatalog.all).check(jobs: 2)
            #expect(report.size > 3 << 40)
            #expect(report.findings.contains { $0.rule == "large-file" })
            #expect(
                report.findings.filter { $0.rule == "basename-collision" }.map(\.severity)
                    == [.error])
        }
    }
}
