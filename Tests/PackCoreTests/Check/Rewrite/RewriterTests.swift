import Foundation
import PackCheck
import PackGround
import PackProfile
import PackRelease
import TestSupport
import Testing

/// The changes of a rewrite, and its invariants for any build (metamorphic tests, section 14).
struct RewriterTests {
    private static let profile = Example.profile

    static func target(
        _ form: RewriteTarget.Form = .custom, _ origin: Profile.PageOrigin = .custom
    ) throws -> RewriteTarget {
        try RewriteTarget(profile: profile.with(pageOrigin: origin), form: form)
    }

    private static func write(_ files: [String: String], to folder: TemporaryFolder) throws {
        for (name, content) in files.sorted(by: { $0.key < $1.key }) {
            if let slash = name.lastIndex(of: "/") {
                _ = try folder.directory().makeDirectories(String(name[..<slash]))
            }
            _ = try folder.write(Array(content.utf8), as: name)
        }
    }

    /// Rewrites a page in a build that contains every file it names.
    func rewritten(
        _ page: String, _ others: [String: String] = [:], _ target: RewriteTarget
    ) async throws -> String {
        try await TemporaryFolder.with { folder in
            let source = try folder.makeFolder("source")
            let output = try folder.makeFolder("output")
            var files = [
                "index.html": page, "a.js": "1", "a.css": "", "a.png": "", "b.png": "",
                "m.js": "export {}", "about.html": "<p>",
            ]
            files.merge(others) { $1 }
            try Self.write(files, to: source)
            _ = try await Rewriter(source: source.directory(), target: target)
                .write(to: output.directory(), jobs: 2)
            return String(decoding: try output.read("index.html"), as: UTF8.self)
        }
    }

    static let own = "https://www.example.com"

    @Test(arguments: [
        (
            "<script src=\"\(own)/a.js\"></script>",
            "<script src=\"customscheme://www.example.com/a.js\"></script>"
        ),
        (
            "<IMG SRC='\(own)/a.png?x=1&amp;y'>",
            "<IMG SRC='customscheme://www.example.com/a.png?x=1&amp;y'>"
        ),
        (
            "<img srcset=\"\(own)/a.png 1x,\(own)/b.png 2x\">",
            "<img srcset=\"customscheme://www.example.com/a.png 1x,customscheme://www.example.com/b.png 2x\">"
        ),
        (
            "<p style=\"background:url(\(own)/a.png)\"><style>p{background:url('\(own)/b.png')}</style>",
            "<p style=\"background:url(customscheme://www.example.com/a.png)\"><style>p{background:url('customscheme://www.example.com/b.png')}</style>"
        ),
        (
            "<script type=importmap>{\"imports\":{\"m\":\"\(own)/m.js\"}}</script>",
            "<script type=importmap>{\"imports\":{\"m\":\"customscheme://www.example.com/m.js\"}}</script>"
        ),
        (
            "<script type=module>import \"\(own)/m.js\"</script>",
            "<script type=module>import \"customscheme://www.example.com/m.js\"</script>"
        ),
        (
            "<script src=\"//cdn.example.org/x.js\"></script>",
            "<script src=\"https://cdn.example.org/x.js\"></script>"
        ),
        (
            "<base href=\"\(own)/\"><img src=a.png>",
            "<base href=\"\(own)/\"><img src=customscheme://www.example.com/a.png>"
        ),
        (
            "<a href=\"\(own)/about.html?x=1\">x</a><a href='http://www.example.com/index.html'>y</a>",
            "<a href=\"customscheme://www.example.com/about.html?x=1\">x</a><a href='customscheme://www.example.com/index.html'>y</a>"
        ),
    ])
    func writesTheCustomScheme(_ page: String, _ expected: String) async throws {
        #expect(try await rewritten(page, [:], Self.target()) == expected)
    }

    @Test(arguments: [
        "<a href=\"\(own)/gone.html\">x</a>", "<a href=\"https://example.org/index.html\">x</a>",
        "<a target=_blank href=\"\(own)/index.html\">x</a>",
        "<a rel=\"nofollow external\" href=\"\(own)/index.html\">x</a>",
        "<base target=_blank><a href=\"\(own)/index.html\">x</a>",
        "<a download href=\"\(own)/a.png\">x</a>",
        "<link rel=canonical href=\"\(own)/index.html\">",
        "<form action=\"\(own)/a.js\"></form>", "<meta property=og:image content=\"\(own)/a.png\">",
        "<img src=a.png><img src=/a.png><img src=//www.example.com/a.png>",
        "<img src=\"\(own)/gone.png\">", "<img src=\"https://other.example.org/a.png\">",
        "<!-- <img src=\"\(own)/a.png\"> -->", "<p>\(own)/a.png</p>",
        "<script>x = \"\(own)/a.png\"</script>", "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>",
        "<img src=\"\(own)/a.png?to=/x\">", "<link rel=manifest href=\"\(own)/a.js\">",
    ])
    func leavesTheRest(_ page: String) async throws {
        #expect(try await rewritten(page, [:], Self.target()) == page)
    }

    @Test func dualPagesGetNoScheme() async throws {
        let page =
            "<script src=\"\(Self.own)/a.js\"></script><img src=a.png><a href=\"\(Self.own)/about.html\">a</a>"
        #expect(
            try await rewritten(page, [:], Self.target(.protocolRelative, .dual))
                == "<script src=\"//www.example.com/a.js\"></script><img src=a.png><a href=\"//www.example.com/about.html\">a</a>"
        )
        #expect(throws: Failure.rewriteDualCustom()) { try Self.target(.custom, .dual) }
        #expect(throws: Failure.rewriteSecurePages()) { try Self.target(.custom, .https) }
    }

    @Test func hashesAndPoliciesFollow() async throws {
        let css = "@import url(\(Self.own)/b.css); p{background:url(\(Self.own)/a.png)}"
        let after = css.replacing("https://", with: "customscheme://")
        let hash = {
            SubresourceIntegrity.Algorithm.sha384.expression(of: Array(($0 as String).utf8))
        }
        let page = """
            <meta http-equiv="Content-Security-Policy" content="style-src \(Self.own); img-src 'self'">
            <link rel=stylesheet href="\(Self.own)/s.css" integrity="\(hash(css))">
            """
        let result = try await rewritten(page, ["s.css": css, "b.css": ""], Self.target())
        #expect(result.contains("integrity=\"\(hash(after))\""))
        #expect(result.contains("style-src \(Self.own) customscheme:"))
        #expect(result.contains("; img-src 'self'\""))
    }

    // MARK: - Any build

    /// Realistic builds: an artificial one, the storefront, a small one of the corpora, and with
    /// `PACKTOOL_SOAK` a larger one.
    static let builds =
        ["made", "storefront", "locust/2.46.6"]
        + (Soak.isLong ? ["streamlit/1.66.1"] : [])

    private static func folder(_ build: String) throws -> String {
        let shared = SharedFolder.path ?? "/nowhere"
        let corpus =
            ProcessInfo.processInfo.environment["PACKTOOL_CORPUS"]
            ?? URL(fileURLWithPath: shared).resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("corpus").path
        let path =
            build == "storefront"
            ? Checkout.path + "/examples/storefront/dist/1.1.0" : corpus + "/" + build
        guard FileManager.default.fileExists(atPath: path) else {
            try Test.cancel("SKIPPED, nothing was checked: no build at \(path)")
        }
        return path
    }

    private static let made = [
        "index.html": """
        <!doctype html><meta charset=utf-8><link rel="stylesheet" href="css/s.css">
        <script type=module src=js/m.js></script><img srcset="i/a.png 1x, i/b.png 2x">
        <svg><use href="i/s.svg?#x"/></svg><a href=index.html>x</a>
        <script type="application/ld+json">{"url":"https://www.example.com/index.html"}</script>
        """,
        "css/s.css":
            "@import 'css/t.css'; @font-face{src:url(../i/f.woff2)} p{background:url( ../i/a.png )}",
        "css/css/t.css": "", "js/m.js": "import './n.js'; import('./n.js'); fetch('/i/d.json')",
        "js/n.js": "export {}\n//# sourceMappingURL=n.js.map", "i/a.png": "1", "i/b.png": "2",
        "i/s.svg": "<svg xmlns='http://www.w3.org/2000/svg'><image href='c.png'/></svg>",
        "i/c.png": "3", "i/f.woff2": "4", "i/d.json": "{}",
    ]

    /// Copies a build and makes every fetched URL an absolute https URL.
    private static func absolute(_ build: String, in folder: TemporaryFolder) throws -> Directory {
        let output = try folder.makeFolder("absolute").directory()
        let source: Directory
        if build == "made" {
            let made = try folder.makeFolder("made")
            try write(Self.made, to: made)
            source = try made.directory()
        } else {
            source = try Directory.open(try Self.folder(build))
        }
        let site = try SiteIndex(directory: source, profile: profile)
        for (index, file) in site.files.enumerated() {
            let path = file.path.description
            if let slash = path.lastIndex(of: "/") {
                _ = try output.makeDirectories(String(path[..<slash]))
            }
            var bytes = try site.content(of: index)
            if let kind = file.kind, kind == .html || kind == .css {
                let document = DocumentReader.read(
                    site: site, index: index, kind: kind, bytes: bytes)
                var edits: [ByteEdit] = []
                for reference in document.references where reference.use.isFetched {
                    guard reference.resolution.file != nil, let url = reference.resolution.url
                    else { continue }
                    let value = Array("https".utf8) + url.serialized().drop { $0 != 0x3A }
                    // Two edits of one attribute overlap; the first is sufficient here.
                    let more = document.edits(reference, to: value) ?? []
                    if ByteEdit.apply(edits + more, to: bytes) != nil { edits += more }
                }
                bytes = try #require(ByteEdit.apply(edits, to: bytes))
            }
            let copy = try output.createFile(path)
            try copy.write(bytes)
            try copy.close()
        }
        return output
    }

    private static func contents(_ directory: Directory) throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for file in try FileTree.walk(directory).files {
            let path = file.path.description
            contents[path] = try directory.readFile(path, limit: 1 << 30)
        }
        return contents
    }

    @Test(arguments: builds)
    func whateverTheBuild(_ build: String) async throws {
        try await TemporaryFolder.with { folder in
            let source = try Self.absolute(build, in: folder)
            let once = try folder.makeFolder("once").directory()
            let twice = try folder.makeFolder("twice").directory()
            let back = try folder.makeFolder("back").directory()
            let target = try Self.target()
            let first = try await Rewriter(source: source, target: target).write(to: once, jobs: 2)
            #expect(!first.changed.isEmpty)
            // (a) undoing it restores the build byte for byte;
            _ = try await Rewriter.restore(once, to: back, jobs: 1)
            let original = try Self.contents(source)
            #expect(try Self.contents(back) == original)
            // (b) repeating it changes nothing, and both can be undone at once;
            let second = try await Rewriter(source: once, target: target).write(to: twice, jobs: 1)
            #expect(second.changed.isEmpty)
            #expect(second.record == first.record)
            let result = try Self.contents(once)
            #expect(try Self.contents(twice) == result)
            #expect(Set(result.keys) == Set(original.keys))
            // (c) only the schemes of URLs differ; (d) no rule reports new findings.
            let before = try await Self.report(source)
            let after = try await Self.report(once)
            let scheme = { (text: String) in
                text.replacing("customscheme://www.example.com", with: Self.own)
            }
            #expect(before.urls.map { scheme($0.value) } == after.urls.map { scheme($0.value) })
            let known = Self.counts(before)
            for (key, count) in Self.counts(after) where count > known[key, default: 0] {
                Issue.record("\(build): \(key), \(count) instead of \(known[key, default: 0])")
            }
        }
    }

    private static func report(_ directory: Directory) async throws -> Checker.Report {
        try await Checker(
            site: SiteIndex(directory: directory, profile: profile), rules: RuleCatalog.all,
            dumpsURLs: true
        ).check(jobs: 2)
    }

    private static func counts(_ report: Checker.Report) -> [String: Int] {
        var counts: [String: Int] = [:]
        for finding in report.findings {
            counts["\(finding.rule) in \(finding.path)", default: 0] += 1
        }
        return counts
    }

    @Test func refusesToRestoreWhatChanged() async throws {
        try await TemporaryFolder.with { folder in
            let source = try folder.makeFolder("source")
            let output = try folder.makeFolder("output")
            try Self.write(
                ["index.html": "<img src=\(Self.own)/a.png>", "a.png": ""], to: source)
            _ = try await Rewriter(source: source.directory(), target: Self.target())
                .write(to: output.directory(), jobs: 1)
            try output.directory().removeFile("index.html")
            _ = try output.write(Array("<p>".utf8), as: "index.html")
            let back = try folder.makeFolder("back").directory()
            await expectFailure(of: "rewrite") {
                _ = try await Rewriter.restore(output.directory(), to: back, jobs: 1)
            }
            await expectFailure(of: "rewrite") {
                _ = try await Rewriter.restore(source.directory(), to: back, jobs: 1)
            }
            // Regression: a renamed rewritten file was ignored, with exit 0.
            try output.directory().rename("index.html", to: output.directory(), as: "home.html")
            let empty = try folder.makeFolder("empty")
            let missing = await #expect(throws: Failure.self) {
                _ = try await Rewriter.restore(output.directory(), to: empty.directory(), jobs: 1)
            }
            #expect(missing == .rewriteMissingFiles(path: output.path, names: ["index.html"]))
            #expect(try empty.listing() == [])
            // The same after a second rewrite.
            let twice = try folder.makeFolder("twice")
            _ = try await Rewriter(source: output.directory(), target: Self.target())
                .write(to: twice.directory(), jobs: 1)
            let second = await #expect(throws: Failure.self) {
                _ = try await Rewriter.restore(twice.directory(), to: empty.directory(), jobs: 1)
            }
            #expect(second == .rewriteMissingFiles(path: twice.path, names: ["index.html"]))
        }
    }

    /// Regression: a page of 20 kB became one of 2 MB, because each of its URLs repeated the base.
    @Test func aLongBaseIsNotRepeatedByEveryRewrittenURL() async throws {
        try await TemporaryFolder.with { folder in
            let source = try folder.makeFolder("source")
            let directory = (0..<4).map { _ in String(repeating: "d", count: 240) }
                .joined(separator: "/")
            let page = { (count: Int) in
                "<base href='\(Self.own)/\(directory)/'>"
                    + String(repeating: "<img src=a.png>", count: count)
            }
            try Self.write(
                ["index.html": page(1_500), "\(directory)/a.png": ""], to: source)
            let output = try folder.makeFolder("output").directory()
            let error = await #expect(throws: Failure.self) {
                _ = try await Rewriter(source: source.directory(), target: Self.target())
                    .write(to: output, jobs: 1)
            }
            let size = page(1_500).utf8.count
            #expect(
                error
                    == .rewriteGrowsTooMuch(
                        path: "index.html", size: size, limit: 16 * size + 1 << 20))
            // A few of them are accepted.
            try source.directory().removeFile("index.html")
            try Self.write(["index.html": page(20)], to: source)
            let small = try folder.makeFolder("small")
            _ = try await Rewriter(source: source.directory(), target: Self.target())
                .write(to: small.directory(), jobs: 1)
            #expect(try small.read("index.html").count > 20 * directory.utf8.count)
        }
    }

    /// Regression: a sparse file of exabytes was copied completely.
    @Test("a build that is larger than any may be is refused before anything is written")
    func sparseFile() async throws {
        try await TemporaryFolder.with { folder in
            let source = try folder.makeFolder("source")
            try source.write(Array("<p>".utf8), as: "index.html")
            try source.write([], as: "a.js")
            try #require(truncate(source.file("a.js"), 65 << 30) == 0)
            let output = try folder.makeFolder("output")
            await #expect(
                throws: Failure.buildTooLarge(
                    path: source.path, size: 65 << 30 + 3, limit: BuildScan.sizeLimit)
            ) {
                try await Rewriter(source: source.directory(), target: Self.target())
                    .write(to: output.directory(), jobs: 1)
            }
            #expect(try output.listing() == [])
        }
    }
}
