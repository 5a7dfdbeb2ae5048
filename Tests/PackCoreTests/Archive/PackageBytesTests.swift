import CArchive
import Foundation
import PackArchive
import PackGround
import PackRelease
import PackZip
import TestSupport
import Testing

/// The bytes of a package only depend on its content and the level.
struct PackageBytesTests {
    private static let site: Site = {
        var noise = Noise(seed: 99)
        var site: Site = [
            "index.html": "<!doctype html>\n<title>Golden</title>\n", "empty.txt": "",
            "ünïcode/日本.txt": "names beyond ASCII\n",
        ]
        for index in 0..<20 { site.add("js/chunk-\(index).js", noise.text(400 * (index + 1))) }
        site.add("img/photo.jpg", noise.bytes(5_000))
        site.add("data/large.json", noise.text(300_000))
        return site
    }()

    /// Pinned to the version of libdeflate that produced them: another version may compress
    /// differently.
    private static let goldenLibdeflate = "1.14"
    private static let golden: [CompressionLevel: String] = [
        .fast: "8011c3900fca70215af93c41968cd4a260ff863fd5b9bd74fe8a0e38f2ff499c",
        .default: "7fca518ed384a8432a01511b41233b272ed477f1072f87b32c9aab06276d700e",
        .max: "2179570cad008c3cec37c97669bd1e0f4b270d30291211648675088218e59338",
    ]

    @Test("pinned bytes", arguments: CompressionLevel.allCases)
    func pinned(level: CompressionLevel) async throws {
        guard LIBDEFLATE_VERSION_STRING == Self.goldenLibdeflate else {
            try Test.cancel(
                """
                SKIPPED, nothing was checked: the bytes were pinned with libdeflate \
                \(Self.goldenLibdeflate), this is \(LIBDEFLATE_VERSION_STRING)
                """)
        }
        try await TemporaryFolder.with { folder in
            let scan = try await Self.site.scan(in: folder.makeFolder("dist"))
            let result = try await scan.package("p.zip", in: folder, level: level)
            #expect(result.digest.sha256.description == Self.golden[level])
        }
    }

    @Test("the same bytes on one, two and eight tasks", arguments: CompressionLevel.allCases)
    func jobs(level: CompressionLevel) async throws {
        try await TemporaryFolder.with { folder in
            // More than one batch in count and in bytes, so that tasks can finish out of order.
            var noise = Noise(seed: 4)
            var site = Self.site
            for index in 0..<600 { site.add("many/\(index)", noise.text(200)) }
            for index in 0..<8 { site.add("large/\(index)", noise.text(700_000)) }
            let dist = try folder.makeFolder("dist")
            try site.write(to: dist)
            var first: PackageBuilder.Result?
            for jobs in [1, 2, 8] {
                let scan = try await BuildScan.scan(dist.path, jobs: jobs)
                let result = try await scan.package(
                    "p-\(jobs).zip", in: folder, level: level, jobs: jobs)
                #expect(result.digest == first?.digest ?? result.digest)
                first = first ?? result
            }
        }
    }

    @Test("times, modes and the order of creation carry no meaning")
    func surroundings() async throws {
        try await TemporaryFolder.with { folder in
            let site = Self.site
            let first = try await site.scan(in: folder.makeFolder("one")).package(
                "1.zip", in: folder)
            var reversed = site
            reversed.files.reverse()
            let other = try folder.makeFolder("elsewhere/with a longer name")
            try reversed.write(to: other)
            let touched = try await ForeignTool("sh").run(
                [
                    "-c",
                    "find . -exec touch -d 2001-09-09T01:46:40 {} + && chmod -R a+rwX . && umask 077",
                ],
                in: other.path)
            #expect(touched.status == 0)
            let second = try await BuildScan.scan(other.path, jobs: 1).package("2.zip", in: folder)
            #expect(first.digest == second.digest)
        }
    }

    @Test("what was packed is unpacked", arguments: [1, 3])
    func roundTrip(jobs: Int) async throws {
        try await TemporaryFolder.with { folder in
            let scan = try await Self.site.scan(in: folder.makeFolder("dist"))
            try await scan.package("p.zip", in: folder)
            let target = try folder.makeFolder("target")
            try await Unpacker("p.zip", in: folder.directory(), expecting: scan.release)
                .unpack(into: target.directory(), jobs: jobs)
            #expect(try await BuildScan.scan(target.path, jobs: jobs).release == scan.release)
            #expect(
                try await PackageReader.release(of: "p.zip", in: folder.directory(), jobs: jobs)
                    == scan.release)
        }
    }

    @Test("only what is wanted is unpacked", arguments: [false, true], [1, 3])
    func someOfIt(isProved: Bool, jobs: Int) async throws {
        try await TemporaryFolder.with { folder in
            let scan = try await Self.site.scan(in: folder.makeFolder("dist"))
            try await scan.package("p.zip", in: folder)
            for wanted in [0, 1, scan.release.assets.count / 2, scan.release.assets.count] {
                let target = try folder.makeFolder("target-\(wanted)")
                let assets = scan.release.assets.shuffled().prefix(wanted)
                let unpacker = try Unpacker(
                    "p.zip", in: folder.directory(), expecting: scan.release,
                    only: Set(assets.map(\.path)))
                if isProved {
                    try await unpacker.unpackProved(into: target.directory(), jobs: jobs)
                } else {
                    try await unpacker.unpack(into: target.directory(), jobs: jobs)
                }
                guard wanted > 0 else {
                    #expect(try FileManager.default.subpathsOfDirectory(atPath: target.path) == [])
                    continue
                }
                #expect(
                    try await BuildScan.scan(target.path, jobs: jobs).release
                        == Release(assets: Array(assets)))
            }
        }
    }

    @Test("a package is never written over another file")
    func noOverwrite() async throws {
        try await TemporaryFolder.with { folder in
            let scan = try await Self.site.scan(in: folder.makeFolder("dist"))
            try folder.write(Array("precious".utf8), as: "p.zip")
            await expectFailure(of: "file-system") {
                try await scan.package("p.zip", in: folder)
            }
            #expect(try folder.read("p.zip") == Array("precious".utf8))
        }
    }

    @Test("a file that changed since it was hashed is noticed, size kept or not")
    func changedSinceScan() async throws {
        for content in [
            "<!doctype html>\n<title>Evil!!</title>\n", "short", String(repeating: "x", count: 99),
        ] {
            try await TemporaryFolder.with { folder in
                let dist = try folder.makeFolder("dist")
                let scan = try await Self.site.scan(in: dist)
                try dist.write(Array(content.utf8), as: "index.html")
                await #expect(throws: Failure.buildChangedWhileRead(path: dist.file("index.html")))
                {
                    try await scan.package("p.zip", in: folder)
                }
            }
        }
    }

    @Test("names no package may have are refused, all at once")
    func portability() async throws {
        try await TemporaryFolder.with { folder in
            let site: Site = ["a:b": "", "aux.js": "", "x.": "", "fine": "", "cafe\u{301}": ""]
            let scan = try await site.scan(in: folder.makeFolder("dist"))
            let error = await #expect(throws: Failure.self) {
                try await scan.package("p.zip", in: folder)
            }
            #expect(error?.code == .buildNames)
            let problems: [NameProblem] = [.colon, .deviceName, .notComposed, .trailingDotOrSpace]
            let lines = error?.description.split(separator: "\n").dropFirst() ?? []
            #expect(lines.count == problems.count)
            for (line, problem) in zip(lines, problems) {
                #expect(line.hasSuffix(": \(problem.reason)"))
            }
            #expect(try folder.directory().status("p.zip") == nil)
        }
    }
}
