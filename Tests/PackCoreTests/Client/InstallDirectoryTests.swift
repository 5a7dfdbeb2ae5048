import Foundation
import PackCore
import TestSupport
import Testing

/// The directory of an installation: what else may be in it, links, and its lock.
@Suite(.eachStore) struct InstallDirectoryTests {
    /// Regression: an install that was refused left the directory that it had made for itself.
    ///
    /// What was seen stays: an older pointer must not pass where nothing is installed yet.
    @Test(arguments: ["expired", "damaged package", "damaged manifest", "half a path"])
    func regressionARefusedInstallLeavesNoNewDirectory(_ what: String) async throws {
        let playground = try Playground()
        let version = try await playground.publish(Playground.first).version
        var now = Playground.now
        switch what {
        case "expired": now = Playground.now.adding(days: 90)
        case "damaged package":
            try playground.overwrite("origin/releases/\(version)/package.zip", [1, 2, 3])
        case "damaged manifest":
            try playground.overwrite("origin/releases/\(version)/info.json", [1, 2, 3])
        default: try playground.write("data/app", "a file where a directory belongs")
        }
        let before = try playground.tree(".")
        let place = what == "half a path" ? "data/app/x" : "data/app"
        await #expect(throws: (any Error).self) {
            try await playground.install(now: now, into: place)
        }
        if what == "half a path" {
            #expect(try playground.tree(".") == before)
        } else {
            #expect(try playground.files("data/app").keys.sorted() == ["state.json"])
            let seen = try InstallState.read(in: Directory.open(playground.path + "/data/app"))
            #expect(seen?.sequence == 1 && seen?.installed == nil)
            #expect(try playground.tree("data/app").count == 1)
        }
        // A directory that was there, and empty, is left as it was, but for that.
        try playground.makeDirectory("there")
        if what != "half a path" {
            await #expect(throws: (any Error).self) {
                try await playground.install(now: now, into: "there")
            }
            #expect(Array(try playground.tree("there").keys) == ["state.json"])
        }
    }

    /// Regression: a name below `versions` that is not UTF-8 could not be moved out, ever.
    @Test func regressionAVersionThatIsNotUTF8() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        let place = Array((playground.client + "/versions/").utf8CString.dropLast())
        #expect(mkdir(place + [CChar(bitPattern: 0xFF), 0], 0o755) == 0)
        #expect(try await playground.install().outcome == .unchanged)
        try playground.expectInstalled(Playground.first)
    }

    private static let foreign: [String] = [
        "notes.txt", "versions2/x", "State.json", "current.bak",
    ]

    @Test(arguments: foreign) func aForeignDirectory(_ name: String) async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try playground.write("client/\(name)", "mine")
        await #expect(throws: ClientError.notAnInstallation(directory: playground.client)) {
            try await playground.install()
        }
        #expect(try playground.files("client") == [name: Array("mine".utf8)])
    }

    private static let planted: [String] = ["versions", ".staging", ".lock", "state.json"]

    @Test(arguments: planted) func aLinkThatLeadsOutside(_ name: String) async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try playground.write("outside/victim", "keep")
        try playground.write("outside/state.json", "{}")
        try playground.makeDirectory("client")
        let target = name.contains("json") || name == ".lock" ? "/outside/state.json" : "/outside"
        try playground.link("client/\(name)", to: playground.path + target)
        let outside = try playground.tree("outside")
        let report = try? await playground.install()
        #expect(try playground.tree("outside") == outside)
        #expect((report != nil) == (name == ".staging"))
    }

    @Test func aLinkInPlaceOfAnInstalledTree() async throws {
        let playground = try Playground()
        let version = try await playground.publish(Playground.first).version
        try playground.write("outside/index.html", "keep")
        try playground.makeDirectory("client/versions")
        try playground.link("client/versions/\(version)", to: playground.path + "/outside")
        try playground.link("client/current", to: "versions/\(version)")
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
        try playground.makeDirectory("client")
        try playground.link("client/current", to: target)
        #expect(try await playground.install().outcome == .installed)
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
        let error = await #expect(throws: ClientError.busy(directory: playground.client)) {
            try await playground.install()
        }
        #expect(error?.exitCode == .conflict)
        #expect(try playground.tree("client") == before)
        _ = consume lock
        #expect(try await playground.install().outcome == .updated)
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
            #expect(error as? ClientError == .busy(directory: playground.client))
        }
        try playground.expectInstalled(Playground.first)
    }
}
