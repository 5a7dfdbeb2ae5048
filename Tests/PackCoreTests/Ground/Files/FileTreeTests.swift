import Foundation
import PackGround
import PackRelease
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The files found, rejected and excluded by a walk of a build output.
struct FileTreeTests {
    private static func refused(_ folder: TemporaryFolder) throws -> [RefusedName] {
        let directory = try folder.directory()
        let names = try FileTree.survey(directory).refused
        #expect(throws: Failure.buildNames(root: directory.path, names: names)) {
            try FileTree.walk(directory)
        }
        return names
    }

    @Test("files in the byte order of their paths, junk apart")
    func order() async throws {
        try await TemporaryFolder.with { folder in
            let site: Site = [
                "b": "1", "a/z": "22", "a.b": "", "a-b": "", "Z": "", "é": "", "10": "", "9": "",
                "a/b/c": "333", ".DS_Store": "x", "a/.git/config": "x", "a/x~": "x", "\u{FF5E}": "",
                "\u{1F600}": "",
            ]
            try site.write(to: folder)
            _ = try folder.makeFolder("empty/directory")
            let tree = try FileTree.walk(folder.directory())
            #expect(
                tree.files.map(\.path.description)
                    == [
                        "10", "9", "Z", "a-b", "a.b", "a/b/c", "a/z", "b", "é", "\u{FF5E}",
                        "\u{1F600}",
                    ])
            #expect(tree.leftOut.junk == [".DS_Store", "a/.git", "a/x~"])
            #expect(tree.totalBytes == 6)
        }
    }

    @Test(
        "excluded files are counted, an excluded directory is not opened, its names are not refused"
    )
    func exclusions() async throws {
        try await TemporaryFolder.with { folder in
            let site: Site = [
                "a.js": "1", "a.js.map": "22", "maps/b.map": "333", "maps/deep/c": "4",
                "docs/keep.map": "55555", "docs/d.map": "", ".DS_Store": "x",
            ]
            try site.write(to: folder)
            _ = try folder.write([], as: "maps/back\\slash")
            let patterns = ["*.map", "!keep.map", "maps/"].map { try? ExclusionPattern($0) }
            let tree = try FileTree.walk(
                folder.directory(), excluding: Exclusions(patterns.compactMap { $0 }))
            #expect(tree.files.map(\.path.description) == ["a.js", "docs/keep.map"])
            #expect(tree.totalBytes == 6)
            #expect(tree.leftOut.junk == [".DS_Store"])
            #expect(
                tree.leftOut.excluded.map { String(decoding: $0.path, as: UTF8.self) }
                    == ["a.js.map", "docs/d.map", "maps"])
            #expect(tree.leftOut.excludedFiles == 2 && tree.leftOut.excludedDirectories == 1)
            #expect(tree.leftOut.excludedBytes == 2)
            #expect(tree.leftOut.entry(for: Array("maps/deep/c".utf8))?.pattern == "maps/")
            #expect(tree.leftOut.entry(for: Array("mapsx".utf8)) == nil)
        }
    }

    @Test("names that cannot be shipped can be excluded, also links and names in no encoding")
    func excludedNames() async throws {
        try await TemporaryFolder.with { folder in
            _ = try folder.write([], as: "a")
            _ = try folder.write([], as: Array("back\\slash".utf8))
            _ = try folder.write([], as: [0xFF, 0x2E, 0x62])
            #expect(symlink("a", folder.file("link")) == 0)
            expectFailure(of: "build") { try FileTree.walk(folder.directory()) }
            let patterns = ["*\\\\*", "*.b", "/link"].map { try? ExclusionPattern($0) }
            let tree = try FileTree.walk(
                folder.directory(), excluding: Exclusions(patterns.compactMap { $0 }))
            #expect(tree.files.count == 1 && tree.leftOut.excludedFiles == 3)
        }
    }

    @Test("a checkout below a directory that is called junk keeps its files")
    func junkAbove() async throws {
        try await TemporaryFolder.with { folder in
            let dist = try folder.makeFolder("__MACOSX/.git/dist")
            try dist.write([1], as: "a")
            #expect(try FileTree.walk(dist.directory()).files.count == 1)
        }
    }

    @Test("every name that cannot travel, all at once and sorted")
    func allOffenders() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write([], as: "fine")
            try folder.write([], as: "back\\slash")
            try folder.write([], as: "new\nline")
            try folder.write([], as: Array("caf".utf8) + [0xE9])
            try folder.write([], as: "UPPER")
            try folder.write([], as: "upper")
            try folder.write([], as: "é")
            try folder.write([], as: "e\u{301}")
            try folder.directory().makeSymbolicLink("link", target: "fine")
            try folder.directory().makeSymbolicLink("loop", target: ".")
            try folder.directory().makeSymbolicLink("out", target: "/etc")
            #expect(mkfifo(folder.systemPath(Array("pipe".utf8)), 0o644) == 0)
            try folder.write([], as: "dir\u{1}/inside")
            #expect(
                try Self.refused(folder) == [
                    .init(name: "back\\slash", problem: .backslash),
                    .init(name: "caf\\xe9", problem: .notUTF8),
                    .init(name: "dir\\x01", problem: .controlCharacter),
                    .init(name: "link", problem: .symbolicLink),
                    .init(name: "loop", problem: .symbolicLink),
                    .init(name: "new\\x0aline", problem: .controlCharacter),
                    .init(name: "out", problem: .symbolicLink),
                    .init(name: "pipe", problem: .notAFile),
                    .init(name: "upper", problem: .collides(with: "UPPER")),
                    .init(name: "é", problem: .collides(with: "e\u{301}")),
                ])
        }
    }

    @Test("the message names the directory, each name and its reason")
    func message() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write([], as: "a\\b")
            try folder.directory().makeSymbolicLink("l", target: "a")
            let error = #expect(throws: Failure.self) { try FileTree.walk(folder.directory()) }
            #expect(
                error?.description == """
                    2 names in '\(folder.path)' cannot be shipped:
                      a\\b: the name contains a backslash, which some systems read as a separator
                      l: it is a symbolic link
                    """)
            #expect(error?.code.name == "build.names")
            #expect(error?.unaffected == "existing files; nothing was written")
        }
    }

    @Test("a socket is refused")
    func socket() async throws {
        try await TemporaryFolder.with { folder in
            let listener = try await ForeignTool.python(
                """
                import os, socket, sys
                os.chdir(sys.argv[1])
                socket.socket(socket.AF_UNIX).bind('s')
                """, [folder.path])
            #expect(listener.status == 0, "\(listener.all)")
            #expect(try Self.refused(folder) == [.init(name: "s", problem: .notAFile)])
        }
    }

    @Test("a link in place of junk or of the root")
    func links() async throws {
        try await TemporaryFolder.with { folder in
            let dist = try folder.makeFolder("dist")
            try dist.write([1], as: "a")
            try dist.directory().makeSymbolicLink(".git", target: "/")
            try folder.directory().makeSymbolicLink("current", target: "dist")
            // Links in the root's path are the user's own choice.
            let tree = try FileTree.walk(Directory.open(folder.file("current")))
            #expect(tree.files.count == 1 && tree.leftOut.junk == [".git"])
        }
    }

    @Test("components of 255 bytes")
    func longNames() async throws {
        try await TemporaryFolder.with { folder in
            let name = String(repeating: "n", count: 255)
            let accented = String(repeating: "é", count: 127)
            try folder.write([1], as: name + "/" + accented + "/" + name)
            let scan = try await BuildScan.scan(folder.path, jobs: 1)
            #expect(scan.release.assets.map(\.path.description) == ["\(name)/\(accented)/\(name)"])
            #expect(
                scan.release.listing == (try await ForeignEyes.coreutilsListing(of: folder.path)))
        }
    }

    @Test("a tree deeper than the limit of open files")
    func deepTree() async throws {
        try await TemporaryFolder.with { folder in
            let made = try await ForeignTool.python(
                """
                import os, sys
                os.chdir(sys.argv[1])
                for _ in range(1500):
                    os.mkdir('d'); os.chdir('d')
                open('leaf', 'w').write('x')
                """, [folder.path])
            #expect(made.status == 0, "\(made.all)")
            let path = folder.path
            // In a separate process, because the limit is per process.
            await #expect(processExitsWith: .success) { [path = path as String] in
                var limit = rlimit(rlim_cur: 256, rlim_max: 256)
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                let tree = try FileTree.walk(Directory.open(path))
                precondition(tree.files.count == 1)
                precondition(tree.files[0].path.bytes.count == 2 * 1500 + 4)
            }
        }
    }

    @Test("a directory too deep for one path is refused, not walked for ever")
    func tooDeep() async throws {
        try await TemporaryFolder.with { folder in
            let made = try await ForeignTool.python(
                """
                import os, sys
                os.chdir(sys.argv[1])
                for _ in range(25):
                    os.mkdir('d' * 200); os.chdir('d' * 200)
                """, [folder.path])
            #expect(made.status == 0, "\(made.all)")
            #expect(try Self.refused(folder).map(\.problem) == [.pathTooLong])
        }
    }

    @Test("a directory that may not be read is named")
    func unreadable() async throws {
        guard geteuid() != 0 else {
            try Test.cancel("SKIPPED, nothing was checked: root may read every directory")
        }
        try await TemporaryFolder.with { folder in
            try folder.write([1], as: "secret/a")
            #expect(chmod(folder.systemPath(Array("secret".utf8)), 0) == 0)
            defer { chmod(folder.systemPath(Array("secret".utf8)), 0o755) }
            let error = #expect(throws: Failure.self) {
                try FileTree.walk(folder.directory())
            }
            #expect(
                error?.description.contains("'\(folder.file("secret"))'") == true
                    && error?.number == EACCES)
        }
    }

    @Test("a place that is not there, or no directory")
    func noDirectory() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write([1], as: "file")
            let missing = #expect(throws: Failure.self) {
                try Directory.open(folder.file("none"))
            }
            #expect(missing?.number == ENOENT)
            let file = #expect(throws: Failure.self) {
                try Directory.open(folder.file("file"))
            }
            #expect(file?.number == ENOTDIR)
        }
    }
}
