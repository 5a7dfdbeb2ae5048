import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

/// A label names one release, and a new pointer to the same content inherits it.
@Suite(.eachStore) struct ReleaseLabelTests {
    @Test func aLabelNamesOneRelease() async throws {
        let playground = try Playground()
        let one = try await playground.publish(Playground.first, label: "1.0")
        let before = try playground.publicContent()
        await #expect(
            throws: Failure.publishLabelTaken(label: "1.0", version: one.version.description)
        ) {
            try await playground.publish(Playground.second, label: "1.0")
        }
        #expect(try playground.publicContent() == before)
        try await playground.publish(Playground.second, label: "1.1")
        await #expect(
            throws: Failure.publishLabelTaken(label: "1.0", version: one.version.description)
        ) {
            try await playground.publish(["x": "3"], label: "1.0")
        }
        // On another channel, the same label may name another release.
        #expect(
            try await playground.publish(["x": "3"], label: "1.0", channel: "beta").label == "1.0")
    }

    @Test func aNewLabelIsANewPointer() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let report = try await playground.publish(Playground.first, label: "1.0")
        #expect(report.outcome == .published)
        #expect(report.sequence == 2)
        #expect(try await playground.reader().pointer(.production)?.pointer.label == "1.0")
    }

    @Test func aLabelIsNotInheritedByAnotherRelease() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first, label: "1.0")
        #expect(try await playground.publish(Playground.second).label == nil)
    }

    @Test func aLabelIsInheritedByARepair() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first, label: "1.0")
        try playground.remove("origin/objects/\(StreamHasher.digest(of: Array("go()\n".utf8)))")
        let report = try await playground.publish(Playground.first)
        #expect(report.outcome == .renewed)
        #expect(report.sequence == 2)
        #expect(report.label == "1.0")
        #expect(try await playground.reader().pointer(.production)?.pointer.label == "1.0")
        #expect(try await playground.verify().isSound)
    }

    private static let labelTable: [(String, Bool)] = [
        ("2.4.1", true), ("Sommer – Ausgabe 3 🎉", true), (String(repeating: "a", count: 200), true),
        (String(repeating: "ü", count: 100), true), ("", false),
        (String(repeating: "a", count: 201), false),
        (String(repeating: "ü", count: 101), false), ("a\nb", false), ("\u{1B}[31m", false),
        ("\u{85}", false),
    ]

    @Test(arguments: labelTable) func labels(_ label: String, _ isTaken: Bool) async throws {
        let playground = try Playground()
        if isTaken {
            try await playground.publish(Playground.first, label: label)
            #expect(try await playground.reader().pointer(.production)?.pointer.label == label)
            return
        }
        await #expect(throws: Failure.publishLabelTooLong) {
            try await playground.publish(Playground.first, label: label)
        }
        #expect(!playground.exists("origin"))
    }
}
