import Foundation
import PackGround
import PackOrigin
import PackRelease
import Synchronization
import TestSupport
import Testing

/// The requirements for every store.
@Suite(.eachStore) struct StoreTests {
    private let playground: Playground
    /// Initially empty.
    private let store: any WritableStore

    init() throws {
        playground = try Playground()
        try playground.makeDirectory("origin")
        store = try playground.store()
    }

    private func upload(_ path: String, _ text: String) -> Upload {
        Upload(path, Array(text.utf8))
    }

    private func content(_ text: String) -> FileDigest { upload("", text).content }

    @Test func aNameIsCreatedOnce() async throws {
        #expect(try await store.create([upload("a/b/c", "one")]) == [.made])
        #expect(try await store.create([upload("a/b/c", "one")]) == [.present])
        await #expect(throws: StoreError.taken(path: "a/b/c", by: nil)) {
            try await store.create([upload("a/x", "1"), upload("a/b/c", "two")])
        }
        #expect(try playground.text("origin/a/b/c") == "one")
        // Earlier files in the batch were created.
        #expect(try playground.text("origin/a/x") == "1")
        #expect(try await store.create([]) == [])
    }

    @Test func whatNothingCanReferToIsReplaced() async throws {
        _ = try await store.create([upload("r/package", "old"), upload("r/delta", "old")])
        let seen = try #require(try await store.revision(of: "r/package"))
        var package = upload("r/package", "new")
        package.conflict = .replaceOnly(seen)
        var delta = upload("r/delta", "new")
        delta.conflict = .replace
        let manifest = upload("r/manifest", "m")
        #expect(
            try await store.create([package, manifest, delta]) == [.replaced, .made, .replaced])
        for conflict in [.replaceOnly(seen), .keep] as [Upload.Conflict] {
            package = upload("r/package", "other")
            package.conflict = conflict
            let late = package
            await #expect(throws: StoreError.taken(path: "r/package", by: nil)) {
                try await store.create([late])
            }
        }
        #expect(try await store.revision(of: "r/missing") == nil)
        #expect(try playground.text("origin/r/package") == "new")
        #expect(try playground.text("origin/r/delta") == "new")
    }

    @Test func aFileIsReplacedByWhoeverHasItsRevision() async throws {
        #expect(try await store.replace(upload("p", "1"), if: .absent))
        #expect(try await !store.replace(upload("p", "2"), if: .absent))
        let first = try #require(try await store.read("p", limit: 9))
        #expect(first.bytes == Array("1".utf8))
        #expect(try await store.read("p", limit: 9)?.revision == first.revision)
        #expect(try await store.replace(upload("p", "2"), if: .unchanged(first.revision)))
        #expect(try await !store.replace(upload("p", "3"), if: .unchanged(first.revision)))
        #expect(try await !store.replace(upload("q", "3"), if: .unchanged(first.revision)))
        #expect(try playground.text("origin/p") == "2")
        #expect(try await store.replace(upload("p", "2"), if: .always))
        #expect(try await store.replace(upload("new/folder/p", "4"), if: .always))
        #expect(try playground.text("origin/new/folder/p") == "4")
        #expect(try await store.read("q", limit: 9) == nil)
    }

    /// Regression: a pointer replaced by one of equal size within a second had the same ETag in
    /// nginx, and rsync did not copy it.
    @Test(.directoryOnly) func aReplacementHasALaterSecond() async throws {
        var seconds: [Int] = []
        for text in ["1", "2", "1", "4"] {
            #expect(try await store.replace(upload("p", text), if: .always))
            var status = stat()
            #expect(lstat("\(playground.origin)/p", &status) == 0)
            seconds.append(status.st_mtim.tv_sec)
        }
        #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $0 < $1 }, "\(seconds)")
        // A time not set by packtool is not changed.
        var far = [timespec(), timespec(tv_sec: seconds[0] + 1_000_000, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, "\(playground.origin)/p", &far, 0) == 0)
        #expect(try await store.replace(upload("p", "5"), if: .always))
        var status = stat()
        #expect(lstat("\(playground.origin)/p", &status) == 0)
        #expect(status.st_mtim.tv_sec < seconds[0] + 600)
    }

    /// Different content of the same size is a different revision.
    @Test func anEqualSizeIsAnotherRevision() async throws {
        _ = try await store.replace(upload("p", "one"), if: .absent)
        let first = try #require(try await store.read("p", limit: 9))
        _ = try await store.replace(upload("p", "two"), if: .always)
        #expect(try await store.read("p", limit: 9)?.revision != first.revision)
    }

    /// A backup that creates links must not look like another publisher.
    @Test(.directoryOnly) func aNewLinkIsNoOtherRevision() async throws {
        _ = try await store.replace(upload("p", "one"), if: .absent)
        let first = try #require(try await store.read("p", limit: 9))
        let root = try Directory.open(playground.origin)
        #expect(try root.link("p", to: root, as: "backup"))
        #expect(try await store.replace(upload("p", "two"), if: .unchanged(first.revision)))
        #expect(try playground.text("origin/backup") == "one")
    }

    @Test func readingIsBounded() async throws {
        _ = try await store.create([upload("p", "12345")])
        #expect(try await store.read("p", limit: 5)?.bytes.count == 5)
        let error = await #expect(throws: (any Error).self) {
            try await store.read("p", limit: 4)
        }
        #expect(error?.meansAnotherContent == true && error?.isLocalOrTransient == false)
        #expect(try await store.digest("p", limit: 5) == content("12345"))
        #expect(try await store.digest("p", limit: 4) == nil)
        #expect(try await store.digest("q", limit: 4) == nil)
        #expect(
            try await store.statuses(of: ["p", "q"]) == [StoredStatus(kind: .file, size: 5), nil])
    }

    @Test func whatIsThereIsCompared() async throws {
        _ = try await store.create([upload("a", "1"), upload("b", "22"), upload("c", "3")])
        let wanted = [("a", "1"), ("b", "2"), ("c", "4"), ("d", "5")].map {
            ObjectReference($0, content($1))
        }
        let problems = try await store.check(wanted, jobs: 2, counter: nil).map(\.problem)
        #expect(
            problems == [
                nil, "does not have the size in its manifest",
                "does not match its manifest", "is missing",
            ])
        #expect(try await store.holds(content("1"), at: "a"))
        #expect(try await !store.holds(content("1"), at: "c"))
    }

    @Test func fetchingIsBoundedAndCompared() async throws {
        try playground.makeDirectory("here")
        let here = try Directory.open(playground.path + "/here")
        _ = try await store.create([upload("a/b", "content")])
        try await store.fetch(ObjectReference("a/b", content("content")), into: here, as: "x")
        #expect(try playground.text("here/x") == "content")
        let path = playground.origin + "/a/b"
        for (index, other) in ["contenu", "cont", "content and more"].enumerated() {
            await #expect(
                throws: Failure.originDiffers(
                    path: path, problem: "does not match its pointer")
            ) {
                try await store.fetch(
                    ObjectReference("a/b", content(other)), into: here, as: "y\(index)")
            }
        }
        await #expect(throws: Failure.originMissing(path: playground.origin + "/a/c")) {
            try await store.fetch(ObjectReference("a/c", content("c")), into: here, as: "z")
        }
        #expect(try playground.files("here").values.allSatisfy { $0.count <= 16 })
    }

    @Test func filesAreHandedOutAtTheirPlaces() async throws {
        _ = try await store.create([upload("a/b/c", "1"), upload("d", "2")])
        let contents = ["a/b/c", "d", "nowhere"].map { ObjectReference($0, content("1")) }
        let found = try await store.withFiles(contents) { directory in
            #expect(directory.display("d") == playground.origin + "/d")
            return try [
                directory.readFile("a/b/c", limit: 9), directory.readFile("d", limit: 9),
            ]
        }
        #expect(found == [Array("1".utf8), Array("2".utf8)])
        // All temporary files are deleted.
        let names = try playground.tree(".").keys.filter { !$0.hasPrefix("origin") }
        #expect(names.isEmpty, "\(names)")
    }

    @Test func lists() async throws {
        #expect(try await store.isEmpty())
        #expect(try await store.names(in: "a") == [])
        _ = try await store.create([upload("a/z", "1"), upload("a/b/c", "22"), upload("e", "")])
        _ = try await store.create([upload(".packtool/intents/x.1", "{}")])
        #expect(try await !store.isEmpty())
        #expect(try await store.names(in: "a") == ["b", "z"])
        #expect(try await store.names(in: ".packtool/intents") == ["x.1"])
        #expect(try await store.isFolder("a/b"))
        #expect(try await !store.isFolder("a/z"))
        #expect(try await !store.isFolder("a/" + "q"))
        var listed: [String] = []
        try await store.visitPublic { listed.append("\($0.path) \($0.size)") }
        #expect(listed.sorted() == ["a/b/c 2", "a/z 1", "e 0"])
    }

    @Test func removes() async throws {
        _ = try await store.create([upload("a/1", ""), upload("a/2", ""), upload("b", "")])
        try await store.remove(["a/2", "b", "c", "d/e"])
        #expect(try playground.publicFiles() == ["a/1"])
    }

    @Test func stagedFilesAreComparedOnTheWay() async throws {
        try playground.write("build/a.js", "one")
        let build = try Directory.open(playground.path + "/build")
        let staging = try store.makeStaging()
        let good = Upload("a", .file(in: build, named: "a.js"), content("one"))
        let bad = Upload("b", .file(in: build, named: "a.js"), content("two"))
        let staged = try await store.stage([good], in: staging, jobs: 2, counter: nil)
        #expect(try await store.create(staged) == [.made])
        await #expect(
            throws: Failure.buildChangedWhileRead(path: playground.path + "/build/a.js")
        ) { try await store.stage([bad], in: staging, jobs: 2, counter: nil) }
        try staging.discard()
        #expect(try playground.publicFiles() == ["a"])
        #expect(try playground.text("origin/a") == "one")
    }

    @Test func ofManyCreatorsOneWins() async throws {
        for round in 0..<20 {
            let path = "log/\(round).json"
            let winners = await withTaskGroup(of: String?.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let made = try? await store.create([upload(path, "\(number)")])
                        return made == [.made] ? "\(number)" : nil
                    }
                }
                var winners: [String] = []
                for await case let winner? in group { winners.append(winner) }
                return winners
            }
            #expect(winners.count == 1)
            #expect(try playground.text("origin/\(path)") == winners.first)
        }
    }
}
