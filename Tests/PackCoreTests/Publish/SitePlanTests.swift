import Foundation
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

@Suite(.eachStore) struct SitePlanTests {
    private static let launches: [(String?, [String])] = [
        (nil, ["a.js", "b/z.css", "z.js", "a/index.html", "index.html", "x.xhtml"]),
        ("index.html", ["a.js", "b/z.css", "z.js", "a/index.html", "x.xhtml", "index.html"]),
        ("a.js", ["b/z.css", "z.js", "a/index.html", "index.html", "x.xhtml", "a.js"]),
    ]

    @Test(arguments: launches) func pagesComeAfterWhatTheyNeed(
        _ launch: String?, _ order: [String]
    ) async throws {
        let playground = try Playground()
        try playground.makeDirectory("origin/site")
        for path in order { try playground.write("origin/site/\(path)", "old") }
        let release = try Sample.release(
            Dictionary(uniqueKeysWithValues: order.map { ($0, "new!") }))
        let plan = try await SitePlan.make(
            release, launch: try launch.map { try AssetPath($0) }, playground.store(), jobs: 2)
        #expect(plan.replaced.map(\.path.description) == order)
        #expect(plan.new.isEmpty && plan.unchanged.isEmpty)
        try playground.remove("origin/site")
        let fresh = try await SitePlan.make(
            release, launch: try launch.map { try AssetPath($0) }, playground.store(), jobs: 2)
        #expect(fresh.new.map(\.path.description) == order)
    }

    @Test func tellsApartWhatLiesThere() async throws {
        let playground = try Playground()
        try await playground.publish([
            "same": "1", "copy": "2", "edit": "3", "short": "44", "gone": "5",
        ])
        // A copy with the same content is as good as the object itself.
        for (name, content) in ["copy": "2", "edit": "x", "short": "4"] {
            try playground.remove("origin/site/\(name)")
            try playground.write("origin/site/\(name)", content)
        }
        try playground.remove("origin/site/gone")
        let scan = try await BuildScan.scan(playground.path + "/build", jobs: 1)
        let plan = try await SitePlan.make(
            scan.release, launch: nil, playground.store(), jobs: 1)
        #expect(plan.new.map(\.path.description) == ["gone"])
        #expect(plan.replaced.map(\.path.description) == ["edit", "short"])
        #expect(plan.unchanged.map(\.path.description) == ["copy", "same"])
        let report = try await playground.publish([
            "same": "1", "copy": "2", "edit": "3", "short": "44", "gone": "5",
        ])
        #expect(report.outcome == .completed)
        #expect(try playground.text("origin/site/edit") == "3")
        #expect(try await playground.verify().isSound)
    }

    @Test func fileAndDirectoryTakeTurns() async throws {
        let playground = try Playground()
        let asFile = ["index.html": "1", "news": "a file", "deep/a/b": "x"]
        let asDirectory = [
            "index.html": "2", "news/today.html": "in it", "news/old/x": "y", "deep/a": "file",
        ]
        for round in 0..<3 {
            for files in [asFile, asDirectory] {
                try await playground.publish(files)
                for (path, content) in files {
                    #expect(try playground.text("origin/site/\(path)") == content, "round \(round)")
                }
                let verification = try await playground.verify()
                #expect(verification.isSound, "\(verification.failures)")
                #expect(try playground.tree("origin/.packtool/staging").isEmpty)
            }
        }
    }

    @Test(.directoryOnly) func linksInTheSiteAreReplacedNotFollowed() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try playground.write("outside/main.js", "victim")
        try playground.remove("origin/site/static")
        try playground.link("origin/site/static", to: playground.path + "/outside")
        try playground.remove("origin/site/index.html")
        try playground.link("origin/site/index.html", to: playground.path + "/outside/main.js")
        try await playground.publish(Playground.second)
        #expect(try playground.files("outside") == ["main.js": Array("victim".utf8)])
        for (path, content) in Playground.second {
            #expect(try playground.text("origin/site/\(path)") == content)
        }
        #expect(try await playground.verify().isSound)
    }

    /// ext4 allows at most 65,000 links per file, and some file systems only one; then the file is
    /// copied.
    @Test func withoutLinksItIsCopied() {
        for number in [EPERM, EMLINK, ENOTSUP, EXDEV, ENOSYS] {
            #expect(Failure.fileSystem("link", "x", number: number).meansNoLinks)
        }
        for number in [ENOENT, EACCES, ENOSPC, EIO, EEXIST] {
            #expect(!Failure.fileSystem("link", "x", number: number).meansNoLinks)
        }
    }

    /// The only `link` error that a test can trigger everywhere: another file system.
    @Test(.directoryOnly, .enabled(if: TemporaryFolder.isInMemory, "needs two file systems"))
    func copiesAcrossFileSystems() async throws {
        let playground = try Playground()
        try await playground.publish(["a.txt": String(repeating: "x", count: 600_000), "b": ""])
        let other = try TemporaryFolder.make(inMemory: false)
        defer { other.remove() }
        let elsewhere = other.path
        let store = try DirectoryStore.open(playground.origin)
        let staging = Staging(try Directory.open(elsewhere)) {}
        let release = try await BuildScan.scan(playground.path + "/build", jobs: 1).release
        try playground.remove("origin/site")
        let plan = try await SitePlan.make(release, launch: nil, store, jobs: 1)
        // The copies are made in staging; only the final rename cannot cross file systems.
        try await store.stage(plan.copies, in: staging)
        let error = await #expect(throws: Failure.self) {
            try await store.copy(plan.copies, from: staging) { true }
        }
        #expect(error?.code.name == "file-system.rename")
        let names = try FileManager.default.contentsOfDirectory(atPath: elsewhere)
        #expect(names.sorted() == ["site-0", "site-1"])
        let copied = try Data(contentsOf: URL(fileURLWithPath: "\(elsewhere)/site-0"))
        // Not `==`, because printing a difference of this length takes minutes.
        #expect(copied.count == 600_000 && copied.allSatisfy { $0 == UInt8(ascii: "x") })
    }
}
