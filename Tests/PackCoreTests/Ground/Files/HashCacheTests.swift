import Foundation
import PackGround
import TestSupport
import Testing

/// Hashes of unchanged files: everything that shows a change, and invalid files of the cache.
struct HashCacheTests {
    private static let now = 1_800_000_000
    private static let name = Array("a.js".utf8)
    private let content = HashCache.Content(
        sha256: StreamHasher.digest(of: [1, 2, 3]), checksum: 0xDEAD_BEEF)

    /// A sparse file that is large enough to be worth a cache.
    private func sparse(_ name: String, in folder: TemporaryFolder) throws {
        try folder.write([], as: name)
        try #require(truncate(folder.file(name), off_t(HashCache.fewBytes)) == 0)
    }

    private func status(_ name: String, in folder: TemporaryFolder) throws -> FileStatus {
        try #require(try folder.directory().status(name))
    }

    private func cache(_ bytes: [UInt8]?, now: Int = Self.now, of path: String = "/b") -> HashCache
    {
        HashCache(bytes, of: path, now: now)
    }

    /// The file of a run that read a file ten seconds after its change.
    private func recorded(_ status: FileStatus) throws -> [UInt8] {
        let cache = cache(nil)
        cache.add(content, of: status, named: Self.name)
        #expect(cache.isWorthAFile)
        return try #require(cache.encoded(at: status.changed.adding(10)))
    }

    @Test("an unchanged file is known, under its path, and nothing new is written")
    func unchanged() async throws {
        try await TemporaryFolder.with { folder in
            try sparse("a.js", in: folder)
            let status = try status("a.js", in: folder)
            let cache = cache(try recorded(status))
            #expect(cache.content(of: status, named: Array("b.js".utf8)) == nil)
            #expect(cache.content(of: status) == nil)
            #expect(cache.content(of: status, named: Self.name) == content)
            #expect(!cache.isWorthAFile)
        }
    }

    @Test("content, each time alone, another inode: everything shows")
    func changes() async throws {
        try await TemporaryFolder.with { folder in
            try sparse("a.js", in: folder)
            let path = folder.file("a.js")
            let before = try status("a.js", in: folder)
            let bytes = try recorded(before)
            let isKnown = { () throws -> Bool in
                let now = try self.status("a.js", in: folder)
                return self.cache(bytes).content(of: now, named: Self.name) != nil
            }
            #expect(try isKnown())

            // Only the time of the status.
            try #require(chmod(path, 0o600) == 0)
            var now = try status("a.js", in: folder)
            #expect(now.modified == before.modified && now.changed != before.changed)
            #expect(try !isKnown())

            // Same size and time of the content, other inode.
            try sparse("other", in: folder)
            var times = [timespec(), timespec()]
            times[1].tv_sec = before.modified.seconds
            times[1].tv_nsec = before.modified.nanoseconds
            try #require(utimensat(AT_FDCWD, folder.file("other"), times, 0) == 0)
            try #require(rename(folder.file("other"), path) == 0)
            now = try status("a.js", in: folder)
            #expect(now.size == before.size && now.modified == before.modified)
            #expect(now.identity != before.identity)
            #expect(try !isKnown())

            try #require(truncate(path, off_t(HashCache.fewBytes + 1)) == 0)
            #expect(try !isKnown())
        }
    }

    @Test("a file changed shortly before it was read is read again")
    func racyTimes() async throws {
        try await TemporaryFolder.with { folder in
            try sparse("a.js", in: folder)
            let file = try folder.directory().openFileForAppending("a.js")
            try file.setModified(seconds: 1_700_000_000)
            try file.close()
            let status = try status("a.js", in: folder)
            let isRecorded = { (time: FileTime) in
                let cache = self.cache(nil)
                cache.add(self.content, of: status, named: Self.name)
                return cache.encoded(at: time) != nil
            }
            let changed = status.changed
            // The clock of file systems with fine times ticks each 10 ms at most.
            let isFine = changed.nanoseconds % 1_000_000 != 0
            #expect(!isRecorded(FileTime(seconds: 1_700_000_010, nanoseconds: 0)))
            #expect(!isRecorded(changed))
            #expect(isRecorded(changed.adding(1)) == isFine)
            #expect(isRecorded(changed.adding(3)))
            // A whole second may stand for any time within two.
            let coarse = try self.file("b.js", at: 2_000_000_000, in: folder)
            for (later, isSafe) in [(0, false), (1, false), (2, false), (3, true)] {
                let cache = cache(nil)
                cache.add(content, of: coarse, named: Self.name)
                let time = FileTime(seconds: 2_000_000_000 + later, nanoseconds: 0)
                #expect((cache.encoded(at: time) != nil) == isSafe, "\(later) s")
            }
        }
    }

    private func file(
        _ name: String, at seconds: Int, in folder: TemporaryFolder
    ) throws -> FileStatus {
        try sparse(name, in: folder)
        let file = try folder.directory().openFileForAppending(name)
        try file.setModified(seconds: seconds)
        try file.close()
        return try status(name, in: folder)
    }

    @Test("after a week every file is read, and after the clock was set back")
    func lifetime() async throws {
        try await TemporaryFolder.with { folder in
            try sparse("a.js", in: folder)
            let status = try status("a.js", in: folder)
            let bytes = try recorded(status)
            for (later, isKnown) in [
                (0, true), (HashCache.lifetime - 1, true), (HashCache.lifetime, false), (-1, false),
            ] {
                let cache = cache(bytes, now: Self.now + later)
                #expect((cache.content(of: status, named: Self.name) != nil) == isKnown)
            }
            // Later records do not postpone the proof.
            try sparse("b.js", in: folder)
            let other = try self.status("b.js", in: folder)
            let second = cache(bytes, now: Self.now + 86_400)
            _ = second.content(of: status, named: Self.name)
            second.add(content, of: other, named: Array("b.js".utf8))
            let both = try #require(second.encoded(at: other.changed.adding(10)))
            #expect(
                cache(both, now: Self.now + 86_400).content(of: status, named: Self.name) != nil)
            let due = cache(both, now: Self.now + HashCache.lifetime)
            #expect(due.content(of: other, named: Array("b.js".utf8)) == nil)
        }
    }

    @Test("a damaged cache and one of another directory are none")
    func damage() async throws {
        try await TemporaryFolder.with { folder in
            try sparse("a.js", in: folder)
            let status = try status("a.js", in: folder)
            let bytes = try recorded(status)
            let isKnown = { (bytes: [UInt8]?) in
                self.cache(bytes).content(of: status, named: Self.name) != nil
            }
            #expect(isKnown(bytes))
            #expect(cache(bytes, of: "/c").content(of: status, named: Self.name) == nil)
            for index in bytes.indices {
                var damaged = bytes
                damaged[index] ^= 1 << UInt8(index % 8)
                #expect(!isKnown(damaged), "byte \(index)")
                #expect(!isKnown(Array(bytes[..<index])), "the first \(index) bytes")
            }
            #expect(!isKnown(bytes + [0]))
            #expect(!isKnown([]) && !isKnown(nil))
        }
    }

    @Test("no bytes with a right checksum trap the reader")
    func hostileBytes() async throws {
        try await TemporaryFolder.with { folder in
            try sparse("a.js", in: folder)
            let bytes = try recorded(status("a.js", in: folder)).dropLast(32)
            var noise = Noise(seed: 47)
            for _ in 0..<5000 {
                var damaged = Array(bytes)
                for _ in 0...Int.random(in: 0..<4, using: &noise) {
                    let index = Int.random(in: 16..<damaged.count, using: &noise)
                    damaged[index] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &noise) ?? 0
                }
                switch Int.random(in: 0..<4, using: &noise) {
                case 0: damaged += damaged.suffix(92)
                case 1: damaged.removeLast(Int.random(in: 0..<damaged.count, using: &noise))
                default: break
                }
                let cache = cache(damaged + StreamHasher.digest(of: damaged).bytes)
                _ = cache.content(of: try status("a.js", in: folder), named: Self.name)
                _ = cache.encoded(at: FileTime(seconds: .max, nanoseconds: 0))
            }
        }
    }

    @Test("a link of this run is no change, another content is")
    func links() async throws {
        try await TemporaryFolder.with { folder in
            for name in ["a.js", "b.js"] { try sparse(name, in: folder) }
            let directory = try folder.directory()
            let cache = cache(nil)
            for name in ["a.js", "b.js"] {
                cache.add(content, of: try status(name, in: folder), at: name)
            }
            try #require(link(folder.file("a.js"), folder.file("link")) == 0)
            try folder.write([1], as: "b.js")
            try #require(truncate(folder.file("b.js"), off_t(HashCache.fewBytes)) == 0)
            cache.refresh { try? directory.status($0) }
            let (one, other) = (try status("link", in: folder), try status("b.js", in: folder))
            let later = self.cache(cache.encoded(at: other.changed.adding(10)))
            #expect(later.content(of: one) == content)
            #expect(later.content(of: other) == nil)
        }
    }

    @Test("few small files are not worth a cache")
    func few() async throws {
        try await TemporaryFolder.with { folder in
            let cache = cache(nil)
            for index in 0..<HashCache.fewFiles {
                #expect(!cache.isWorthAFile)
                try folder.write([], as: "\(index)")
                cache.add(content, of: try status("\(index)", in: folder))
            }
            #expect(cache.isWorthAFile)
        }
    }
}

extension FileTime {
    fileprivate func adding(_ seconds: Int) -> FileTime {
        FileTime(seconds: self.seconds + seconds, nanoseconds: nanoseconds)
    }
}
