import Foundation
import PackArchive
import PackGround
import PackRelease
import PackZip
import TestSupport
import Testing

/// Other programs read packtool's packages, and find the same release in them.
///
/// Serialized, because large builds would compete for the processor.
@Suite(.serialized) struct ForeignReaderTests {
    private static let noZip64 = ForeignEyes.Zip64Use(
        endRecords: false, centralEntries: 0, localEntries: 0)

    private static func packAndAgree(
        _ scan: BuildScan, in folder: TemporaryFolder, level: CompressionLevel = .default,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> PackageBuilder.Result {
        let result = try await scan.package("package.zip", in: folder, level: level)
        #expect(try folder.directory().status("package.zip")?.size == result.digest.size)
        try await ForeignEyes.agree(
            on: "package.zip", in: folder, holds: scan.release, sourceLocation: sourceLocation)
        return result
    }

    @Test("the example storefront", arguments: CompressionLevel.allCases)
    func storefront(level: CompressionLevel) async throws {
        try await TemporaryFolder.with { folder in
            let scan = try await BuildScan.scan(
                Checkout.path + "/examples/storefront/dist/1.0.0", jobs: 2)
            let result = try await Self.packAndAgree(scan, in: folder, level: level)
            #expect(result.written.deflatedFiles > 0 && result.written.storedFiles > 0)
            #expect(result.written.reusedFiles == 0)
            let use = try await ForeignEyes.zip64Use(of: folder.file("package.zip"))
            #expect(use == Self.noZip64)
        }
    }

    @Test("awkward names and contents")
    func awkward() async throws {
        try await TemporaryFolder.with { folder in
            var site: Site = [
                "index.html": "<!doctype html>", "with space/and  two.txt": "x", "-rf": "x",
                "--": "y",
                "ünï/日本語/emoji-\u{1F600}.js": "x", "a'b\"c$d`e.txt": "quotes", "*?[x].txt": "wild",
                "empty": "", "deep/\(String(repeating: "d/", count: 29))x": "deep",
                "%41.txt": "percent",
                " leading": "x", "#x": "hash", "a&b;c|d": "shell", "~x": "x", "e\u{301}": "",
            ]
            site.files.removeLast()  // Not composed: rejected in another test.
            site.add(String(repeating: "n", count: 255), Array("long".utf8))
            site.add(
                String(repeating: "é", count: 127) + "/" + String(repeating: "x", count: 255), [1])
            site.add("zeros", [UInt8](repeating: 0, count: 100_000))
            var noise = Noise(seed: 1)
            site.add("noise", noise.bytes(100_000))
            site.add("one byte", [0])
            let scan = try await site.scan(in: folder.makeFolder("dist"))
            #expect(scan.release == (try site.release()))
            let result = try await Self.packAndAgree(scan, in: folder)
            #expect(result.written.deflatedFiles >= 1)
            #expect(try await ForeignEyes.zip64Use(of: folder.file("package.zip")) == Self.noZip64)
        }
    }

    @Test("one empty file")
    func oneEmptyFile() async throws {
        try await TemporaryFolder.with { folder in
            let scan = try await (["e": ""] as Site).scan(in: folder.makeFolder("dist"))
            _ = try await Self.packAndAgree(scan, in: folder)
        }
    }

    @Test("one file below and at the count where zip64 begins", arguments: [65_534, 65_535])
    func manyFiles(count: Int) async throws {
        // Only the end records matter: Python must agree with them, regardless of the content.
        try await TemporaryFolder.with { folder in
            var bytes: [UInt8] = []
            var directory: [UInt8] = []
            for index in 0..<count {
                let entry = ZipEntry(
                    name: Array("f\(index)".utf8), flags: 0, method: 0, checksum: 0,
                    compressedSize: 0,
                    size: 0, headerOffset: UInt64(bytes.count))
                bytes += ZipHeaders.localHeader(entry)
                directory += ZipHeaders.centralHeader(entry)
            }
            let end = ZipHeaders.end(
                count: count, directoryOffset: UInt64(bytes.count),
                directorySize: UInt64(directory.count))
            try folder.write(bytes + directory + end, as: "package.zip")
            let use = try await ForeignEyes.zip64Use(of: folder.file("package.zip"))
            #expect(
                use == .init(endRecords: count >= 65_535, centralEntries: 0, localEntries: 0))
            let structure = try ZipStructure.read(
                folder.directory().openFile("package.zip"), limits: .standard)
            #expect(structure.files.count == count)
        }
    }

    @Test("70,000 tiny files", .enabled(if: Soak.isLong, "takes minutes"))
    func tinyFiles() async throws {
        try await TemporaryFolder.with { folder in
            let site = Site(
                files: (0..<70_000).map {
                    Site.File(name: Array("d\($0 % 100)/f\($0)".utf8), content: Array("\($0)".utf8))
                })
            let scan = try await site.scan(in: folder.makeFolder("dist"))
            #expect(scan.release.assets.count == 70_000)
            try await scan.package("package.zip", in: folder)
            try await ForeignEyes.agree(
                on: "package.zip", in: folder, holds: scan.release, extracting: false)
            let use = try await ForeignEyes.zip64Use(of: folder.file("package.zip"))
            #expect(use == .init(endRecords: true, centralEntries: 0, localEntries: 0))
        }
    }

    @Test("files beyond the streaming threshold, and one that just is not")
    func streamed() async throws {
        try await TemporaryFolder.with { folder in
            var noise = Noise(seed: 3)
            let threshold = Int(PackageWriter.streamingThreshold)
            let incompressible = noise.bytes(threshold + 1)
            let text = noise.text(threshold + 1)
            var site: Site = ["index.html": "small, before", "zz": "small, after"]
            site.add("compressible", text)
            site.add("incompressible", incompressible)
            site.add("just below", Array(text.prefix(threshold)))
            let scan = try await site.scan(in: folder.makeFolder("dist"))
            #expect(scan.release == (try site.release()))
            let progress = ProgressLog()
            let result = try await PackageBuilder(
                scan: scan, level: .fast, jobs: 2, progress: progress.sink
            )
            .build("package.zip", in: folder.directory())
            #expect(result.written.size < UInt64(threshold) * 3 / 2)
            #expect(progress.worst <= 1, "more than all was reported as done")
            try await ForeignEyes.agree(on: "package.zip", in: folder, holds: scan.release)
            #expect(try await ForeignEyes.zip64Use(of: folder.file("package.zip")) == Self.noZip64)
        }
    }
}

/// The largest share of the work reported as done.
private final class ProgressLog: @unchecked Sendable {
    private let lock = NSLock()
    private var shares: [Double] = []

    var worst: Double { lock.withLock { shares.max() ?? 0 } }

    var sink: ProgressSink {
        { [self] progress in
            lock.withLock { shares.append(Double(progress.done) / Double(max(1, progress.total))) }
        }
    }
}
