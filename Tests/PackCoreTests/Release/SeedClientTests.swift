import Foundation
import PackGround
import PackRelease
import TestSupport
import Testing

/// The client of article S003: it knows `version` and `files`, stores each file under the last path
/// component of its URL, and serves pages by the same component.
private struct SeedClient {
    private var version: String?
    private(set) var stored: [String: [UInt8]] = [:]

    mutating func update(info: [UInt8], fetch: (String) -> [UInt8]?) throws {
        let object = try JSONSerialization.jsonObject(with: Data(info)) as? [String: Any]
        let root = try #require(object)
        let offered = try #require(root["version"] as? String)
        let urls = try #require(root["files"] as? [String])
        guard offered != version else { return }
        let names = urls.map { $0.components(separatedBy: "/").last ?? "" }
        for name in stored.keys where !names.contains(name) { stored[name] = nil }
        for (name, url) in zip(names, urls) where stored[name] == nil {
            let bytes = try #require(fetch(url))
            stored[name] = bytes
        }
        version = offered
    }

    func answer(_ url: String) -> [UInt8]? {
        let name = url.components(separatedBy: "/").last ?? ""
        return stored[name.components(separatedBy: "?").first ?? ""]
    }
}

struct SeedClientTests {
    private static let files = [
        "index.html": "<h1>1</h1>", "static/main.c609e010f4.js": "go()",
        "static/logo.add928b525.png": "png",
        "manifest.json": "{}",
    ]

    @Test func readsWhatPublishWrites() async throws {
        let playground = try Playground()
        let base = try BaseURL(Playground.base)
        try await playground.publish(Self.files)
        var client = SeedClient()
        let fetch = { (url: String) -> [UInt8]? in
            guard let path = base.path(of: url) else { return nil }
            return try? playground.read("origin/\(path)")
        }
        try client.update(info: playground.read("origin/info.json"), fetch: fetch)
        #expect(client.stored.count == 4)
        for (path, content) in Self.files {
            #expect(client.answer("customScheme://www.test.com/\(path)?v=1") == Array(content.utf8))
        }

        // A new release changes the page and the hashed name of the script.
        var next = Self.files
        next["static/main.c609e010f4.js"] = nil
        next["static/main.77aa010f42.js"] = "go(2)"
        try await playground.publish(next)
        try client.update(info: playground.read("origin/info.json"), fetch: fetch)
        #expect(
            client.answer("customScheme://host/static/main.77aa010f42.js") == Array("go(2)".utf8))
        #expect(
            client.stored.keys.sorted() == [
                "index.html", "logo.add928b525.png", "main.77aa010f42.js", "manifest.json",
            ])
    }

    @Test func everyFileEndsInItsName() throws {
        let manifest = try Sample.manifest()
        for entry in manifest.entries {
            let last = try #require(entry.url.components(separatedBy: "/").last)
            #expect(
                last.removingPercentEncoding
                    == String(decoding: entry.asset.path.fileName, as: UTF8.self))
        }
    }
}
