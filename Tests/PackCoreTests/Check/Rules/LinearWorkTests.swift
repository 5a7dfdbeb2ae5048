import PackCheck
import PackGround
import PackProfile
import TestSupport
import Testing

/// Pages and builds for which a rule with quadratic work would not finish.
struct LinearWorkTests {
    private static let count = 20_000

    private func report(
        _ files: [String: String], _ rules: String..., profile: Profile = Example.profile
    ) async throws -> Checker.Report {
        var memory: [AssetPath: [UInt8]] = [:]
        for (path, content) in files { memory[try AssetPath(path)] = Array(content.utf8) }
        let site = SiteIndex(memory: memory, profile: profile)
        return try await Checker(site: site, rules: rules.compactMap { RuleCatalog.rule($0) })
            .check(jobs: 1)
    }

    @Test func candidatesOfOneListAreNotComparedWithOneAnother() async throws {
        let list = (0..<Self.count).map { "https://www.example.com/a.png?\($0) \($0 + 1)w" }
            .joined(separator: ", ")
        let report = try await report(
            ["index.html": "<img srcset=\"a.png 1x, \(list)\">", "a.png": ""],
            "srcset-partially-rewritten", "not-from-package")
        #expect(report.count(.error) == Self.count)
        #expect(report.count(.warning) == 0)
    }

    @Test func prefixesAreLookedUpInTheSortedListing() async throws {
        var files: [String: String] = [:]
        for number in 0..<5_000 { files["d/\(number).txt"] = "" }
        files["a.js"] = (0..<Self.count).map { "fetch(`/x/\($0)/${l}`);" }.joined()
        let report = try await report(files, "js-relative-ajax")
        #expect(report.findings.map(\.placeCount).reduce(0, +) == Self.count)
    }

    @Test func prefixesOfFilesAreFound() throws {
        let listing = PackageListing(
            try ["a/b.txt", "a-b/c", "a.txt", "z"].map { try AssetPath($0) })
        for prefix in ["", "a", "a/", "a/b.", "a-", "a.t", "z"] {
            #expect(listing.hasFiles(below: Array(prefix.utf8)[...]), "\(prefix)")
        }
        for prefix in ["b", "a/c", "zz", "A", "a0"] {
            #expect(!listing.hasFiles(below: Array(prefix.utf8)[...]), "\(prefix)")
        }
    }

    @Test func filesOfOneNameAreNotSearchedForEachReference() async throws {
        var files: [String: String] = [:]
        for number in 0..<5_000 { files["d\(number)/Index.html"] = "" }
        files["a.html"] = (0..<Self.count).map { "<img src=/e\($0)/index.html>" }.joined()
        let report = try await report(files, "missing-file", "case-mismatch", profile: .pathStrict)
        #expect(report.count(.error) == Self.count)
    }

    @Test func encodedNamesAreNotSearchedInEveryFile() async throws {
        var files: [String: String] = [:]
        for number in 0..<Self.count { files["é\(number).txt"] = "" }
        let report = try await report(files, "percent-encoding-name")
        #expect(report.count(.warning) == Self.count)
    }

    @Test func policiesAreComparedABoundedNumberOfTimes() async throws {
        let words = (0..<1_000).map { "h\($0).com" }.joined(separator: " ")
        let policies = String(
            repeating:
                "<meta http-equiv=Content-Security-Policy content=\"img-src \(words)\">", count: 100
        )
        let directives = (0..<Self.count).map { "d\($0) x" }.joined(separator: ";")
        let images = (0..<Self.count).map { "<img src=a.png?\($0)>" }.joined()
        let report = try await report(
            [
                "index.html": policies + images, "a.png": "",
                "b.html":
                    "<meta http-equiv=Content-Security-Policy content=\"\(directives)\">" + images,
            ], "csp-blocks-custom")
        #expect(!report.findings.isEmpty)
    }

    @Test func hashesOfPoliciesAreTakenOnceForEachContent() async throws {
        let hash = "'sha256-\(String(repeating: "A", count: 43))='"
        let words = String(repeating: hash + " ", count: 5_000)
        let scripts = (0..<1_000).map { "<script>a\($0)</script>" }.joined()
        let report = try await report(
            [
                "index.html":
                    "<meta http-equiv=Content-Security-Policy content=\"script-src \(words)\">"
                    + scripts
            ], "csp-inline-hash")
        #expect(report.findings.map(\.count).reduce(0, +) == 1_000)
    }

    @Test func styleAttributesAreFoundByTheirNumber() async throws {
        let page = String(
            repeating: "<p style=\"background:url(https://www.example.com/a.png)\">\n",
            count: Self.count)
        let site = SiteIndex(
            memory: [
                try AssetPath("index.html"): Array(
                    (page + "<style>a{b:url(https://www.example.com/a.png)}</style>").utf8),
                try AssetPath("a.png"): [],
            ], profile: Example.profile)
        let document = DocumentReader.read(
            site: site, index: 1, kind: .html, bytes: try site.content(of: 1))
        let edits = document.references.compactMap {
            document.edits($0, to: Array("a.png".utf8))?.count
        }
        #expect(edits.count == Self.count + 1)
    }

    @Test func hiddenHashesOfAnImportMapAreNotSearchedForEver() async throws {
        let entries = (0..<5_000).map {
            "\"./a.js?\($0)\": \"sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD\\/YfIAFa0=\""
        }.joined(separator: ",")
        let report = try await report(
            [
                "index.html": "<script type=importmap>{\"integrity\": {\(entries)}}</script>",
                "a.js": "changed",
            ], "integrity-importmap")
        #expect(report.findings.map(\.placeCount).reduce(0, +) == 5_000)
    }
}
