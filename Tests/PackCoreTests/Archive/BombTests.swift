import Foundation
import PackArchive
import PackGround
import PackRelease
import PackZip
import TestSupport
import Testing

/// Archives that unpack to far more than their own size.
///
/// Memory is measured in a separate process.
struct BombTests {
    /// The maximum additional memory for reading an archive, in kilobytes (promise P10).
    private static let bound = 48 * 1024

    /// The peak memory of this process in kilobytes.
    private static func peakMemory() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    /// A deflated run of zeros.
    private static func zeros(megabytes: Int) -> (data: [UInt8], checksum: UInt32) {
        let content = [UInt8](repeating: 0, count: megabytes << 20)
        return (HostileZip.deflate(content, level: .fast), HostileZip.checksum(content))
    }

    private static func bomb(megabytes: Int, declares size: UInt32) -> HostileZip {
        let (data, checksum) = zeros(megabytes: megabytes)
        var entry = HostileZip.entry("bomb", "", deflated: false)
        entry.data = data
        entry.both {
            $0.method = 8
            $0.checksum = checksum
            $0.compressedSize = UInt32(data.count)
            $0.size = size
        }
        return HostileZip(entry)
    }

    @Test("declares 10 bytes, inflates 50 megabytes")
    func lyingBomb() async throws {
        try await TemporaryFolder.with { folder in
            var zip = Self.bomb(megabytes: 50, declares: 10)
            zip.entries[0].content = [UInt8](repeating: 0, count: 10)
            let attempt = try await Attempt(zip.bytes, expecting: zip.claimedRelease, in: folder)
            #expect(attempt.problem == .wrongSize || isSameRule(attempt.problem, .unreadable("")))
            #expect(!attempt.touchedOutside)
            expectFailure(of: "archive") { try attempt.readAs.get() }
        }
    }

    @Test("declares more than it inflates to")
    func emptyPromise() async throws {
        try await TemporaryFolder.with { folder in
            var zip = Self.bomb(megabytes: 1, declares: 1 << 20 + 1)
            zip.entries[0].content = [UInt8](repeating: 0, count: 1 << 20 + 1)
            let attempt = try await Attempt(zip.bytes, expecting: zip.claimedRelease, in: folder)
            #expect(attempt.problem == .wrongSize || isSameRule(attempt.problem, .unreadable("")))
        }
    }

    @Test("a lying bomb never writes more than it declared")
    func boundedOnDisk() async throws {
        try await TemporaryFolder.with { folder in
            var zip = Self.bomb(megabytes: 50, declares: 10)
            zip.entries[0].content = [UInt8](repeating: 0, count: 10)
            try folder.write(zip.bytes, as: "a.zip")
            let target = try folder.makeFolder("target")
            let unpacker = try Unpacker(
                "a.zip", in: folder.directory(), expecting: zip.claimedRelease)
            await expectFailure(of: "archive") {
                try await unpacker.unpack(into: target.directory(), jobs: 1)
            }
            let size = try target.directory().status("bomb")?.size ?? 0
            #expect(size <= 10)
        }
    }

    @Test("an honest bomb of 128 megabytes needs no memory for its content")
    func honestBomb() async throws {
        #if os(Linux)
            try await TemporaryFolder.with { folder in
                try folder.write(Self.bomb(megabytes: 128, declares: 128 << 20).bytes, as: "a.zip")
                let path = folder.path
                await #expect(processExitsWith: .success) { [path = path as String] in
                    let before = Self.peakMemory()
                    let release = try await PackageReader.release(
                        of: "a.zip", in: Directory.open(path), jobs: 2)
                    precondition(release.totalBytes == 128 << 20)
                    let added = Self.peakMemory() - before
                    precondition(before > 0 && added < Self.bound, "\(added) kB")
                }
            }
        #else
            try Test.cancel("SKIPPED, nothing was checked: memory is read from /proc")
        #endif
    }

    @Test("a lying bomb needs no memory either")
    func lyingBombMemory() async throws {
        #if os(Linux)
            try await TemporaryFolder.with { folder in
                try folder.write(
                    Self.bomb(megabytes: 128, declares: 140_000_000).bytes, as: "a.zip")
                try folder.write(Self.bomb(megabytes: 128, declares: 10).bytes, as: "b.zip")
                let path = folder.path
                await #expect(processExitsWith: .success) { [path = path as String] in
                    let before = Self.peakMemory()
                    for name in ["a.zip", "b.zip"] {
                        let release = try? await PackageReader.release(
                            of: name, in: Directory.open(path), jobs: 2)
                        precondition(release == nil)
                    }
                    let added = Self.peakMemory() - before
                    precondition(before > 0 && added < Self.bound, "\(added) kB")
                }
            }
        #else
            try Test.cancel("SKIPPED, nothing was checked: memory is read from /proc")
        #endif
    }

    @Test("70,000 entries whose count is taken modulo 65,536")
    func wrappedCount() async throws {
        try await TemporaryFolder.with { folder in
            let zip = HostileZip(entries: (0..<70_000).map { HostileZip.entry("f\($0)", "") })
            let attempt = try await Attempt(zip.bytes, expecting: Release(assets: []), in: folder)
            #expect(attempt.problem == .countMismatch)
        }
    }

    @Test("an entry count that would need terabytes")
    func hugeCount() async throws {
        try await TemporaryFolder.with { folder in
            var zip = HostileZip(HostileZip.entry("a"))
            zip.zip64 = HostileZip.Zip64()
            zip.zip64?.count = 1 << 40
            zip.end.count = 0xFFFF
            let attempt = try await Attempt(zip.bytes, expecting: Release(assets: []), in: folder)
            #expect(attempt.problem == .countMismatch)
        }
    }
}
