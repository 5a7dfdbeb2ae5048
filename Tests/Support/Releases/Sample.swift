import PackGround
package import PackOrigin
package import PackRelease
import Testing

/// A small manifest and pointer with fixed bytes, which pin the file formats.
package enum Sample {
    package static let contents = [
        "index.html": "<h1>Shop</h1>\n", "static/main.js": "go()\n", "a b/ü.css": "",
    ]

    package static func release() throws -> Release { try release(contents) }

    package static func release(_ contents: [String: String]) throws -> Release {
        Release(assets: try contents.map { try asset($0, $1) })
    }

    package static func asset(_ path: String, _ content: String) throws -> Asset {
        Asset(
            path: try AssetPath(path), size: UInt64(content.utf8.count),
            sha256: StreamHasher.digest(of: Array(content.utf8)))
    }

    package static func manifestRequest(
        commit: String? = "4f2a", launch: String? = nil
    ) throws -> ManifestRequest {
        ManifestRequest(
            app: try AppName("shop"), baseURL: try BaseURL("https://cdn.example.com/shop"),
            launch: launch, scheme: "customscheme",
            build: .init(commit: commit, tool: "packtool 1.0.0"))
    }

    package static func manifest() throws -> Manifest {
        let release = try release()
        return try manifestRequest().manifest(
            of: release,
            package: ContentReference(
                url: "https://cdn.example.com/shop/releases/\(release.version)/package.zip",
                sha256: StreamHasher.digest(of: Array("zip".utf8)), size: 412))
    }

    package static func pointer() throws -> Pointer {
        let manifest = try manifest()
        let bytes = try ManifestCoding.encode(manifest)
        let version = manifest.release.version
        let entry = Pointer.Entry(
            version: version, packageHash: manifest.release.packageHash,
            tree: TreeSize(of: manifest.release), label: "2.4.1",
            launch: manifest.launch,
            info: ContentReference(
                url: "https://cdn.example.com/shop/releases/\(version)/info.json",
                sha256: StreamHasher.digest(of: bytes), size: UInt64(bytes.count)),
            package: try #require(manifest.package), deltas: [])
        let stamp = Pointer.Stamp(
            sequence: 418, previous: 417,
            createdAt: try #require(Timestamp("2026-11-21T08:00:00Z")),
            expires: Timestamp(seconds: 1_803_024_000))
        return Pointer.first(
            app: manifest.app, channel: .production, stamp, .publish(entry, .init()), entry)
    }
}
