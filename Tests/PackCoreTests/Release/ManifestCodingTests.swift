import Foundation
import PackCore
import TestSupport
import Testing

struct ManifestCodingTests {
    /// Written by hand and by Python (json, hashlib), not by this code.
    static let golden = """
        {
          "version": "620dee92df08a50738ec",
          "files": [
            "https://cdn.example.com/shop/objects/e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855/%C3%BC.css",
            "https://cdn.example.com/shop/objects/72c48f9b21b42d12ad18a0d08e09eef2a29e0d4ceb38352c760bb840826d8df7/index.html",
            "https://cdn.example.com/shop/objects/bb1ced5413aee08d544bbd2da0630f6eda5f72434a5bd3b327d0bafcce6622b2/main.js"
          ],
          "schema": 1,
          "app": "shop",
          "packageHash": "620dee92df08a50738ec467264ce75661d36e1751b78221626a9895f50403093",
          "launch": "index.html",
          "scheme": "customscheme",
          "assets": [
            {"path": "a b/ü.css", "url": "https://cdn.example.com/shop/objects/e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855/%C3%BC.css", "sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "size": 0, "type": "text/css"},
            {"path": "index.html", "url": "https://cdn.example.com/shop/objects/72c48f9b21b42d12ad18a0d08e09eef2a29e0d4ceb38352c760bb840826d8df7/index.html", "sha256": "72c48f9b21b42d12ad18a0d08e09eef2a29e0d4ceb38352c760bb840826d8df7", "size": 14, "type": "text/html"},
            {"path": "static/main.js", "url": "https://cdn.example.com/shop/objects/bb1ced5413aee08d544bbd2da0630f6eda5f72434a5bd3b327d0bafcce6622b2/main.js", "sha256": "bb1ced5413aee08d544bbd2da0630f6eda5f72434a5bd3b327d0bafcce6622b2", "size": 5, "type": "text/javascript"}
          ],
          "package": {
            "url": "https://cdn.example.com/shop/releases/620dee92df08a50738ec/package.zip",
            "sha256": "4a70fe9aa6436e02c2dea340fbd1e352e4ef2d8ce6ca52ad25d4b95471fc8bf2",
            "size": 412
          },
          "build": {
            "commit": "4f2a",
            "tool": "packtool 1.0.0"
          }
        }

        """

    /// The message named a size, which was below the limit that it named.
    @Test func tooManyFilesAreNotASize() throws {
        let manifest = try Sample.manifest()
        let entry = try #require(manifest.entries.first)
        let many = Manifest(
            app: manifest.app, entries: Array(repeating: entry, count: Manifest.assetLimit + 1),
            launch: nil, scheme: manifest.scheme, package: nil, build: manifest.build)
        let error = #expect(throws: ManifestError.self) { try ManifestCoding.encode(many) }
        #expect(error == .tooManyFiles(count: 200_001, limit: 200_000))
        #expect(
            error?.description == "the build has 200,001 files; a manifest lists at most 200,000")
    }

    @Test func goldenBytes() throws {
        let bytes = try ManifestCoding.encode(try Sample.manifest())
        #expect(String(decoding: bytes, as: UTF8.self) == Self.golden)
    }

    @Test func comesBackAsItWas() throws {
        let manifest = try Sample.manifest()
        #expect(try ManifestCoding.decode(Array(Self.golden.utf8), place: "x") == manifest)
    }

    @Test func optionalPartsMayBeMissing() throws {
        let request = try Sample.manifestRequest(commit: nil)
        let release = try Sample.release(["a.js": "1"])
        let manifest = try request.manifest(of: release, package: nil)
        #expect(manifest.launch == nil)
        let bytes = try ManifestCoding.encode(manifest)
        let text = String(decoding: bytes, as: UTF8.self)
        for name in ["launch", "package\"", "commit"] { #expect(!text.contains("\"\(name)")) }
        #expect(try ManifestCoding.decode(bytes, place: "x") == manifest)
    }

    @Test func foundationReadsTheSame() throws {
        let object = try JSONSerialization.jsonObject(with: Data(Self.golden.utf8))
        let root = try #require(object as? [String: Any])
        let assets = try #require(root["assets"] as? [[String: Any]])
        #expect(root["files"] as? [String] == assets.compactMap { $0["url"] as? String })
        #expect(root["version"] as? String == "620dee92df08a50738ec")
    }

    /// A member that a later packtool adds must not keep this one from reading the rest.
    @Test func unknownMembersAreIgnored() throws {
        let text = Self.golden
            .replacingOccurrences(
                of: "  \"schema\": 1,", with: "  \"schema\": 1, \"new\": [{\"x\": 1.5e3}],"
            )
            .replacingOccurrences(of: "\"size\": 412", with: "\"size\": 412, \"sha512\": null")
            .replacingOccurrences(of: "\"size\": 14,", with: "\"size\": 14, \"integrity\": true,")
        #expect(text != Self.golden)
        #expect(try ManifestCoding.decode(Array(text.utf8), place: "x") == Sample.manifest())
    }

    @Test func spellingOfTheJSONDoesNotMatter() throws {
        let compact = Self.golden.replacingOccurrences(of: "\n", with: "\r\n\t")
            .replacingOccurrences(of: "index.html\",", with: "index\\u002ehtml\",")
            .replacingOccurrences(of: "ü", with: "\\u00fc")
        #expect(try ManifestCoding.decode(Array(compact.utf8), place: "x") == Sample.manifest())
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
            #expect(throws: ManifestError.noLaunchPage("about/")) {
                try request.manifest(of: release, package: nil)
            }
        }
    }

    @Test func namesThatNoPackageMayHaveAreRefused() throws {
        let release = try Sample.release([
            "aux.js": "", "ok": "", "a:b": "", "dot./x": "", "e\u{301}": "",
        ])
        let error = #expect(throws: RefusedNames.self) {
            try Sample.manifestRequest().manifest(of: release, package: nil)
        }
        #expect(
            error?.names.map(\.problem) == [.colon, .deviceName, .trailingDotOrSpace, .notComposed])
    }
}
