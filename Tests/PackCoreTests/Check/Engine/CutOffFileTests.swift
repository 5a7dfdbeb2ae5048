import PackCheck
import PackGround
import TestSupport
import Testing

/// Truncated files: an incomplete download, a fragment of a template.
///
/// Regression: `check`, `publish`, `report` and `init` trapped on a page ending within a tag. The
/// parse error is at the end of the file, and its finding read the byte there.
struct CutOffFileTests {
    private static let tails = [
        "<", "<w", "<div", "<div ", "<div class", "<div class=", "<div class=\"a\"",
        "<div class=\"a", "<div a a",
        "<img src=a.png", "<img src=a.png\"b", "</", "</p", "</p a=\"", "<a ", "<a /", "<!", "<!-",
        "<!--", "<!---",
        "<!doctype", "<!doctype html public \"", "<script>x", "<script src=a.js",
        "<script>x</script", "<style>x",
        "<style>@import \"", "<style>a{b:url(", "<?xml", "<?", "a<b", "<b>", "<svg><p",
        "<svg><![CDATA[", "<textarea>",
        "<textarea></textarea", "<a href='&#", "<a href=&am", "&", "&#x", "<meta charset=",
        "<meta charset=\"x",
        "<base href=\"/", "<img srcset=\"a 1x,", "<a style=\"b:url(", "<a onclick=\"f(",
        "<script>`${", "\u{E9}",
    ]

    private static let surroundings: [@Sendable (String) -> String] = [
        { $0 },
        { "<!doctype html><meta charset=utf-8><title>x</title><p>hello</p>" + $0 },
        { "<template><p>" + $0 },
        { "<noscript>" + $0 },
        { "<svg><foreignObject>" + $0 },
        {
            "<iframe srcdoc='\($0.replacing("&", with: "&amp;").replacing("'", with: "&#39;"))'></iframe>"
        },
        { "<iframe srcdoc='" + $0 },
    ]

    /// Each tail in a page, in UTF-16 with half a character at the end, and in files of other
    /// languages.
    @Test(arguments: tails) func isCheckedWhereverItEnds(_ tail: String) async throws {
        var files: [String: [UInt8]] = [:]
        for (number, surrounding) in Self.surroundings.enumerated() {
            let text = surrounding(tail)
            files["page\(number).html"] = Array(text.utf8)
            files["wide\(number).html"] = Self.utf16(text)
        }
        files["x.svg"] = Array(("<svg xmlns=\"http://www.w3.org/2000/svg\">" + tail).utf8)
        for name in ["a.css", "a.js", "a.mjs", "a.json", "a.webmanifest", "a.js.map", "a.xhtml"] {
            files[name] = Array(tail.utf8)
        }
        try await check(files, about: tail)
    }

    /// Every finding has a range and a location within the file.
    private func check(_ files: [String: [UInt8]], about text: String) async throws {
        var memory: [AssetPath: [UInt8]] = [:]
        for (path, content) in files { memory[try AssetPath(path)] = content }
        let site = SiteIndex(memory: memory, profile: Example.profile)
        let report = try await Checker(site: site, rules: RuleCatalog.all, keepsFixes: true)
            .check(jobs: 1)
        for finding in report.findings {
            guard let range = finding.range else { continue }
            let size = files[finding.path]?.count ?? 0
            #expect(range.upperBound <= size, "\(finding.rule) at \(range) of \(size): \(text)")
            #expect(finding.place != nil)
            guard let fix = finding.fix, let content = files[finding.path] else { continue }
            #expect(ByteEdit.apply(fix.edits, to: content) != nil, "\(finding.rule): \(text)")
        }
    }

    private static func utf16(_ text: String) -> [UInt8] {
        [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }.dropLast()
    }

    /// Ranges come from the readers; the file may have been truncated since.
    @Test func aRangeBehindTheEnd() {
        let bytes: [UInt8] = [1, 2, 3]
        for (range, found) in [(1..<3, [2, 3]), (2..<9, [3]), (3..<4, []), (7..<9, [])]
            as [(Range<Int>, [UInt8])]
        {
            #expect(Array(bytes[within: range]) == found)
        }
    }

    /// A fix at a name, not at the white space before it.
    @Test func theFixOfADoctype() async throws {
        let text = "<!doctype html system \"  customscheme://www.w3.org/x.dtd\"><p>x"
        let site = SiteIndex(
            memory: [try AssetPath("index.html"): Array(text.utf8)], profile: Example.profile)
        let report = try await Checker(
            site: site, rules: [Rule.named("namespace-rewritten")].compactMap { $0 },
            keepsFixes: true
        ).check(jobs: 1)
        let fix = try #require(report.findings.first?.fix)
        let fixed = try #require(ByteEdit.apply(fix.edits, to: Array(text.utf8)))
        #expect(
            String(decoding: fixed, as: UTF8.self)
                == text.replacing("customscheme:", with: "http:"))
    }

    /// The finding names the unclosed tag.
    @Test func namesTheTagThatNeverEnds() async throws {
        let text = "<p>hello</p>\n<div class=\"a\""
        let site = SiteIndex(
            memory: [try AssetPath("index.html"): Array(text.utf8)], profile: Example.profile)
        let report = try await Checker(
            site: site, rules: [Rule.named("html-parse-unsafe")].compactMap { $0 }
        ).check(jobs: 1)
        #expect(
            report.findings.map { "\($0.place?.line ?? 0):\($0.place?.column ?? 0) \($0.message)" }
                == ["2:15 this tag never ends"])
    }
}
