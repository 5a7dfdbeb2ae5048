import Foundation
import PackArchive
import PackClient
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import TestSupport
import Testing

/// With any tampered origin, the installed release stays until a complete, verified one replaces
/// it.
@Suite(.eachStore) struct TamperedOriginTests {
    /// An installation of the first release and an origin that offers the second.
    private func behind() async throws -> (Playground, PublishReport) {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        return (playground, try await playground.publish(Playground.second))
    }

    private func flipped(_ bytes: [UInt8], _ index: Int, _ random: inout Noise) -> [UInt8] {
        var bytes = bytes
        bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        return bytes
    }

    private func expectRefusals(
        _ playground: Playground, _ path: String, _ positions: [Int], seed: UInt64,
        isSeen: Bool = false,
        location: SourceLocation = #_sourceLocation
    ) async throws {
        var random = Noise(seed: seed)
        let bytes = try playground.read(path)
        // A valid pointer counts as seen; an invalid one is not stored.
        let content = { try isSeen ? playground.installedTrees() : playground.installed() }
        let before = try content()
        for position in positions {
            try playground.overwrite(path, flipped(bytes, position, &random))
            await #expect(throws: (any Error).self, "byte \(position)", sourceLocation: location) {
                try await playground.install()
            }
            if position % 7 == 0 {
                #expect(
                    try content() == before, "byte \(position)",
                    sourceLocation: location)
            }
        }
        #expect(try content() == before, sourceLocation: location)
        try playground.overwrite(path, bytes)
        #expect(try await playground.install().outcome == .updated, sourceLocation: location)
    }

    @Test func everyByteOfThePointer() async throws {
        let (playground, _) = try await behind()
        let path = "origin/channels/production/pointer.json"
        let bytes = try playground.read(path)
        // Another name of the digest leaves the payload as it was.
        let name = try #require(bytes.firstRange(of: Array("\"digest\"".utf8)))
        let positions = bytes.indices.filter { !name.contains($0) }
        try await expectRefusals(
            playground, path, Soak.sample(Array(positions), 100), seed: 1)
    }

    @Test func bytesOfThePackage() async throws {
        let (playground, report) = try await behind()
        let path = "origin/releases/\(report.version)/package.zip"
        let positions = Soak.sample(try playground.read(path).indices, 50)
        try await expectRefusals(playground, path, positions, seed: 4, isSeen: true)
    }

    /// The same change in pointer and log, detectable only by a signature.
    ///
    /// The installed release is still complete.
    @Test func pointerAndLogTogether() async throws {
        let (playground, _) = try await behind()
        try playground.copy("client", to: "before")
        let path = "origin/channels/production/pointer.json"
        let pointer = try await playground.reader().pointer(.production)?.pointer
        let payload = PointerCoding.encode(try #require(pointer))
        let wholes = [Playground.first, Playground.second].map { $0.mapValues { Array($0.utf8) } }
        var random = Noise(seed: 5)
        func write(_ payload: [UInt8]) throws {
            let bytes = try Envelope(payloadType: Envelope.pointerType, payload: payload).encode()
            try playground.overwrite(path, bytes)
            try playground.overwrite("origin/channels/production/log/2.json", bytes)
        }
        for position in Soak.sample(payload.indices, 50) {
            try write(flipped(payload, position, &random))
            _ = try? await playground.install()
            #expect(wholes.contains(try playground.files("client/current/.")), "byte \(position)")
            try playground.remove("client")
            try playground.copy("before", to: "client")
        }
        // The same steps without damage install the second release.
        try write(payload)
        try await playground.install()
        #expect(try playground.files("client/current/.") == wholes[1])
    }

    @Test func truncatedAndGrownPackages() async throws {
        let (playground, report) = try await behind()
        let path = "origin/releases/\(report.version)/package.zip"
        let bytes = try playground.read(path)
        let before = try playground.installedTrees()
        for other in [
            [], Array(bytes.dropLast()), bytes + [0], bytes + bytes, Array(bytes.dropFirst()),
        ] {
            try playground.overwrite(path, other)
            await #expect(
                throws: Failure.originDiffers(
                    path: "\(playground.path)/\(path)", problem: "does not match its pointer")
            ) { try await playground.install() }
            #expect(try playground.installedTrees() == before)
        }
        try playground.remove(path)
        await #expect(throws: Failure.originMissing(path: "\(playground.path)/\(path)")) {
            try await playground.install()
        }
        // Only a directory can contain a link.
        guard playground.memory == nil else { return }
        try playground.link(path, to: "info.json")
        await expectFailure(of: "origin") { try await playground.install() }
        #expect(try playground.installedTrees() == before)
    }

    @Test func theFilesOfTwoReleasesSwapped() async throws {
        let (playground, two) = try await behind()
        let one = try Sample.release(Playground.first).version
        let paths = [one, two.version].map { "origin/releases/\($0)/package.zip" }
        let bytes = try paths.map { try playground.read($0) }
        for (path, other) in zip(paths, bytes.reversed()) { try playground.overwrite(path, other) }
        let before = try playground.installedTrees()
        await expectFailure(of: "origin") { try await playground.install() }
        #expect(try playground.installedTrees() == before)
        for (path, own) in zip(paths, bytes) { try playground.overwrite(path, own) }
        #expect(try await playground.install().outcome == .updated)
    }

    // MARK: Consistent in every hash, and still refused

    private static let packages: [(String, [String: String], Failure.Code)] = [
        (
            "a file more", Playground.second.merging(["evil.js": "x"]) { old, _ in old },
            .originDiffers
        ),
        ("a file less", Playground.second.filter { $0.key != "empty.txt" }, .originDiffers),
        (
            "another size", Playground.second.merging(["static/new.js": "x"]) { _, new in new },
            .originDiffers
        ),
        (
            "another content",
            Playground.second.merging(["static/new.js": "MORE()\n"]) { _, new in new },
            .installTreeDiffers
        ),
        ("all others", ["x": "1"], .originDiffers),
    ]

    /// All hashes in pointer, log, manifest and package match, but the package contains other
    /// files.
    @Test(arguments: packages) func aForgedPackage(
        _ name: String, _ files: [String: String], _ code: Failure.Code
    ) async throws {
        let (playground, report) = try await behind()
        let other = try Playground()
        let made = try await other.publish(files)
        let zip = try other.read("origin/releases/\(made.version)/package.zip")
        try await playground.forge(report.version) { _ in zip }
        let before = try playground.installedTrees()
        let error = await #expect(throws: Failure.self) { try await playground.install() }
        #expect(error?.code == code)
        #expect(try playground.installedTrees() == before)
        // A fresh client also rejects it.
        let again = await #expect(throws: Failure.self) {
            try await playground.install(into: "fresh")
        }
        #expect(again?.code == code)
        #expect(Array(try playground.tree("fresh").keys) == ["state.json"])
    }

    @Test func aPackageThatIsNoZip() async throws {
        let (playground, report) = try await behind()
        let before = try playground.installedTrees()
        for bytes in [[], Array("not a zip".utf8), [UInt8](repeating: 0, count: 100_000)] {
            try await playground.forge(report.version) { _ in bytes }
            // For a large package, a device with another release fetches single files instead.
            await expectFailure(of: "archive") {
                try await playground.install(into: "fresh-\(bytes.count)")
            }
            if bytes.count == 100_000 { continue }
            // Another payload with a seen sequence would be rejected for that reason.
            try? playground.remove("client/state.json")
            await expectFailure(of: "archive") { try await playground.install() }
            #expect(try playground.installedTrees() == before)
        }
    }

    /// The manifest lists a name that a scan of the unpacked tree ignores as junk.
    @Test(arguments: [false, true]) func aManifestThatListsJunk(_ isPacked: Bool) async throws {
        let (playground, _) = try await behind()
        let before = try playground.installedTrees()
        let reader = try playground.reader()
        let manifest = try await reader.manifest(
            of: try #require(try await reader.pointer(.production)))
        let junk = try Sample.asset(".DS_Store", "")
        let entry = ManifestEntry(
            asset: junk, url: "\(Playground.base)/objects/\(junk.sha256)/.DS_Store", type: "x")
        let forged = Manifest(
            app: manifest.app,
            entries: (manifest.entries + [entry]).sorted { $0.asset.path < $1.asset.path },
            launch: manifest.launch, scheme: manifest.scheme, package: manifest.package,
            build: manifest.build)
        #expect(throws: Never.self) {
            try ManifestCoding.decode(ManifestCoding.encode(forged), path: "x")
        }
        // Such a release has another version, so the whole pointer must be forged.
        let version = forged.release.version
        var zip = try playground.read("origin/" + OriginLayout.package(manifest.release.version))
        if isPacked { zip = try await packedJunk() }
        var pointer = try #require(try await reader.pointer(.production)).pointer
        let base = try BaseURL(Playground.base)
        let package = ContentReference(
            url: base.url(of: OriginLayout.package(version)), sha256: StreamHasher.digest(of: zip),
            size: UInt64(zip.count))
        let bytes = try ManifestCoding.encode(
            Manifest(
                app: forged.app, entries: forged.entries, launch: forged.launch,
                scheme: forged.scheme,
                package: package, build: forged.build))
        pointer.entry.version = version
        pointer.entry.packageHash = forged.release.packageHash
        pointer.tree = TreeSize(of: forged.release)
        pointer.package = package
        pointer.info = ContentReference(
            url: base.url(of: OriginLayout.manifest(version)),
            sha256: StreamHasher.digest(of: bytes),
            size: UInt64(bytes.count))
        pointer.sequence = 3
        let envelope = try Envelope(
            payloadType: Envelope.pointerType, payload: PointerCoding.encode(pointer)
        ).encode()
        try playground.write("origin/" + OriginLayout.manifest(version), bytes)
        try playground.write("origin/" + OriginLayout.package(version), zip)
        try playground.write("origin/channels/production/log/3.json", envelope)
        try playground.overwrite("origin/channels/production/pointer.json", envelope)
        if isPacked {
            await #expect(throws: Failure.installTreeDiffers(version: version.description)) {
                try await playground.install()
            }
        } else {
            let error = await #expect(throws: Failure.self) { try await playground.install() }
            #expect(error?.code == .originDiffers)
        }
        #expect(try playground.installedTrees() == before)
    }

    /// The package of the second release with a `.DS_Store`, which our own writer would exclude.
    private func packedJunk() async throws -> [UInt8] {
        let playground = try Playground()
        let report = try await playground.publish(
            Playground.second.merging([".DS_Storf": ""]) { old, _ in old })
        var zip = try playground.read("origin/releases/\(report.version)/package.zip")
        // Names have no checksum: change one letter in both headers.
        zip.replace(Array(".DS_Storf".utf8), with: Array(".DS_Store".utf8))
        return zip
    }
}
