import Foundation
import PackArchive
import PackGround
import PackRelease
import TestSupport
import Testing

/// Builds and packages for the reuse tests.
enum ReuseSample {
    static let oldSite: Site = {
        var noise = Noise(seed: 11)
        var site: Site = ["index.html": "<!doctype html>old", "empty": ""]
        for index in 0..<12 { site.add("js/\(index).js", noise.text(3_000 + 500 * index)) }
        site.add("photo.jpg", noise.bytes(20_000))
        site.add("big.js", noise.text(1_500_000))
        return site
    }()

    /// Some files changed, one renamed, one new.
    static let newSite: Site = {
        var site = oldSite
        var noise = Noise(seed: 12)
        site.files[0] = Site.File(
            name: Array("index.html".utf8), content: Array("<!doctype html>new".utf8))
        site.files[3] = Site.File(name: site.files[3].name, content: noise.text(4_000))
        site.files[4] = Site.File(
            name: Array("js/renamed-ü.js".utf8), content: site.files[4].content)
        site.add("new.css", noise.text(9_000))
        return site
    }()

    /// The levels at which any entry of an archive written by `make` is reused.
    static func isReused(
        _ site: Site, _ make: (TemporaryFolder) async throws -> Run
    ) async throws -> [CompressionLevel] {
        try await TemporaryFolder.with { folder in
            try site.write(to: folder.makeFolder("dist"))
            let output = try await make(folder)
            #expect(output.status == 0, "\(output.all)")
            return try CompressionLevel.allCases.filter {
                try ReuseArchive.open("foreign.zip", in: folder.directory(), level: $0) != nil
            }
        }
    }

    /// A single file larger than the sampled megabyte.
    ///
    /// Regression: it was accepted without a check.
    static let large: Site = {
        var noise = Noise(seed: 5)
        return Site(files: [Site.File(name: Array("big.js".utf8), content: noise.text(2_000_000))])
    }()

    /// The pointer's reference to a package in a folder.
    static func reference(
        to name: String, in folder: TemporaryFolder
    ) throws -> ContentReference {
        let bytes = try folder.read(name)
        return ContentReference(
            url: "https://cdn.example.com/\(name)", sha256: StreamHasher.digest(of: bytes),
            size: UInt64(bytes.count))
    }
}
