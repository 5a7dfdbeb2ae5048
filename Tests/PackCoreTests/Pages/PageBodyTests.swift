import Dispatch
import PackGround
import PackPages
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Pieces, cancellation and open files.
struct PageBodyTests {
    private func answer(_ sources: PageSources, _ path: String, _ range: String? = nil) throws
        -> PageAnswer
    {
        let headers = range.map { ["Range": $0] } ?? [:]
        guard case .answer(let answer) = sources.plan(PageSample.request(path, "GET", headers))
        else { throw Unexpected(plan: path) }
        return answer
    }

    /// The open descriptors of files below a folder; other tests open others.
    private func openFiles(_ folder: TemporaryFolder) throws -> Int {
        let own = try Directory.open("/proc/self/fd")
        return try own.names().filter { name in
            let target = try? own.linkTarget(String(decoding: name, as: UTF8.self))
            return target?.hasPrefix(folder.path + "/") ?? false
        }.count
    }

    @Test func piecesAreAtMost256KiB() async throws {
        try await PageSample.with { (sample) async throws in
            var noise = Noise(seed: 1)
            let content = noise.bytes(700_001)
            try sample.folder.write(content, as: "v.mp4")
            let sources = try sample.sources()
            let body = try answer(sources, "/v.mp4").body
            var pieces: [[UInt8]] = []
            while let piece = try body.next() { pieces.append(piece) }
            #expect(pieces.map(\.count) == [262_144, 262_144, 175_713])
            #expect(pieces.flatMap { $0 } == content)
            #expect(try body.next() == nil)
            let part = try answer(sources, "/v.mp4", "bytes=600000-600999").body
            var small: [[UInt8]] = []
            while let piece = try part.next(upTo: 300) { small.append(piece) }
            #expect(small.map(\.count) == [300, 300, 300, 100])
            #expect(small.flatMap { $0 } == Array(content[600_000..<601_000]))
            #expect(part.length == 1000)
        }
    }

    @Test func theFileIsClosedAtTheEndAndWhenCancelled() async throws {
        try await PageSample.with { (sample) async throws in
            try sample.folder.write([UInt8](repeating: 7, count: 600_000), as: "v.mp4")
            let sources = try sample.sources()
            #expect(try openFiles(sample.folder) == 0)
            let read = try answer(sources, "/v.mp4").body
            #expect(try openFiles(sample.folder) == 1)
            // The last piece closes the file, without a further call.
            for open in [1, 1, 0] {
                #expect(try read.next() != nil)
                #expect(try openFiles(sample.folder) == open)
            }
            let cancelled = try answer(sources, "/v.mp4").body
            _ = try cancelled.next()
            cancelled.close()
            #expect(try openFiles(sample.folder) == 0)
            #expect(try cancelled.next() == nil)
            _ = try answer(sources, "/v.mp4")
            #expect(try openFiles(sample.folder) == 0)
            for headers in [["Range": "bytes=900000-"], ["If-None-Match": "\"1\""]] {
                let plan = sources.plan(PageSample.request("/v.mp4", "GET", headers))
                #expect(try openFiles(sample.folder) == 0)
                withExtendedLifetime(plan) {}
            }
            let head = sources.plan(PageSample.request("/v.mp4", "HEAD"))
            #expect(try openFiles(sample.folder) == 0)
            withExtendedLifetime(head) {}
        }
    }

    @Test func aShorterFileIsAnError() async throws {
        try await PageSample.with { (sample) async throws in
            try sample.folder.write([UInt8](repeating: 7, count: 600_000), as: "v.mp4")
            let body = try answer(sample.sources(), "/v.mp4").body
            _ = try body.next()
            #expect(truncate(sample.folder.file("v.mp4"), 300_000) == 0)
            do {
                _ = try body.next()
                Issue.record("no error")
            } catch let error as PageError {
                #expect(error.code == "pages.unreadable")
            }
            #expect(try openFiles(sample.folder) == 0)
        }
    }

    @Test func manyStreamsWithCancellationLeaveNoFileOpen() async throws {
        try await PageSample.with { (sample) async throws in
            var noise = Noise(seed: 2)
            let content = noise.bytes(1_000_000)
            try sample.folder.write(content, as: "v.mp4")
            let sources = try sample.sources()
            let expected = StreamHasher.digest(of: content)
            let cuts = (0..<200).map { _ in noise.below(8) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for cut in cuts {
                    group.addTask { try await stream(sources, cut, expected) }
                }
                try await group.waitForAll()
            }
            #expect(try openFiles(sample.folder) == 0)
        }
    }

    /// Reads a file, and lets another task close it after some pieces if `cut` is less than 4.
    private func stream(_ sources: PageSources, _ cut: Int, _ expected: Digest) async throws {
        let body = try answer(sources, "/v.mp4").body
        var hasher = StreamHasher()
        var closing: Task<Void, Never>?
        var count = 0
        while let piece = try body.next() {
            hasher.update(piece)
            count += 1
            if count == cut { closing = Task { body.close() } }
            await Task.yield()
        }
        await closing?.value
        if closing == nil { #expect(hasher.finish() == expected) }
    }

    @Test func closingDuringAReadEndsTheContent() async throws {
        try await PageSample.with { (sample) async throws in
            try sample.folder.write([UInt8](repeating: 7, count: 4_000_000), as: "v.mp4")
            let sources = try sample.sources()
            // Kept, because the end of a body's lifetime also closes its file.
            let bodies = try (0..<200).map { _ in try answer(sources, "/v.mp4").body }
            let started = Locked(-1)
            let threads = DispatchGroup()
            DispatchQueue(label: "reader").async(group: threads) {
                for (index, body) in bodies.enumerated() {
                    started.withLock { $0 = index }
                    while ((try? body.next()) ?? nil) != nil {}
                }
            }
            DispatchQueue(label: "closer").async(group: threads) {
                for (index, body) in bodies.enumerated() {
                    while started.withLock({ $0 < index }) { sched_yield() }
                    body.close()
                }
            }
            await withCheckedContinuation { done in
                threads.notify(queue: .global()) { done.resume() }
            }
            #expect(try openFiles(sample.folder) == 0)
            withExtendedLifetime(bodies) {}
        }
    }

    /// A wrong use that must not end the app.
    @Test func twoReadersEndWithoutACrash() async throws {
        try await PageSample.with { (sample) async throws in
            try sample.folder.write([UInt8](repeating: 7, count: 4_000_000), as: "v.mp4")
            let body = try answer(sample.sources(), "/v.mp4").body
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask { while ((try? body.next()) ?? nil) != nil {} }
                }
            }
            #expect(try openFiles(sample.folder) == 0)
        }
    }
}
