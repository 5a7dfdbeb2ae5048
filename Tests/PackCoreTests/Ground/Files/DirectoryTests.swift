import Foundation
import PackGround
import TestSupport
import Testing

/// No path below a directory follows a symbolic link.
struct DirectoryTests {
    @Test(
        "no link is followed on the way to a file, nor at its end",
        arguments: ["l/secret", "dir/l/secret", "f"])
    func linksNotFollowed(name: String) async throws {
        try await TemporaryFolder.with { folder in
            try folder.write(Array("secret".utf8), as: "outside/secret")
            let box = try folder.makeFolder("box")
            _ = try box.makeFolder("dir")
            try box.directory().makeSymbolicLink("l", target: "../outside")
            try box.directory().directory("dir").makeSymbolicLink("l", target: "../../outside")
            try box.directory().makeSymbolicLink("f", target: "../outside/secret")
            let root = try box.directory()
            let opened = #expect(throws: Failure.self) {
                _ = try root.readFile(name, limit: 100)
            }
            #expect(opened?.number == ELOOP)
            expectFailure(of: "file-system") { try root.createFile(name).write([1]) }
            #expect(try folder.read("outside/secret") == Array("secret".utf8))
        }
    }

    @Test("no way up", arguments: ["../x", "dir/../../x", "/etc/hostname"])
    func noWayUp(name: String) async throws {
        try await TemporaryFolder.with { folder in
            try folder.write([1], as: "x")
            let box = try folder.makeFolder("box")
            _ = try box.makeFolder("dir")
            expectFailure(of: "file-system") {
                _ = try box.directory().readFile(name, limit: 100)
            }
        }
    }

    @Test("a pipe does not hold the reader up")
    func pipe() async throws {
        try await TemporaryFolder.with { folder in
            #expect(mkfifo(folder.systemPath(Array("p".utf8)), 0o644) == 0)
            expectFailure(of: "file-system") {
                try folder.directory().readFile("p", limit: 10)
            }
        }
    }

    @Test("a file larger than the limit is not read")
    func limit() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write([1, 2, 3], as: "f")
            #expect(try folder.directory().readFile("f", limit: 3) == [1, 2, 3])
            let error = #expect(throws: Failure.self) {
                try folder.directory().readFile("f", limit: 2)
            }
            #expect(error?.number == EFBIG)
        }
    }

    @Test("a file is created once")
    func createOnce() async throws {
        try await TemporaryFolder.with { folder in
            try folder.directory().createFile("f").close()
            let error = #expect(throws: Failure.self) {
                _ = try folder.directory().createFile("f")
            }
            #expect(error?.number == EEXIST)
        }
    }

    @Test("removing a tree removes links and never what they point to")
    func removeTree() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write([1], as: "keep/f")
            let box = try folder.makeFolder("box/inner")
            try box.directory().makeSymbolicLink("l", target: "../../keep")
            try box.write([1], as: "f")
            try folder.directory().removeTree("box")
            #expect(try folder.listing() == ["keep directory", "keep/f file 1"])
            try folder.directory().removeTree("none")
        }
    }

    @Test("a tree of 5,000 levels is removed, and only it")
    func regressionDeepTree() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write([1], as: "keep/f")
            try folder.directory().makeChain("deep", depth: 5000)
            try folder.directory().removeTree("deep")
            #expect(try folder.listing() == ["keep directory", "keep/f file 1"])
        }
    }

    @Test("what is beside and below on every level goes, whatever it is called")
    func removeBushyTree() async throws {
        try await TemporaryFolder.with { folder in
            for path in ["a/1", "a/b/1", "a/b/c/1", "a/b/c/2", "a/b/d/1", "a/e/1", "z"] {
                try folder.write([1], as: "t/" + path)
            }
            try folder.write([1], as: Array("t/a/b/".utf8) + [0xFF, 0xFE])
            try folder.write([1], as: Array("t/a/".utf8) + [0xFF] + Array("/x".utf8))
            #expect(mkfifo(folder.systemPath(Array("t/a/p".utf8)), 0o644) == 0)
            _ = try folder.makeFolder("t/empty")
            try folder.directory().directory("t").removeContents()
            #expect(try folder.listing() == ["t directory"])
        }
    }

    @Test("a name that begins with a combining mark is a name of its own")
    func combiningMarks() async throws {
        try await TemporaryFolder.with { folder in
            let deepest = try folder.directory().makeDirectories("a/\u{301}b/\u{338}")
            try deepest.createFile("x").close()
            #expect(try folder.directory().status("a/\u{301}b/\u{338}/x")?.kind == .file)
            let path = folder.file("c/\u{301}d/e")
            var made: [String] = []
            _ = try Directory.openOrCreate(path, made: &made)
            #expect(made.map(\.utf8.count) == [1, 5, 7].map { folder.path.utf8.count + 1 + $0 })
            let missing = resolvedPath(path + "/\u{301}f/g")
            #expect(missing.utf8.elementsEqual((resolvedPath(path) + "/\u{301}f/g").utf8))
            #expect(isInside(path + "/\u{301}f", folder.path))
        }
    }

    @Test("names come sorted by bytes and as bytes")
    func names() async throws {
        try await TemporaryFolder.with { folder in
            let names: [[UInt8]] = [
                [0xFF], Array("é".utf8), Array("Z".utf8), Array("a".utf8), [0x01],
            ]
            for name in names { try folder.write([], as: name) }
            #expect(
                try folder.directory().names() == names.sorted { $0.lexicographicallyPrecedes($1) })
        }
    }

    @Test("parents are made where they are missing")
    func openOrCreate() async throws {
        try await TemporaryFolder.with { folder in
            _ = try Directory.openOrCreate(folder.file("a/b//c/"))
            #expect(try folder.listing() == ["a directory", "a/b directory", "a/b/c directory"])
            try folder.write([], as: "file")
            expectFailure(of: "file-system") {
                try Directory.openOrCreate(folder.file("file/x"))
            }
        }
    }

    @Test("a link or rename never replaces by accident")
    func linkAndRename() async throws {
        try await TemporaryFolder.with { folder in
            let directory = try folder.directory()
            try folder.write([1], as: "one")
            try folder.write([2], as: "two")
            #expect(try directory.link("one", to: directory, as: "two") == false)
            #expect(try folder.read("two") == [2])
            #expect(try directory.link("one", to: directory, as: "three"))
            try directory.rename("one", to: directory, as: "two")
            #expect(try folder.read("two") == [1])
        }
    }
}
