import Foundation
import TestSupport
import Testing

@testable import PackGround

// @testable: it opens with both system calls, which Directory hides.

/// No call with a path below a directory can leave it.
///
/// Regression: calls with several components followed links in the middle, so swapping
/// `site/assets` for a link during a publish made it write outside the origin.
@Suite struct BeneathTests {
    /// Every call with a path, tested with `l/...`, in which `l` links to the outside.
    static let calls: [String: @Sendable (Directory, String) throws -> Void] = [
        "directory": { _ = try $0.directory($1) },
        "openFile": { _ = try $0.openFile($1) },
        "createFile": { try $0.createFile($1 + "new").close() },
        "status": { _ = try $0.status($1) },
        "linkTarget": { _ = try $0.linkTarget($1) },
        "makeDirectory": { try $0.makeDirectory($1 + "new") },
        "link from": { _ = try $0.link($1, to: $0, as: "taken") },
        "link to": { _ = try $0.link("own", to: $0, as: $1 + "new") },
        "rename from": { try $0.rename($1, to: $0, as: "taken") },
        "rename to": { try $0.rename("own", to: $0, as: $1) },
        "exchange from": { try $0.exchange($1, with: $0, "own") },
        "exchange to": { try $0.exchange("own", with: $0, $1) },
        "makeSymbolicLink": { try $0.makeSymbolicLink($1 + "new", target: "own") },
        "removeFile": { try $0.removeFile($1) },
        "removeEmptyDirectory": { try $0.removeEmptyDirectory($1) },
        "removeTree": { try $0.removeTree($1) },
        "removeTree of bytes": { try $0.removeTree(Array($1.utf8)) },
    ]

    @Test("a link in the middle is not followed", arguments: calls.keys.sorted())
    func linkInTheMiddle(name: String) async throws {
        let call = try #require(Self.calls[name])
        try await TemporaryFolder.with { folder in
            try folder.write([1], as: "outside/f")
            _ = try folder.makeFolder("outside/empty")
            let box = try folder.makeFolder("box")
            try box.write([2], as: "own")
            let root = try box.directory()
            try root.makeSymbolicLink("l", target: "../outside")
            let before = try folder.listing()
            for path in ["l/f", "l/empty"] {
                let error = #expect(throws: Failure.self) { try call(root, path) }
                #expect(error?.number == ELOOP)
            }
            #expect(try folder.listing() == before)
            #expect(try folder.read("outside/f") == [1])
        }
    }

    @Test("what is no name is not given to the system", arguments: calls.keys.sorted())
    func noNames(name: String) async throws {
        let call = try #require(Self.calls[name])
        try await TemporaryFolder.with { folder in
            try folder.write([1], as: "f")
            let box = try folder.makeFolder("box")
            try box.write([2], as: "own")
            try box.write([3], as: "a/b")
            let root = try box.directory()
            let before = try folder.listing()
            for path in ["../f", "a/../own", "a/./b", "a//b", "/etc/", "a\0/b", "own\0"] {
                let error = #expect(throws: Failure.self, "\(path)") {
                    try call(root, path)
                }
                #expect(error?.number == Failure.refusedName)
                #expect(error?.description.utf8.contains(0) == false)
            }
            #expect(try folder.listing() == before)
        }
    }

    @Test("a path of the user's with a NUL is not cut there")
    func userPathWithNUL() async throws {
        try await TemporaryFolder.with { folder in
            let box = try folder.makeFolder("a")
            expectFailure(of: "file-system") { _ = try Directory.open(box.path + "\0b") }
            var made: [String] = []
            let error = #expect(throws: Failure.self) {
                _ = try Directory.openOrCreate(folder.file("new\0/b"), made: &made)
            }
            #expect(error?.number == Failure.refusedName)
            #expect(made.isEmpty)
            #expect(try folder.listing() == ["a directory"])
            #expect(resolvedPath(box.path + "\0b") == box.path + "\0b")
        }
    }

    @Test("a directory that vanishes and returns as a link between two calls is not gone through")
    func swapped() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write([1], as: "victim/m.js")
            let box = try folder.makeFolder("origin")
            try box.write([2], as: "staged")
            try box.write([3], as: "site/assets/m.js")
            let root = try box.directory()
            #expect(try root.status("site/assets")?.kind == .directory)
            try root.rename("site/assets", to: root, as: "aside")
            try root.makeSymbolicLink("site/assets", target: "../../victim")
            let error = #expect(throws: Failure.self) {
                try root.rename("staged", to: root, as: "site/assets/m.js")
            }
            #expect(error?.number == ELOOP)
            #expect(try folder.read("victim/m.js") == [1])
        }
    }

    /// Without openat2, or if a container forbids it.
    @Test("walking ends as the one call does")
    func walking() async throws {
        try await TemporaryFolder.with { folder in
            let box = try folder.makeFolder("box")
            try folder.write([1], as: "outside/f")
            try box.write([2], as: "a/b/f")
            let root = try box.directory()
            try root.makeSymbolicLink("a/out", target: "../../outside")
            try root.makeSymbolicLink("a/inner", target: "b")
            try root.makeSymbolicLink("a/b/end", target: "f")
            let long = String(repeating: "n", count: 300)
            let paths = [
                "a", "a/b", "a/b/f", "a/b/end", "a/out", "a/out/f", "a/inner/f", "a/inner", "no",
                "a/no/f", "a/b/f/g", long, "\(long)/x", "", "..", "a/../a", "/etc", "a//b", "a\0",
            ]
            for path in paths {
                for flags in [O_RDONLY, O_RDONLY | O_DIRECTORY, O_WRONLY] {
                    let one = Self.outcome { () throws(Failure) in
                        try root.openBeneath(path, flags: flags, mode: 0)
                    }
                    let other = Self.outcome { () throws(Failure) in
                        try root.openBeneath(path, flags: flags, mode: 0, walking: true)
                    }
                    #expect(one == other, "\(path) \(flags)")
                }
            }
            let new = try root.openBeneath(
                "a/b/new", flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o644, walking: true)
            try OwnedDescriptor(adopting: new, path: "new").close()
            #expect(try root.status("a/b/new")?.kind == .file)
        }
    }

    /// The identity of the file, or the error number.
    private static func outcome(_ open: () throws(Failure) -> Int32) -> String {
        do throws(Failure) {
            return "\(try OwnedDescriptor(adopting: open(), path: "").status().identity)"
        } catch {
            return error.number.map(String.init) ?? "\(error)"
        }
    }

    @Test("a directory tells of itself and of what is free")
    func itself() async throws {
        try await TemporaryFolder.with { folder in
            let root = try folder.directory()
            #expect(try root.status(".")?.kind == .directory)
            #expect(try root.freeBytes() > 0)
            try root.checkWritable()
        }
    }
}
