import PackCheck
import TestSupport
import Testing

/// Outputs of site generators, and the directory of each that is the build.
struct BuildLocationTests {
    private static let next =
        #"<link rel=stylesheet href="/_next/a.css"><script src="/_next/a.js"></script>"#
    private static let module = #"<script type=module src="/assets/a.js"></script>"#
    private static let angular = #"<base href="/"><script src="main.js" type=module></script>"#

    struct Shape: Sendable, CustomTestStringConvertible {
        let name: String
        let files: [String: String]
        let path: String
        let start: String
        var separate: [String] = []

        var testDescription: String { name }
    }

    static let shapes = [
        // Regression: 'init' selected dist/404 as the build.
        Shape(
            name: "Next.js without a page at the top",
            files: [
                "404/index.html": next, "about/index.html": next, "404.html": next,
                "docs/intro/index.html": next, "_next/a.js": "", "_next/a.css": "",
            ], path: "", start: "about/index.html"),
        Shape(
            name: "Next.js with directories only",
            files: [
                "404/index.html": next, "about/index.html": next, "_next/a.js": "",
                "_next/a.css": "",
            ], path: "", start: "about/index.html"),
        Shape(
            name: "one page whose files are above it",
            files: ["404/index.html": next, "_next/a.js": "", "_next/a.css": ""], path: "",
            start: "404/index.html"),
        Shape(
            name: "a fallback page for every path",
            files: ["200.html": "<link rel=modulepreload href=/_app/a.js>", "_app/a.js": ""],
            path: "", start: "200.html"),
        Shape(
            name: "Angular",
            files: [
                "shop/3rdpartylicenses.txt": "", "shop/browser/index.html": angular,
                "shop/browser/main.js": "", "shop/server/index.server.html": angular,
            ], path: "shop/browser", start: "index.html"),
        Shape(
            name: "Angular in two languages",
            files: [
                "shop/browser/de/index.html": #"<base href="/de/"><script src=main.js></script>"#,
                "shop/browser/de/main.js": "",
                "shop/browser/en/index.html": #"<base href="/en/"><script src=main.js></script>"#,
                "shop/browser/en/main.js": "",
            ], path: "shop/browser", start: "de/index.html"),
        Shape(
            name: "several pages that share files",
            files: [
                "pages/admin/index.html": module, "pages/cart/index.html": module,
                "assets/a.js": "",
            ], path: "", start: "pages/admin/index.html"),
        Shape(
            name: "a base path as a directory",
            files: [
                "website/index.html": #"<script src="/website/assets/a.js"></script>"#,
                "website/assets/a.js": "",
            ], path: "website", start: "index.html"),
        Shape(
            name: "a base path that is no directory",
            files: [
                "404.html": #"<script src="/website/assets/a.js"></script>"#,
                "docs/index.html": #"<script src="/website/assets/a.js"></script>"#,
                "assets/a.js": "",
            ], path: "", start: "docs/index.html"),
        Shape(
            name: "a report of the bundler at the top",
            files: [
                "report.html": "<script>1</script>", "app/index.html": module,
                "app/assets/a.js": "",
            ], path: "app", start: "index.html"),
        Shape(
            name: "relative URLs side by side",
            files: [
                "admin/index.html": "<script src=a.js></script>", "admin/a.js": "",
                "shop/index.html": "<script src=a.js></script>", "shop/a.js": "",
            ], path: "", start: "admin/index.html"),
        Shape(
            name: "two builds side by side",
            files: [
                "admin/index.html": module, "admin/assets/a.js": "", "shop/index.html": module,
                "shop/assets/a.js": "",
            ], path: "admin", start: "index.html", separate: ["admin", "shop"]),
        Shape(
            name: "a page at the top", files: ["index.html": module, "shop/index.html": module],
            path: "", start: "index.html"),
    ]

    @Test(arguments: shapes) func theBuildIsFoundByItsPages(_ shape: Shape) async throws {
        try await TemporaryFolder.with { folder in
            for (path, content) in shape.files {
                _ = try folder.write(Array(content.utf8), as: path)
            }
            let location = try BuildLocation.find(in: .open(folder.path))
            let found = try #require(location)
            #expect(found.path == shape.path)
            #expect(found.pages.first == shape.start)
            #expect(found.separate == shape.separate)
        }
    }

    /// Hostile pages with URLs outside the output.
    @Test func urlsThatLeaveTheOutputAreNotFollowed() async throws {
        try await TemporaryFolder.with { folder in
            _ = try folder.write([], as: "secret.js")
            let page = """
                <base href="../../"><script src="secret.js"></script><script src="/../secret.js"></script>
                <script src="%2e%2e/%2e%2e/secret.js"></script><script src="//"></script><div>
                """
            _ = try folder.write(Array(page.utf8), as: "dist/a/b.html")
            let found = try BuildLocation.find(in: .open(folder.path + "/dist"))
            #expect(found?.path == "a")
            #expect(found?.pages == ["b.html"])
        }
    }

    @Test func anOutputWithoutPagesIsNone() async throws {
        try await TemporaryFolder.with { folder in
            _ = try folder.write([], as: "a.js")
            #expect(try BuildLocation.find(in: .open(folder.path)) == nil)
        }
    }
}
