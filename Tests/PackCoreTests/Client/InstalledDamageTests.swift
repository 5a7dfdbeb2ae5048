import Foundation
import PackClient
import PackGround
import PackOrigin
import TestSupport
import Testing

/// Damage of an installed release.
@Suite(.eachStore) struct InstalledDamageTests {
    private static let damages: [(String, @Sendable (Playground) throws -> Void)] = [
        (
            "a byte",
            { try $0.overwrite("client/current/index.html", Array("<h1>Shoq</h1>\n".utf8)) }
        ),
        ("a file gone", { try $0.remove("client/current/static/main.js") }),
        ("an empty file gone", { try $0.remove("client/current/empty.txt") }),
        ("a file more", { try $0.write("client/current/extra.js", "evil()") }),
        ("an empty file more", { try $0.write("client/current/about/x", "") }),
        ("a hidden file more", { try $0.write("client/current/.htaccess", "x") }),
        ("junk", { try $0.write("client/current/.DS_Store", "x") }),
        ("a directory that counts as junk", { try $0.write("client/current/.git/evil.js", "x") }),
        (
            "a link in place of a file",
            {
                try $0.remove("client/current/index.html")
                try $0.link("client/current/index.html", to: "about/index.html")
            }
        ),
        ("a link more", { try $0.link("client/current/link", to: "/etc") }),
        ("everything gone", { try $0.remove("client/current/.") }),
        ("the tree gone", { try $0.remove("client/versions") }),
        ("the link gone", { try $0.remove("client/current") }),
    ]

    /// Regression: the result of a closed channel said that every hash was checked.
    @Test func aClosedChannelTellsOfDamage() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        try await playground.change(.close(isDefaultToo: true))
        let whole = try await playground.install()
        #expect(whole.outcome == .closed && !whole.isDamaged)
        await expectFailure(of: "install") {
            try await playground.install(into: "another")
        }
        try playground.remove("client/current/static/main.js")
        let damaged = try await playground.install()
        #expect(damaged.outcome == .closed && damaged.isDamaged)
        #expect(damaged.notes.contains { $0.contains("damaged") })
    }

    @Test(arguments: damages.map(\.0)) func isRepaired(_ name: String) async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let state = try await playground.install().state
        let damage = try #require(Self.damages.first { $0.0 == name }).1
        if name == "everything gone" {
            for file in try FileManager.default.contentsOfDirectory(
                atPath: playground.client + "/current/.")
            {
                try playground.remove("client/current/\(file)")
            }
        } else {
            try damage(playground)
        }
        let report = try await playground.install(now: Playground.now.adding(days: 1))
        let outcome: InstallReport.Outcome =
            switch name {
            case "the tree gone": .installed
            case "the link gone": .unchanged
            default: .repaired
            }
        #expect(report.outcome == outcome)
        #expect(
            report.state.seen == state.seen && report.installed.version == state.installed?.version)
        try playground.expectInstalled(Playground.first)
        #expect(try await playground.install().outcome == .unchanged)
    }

    /// Regression: a name that is not UTF-8 could not be removed and stopped every later run.
    @Test func regressionANameThatIsNotUTF8() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        let tree = playground.client + "/current/"
        let descriptor = open(
            Array(tree.utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0], O_CREAT | O_WRONLY,
            0o644)
        #expect(descriptor >= 0)
        close(descriptor)
        #expect(try await playground.install().outcome == .repaired)
        try playground.expectInstalled(Playground.first)
    }

    @Test func aLostStateIsWrittenAnew() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        try playground.remove("client/state.json")
        #expect(try await playground.install().outcome == .unchanged)
        try playground.expectInstalled(Playground.first)
    }

    private static let states: [String] = ["", "{}", "[]", "{\"schema\": 2}", "not json"]

    @Test(arguments: states) func aDamagedStateIsRefused(_ text: String) async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        try playground.write("client/state.json", text)
        let before = try playground.installed()
        let error = await #expect(throws: Failure.self) { try await playground.install() }
        #expect(error?.code.name == "install.damaged-state")
        #expect(try playground.installed() == before)
        try playground.remove("client/state.json")
        #expect(try await playground.install().outcome == .unchanged)
    }
}
