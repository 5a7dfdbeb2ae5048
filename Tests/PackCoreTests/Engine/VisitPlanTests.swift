import PackEngine
import PackGround
import PackProfile
import Testing

struct VisitPlanTests {
    private func plan(
        _ paths: [String], _ profile: Profile = .pathStrict, limit: Int = 50
    ) throws -> VisitPlan {
        let pages = try paths.filter { $0.hasSuffix(".html") }.map { try AssetPath($0) }
        return VisitPlan(try OpenedBuild(paths, profile).handler, pages: pages, limit: limit)
    }

    private func all(_ plan: inout VisitPlan) -> [String] {
        var urls: [String] = []
        while let next = plan.next() { urls.append("\(next.file ?? "-") \(next.route)") }
        return urls
    }

    @Test func theLaunchPageIsFirstAndLinksFollow() throws {
        var plan = try plan(["a.html", "b.html", "c.html", "index.html", "picture.png"])
        #expect(plan.next()?.file == "index.html")
        plan.add(links: [
            OpenedBuild.base + "c.html?x#y", OpenedBuild.base + "c.html",
            OpenedBuild.base + "index.html#top", OpenedBuild.base + "picture.png",
            OpenedBuild.base + "gone.html", "https://shop.example.com/b.html", "mailto:a@b", "::",
        ])
        #expect(plan.left == 3)
        #expect(all(&plan) == ["c.html link", "a.html file", "b.html file"])
        #expect(plan.left == 0)
    }

    @Test func theLaunchPageIsAlsoKnownByItsDirectory() throws {
        #expect(try plan(["index.html"]).launchDirectory?.visit.url == OpenedBuild.base)
        var nested = Profile.pathStrict
        nested.launch = "app/start.html"
        let found = try plan(["app/start.html"], nested).launchDirectory
        #expect(found?.visit.url == OpenedBuild.base + "app/")
        #expect(found?.file.description == "app/start.html")
        // Capacitor opens the root itself.
        #expect(try plan(["index.html"], .capacitor).launchDirectory == nil)
    }

    @Test func theLimitBoundsPages() throws {
        var plan = try plan(["a.html", "b.html", "index.html"], limit: 2)
        #expect(all(&plan) == ["index.html launch", "a.html file"])
        #expect(plan.left == 1)
        #expect(plan.count == 2)
    }

    /// Paths without an extension are pages of their own under Capacitor.
    @Test func routesAreDistinctPages() throws {
        var plan = try plan(["index.html"], .capacitor)
        #expect(plan.next()?.url == "capacitor://localhost/index.html")
        plan.add(links: ["capacitor://localhost/cart", "capacitor://localhost/cart?a"])
        #expect(plan.next()?.url == "capacitor://localhost/cart")
        #expect(plan.next() == nil)
    }

    @Test(arguments: [
        ("<!DOCTYPE html><p>", true), ("<p>Hello {{name}}</p>", false), ("<Body>", true),
        ("", false),
    ])
    func partsOfPagesAreNotOpened(_ text: String, _ isPage: Bool) {
        #expect(VisitPlan.isWholePage(Array(text.utf8)) == isPage)
    }
}

struct LazyChunksTests {
    private func lazy(_ files: [String: String]) throws -> LazyChunks {
        LazyChunks(try files.keys.sorted().map { try AssetPath($0) }) { path in
            files[path.description].map { Array($0.utf8) }
        }
    }

    private func report(_ answered: [String]) -> VisitReport {
        var report = VisitReport(url: OpenedBuild.base, file: "index.html", route: .launch)
        for path in answered { report.answered[OpenedBuild.base + path] = path }
        return report
    }

    @Test func modulesAreImportedOnPagesWithModules() throws {
        let lazy = try lazy([
            "main.js": "import{a}from'./a.js'", "a.js": "export const a = 1;export{a as b}",
            "lazy.js": "var c=1;export default c", "old.js": "var d=1",
        ])
        let profile = try OpenedBuild([]).handler.resolver.profile
        let (modules, files) = lazy.unrequested(
            after: report(["main.js", "a.js"]), profile: profile)
        #expect(modules == [OpenedBuild.base + "lazy.js"])
        #expect(files.isEmpty)
        #expect(lazy.unrequested(after: report(["old.js"]), profile: profile).modules.isEmpty)
    }

    @Test func chunksOfTurbopackHaveTheBaseOfTheirScript() throws {
        let lazy = try lazy([
            "_next/static/chunks/a.js":
                #"e.v(t=>Promise.all(["static/chunks/b.js","static/chunks/c.css","static/chunks/a.js"]"#
        ])
        let profile = try OpenedBuild([]).handler.resolver.profile
        let (_, files) = lazy.unrequested(
            after: report(["_next/static/chunks/a.js"]), profile: profile)
        #expect(
            files == [
                OpenedBuild.base + "_next/static/chunks/b.js",
                OpenedBuild.base + "_next/static/chunks/c.css",
            ])
    }
}
