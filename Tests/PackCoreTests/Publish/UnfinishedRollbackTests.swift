import PackOrigin
import PackPublish
import PackRelease
import TestSupport
import Testing

/// A rollback interrupted after its commit, and repeated as the messages suggest.
@Suite(.eachStore) struct UnfinishedRollbackTests {
    private let play: Playground

    init() throws { play = try Playground() }

    private func label() async throws -> String? {
        try await play.reader().pointer(.production)?.pointer.label
    }

    @Test("a rollback that was run again to finish it went back one release further")
    func isFinishedAndGoesNoFurther() async throws {
        for (index, text) in ["one", "two", "three"].enumerated() {
            try await play.publish(["index.html": "<h1>\(text)</h1>"], label: "\(index + 1).0")
        }
        let before = try (play.read("origin/info.json"), play.read("origin/site/index.html"))
        let back = ChannelRequest.Command.rollback(to: nil, isMandatory: true)
        let first = try await play.change(back)
        #expect(first.outcome == .changed)
        let done = try (play.read("origin/info.json"), play.read("origin/site/index.html"))
        // Killed between the commit and each of the two files updated afterwards.
        for left in [before, (before.0, done.1), (done.0, before.1)] {
            try play.write("origin/info.json", left.0)
            // The file may be a link to its object.
            try play.remove("origin/site/index.html")
            try play.write("origin/site/index.html", left.1)
            let again = try await play.change(back)
            #expect(again.outcome == .completed)
            #expect(again.notes.contains { $0.contains("had not come to its end") })
            #expect(try await label() == "2.0")
            #expect(try play.read("origin/info.json") == done.0)
            #expect(try play.read("origin/site/index.html") == done.1)
        }
        let further = try await play.change(back)
        #expect(further.outcome == .changed)
        #expect(try await label() == "1.0")
    }
}
