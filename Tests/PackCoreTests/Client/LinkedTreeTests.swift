import Foundation
import PackClient
import PackDeltaFile
import PackDeltaMaking
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import TestSupport
import Testing

/// Unchanged files of an update are links to those of the previous tree.
@Suite struct LinkedTreeTests {
    /// A changed page, and files that are the same in every release.
    private static func release(_ number: Int) -> [String: String] {
        var noise = Noise(seed: 61)
        return [
            "index.html": "<!doctype html><script src=static/main.js></script> \(number)",
            "static/main.js": "// \(number)\n" + (1...2000).map { "f(\($0));" }.joined(),
            "static/photo.txt": noise.bytes(10_000).map { String($0, radix: 16) }.joined(),
            "static/empty.txt": "", "about/copy.txt": "twice", "about/again.txt": "twice",
        ]
    }

    private static let kept = ["static/photo.txt", "static/empty.txt"]
    private static let photo = "static/photo.txt"

    /// A device with the first release, and an origin with the last one.
    private static func device(releases: Int = 2, deltas: Int = 1) async throws -> Playground {
        let playground = try Playground()
        for number in 1...releases {
            try await playground.publish(release(number), deltas: deltas)
            if number == 1 { try await playground.install() }
        }
        return playground
    }

    private func mode(_ playground: Playground, _ path: String) throws -> Int {
        try #require(
            FileManager.default.attributesOfItem(atPath: "\(playground.path)/\(path)")[
                .posixPermissions] as? Int)
    }

    /// The number of a path's file system.
    private func device(_ path: String) throws -> Int? {
        guard FileManager.default.isWritableFile(atPath: path) else { return nil }
        return try FileManager.default.attributesOfItem(atPath: path)[.systemNumber] as? Int
    }

    private func inodes(_ playground: Playground) throws -> [String: UInt64] {
        try playground.tree("client/current/.").filter { $0.value.kind == "file" }
            .mapValues(\.inode)
    }

    /// Installs over HTTP, with a change of the device's files when a file is requested.
    private func install(
        _ playground: Playground, when end: String, change: @escaping @Sendable () -> Void
    ) async throws -> InstallReport {
        var files: [String: [UInt8]] = [:]
        for path in try playground.publicFiles() {
            files[path] = try playground.read("origin/\(path)")
        }
        let transport = ServedTransport(files) { question, _ in
            if question.path.hasSuffix(end) { change() }
        }
        return try await Installer.install(
            InstallRequest(
                origin: ServedTransport.address, directory: playground.client,
                channel: .production, now: Playground.now, jobs: 2),
            from: HTTPStore(
                try HTTPAddress(ServedTransport.address),
                client: HTTPClient(transport, random: { 0.5 }), scratch: playground.path))
    }

    @Test(arguments: [(2, 1), (3, 1), (2, 0)])
    func unchangedFilesAreLinked(releases: Int, deltas: Int) async throws {
        let playground = try await Self.device(releases: releases, deltas: deltas)
        let before = try inodes(playground)
        let report = try await playground.install()
        #expect(report.installed.route == (deltas == 0 ? .package : .delta))
        #expect(report.notes.isEmpty && report.removalNote == nil)
        try playground.expectInstalled(Self.release(releases))
        let after = try inodes(playground)
        for name in Self.kept { #expect(after[name] == before[name]) }
        for name in ["index.html", "static/main.js"] { #expect(after[name] != before[name]) }
        for name in after.keys { #expect(try mode(playground, "client/current/\(name)") == 0o444) }
        #expect(try await playground.install().outcome == .unchanged)
    }

    /// Regression: the run ended with an error of the file system.
    @Test(arguments: ["pointer.json", "package.zip"])
    func aFileThatVanishesIsUnpacked(_ end: String) async throws {
        let playground = try await Self.device(deltas: 0)
        let report = try await install(playground, when: end) {
            try? playground.remove("client/current/\(Self.photo)")
        }
        #expect(report.outcome == .updated)
        try playground.expectInstalled(Self.release(2))
    }

    /// The two words have the same CRC-32.
    @Test func anEqualChecksumIsNotTheSameFile() async throws {
        let playground = try Playground()
        var files = Self.release(1)
        files["word.txt"] = "plumless"
        try await playground.publish(files)
        try await playground.install()
        files["word.txt"] = "buckeroo"
        try await playground.publish(files)
        let report = try await playground.install()
        #expect(report.installed.route != .delta && report.notes.isEmpty)
        try playground.expectInstalled(files)
    }

    @Test func movedFilesAreLinked() async throws {
        let playground = try await Self.device(releases: 1)
        let before = try inodes(playground)
        var files = Self.release(2)
        files["media/photo.txt"] = files.removeValue(forKey: Self.photo)
        try await playground.publish(files)
        try await playground.install()
        try playground.expectInstalled(files)
        #expect(try inodes(playground)["media/photo.txt"] == before[Self.photo])
    }

    /// The embedded tree of an app may be copied by tools that cannot replace read-only files.
    @Test func anEmbeddedTreeIsWritable() async throws {
        let playground = try await Self.device(releases: 1)
        var request = InstallRequest(
            origin: playground.origin, directory: playground.path + "/app", channel: .production,
            now: Playground.now, jobs: 2)
        request.isForApps = true
        try await Installer.install(request)
        #expect(try mode(playground, "app/current/index.html") == 0o644)
        // A device's first update makes the linked files read-only.
        try await playground.publish(Self.release(2), deltas: 1)
        #expect(try await playground.install(into: "app").outcome == .updated)
        #expect(try mode(playground, "app/current/\(Self.photo)") == 0o444)
    }

    @Test(arguments: [1, 0]) func aDamagedFileIsNotLinked(deltas: Int) async throws {
        let playground = try await Self.device(deltas: deltas)
        let before = try inodes(playground)
        try playground.overwrite("client/current/\(Self.photo)", Array("damage".utf8))
        let report = try await playground.install()
        #expect(report.outcome == .updated && report.installed.route == .package)
        try playground.expectInstalled(Self.release(2))
        let after = try inodes(playground)
        #expect(after[Self.photo] != before[Self.photo])
        #expect(after["static/empty.txt"] == before["static/empty.txt"])
    }

    /// After an edit of a linked file, a run repairs the file and keeps the links of the others.
    @Test func anEditedFileIsRepaired() async throws {
        let playground = try await Self.device()
        try await playground.install()
        let before = try inodes(playground)
        try playground.overwrite("client/current/\(Self.photo)", Array("an edit".utf8))
        #expect(try await playground.install().outcome == .repaired)
        try playground.expectInstalled(Self.release(2))
        let after = try inodes(playground)
        #expect(after[Self.photo] != before[Self.photo])
        #expect(after["static/main.js"] == before["static/main.js"])
    }

    /// The file is edited after it was hashed: while the delta or the package is downloaded.
    @Test(arguments: [("delta", 1), ("package.zip", 0)])
    func aFileEditedDuringTheRun(what: String, deltas: Int) async throws {
        let playground = try await Self.device(deltas: deltas)
        let last = try await playground.pointer()
        let end =
            deltas == 0
            ? "package.zip" : OriginLayout.delta(last.version, from: last.deltas[0].from)
        let edited = Array(
            repeating: UInt8(ascii: "x"), count: Self.release(1)[Self.photo]?.utf8.count ?? 0)
        let report = try await install(playground, when: end) {
            try? playground.overwrite("client/current/\(Self.photo)", edited)
        }
        #expect(report.outcome == .updated)
        try playground.expectInstalled(Self.release(2))
        #expect(try await playground.install().outcome == .unchanged)
    }

    /// A replaced file, with the old content, is copied and hashed again.
    @Test func aFileReplacedDuringTheRun() async throws {
        let playground = try await Self.device()
        let last = try await playground.pointer()
        let path = "client/current/\(Self.photo)"
        let before = try inodes(playground)
        let report = try await install(
            playground, when: OriginLayout.delta(last.version, from: last.deltas[0].from)
        ) {
            guard let bytes = try? playground.read(path) else { return }
            try? playground.remove(path)
            try? playground.write(path, bytes)
        }
        #expect(report.installed.route == .delta)
        try playground.expectInstalled(Self.release(2))
        #expect(try inodes(playground)[Self.photo] != before[Self.photo])
        #expect(try mode(playground, path) == 0o444)
    }

    /// The report does not wait for the removal of the previous tree.
    @Test func theReportPrecedesTheRemoval() async throws {
        let playground = try await Self.device()
        let old = try playground.tree("client/versions").keys.filter { !$0.contains("/") }
        try #require(old.count == 1)
        // It stays until a newer one is confirmed, or two have followed.
        try await playground.install()
        #expect(try playground.tree("client/versions")[old[0]] != nil)
        try await playground.publish(Self.release(3), deltas: 1)
        var reported: [InstallReport.Outcome] = []
        try await Installer.install(
            InstallRequest(
                origin: playground.origin, directory: playground.client, channel: .production,
                now: Playground.now, jobs: 2)
        ) { report in
            reported.append(report.outcome)
            #expect((try? playground.files("client/current/."))?.count == Self.release(3).count)
            let staged = (try? playground.files("client/.staging")) ?? [:]
            #expect(staged.keys.contains { $0.hasSuffix(Self.photo) })
        }
        #expect(reported == [.updated])
        #expect(!playground.exists("client/.staging"))
        #expect(try playground.tree("client/versions")[old[0]] == nil)
    }

    /// `apply` writes a tree that a user may edit.
    @Test func applyCopies() async throws {
        let workshop = try DeltaCopies()
        #expect(try await workshop.apply(.copied, base: workshop.folder.path) == false)
        #expect(try await workshop.apply(.linked, base: workshop.folder.path) == true)
    }

    /// Hard links cannot lead to another file system.
    @Test(arguments: ["/dev/shm", "/tmp"])
    func aBaseOnAnotherFileSystem(root: String) async throws {
        let workshop = try DeltaCopies()
        guard let there = try device(root), try there != device(workshop.folder.path) else {
            return
        }
        let other = "\(root)/packtool-\(uniqueName())"
        defer { try? FileManager.default.removeItem(atPath: other) }
        #expect(try await workshop.apply(.linked, base: other) == false)
    }
}

/// Applies one delta to a base at any path.
private struct DeltaCopies {
    let folder: Playground

    init() throws { folder = try Playground() }

    /// Whether the unchanged file of the new tree is a link to that of the base.
    func apply(_ copies: DeltaApplier.Copies, base: String) async throws -> Bool {
        let name = uniqueName()
        let old = "\(base)/\(name)"
        try FileManager.default.createDirectory(
            atPath: old, withIntermediateDirectories: true)
        for (file, text) in [("same.txt", "the same"), ("page.html", "one")] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(old)/\(file)"))
        }
        let new = try await folder.scan(["same.txt": "the same", "page.html": "two"], in: "new")
        let scan = try await BuildScan.scan(old, jobs: 1)
        for directory in ["tree", "work", "delta"] {
            try? folder.remove(directory)
            try folder.makeDirectory(directory)
        }
        let path = try Directory.open(folder.path + "/delta")
        _ = try await DeltaBuilder(
            from: AssetSource(scan), to: AssetSource(new), jobs: 1
        ).buildProved("delta.zip", in: path)
        let applied = try await DeltaApplier.apply(
            "delta.zip", in: path, to: AssetSource(scan),
            into: Directory.open(folder.path + "/tree"),
            work: Directory.open(folder.path + "/work"), jobs: 1, copies: copies)
        #expect(applied.release == new.release)
        #expect(try folder.files("tree") == folder.files("new"))
        let source = try Directory.open(old).status("same.txt")?.identity
        return try Directory.open(folder.path + "/tree").status("same.txt")?.identity == source
    }
}
