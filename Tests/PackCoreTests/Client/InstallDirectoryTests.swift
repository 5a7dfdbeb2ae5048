import Foundation
import PackGround
import PackOrigin
import PackPublish
import TestSupport
import Testing

@testable import PackClient

/// The directory of an installation: other files in it, links, and its lock.
@Suite(.eachStore) struct InstallDirectoryTests {
    /// Regression: a rejected install did not remove the directory it had created.
    ///
    /// The seen sequence stays, so that an older pointer is rejected even before the first install.
    @Test(arguments: ["expired", "damaged package", "missing package", "half a path"])
    func regressionARefusedInstallLeavesNoNewDirectory(_ what: String) async throws {
        let playground = try Playground()
        let version = try await playground.publish(Playground.first).version
        var now = Playground.now
        switch what {
        case "expired": now = Playground.now.adding(days: 90)
        case "damaged package":
            try playground.overwrite("origin/releases/\(version)/package.zip", [1, 2, 3])
        case "missing package":
            try playground.remove("origin/releases/\(version)/package.zip")
        default: try playground.write("data/app", "a file where a directory belongs")
        }
        let before = try playground.tree(".")
        let path = what == "half a path" ? "data/app/x" : "data/app"
        let codes = [
            "expired": "install.expired", "half a path": "file-system.make-directory",
            "missing package": "origin.missing",
        ]
        let code = codes[what] ?? "origin.differs"
        let error = await #expect(throws: (any Error).self) {
            try await playground.install(now: now, into: path)
        }
        #expect(errorCode(error) == code)
        if what == "half a path" {
            #expect(try playground.tree(".") == before)
        } else {
            #expect(try playground.files("data/app").keys.sorted() == ["state.json"])
            let seen = try StateFile(directory: Directory.open(playground.path + "/data/app"))
                .read()
            #expect(seen?.sequence == 1 && seen?.installed == nil)
            #expect(try playground.tree("data/app").count == 1)
        }
        // An existing empty directory stays unchanged, except for the state.
        try playground.makeDirectory("there")
        if what != "half a path" {
            let error = await #expect(throws: (any Error).self) {
                try await playground.install(now: now, into: "there")
            }
            #expect(errorCode(error) == code)
            #expect(Array(try playground.tree("there").keys) == ["state.json"])
        }
    }

    /// Regression: a name in `versions` that is not UTF-8 stopped every update.
    @Test func regressionAVersionThatIsNotUTF8() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        let path =
            Array((playground.client + "/versions/").utf8CString.dropLast())
            + [CChar(bitPattern: 0xFF), 0]
        #expect(mkdir(path, 0o755) == 0)
        #expect(try await playground.install().outcome == .unchanged)
        #expect(rmdir(path) == 0, "it was not made by packtool")
        try playground.expectInstalled(Playground.first)
    }

    /// Regression: a directory with names like an installation's was treated as one and lost its
    /// files.
    @Test(arguments: [
        "notes.txt", "versions2/x", "State.json", "current.bak", "versions/thesis/chapter1.tex",
        "versions/0123456789abcdef0123/x", ".staging/mine", ".parts/mine.part", "info.json",
        "current", "trust/root.json", ".lock", "state.json",
    ])
    func regressionADirectoryOfTheUserIsNoInstallation(_ name: String) async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try playground.write("client/\(name)", "{\"mine\": true}")
        try playground.link("client/link", to: "versions/thesis")
        let before = try playground.tree("client")
        await #expect(throws: Failure.installNotAnInstallation(directory: playground.client)) {
            try await playground.install()
        }
        #expect(try playground.tree("client") == before)
    }

    /// Files not made by packtool stay, even in an installation.
    @Test func filesOfTheUserInAnInstallationStay() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        let own = ["notes.txt", "info.json", "versions/notes/a", "versions/1.0"]
        for name in own { try playground.write("client/\(name)", "mine") }
        try await playground.publish(Playground.second)
        #expect(try await playground.install().outcome == .updated)
        for name in own { #expect(try playground.text("client/\(name)") == "mine") }
    }

    /// A killed first run leaves its mark first, and at most an empty lock file.
    @Test(arguments: ["empty lock", "mark", "mark, versions and staging"])
    func aFirstRunThatWasKilledIsContinued(_ what: String) async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try playground.write(
            "client/.lock", what == "empty lock" ? "" : "packtool installation\n")
        if what.contains("staging") {
            try playground.makeDirectory("client/versions")
            try playground.write("client/.staging/\(uniqueName())", "half a st")
        }
        #expect(try await playground.install().outcome == .installed)
        try playground.expectInstalled(Playground.first)
    }

    private static let planted: [String] = ["versions", ".staging", ".lock", "state.json"]

    /// In an unmarked directory and in an installation.
    @Test(arguments: planted) func aLinkThatLeadsOutside(_ name: String) async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try playground.write("outside/victim", "keep")
        try playground.write("outside/state.json", "{}")
        try playground.makeDirectory("client")
        let target = name.contains("json") || name == ".lock" ? "/outside/state.json" : "/outside"
        try playground.link("client/\(name)", to: playground.path + target)
        let outside = try playground.tree("outside")
        #expect((try? await playground.install()) == nil)
        #expect(try playground.tree("outside") == outside)
        try playground.remove("client/\(name)")
        try await playground.install()
        if playground.exists("client/\(name)") { try playground.remove("client/\(name)") }
        try playground.link("client/\(name)", to: playground.path + target)
        let report = try? await playground.install()
        #expect(try playground.tree("outside") == outside)
        #expect((report != nil) == (name == ".staging"))
    }

    @Test func aLinkInPlaceOfAnInstalledTree() async throws {
        let playground = try Playground()
        let version = try await playground.publish(Playground.first).version
        try await playground.install()
        try playground.write("outside/index.html", "keep")
        try playground.remove("client/versions/\(version)")
        try playground.link("client/versions/\(version)", to: playground.path + "/outside")
        #expect(try await playground.install().outcome == .installed)
        try playground.expectInstalled(Playground.first)
        #expect(try playground.files("outside") == ["index.html": Array("keep".utf8)])
    }

    private static let targets: [String] = [
        "/etc", "..", "versions", "versions/../..", "nowhere", "versions/x",
    ]

    @Test(arguments: targets) func aCurrentThatLeadsElsewhere(_ target: String) async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        try playground.remove("client/current")
        try playground.link("client/current", to: target)
        #expect(try await playground.install().outcome == .unchanged)
        try playground.expectInstalled(Playground.first)
    }

    @Test func theLockIsHeld() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        try await playground.publish(Playground.second)
        let before = try playground.tree("client")
        guard let lock = try FileLock(in: Directory.open(playground.client), name: ".lock") else {
            Issue.record("the lock is not to be had")
            return
        }
        let error = await #expect(throws: Failure.installBusy(directory: playground.client)) {
            try await playground.install()
        }
        #expect(error?.exitCode == .conflict)
        #expect(try playground.tree("client") == before)
        _ = consume lock
        #expect(try await playground.install().outcome == .updated)
    }

    /// Regression: an install took a directory that another one had just marked for a foreign one.
    @Test func regressionADirectoryThatIsMarkedMeanwhileIsUsable() async throws {
        let playground = try Playground()
        for round in 0..<500 {
            let directory = try Directory.openOrCreate("\(playground.client)/\(round)")
            async let first: Void = begin(in: directory)
            while try directory.status(Installation.versions) == nil {
                try #require(try Installation.isUsable(directory))
            }
            try await first
        }
    }

    /// The first changes of an install.
    private func begin(in directory: Directory) async throws {
        defer { _ = try? directory.makeDirectory(Installation.versions) }
        let lock = try FileLock(in: directory, name: Installation.lockName)
        switch consume lock {
        case nil: Issue.record("the lock is free")
        case let lock?: try Installation.mark(directory, lock)
        }
    }

    @Test func manyInstallsAtOnce() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let errors = await withTaskGroup(of: (any Error)?.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    do {
                        _ = try await playground.install()
                        return nil
                    } catch { return error }
                }
            }
            var all: [any Error] = []
            for await case let error? in group { all.append(error) }
            return all
        }
        #expect(errors.count < 6)
        for error in errors {
            #expect(error as? Failure == .installBusy(directory: playground.client))
        }
        try playground.expectInstalled(Playground.first)
    }
}
