import Foundation
import PackGround
import PackRelease
import TestSupport
import Testing

struct ManifestCodingTests {
    /// Regression: the message named a size below the limit it named.
    @Test func tooManyFilesAreNotASize() throws {
        let manifest = try Sample.manifest()
        let entry = try #require(manifest.entries.first)
        let many = Manifest(
            app: manifest.app, entries: Array(repeating: entry, count: Manifest.assetLimit + 1),
            launch: nil, scheme: manifest.scheme, package: nil, build: manifest.build)
        let error = #expect(throws: Failure.self) { try ManifestCoding.encode(many) }
        #expect(error == .manifestTooManyFiles(count: 200_001, limit: 200_000))
        #expect(
            error?.description == "the build has 200,001 files; a manifest lists at most 200,000")
    }

    @Test func goldenBytes() throws {
        let bytes = try ManifestCoding.encode(try Sample.manifest())
        #expect(String(decoding: bytes, as: UTF8.self) == Sample.goldenManifest)
    }

    @Test func comesBackAsItWas() throws {
        let manifest = try Sample.manifest()
        #expect(
            try ManifestCoding.decode(Array(Sample.goldenManifest.utf8), path: "x") == manifest)
    }

    @Test func optionalPartsMayBeMissing() throws {
        let request = try Sample.manifestRequest(commit: nil)
        let release = try Sample.release(["a.js": "1"])
        let manifest = try request.manifest(of: release, package: nil)
        #expect(manifest.launch == nil)
        let bytes = try ManifestCoding.encode(manifest)
        let text = String(decoding: bytes, as: UTF8.self)
        for name in ["launch", "package\"", "commit"] { #expect(!text.contains("\"\(name)")) }
        #expect(try ManifestCoding.decode(bytes, path: "x") == manifest)
    }

    @Test func foundationReadsTheSame() throws {
        let object = try JSONSerialization.jsonObject(with: Data(Sample.goldenManifest.utf8))
        let root = try #require(object as? [String: Any])
        let assets = try #require(root["assets"] as? [[String: Any]])
        #expect(root["files"] as? [String] == assets.compactMap { $0["url"] as? String })
        #expect(root["version"] as? String == "620dee92df08a50738ec")
    }

    /// Members added by later versions must not prevent reading the rest.
    @Test func unknownMembersAreIgnored() throws {
        let text = Sample.goldenManifest
            .replacingOccurrences(
                of: "  \"schema\": 1,", with: "  \"schema\": 1, \"new\": [{\"x\": 1.5e3}],"
            )
            .replacingOccurrences(of: "\"size\": 412", with: "\"size\": 412, \"sha512\": null")
            .replacingOccurrences(of: "\"size\": 14,", with: "\"size\": 14, \"integrity\": true,")
        #expect(text != Sample.goldenManifest)
        #expect(try ManifestCoding.decode(Array(text.utf8), path: "x") == Sample.manifest())
    }

    @Test func spellingOfTheJSONDoesNotMatter() throws {
        let compact = Sample.goldenManifest.replacingOccurrences(of: "\n", with: "\r\n\t")
            .replacingOccurrences(of: "index.html\",", with: "index\\u002ehtml\",")
            .replacingOccurrences(of: "ü", with: "\\u00fc")
        #expect(try ManifestCoding.decode(Array(compact.utf8), path: "x") == Sample.manifest())
    }

    private static let launchTable: [(String?, String?)] = [
        ("about/", nil), ("about/index.html", "about/index.html"), (nil, "index.html"),
    ]

    @Test(arguments: launchTable) func launchPages(_ wanted: String?, _ found: String?) throws {
        let release = try Sample.release(["index.html": "", "about/index.html": ""])
        let request = try Sample.manifestRequest(launch: wanted)
        if let found {
            #expect(try request.manifest(of: release, package: nil).launch?.description == found)
        } else {
            #expect(throws: Failure.manifestNoLaunchPage("about/")) {
                try request.manifest(of: release, package: nil)
            }
        }
    }

    @Test func namesThatNoPackageMayHaveAreRefused() throws {
        let release = try Sample.release([
            "aux.js": "", "ok": "", "a:b": "", "dot./x": "", "e\u{301}": "",
        ])
        let names: [RefusedName] = [
            .init(name: "a:b", problem: .colon), .init(name: "aux.js", problem: .deviceName),
            .init(name: "dot./x", problem: .trailingDotOrSpace),
            .init(name: printable("e\u{301}".utf8), problem: .notComposed),
        ]
        #expect(throws: Failure.buildNames(root: "the build", names: names)) {
            try Sample.manifestRequest().manifest(of: release, package: nil)
        }
    }
}
