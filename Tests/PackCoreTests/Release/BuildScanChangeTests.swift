import Foundation
import PackGround
import PackRelease
import Synchronization
import TestSupport
import Testing

/// Hashing a build output: the same listing as coreutils, and files that change during the scan.
struct BuildScanChangeTests {
    @Test("the listing is that of coreutils")
    func listing() async throws {
        try await TemporaryFolder.with { folder in
            var site: Site = [
                "index.html": "<!doctype html>", "empty": "", "with space": "a", " b": "",
                "-rf": "x",
                "--help": "y", "a'b\"c": "", "$(x)`y`": "", "*": "", "?": "", "[a]": "",
                "é/日本": "x",
                "a": "", "a.b": "", "a-b/c": "", "A0": "", "deep/er/and/deeper/x": "x",
                "\u{1F600}": "x",
                "\u{FF5E}": "y", "%20": "", "#": "", "tab-less": "x", ".hidden/.x": "x",
            ]
            var noise = Noise(seed: 2)
            site.add("large", noise.bytes(700_001))
            let scan = try await site.scan(in: folder)
            #expect(scan.release == (try site.release()))
            let listing = try await ForeignEyes.coreutilsListing(of: folder.path)
            #expect(scan.release.listing == listing)
            #expect(scan.release.packageHash == StreamHasher.digest(of: listing))
            #expect(
                scan.release.version.description == scan.release.packageHash.description.prefix(20))
        }
    }

    @Test("the example storefront", arguments: ["1.0.0", "1.1.0"])
    func storefront(version: String) async throws {
        let path = Checkout.path + "/examples/storefront/dist/" + version
        let scan = try await BuildScan.scan(path, jobs: 2)
        #expect(scan.release.listing == (try await ForeignEyes.coreutilsListing(of: path)))
    }

    @Test("the CRC-32 of each file", arguments: [1, 4])
    func checksums(jobs: Int) async throws {
        try await TemporaryFolder.with { folder in
            var noise = Noise(seed: 8)
            var site: Site = ["123456789": "123456789", "empty": ""]
            site.add("large", noise.bytes(600_000))
            let scan = try await site.scan(in: folder, jobs: jobs)
            #expect(scan.checksums[0] == 0xCBF4_3926)
            #expect(scan.checksums[1] == 0)
            #expect(scan.checksums[2] == HostileZip.checksum(site.files[2].content))
        }
    }

    /// Regression: the sum of three sizes of 2^63 − 1 bytes trapped.
    @Test("sparse files whose sizes add up to more than a build may have are refused")
    func sparseFiles() async throws {
        try await TemporaryFolder.with { folder in
            for name in ["a.js", "b.js", "c.js"] {
                try folder.write([], as: name)
                try #require(truncate(folder.file(name), 30 << 30) == 0)
            }
            await #expect(
                throws: Failure.buildTooLarge(
                    path: folder.path, size: 90 << 30, limit: BuildScan.sizeLimit)
            ) { try await BuildScan.scan(folder.path, jobs: 1) }
        }
    }

    @Test("a file above the limit for one file is refused")
    func largeFile() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write([1], as: "index.html")
            try folder.write([], as: "film.bin")
            let size = BuildScan.fileLimit + 1
            try #require(truncate(folder.file("film.bin"), Int(size)) == 0)
            await #expect(
                throws: Failure.buildFileTooLarge(
                    path: folder.file("film.bin"), size: size, limit: BuildScan.fileLimit)
            ) { try await BuildScan.scan(folder.path, jobs: 1) }
        }
    }

    #if os(Linux)
        /// Regression: files below /proc have content but no size, and were hashed as empty.
        @Test("content beyond a file's size is refused")
        func contentBeyondSize() async throws {
            await #expect(
                throws: Failure.buildContentBeyondSize(path: "/proc/sys/kernel/random/boot_id")
            ) { try await BuildScan.scan("/proc/sys/kernel/random", jobs: 1) }
        }
    #endif

    @Test("a build without files is an error")
    func empty() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write([1], as: ".DS_Store")
            await #expect(throws: Failure.buildEmpty(path: folder.path)) {
                try await BuildScan.scan(folder.path, jobs: 1)
            }
        }
    }

    @Test("a file that grows while it is read is noticed")
    func growing() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write([UInt8](repeating: 1, count: 8 << 20), as: "a")
            let path = folder.file("a")
            // Progress is reported after a file, so the files before it in the listing keep the
            // scan busy.
            let stop = Atomic<Bool>(false)
            let failure = await withTaskGroup(of: (any Error)?.self) { group in
                let writer = Thread {
                    let handle = FileHandle(forWritingAtPath: path)
                    while !stop.load(ordering: .relaxed) {
                        _ = try? handle?.seekToEnd()
                        try? handle?.write(contentsOf: Data([2]))
                    }
                }
                writer.start()
                group.addTask {
                    do {
                        _ = try await BuildScan.scan(folder.path, jobs: 1)
                        return nil
                    } catch {
                        return error
                    }
                }
                let failure = await group.next() ?? nil
                stop.store(true, ordering: .relaxed)
                return failure
            }
            #expect(failure as? Failure == .buildChangedWhileRead(path: path))
        }
    }

    @Test("a file rewritten in place while it is read is noticed, its size unchanged")
    func rewritten() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write([UInt8](repeating: 1, count: 16 << 20), as: "a")
            let path = folder.file("a")
            let stop = Atomic<Bool>(false)
            let writer = Thread {
                let handle = FileHandle(forWritingAtPath: path)
                var byte: UInt8 = 0
                while !stop.load(ordering: .relaxed) {
                    try? handle?.seek(toOffset: 5)
                    try? handle?.write(contentsOf: Data([byte]))
                    byte &+= 1
                }
            }
            writer.start()
            defer { stop.store(true, ordering: .relaxed) }
            await #expect(throws: Failure.buildChangedWhileRead(path: path)) {
                try await BuildScan.scan(folder.path, jobs: 1)
            }
        }
    }

    @Test("of several failures the first by name is reported", arguments: [1, 8])
    func firstFailure(jobs: Int) async throws {
        for _ in 0..<20 {
            await #expect(throws: NumberedFailure(index: 3)) {
                try await mapInParallel(count: 50, jobs: jobs, makeState: { 0 }) { _, index in
                    if index == 3 { throw NumberedFailure(index: index) }
                    return index
                }
            }
        }
    }

    private struct NumberedFailure: Error, Equatable {
        let index: Int
    }

    @Test("results come in order whatever the tasks do", arguments: [0, 1, 3, 64])
    func inOrder(jobs: Int) async throws {
        let results = try await mapInParallel(count: 200, jobs: jobs, makeState: { 0 }) {
            state, index in
            state += 1
            return index * 2
        }
        #expect(results == (0..<200).map { $0 * 2 })
    }
}
