import Foundation
import PackReport
import TestSupport
import Testing

/// The HTML report: third-party text is escaped, and the page loads no resources.
@Suite struct ReportPageTests {
    private func report(_ files: [ReleaseReport.File], name: String = "app") -> ReleaseReport {
        var report = ReleaseReport(
            tool: "packtool test", app: name,
            new: .init(version: name, path: name, files: files.count, bytes: 9),
            old: .init(version: name, path: name, files: 1, bytes: nil), package: 5, files: files,
            profile: name)
        report.routes = [.init(name: name, parts: [(what: name, bytes: UInt64(3))])]
        report.costs = [.init(path: name, size: 3, bytes: 2, reason: name)]
        report.changes = [.init(kind: "changed", path: name, from: name, old: 1, new: 2)]
        report.findings = [
            .init(
                severity: "error", rule: name, title: name, count: 1, new: 1,
                examples: [
                    .init(
                        location: name, message: name, excerpt: (name, name, name), notes: [name],
                        isNew: true)
                ])
        ]
        report.budgets = [.init(name: name, value: name, limit: name, share: 2)]
        report.channel = name
        report.history = [
            .init(sequence: 1, date: name, version: name, label: name, package: 3, delta: 1)
        ]
        return report
    }

    /// Python's HTML parser counts the same elements and attributes for harmless and hostile names.
    @Test(arguments: [
        "</title></style><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>",
        "' onload='x",
        "&lt;&amp;<!--", "]]>\u{0}\u{202E}\n<p>",
    ])
    func foreignTextAddsNoMarkup(name: String) async throws {
        func page(_ name: String) -> String {
            // A slash would be another directory with its own frame.
            let file = name.replacing("/", with: "!")
            let files = ["\(file).js", "dir/\(file)/a.css", "dir/b.png"].map {
                ReleaseReport.File(path: $0, size: 40_000, packed: 300)
            }
            return String(decoding: ReportPage(report(files, name: name)).bytes, as: UTF8.self)
        }
        let program = """
            import html.parser, sys
            class P(html.parser.HTMLParser):
                def __init__(self): super().__init__(); self.seen = []
                def handle_starttag(self, tag, attrs): self.seen.append((tag, sorted(n for n, _ in attrs)))
                def handle_comment(self, data): self.seen.append('comment')
            p = P(); p.feed(sys.stdin.read())
            # Text of a drawing is left out where it has no room.
            print(sorted(map(str, (s for s in p.seen if s[0] != 'text'))))
            """
        let plain = try await ForeignTool.python(program, input: page("name"))
        let hostile = try await ForeignTool.python(program, input: page(name))
        #expect(plain.status == 0 && plain.output.contains("details"))
        #expect(hostile.output == plain.output)
        let text = page(name)
        #expect(!text.contains("HTML(string"), "a piece of markup became text")
        #expect(!text.contains("alert(1)>") && !text.contains("\u{202E}"))
    }

    /// The policy's hash is compared with openssl.
    @Test func thePolicyAllowsOneStyleAndNothingElse() async throws {
        let page = String(decoding: ReportPage(report([])).bytes, as: UTF8.self)
        let style = try #require(page.firstMatch(of: /(?s)<style>(.*)<\/style>/)).1
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        _ = try folder.write(Array(style.utf8), as: "style")
        let base64 = try await ForeignTool("sh").run(
            ["-c", "openssl dgst -sha256 -binary '\(folder.file("style"))' | base64"])
        let expected = base64.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(
            page.contains(
                "content=\"default-src &#39;none&#39;; style-src &#39;sha256-\(expected)&#39;; "
                    + "base-uri &#39;none&#39;; form-action &#39;none&#39;\""))
        #expect(!page.contains(/(?i)<script|style=|https?:\/\/|<link|src=|@import|url\(/))
    }

    @Test func saysNothingOfWhatThereIsNot() {
        let report = ReleaseReport(
            tool: "t", app: nil, new: .init(version: "v", path: "p", files: 0, bytes: 0), old: nil,
            package: 22, files: [], profile: "path-strict")
        let page = String(decoding: ReportPage(report).bytes, as: UTF8.self)
        for id in ["size", "update", "changes", "budgets", "history"] {
            #expect(!page.contains("id=\"\(id)\""), "\(id)")
        }
        #expect(page.contains("Nothing was found"))
    }
}
