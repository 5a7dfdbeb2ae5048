import Foundation
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import TestSupport
import Testing

/// A publish to a directory that reads only what changed since the last one.
@Suite struct KnownObjectTests {
    private static let files = Dictionary(
        uniqueKeysWithValues: (0..<HashCache.fewFiles).map { ("\($0).txt", "file \($0)") }
            + [("index.html", "<!doctype html>")])

    /// Publishes with the hashes of an earlier run; returns those of this one.
    private func publish(
        _ playground: Playground, _ bytes: [UInt8]?, now: Int = Playground.now.seconds,
        adding added: [String: String] = [:]
    ) async throws -> (report: PublishReport, bytes: [UInt8]?) {
        let known = HashCache(bytes, of: playground.origin, now: now)
        var request = try await playground.request(Self.files.merging(added) { $1 })
        request.known = known
        let report = try await playground.publish(request)
        let origin = try Directory.open(playground.origin)
        known.refresh { try? origin.status($0) }
        return (report, known.encoded(at: FileTime(seconds: 1 << 40, nanoseconds: 0)))
    }

    private func object(_ name: String) throws -> String {
        let content = Array(try #require(Self.files[name]).utf8)
        return "origin/objects/\(StreamHasher.digest(of: content))/\(name)"
    }

    @Test("what one publish has written and read, the next one knows")
    func knownAtOnce() async throws {
        let playground = try Playground()
        let first = try await publish(playground, nil)
        #expect(first.report.outcome == .published)
        let second = try await publish(playground, first.bytes)
        #expect(second.report.outcome == .unchanged)
        #expect(second.report.siteUnchanged.count == Self.files.count)
        // Only the package and manifest may be new.
        let third = try await publish(playground, second.bytes ?? first.bytes)
        #expect(third.report.outcome == .unchanged)
        #expect(third.bytes == nil, "everything is known")
    }

    @Test("a damaged object whose times changed is found at once", arguments: [false, true])
    func damage(keepsTime: Bool) async throws {
        let playground = try Playground()
        let bytes = try await publish(playground, nil).bytes
        let path = try object("7.txt")
        let origin = try Directory.open(playground.origin)
        let absolute = playground.path + "/" + path
        let before = try #require(try origin.status(String(path.dropFirst("origin/".count))))
        try playground.overwrite(path, Array("file 8".utf8))
        if keepsTime {
            var times = [timespec(), timespec()]
            times[1].tv_sec = before.modified.seconds
            times[1].tv_nsec = before.modified.nanoseconds
            try #require(utimensat(AT_FDCWD, absolute, times, 0) == 0)
        }
        await #expect(throws: Failure.self) { try await publish(playground, bytes) }
    }

    @Test("a release with a new file reads the objects that no earlier run has proved")
    func newRelease() async throws {
        let playground = try Playground()
        let bytes = try await publish(playground, nil).bytes
        let path = try object("7.txt")
        try playground.overwrite(path, Array("file 8".utf8))
        await #expect(throws: Failure.self) {
            try await publish(playground, bytes, adding: ["new.txt": "new"])
        }
        try playground.overwrite(path, Array("file 7".utf8))
        let report = try await publish(playground, bytes, adding: ["new.txt": "new"]).report
        #expect(report.outcome == .published)
    }

    @Test("a known object is not whole if another content is expected")
    func anotherContent() async throws {
        let playground = try Playground()
        let bytes = try await publish(playground, nil).bytes
        let known = HashCache(bytes, of: playground.origin, now: Playground.now.seconds)
        let store = try DirectoryStore.open(playground.origin).trusting(known)
        let path = String(try object("7.txt").dropFirst("origin/".count))
        let expected = ["file 7", "file 8"].map {
            ObjectReference(
                path, FileDigest(sha256: StreamHasher.digest(of: Array($0.utf8)), size: 6))
        }
        let states = try await store.check(expected, jobs: 1, counter: nil)
        #expect(try states.map { try $0.isWhole() } == [true, false])
        let statuses = try await store.statuses(ofFiles: expected)
        #expect(statuses.map { $0?.isProved } == [true, false])
    }

    @Test("a missing object is found at once")
    func missing() async throws {
        let playground = try Playground()
        let bytes = try await publish(playground, nil).bytes
        try playground.remove(try object("7.txt"))
        let report = try await publish(playground, bytes).report
        #expect(report.outcome == .renewed || report.objectsNew.count == 1)
        #expect(try playground.text(object("7.txt")) == "file 7")
    }

    /// A disk that gives other bytes with the same status.
    @Test("damage that no status shows is found by a full proof, and after a week")
    func silentDamage() async throws {
        let playground = try Playground()
        let first = try await publish(playground, nil)
        let path = try object("7.txt")
        try playground.overwrite(path, Array("file 8".utf8))
        // The original hashes, with the status of the damaged file.
        let known = HashCache(nil, of: playground.origin, now: Playground.now.seconds)
        let origin = try Directory.open(playground.origin)
        for (name, content) in Self.files {
            let status = try #require(
                try origin.status(String(object(name).dropFirst("origin/".count))))
            known.add(.init(sha256: StreamHasher.digest(of: Array(content.utf8))), of: status)
        }
        let bytes = known.encoded(at: FileTime(seconds: 1 << 40, nanoseconds: 0))
        #expect(first.report.outcome == .published)
        #expect(try await publish(playground, bytes).report.outcome == .unchanged)
        await #expect(throws: Failure.self) { try await publish(playground, nil) }
        let week = Playground.now.seconds + HashCache.lifetime
        await #expect(throws: Failure.self) { try await publish(playground, bytes, now: week) }
        await #expect(throws: Failure.self) {
            try await playground.publish(playground.request(Self.files))
        }
    }
}
