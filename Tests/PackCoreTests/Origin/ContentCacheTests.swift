import Foundation
import PackGround
import PackOrigin
import TestSupport
import Testing

/// Which files the cache treats as its own when it is full.
struct ContentCacheTests {
    @Test("a cache in a directory with other files deleted them")
    func leavesOtherFiles() throws {
        let folder = try TemporaryFolder.make()
        _ = try ContentCache(folder.path)
        let content = StreamHasher.digest(of: [1]).description
        let own = "\(content.prefix(2))/\(content)"
        let others = ["vm/disk.img", "ab/notes.txt", "ab/\(content)x", "zz/\(content)", "readme"]
        for name in [own] + others {
            let path = URL(fileURLWithPath: "\(folder.path)/\(name)")
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            #expect(FileManager.default.createFile(atPath: path.path, contents: nil))
            // The file is sparse and uses no disk space.
            try #require(truncate(path.path, Int(ContentCache.limit)) == 0)
        }
        #expect(truncate("\(folder.path)/\(own)", Int(ContentCache.limit) + 1) == 0)
        _ = try ContentCache(folder.path)
        for name in others {
            #expect(FileManager.default.fileExists(atPath: "\(folder.path)/\(name)"), "\(name)")
        }
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/\(own)"))
    }

    @Test("a directory of the user was taken as a cache")
    func refusesADirectoryOfTheUser() throws {
        for name in ["readme", "CACHEDIR.TAG", String(repeating: "a", count: 64)] {
            let folder = try TemporaryFolder.make()
            try folder.write(Array("mine".utf8), as: name)
            expectFailure(of: "cache") { try ContentCache(folder.path) }
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
        }
    }
}
