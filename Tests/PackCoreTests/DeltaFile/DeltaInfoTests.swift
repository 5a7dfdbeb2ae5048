import Foundation
import PackArchive
import PackClient
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackZip
import TestSupport
import Testing

@testable import PackDeltaFile

// @testable: it puts templates into deltas that no publisher makes.

/// `info.json` in a delta: made from the new tree, verified by the pointer, and downloaded if it is
/// wrong.
@Suite struct DeltaInfoTests {
    package static func release(_ number: Int) -> [String: String] {
        var random = Noise(seed: 41)
        return [
            "index.html": "<!doctype html><script src=a/main.\(number)2345678.js></script>",
            "a/main.\(number)2345678.js": MinifiedText.bundle(
                &random, functions: 90, shift: number, names: []),
            "a/größe +1.TXT": "one", "LICENSE": "two",
        ]
    }

    private static func manifest(
        package: ContentReference?, type: (String) -> String = { $0 }
    ) async throws -> Manifest {
        let playground = try Playground()
        let scan = try await playground.scan(release(1), in: "build")
        let request = ManifestRequest(
            app: try AppName("shop"), baseURL: try BaseURL("https://example.com/a%20b"),
            launch: nil, scheme: "app",
            build: .init(commit: package == nil ? nil : "c0ffee", tool: "packtool \"1\""))
        let made = try request.manifest(of: scan.release, package: package)
        return Manifest(
            app: made.app,
            entries: made.entries.map {
                ManifestEntry(asset: $0.asset, url: $0.url, type: type($0.type))
            }, launch: made.launch, scheme: made.scheme, package: made.package, build: made.build)
    }

    /// A template reproduces every byte, also after encoding it as JSON.
    @Test func aTemplateGivesTheManifestBack() async throws {
        let plain = try await Self.manifest(package: nil)
        let path = OriginLayout.package(plain.release.version)
        let package = ContentReference(
            url: "https://example.com/a%20b/\(path)", sha256: plain.release.packageHash,
            size: 1 << 40)
        for manifest in [
            plain, try await Self.manifest(package: package),
            try await Self.manifest(package: package) {
                $0 == "text/javascript" ? "application/javascript" : $0 + ";x"
            },
        ] {
            let template = try #require(ManifestTemplate(of: manifest))
            let text = JSONWriter.write(template.json)
            let read = try ManifestTemplate(JSONObject(JSONParser.parse(text)))
            #expect(read == template)
            let bytes = try ManifestCoding.encode(manifest)
            var written: [UInt8] = []
            read.write(manifest.release) { written += $0 }
            #expect(written == bytes)
            let digest = FileDigest(
                sha256: StreamHasher.digest(of: bytes), size: UInt64(bytes.count))
            #expect(read.digest(of: manifest.release, limit: digest.size) == digest)
            #expect(read.digest(of: manifest.release, limit: digest.size - 1) == nil)
        }
    }

    @Test func aManifestThatDoesNotFollowFromItsFiles() async throws {
        let manifest = try await Self.manifest(package: nil)
        var entries = manifest.entries
        entries[1] = ManifestEntry(
            asset: entries[1].asset, url: "https://other.example/x.js", type: entries[1].type)
        let other = Manifest(
            app: manifest.app, entries: entries, launch: nil, scheme: "app", package: nil,
            build: manifest.build)
        #expect(ManifestTemplate(of: other) == nil)
        let moved = try await Self.manifest(
            package: ContentReference(
                url: "https://example.com/p.zip", sha256: manifest.release.packageHash, size: 1))
        #expect(ManifestTemplate(of: moved) == nil)
    }

    /// A client with the first release, and a second release with a delta.
    private func behind() async throws -> (Playground, PublishReport) {
        let playground = try Playground()
        try await playground.publish(Self.release(1), deltas: 1)
        try await playground.install()
        return (playground, try await playground.publish(Self.release(2), deltas: 1))
    }

    /// Only the pointer and the delta are read: other files may be missing.
    @Test func anUpdateReadsNothingElse() async throws {
        let (playground, two) = try await behind()
        try playground.remove("origin/releases/\(two.version)/info.json")
        try playground.remove("origin/releases/\(two.version)/package.zip")
        try playground.remove("origin/objects")
        try playground.remove("origin/channels/production/log")
        let update = try await playground.install()
        #expect(update.installed.route == .delta && update.notes.isEmpty)
        #expect(update.installed.packageHash == two.packageHash)
    }

    private struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let template: @Sendable (ManifestTemplate) throws -> ManifestTemplate?

        init(
            _ name: String,
            _ template: @escaping @Sendable (ManifestTemplate) throws -> ManifestTemplate?
        ) {
            testDescription = name
            self.template = template
        }
    }

    private static let changes = [
        Change("none") { _ in nil },
        Change("another app") { try $0.with(app: AppName("other")) },
        Change("another base URL") { try $0.with(baseURL: BaseURL("https://other.example")) },
        Change("a base URL that makes it far too long") {
            try $0.with(
                baseURL: BaseURL("https://e.example/" + String(repeating: "x", count: 60_000)))
        },
        Change("a page that is not there") { try $0.with(launch: AssetPath("start.html")) },
        Change("another package") {
            $0.with(package: FileDigest(sha256: StreamHasher.digest(of: [1]), size: 5))
        },
        Change("other types") { $0.with(types: [Array("js".utf8): "text/plain"]) },
    ]

    /// A device does not need the manifest.
    @Test(arguments: changes) private func aWrongManifest(_ change: Change) async throws {
        let (playground, two) = try await behind()
        try await playground.forgeDelta(change.template)
        let update = try await playground.install()
        #expect(update.installed.route == .delta && update.notes.isEmpty)
        #expect(update.installed.packageHash == two.packageHash)
        #expect(update.fetched.info == 0)
    }
}

extension ManifestTemplate {
    fileprivate func with(
        app: AppName? = nil, baseURL: BaseURL? = nil, launch: AssetPath? = nil,
        package: FileDigest? = nil, types: [[UInt8]: String]? = nil
    ) -> ManifestTemplate {
        ManifestTemplate(
            app: app ?? self.app, baseURL: baseURL ?? self.baseURL, launch: launch ?? self.launch,
            scheme: scheme, package: package ?? self.package, build: build,
            types: types ?? self.types)
    }
}

extension Playground {
    /// Changes the manifest in the current pointer's delta, and updates pointer and log.
    fileprivate func forgeDelta(
        _ change: (ManifestTemplate) throws -> ManifestTemplate?
    ) async throws {
        let published = try #require(try await reader().pointer(.production))
        var pointer = published.pointer
        let delta = pointer.deltas[0]
        let path = "origin/" + OriginLayout.delta(pointer.version, from: delta.from)
        try write("forging/delta.zip", read(path))
        let directory = try Directory.open(self.path + "/forging")
        var manifest = try DeltaManifest.read("delta.zip", in: directory)
        let info = try #require(manifest.info)
        manifest.info = try change(info)
        let structure = try ZipStructure.read(
            directory.openFile("delta.zip"), limits: .standard)
        let zip = HostileZip(
            entries: try structure.paths.map { member in
                let name = member.description
                let content =
                    name == DeltaManifest.fileName
                    ? manifest.encode()
                    : try PackageReader.member(
                        of: "delta.zip", in: directory, named: name, limit: 1 << 24)
                return HostileZip.entry(member.bytes, content, deflated: true)
            })
        try overwrite(path, zip.bytes)
        pointer.deltas = [
            Pointer.Delta(
                from: delta.from, fromHash: delta.fromHash,
                content: ContentReference(
                    url: delta.content.url, sha256: StreamHasher.digest(of: zip.bytes),
                    size: UInt64(zip.bytes.count)), needs: delta.needs)
        ]
        let envelope = try Envelope(
            payloadType: Envelope.pointerType, payload: PointerCoding.encode(pointer))
        try overwrite("origin/" + OriginLayout.pointer(.production), envelope.encode())
        try overwrite(
            "origin/" + OriginLayout.logEntry(.production, pointer.sequence), envelope.encode())
    }
}
