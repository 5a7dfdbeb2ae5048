import Foundation
import PackGround
import TestSupport
import Testing

/// A run's scratch directory: the next run removes those of killed runs, and keeps those in use.
struct ScratchDirectoryTests {
    private static let name = ".0123456789abcdef0123456789abcdef.packtool"

    /// Creates a scratch directory and removes it.
    private func passBy(_ folder: TemporaryFolder) throws {
        let scratch = try ScratchDirectory.make(in: folder.directory())
        try scratch.content.createFile("part").write([1])
        try scratch.remove()
    }

    /// Regression: no later run removed the files left by a killed `apply` next to its output.
    @Test(
        "what a killed run left goes",
        arguments: [["lock"], ["lock", "content/tree/index.html"], ["content/part"], []])
    func regressionLeftovers(files: [String]) async throws {
        try await TemporaryFolder.with { folder in
            _ = try folder.makeFolder(Self.name)
            for file in files { try folder.write([1], as: "\(Self.name)/\(file)") }
            try folder.write([1], as: "neighbour")
            try passBy(folder)
            #expect(try folder.listing() == ["neighbour file 1"])
        }
    }

    @Test("a directory whose lock is held stays")
    func held() async throws {
        try await TemporaryFolder.with { folder in
            let scratch = try ScratchDirectory.make(in: folder.directory())
            try scratch.content.createFile("part").write([1])
            let before = try folder.listing()
            #expect(before.count == 4)
            try passBy(folder)
            #expect(try folder.listing() == before)
            try scratch.remove()
            #expect(try folder.listing().isEmpty)
        }
    }

    @Test(
        "whatever a run cannot have made stays",
        arguments: [
            "\(name)/unlocked", "\(name)/other", ".0123456789abcdef.packtool/lock",
            ".0123456789ABCDEF0123456789ABCDEF.packtool/lock",
            "0123456789abcdef0123456789abcdef.packtool/lock", "\(name).zip/lock", name,
        ])
    func others(path: String) async throws {
        try await TemporaryFolder.with { folder in
            try folder.write([1], as: path)
            let before = try folder.listing()
            try passBy(folder)
            #expect(try folder.listing() == before)
        }
    }

    @Test("a link of such a name is not followed")
    func link() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write([1], as: "elsewhere/lock")
            try folder.directory().makeSymbolicLink(Self.name, target: "elsewhere")
            let before = try folder.listing()
            try passBy(folder)
            #expect(try folder.listing() == before)
        }
    }

    /// Each run sees the others' incomplete directories, and must not remove them.
    @Test("many at once in one place")
    func manyAtOnce() async throws {
        try await TemporaryFolder.with { folder in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        for round in 0..<40 {
                            let scratch = try ScratchDirectory.make(in: folder.directory())
                            let content = [UInt8(task), UInt8(round)]
                            try scratch.content.createFile("part").write(content)
                            #expect(try scratch.content.readFile("part", limit: 9) == content)
                            try scratch.remove()
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try folder.listing().isEmpty)
        }
    }
}
