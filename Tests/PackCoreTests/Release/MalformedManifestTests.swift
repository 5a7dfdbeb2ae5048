import Foundation
import PackGround
import PackRelease
import TestSupport
import Testing

/// Almost correct manifests.
///
/// Each is the golden one with a single change.
struct MalformedManifestTests {
    private static let deep = (0..<33).map { "\($0)" }.joined(separator: "/")
    private static let long = [String](repeating: String(repeating: "a", count: 250), count: 5)
        .joined(separator: "/")

    @Test(arguments: syntax + shape + meaning) func refused(_ test: Case) throws {
        let golden = Sample.goldenManifest
        let found = try #require(golden.range(of: test.find))
        let text = golden.replacingCharacters(in: found, with: test.replacement)
        guard test.problem != "!" else {
            // A size is not part of the listing. Reading the content detects it.
            #expect(
                try ManifestCoding.decode(Array(text.utf8), path: "x").release != Sample.release())
            return
        }
        expectRefusal(Array(text.utf8), test.problem)
    }

    private func expectRefusal(
        _ bytes: [UInt8], _ problem: String, location: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: Failure.self, sourceLocation: location) {
            try ManifestCoding.decode(bytes, path: "there")
        }
        #expect(error?.code == .manifestInvalid, sourceLocation: location)
        #expect(
            error?.description.hasPrefix("'there' is not a valid manifest: \(problem)") == true,
            "\(String(describing: error))", sourceLocation: location)
    }

    private static let otherDocumentsTable: [(String, String)] = [
        ("", "the text ends too early"), (" ", "the text ends too early"),
        ("7", "is not an object"),
        ("[]", "is not an object"), ("\"x\"", "is not an object"), ("null", "is not an object"),
        ("{}", "schema is missing"), ("{} {}", "the value is followed by other bytes"),
        ("{\"schema\": 1}\u{0}", "the value is followed by other bytes"),
    ]

    @Test(arguments: otherDocumentsTable) func otherDocuments(_ text: String, _ problem: String) {
        expectRefusal(Array(text.utf8), problem)
    }

    @Test func brokenUTF8() {
        let golden = Array(Sample.goldenManifest.utf8)
        for broken: [UInt8] in [
            [0xFF], [0xC3], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
        ] {
            expectRefusal(
                Array("{\"x\": \"".utf8) + broken + Array("\"}".utf8), "the text is not UTF-8")
            expectFailure(of: "manifest") {
                try ManifestCoding.decode(broken + golden, path: "x")
            }
        }
        expectRefusal(
            Array(String(decoding: golden, as: UTF8.self).utf16.flatMap { [UInt8($0 & 255), 0] }),
            "not valid JSON")
    }

    @Test func cutShortAtEveryByte() {
        let golden = Array(Sample.goldenManifest.utf8)
        // Everything except the final line feed is required.
        for count in 0..<(golden.count - 1) {
            expectFailure(of: "manifest") {
                try ManifestCoding.decode(Array(golden.prefix(count)), path: "x")
            }
        }
        #expect(throws: Never.self) {
            try ManifestCoding.decode(Array(golden.dropLast()), path: "x")
        }
    }

    private func crafted(_ paths: [String], launch: String? = nil) throws -> [UInt8] {
        let request = try Sample.manifestRequest()
        let release = Release(assets: try paths.map { try Sample.asset($0, $0) })
        let entries = release.assets.map {
            ManifestEntry(
                asset: $0, url: request.baseURL.url(of: OriginLayout.object($0)),
                type: "text/plain")
        }
        return try ManifestCoding.encode(
            Manifest(
                app: request.app, entries: entries, launch: try launch.map { try AssetPath($0) },
                scheme: "customscheme", package: nil, build: request.build))
    }

    private static let craftedNamesTable: [([String], String)] = [
        (["a", "a"], "assets are not in listing order with each path once"),
        (["A", "a"], "assets contain 'a': it equals 'A' on a file system"),
        (["a/x", "A/y"], "assets contain 'a/x': it equals 'A' on a file system"),
        (["straße", "STRASSE"], "assets contain 'straße': it equals 'STRASSE' on a file system"),
        (["a", "a/b"], "assets contain 'a/b': it equals 'a' on a file system"),
        (["é", "É"], "assets contain 'é': it equals 'É' on a file system"),
        (["con"], "assets[0].path is refused: a component is a device name"),
        (["e\u{301}"], "assets[0].path is refused: the name is not in Unicode normal form C"),
        (["a "], "assets[0].path is refused: a component ends in a dot or a space"),
        (
            [deep],
            "assets[0].path is refused: the path is deeper than 32 components"
        ),
        (
            [long],
            "assets[0].path is refused: the path is longer than 1024 bytes"
        ),
    ]

    @Test(arguments: craftedNamesTable) func craftedNames(_ paths: [String], _ problem: String)
        throws
    {
        expectRefusal(try crafted(paths), problem)
    }

    @Test func theCraftIsSound() throws {
        #expect(throws: Never.self) {
            try ManifestCoding.decode(crafted(["a", "b/c"]), path: "x")
        }
    }

    @Test func assetsOutOfOrder() throws {
        let text = String(decoding: try crafted(["a", "b"]), as: UTF8.self)
        var lines = text.components(separatedBy: "\n")
        let start = try #require(lines.firstIndex { $0.contains("\"path\": \"a\"") })
        lines[start] = lines[start].trimmingCharacters(in: [","])
        lines[start + 1] += ","
        lines.swapAt(start, start + 1)
        expectRefusal(Array(lines.joined(separator: "\n").utf8), "assets are not in listing order")
    }

    /// Regression: sizes whose sum overflows crashed when added up.
    @Test func regressionSizesThatOverflowTogether() throws {
        let request = try Sample.manifestRequest()
        let assets = try (0..<2100).map {
            Asset(
                path: try AssetPath("f\($0)"), size: 1 << 53 - 1,
                sha256: StreamHasher.digest(of: []))
        }
        let entries = Release(assets: assets).assets.map {
            ManifestEntry(
                asset: $0, url: request.baseURL.url(of: OriginLayout.object($0)),
                type: "text/plain")
        }
        let manifest = Manifest(
            app: request.app, entries: entries, launch: nil, scheme: "customscheme", package: nil,
            build: request.build)
        expectRefusal(
            try ManifestCoding.encode(manifest), "assets add up to more than 2^53 - 1 bytes")
    }
}
