import Foundation
import PackArchive
package import PackClient
package import PackGround
package import PackOrigin
package import PackPublish
package import PackRelease
package import PackSigning
import PackTrust
package import PackVerify
import Testing

/// A temporary directory with builds, an origin and an installation.
///
/// Deleted with the last reference.
///
/// The kind of the origin is ``StoreKind/current`` at creation. File names have the form `origin/…`
/// for every kind of store.
package final class Playground: Sendable {
    private let folder: TemporaryFolder
    /// The origin's store, if in memory.
    package let memory: MemoryStore?

    package init(in kind: StoreKind = .current) throws {
        folder = try TemporaryFolder.make()
        memory =
            kind == .memory
            ? MemoryStore(
                address: folder.file("origin"), scratch: folder.path, isRemote: true) : nil
    }

    deinit { folder.remove() }

    package var path: String { folder.path }
    package var origin: String { path + "/origin" }
    package var client: String { path + "/client" }

    // MARK: Files

    /// The store and path of a file of an origin in memory; `nil` for all other files.
    package func inMemory(_ name: String) -> (MemoryStore, path: String)? {
        guard let memory, name == "origin" || name.hasPrefix("origin/") else { return nil }
        return (memory, String(name.dropFirst("origin/".count)))
    }

    package func paths(_ memory: MemoryStore, below path: String) -> [String] {
        memory.paths.filter { path.isEmpty || $0 == path || $0.hasPrefix(path + "/") }
    }

    /// Writes a file in the playground and creates its parent directories.
    package func write(_ path: String, _ bytes: some Sequence<UInt8>) throws {
        if let (memory, path) = inMemory(path) { return memory.set(path, Array(bytes)) }
        try folder.write(Array(bytes), as: path)
    }

    package func write(_ path: String, _ text: String) throws { try write(path, text.utf8) }

    package func read(_ path: String) throws -> [UInt8] {
        if let (memory, path) = inMemory(path) {
            guard let file = memory.file(path) else { throw CocoaError(.fileReadNoSuchFile) }
            return file.bytes
        }
        return try folder.read(path)
    }

    package func text(_ path: String) throws -> String {
        String(decoding: try read(path), as: UTF8.self)
    }

    package func exists(_ path: String) -> Bool {
        if let (memory, path) = inMemory(path) { return !paths(memory, below: path).isEmpty }
        var status = stat()
        return lstat(self.path + "/" + path, &status) == 0
    }

    package func remove(_ path: String) throws {
        if let (memory, path) = inMemory(path) {
            for path in paths(memory, below: path) { memory.set(path, nil) }
            return
        }
        try FileManager.default.removeItem(atPath: self.path + "/" + path)
    }

    package func makeDirectory(_ path: String) throws {
        if inMemory(path) != nil { return }
        try FileManager.default.createDirectory(
            atPath: self.path + "/" + path, withIntermediateDirectories: true)
    }

    package func copy(_ path: String, to other: String) throws {
        guard inMemory(path) != nil || inMemory(other) != nil else {
            try FileManager.default.copyItem(
                atPath: self.path + "/" + path, toPath: self.path + "/" + other)
            return
        }
        if let (memory, path) = inMemory(path), let file = memory.file(path) {
            return try write(other, file.bytes)
        }
        for (name, bytes) in try files(path) { try write(other + "/" + name, bytes) }
    }

    package func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: self.path + "/" + path, withDestinationPath: target)
    }

    /// Overwrites a file in place, even a read-only one, which also changes its hard links.
    package func overwrite(_ path: String, _ bytes: [UInt8]) throws {
        if inMemory(path) != nil { return try write(path, bytes) }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: self.path + "/" + path)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: self.path + "/" + path))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    // MARK: Builds

    /// Replaces a build output with the given paths and contents.
    @discardableResult
    package func build(_ files: [String: String], in name: String = "build") throws -> String {
        let path = self.path + "/" + name
        try? FileManager.default.removeItem(atPath: path)
        try makeDirectory(name)
        for (file, content) in files { try write("\(name)/\(file)", content) }
        return path
    }

    package func scan(_ files: [String: String], in name: String = "build") async throws
        -> BuildScan
    {
        try await BuildScan.scan(try build(files, in: name), jobs: 2)
    }

    // MARK: Publishing

    package func request(
        _ files: [String: String], label: String? = nil, channel: String = "production",
        app: String = "shop", base: String = Playground.base, launch: String? = nil,
        scheme: String = "customscheme", now: Timestamp = Playground.now, renew: Bool = false,
        lifetimeDays: Int? = 90, commit: String? = nil, deltas: Int = 0,
        progress: ProgressSink? = nil, signer: Envelope.Signer? = nil
    ) async throws -> PublishRequest {
        PublishRequest(
            scan: try await scan(files), origin: origin, channel: try Channel(channel),
            manifest: ManifestRequest(
                app: try AppName(app), baseURL: try BaseURL(base), launch: launch, scheme: scheme,
                build: .init(commit: commit, tool: "packtool 1.0.0")),
            level: .default, label: label, now: now, lifetimeDays: lifetimeDays, renew: renew,
            temporaryDirectory: path, deltas: .init(count: deltas), jobs: 2, progress: progress,
            signer: signer)
    }

    @discardableResult
    package func publish(
        _ files: [String: String], label: String? = nil, channel: String = "production",
        now: Timestamp = Playground.now, renew: Bool = false, deltas: Int = 0
    ) async throws -> PublishReport {
        try await publish(
            request(
                files, label: label, channel: channel, now: now, renew: renew, deltas: deltas))
    }

    @discardableResult
    package func publish(_ request: PublishRequest) async throws -> PublishReport {
        guard let memory else { return try await Publisher.publish(request) }
        return try await Publisher.publish(request, to: memory)
    }

    package func plan(_ request: PublishRequest) async throws -> PublishReport {
        guard let memory else { return try await Publisher.plan(request) }
        return try await Publisher.plan(request, to: memory)
    }

    @discardableResult
    package func install(
        channel: String = "production", now: Timestamp = Playground.now,
        into path: String = "client", native: String? = nil, platform: AppPlatform? = nil,
        device: String? = nil
    ) async throws -> InstallReport {
        var request = InstallRequest(
            origin: origin, directory: self.path + "/" + path, channel: try Channel(channel),
            now: now,
            jobs: 2)
        request.nativeVersion = try native.map { try NativeVersion($0) }
        request.platform = platform
        request.device = device
        guard let memory else { return try await Installer.install(request) }
        return try await Installer.install(request, from: memory)
    }

    /// The origin's store, for changing published files.
    package var writable: any WritableStore {
        get throws { if let memory { memory } else { try StoreOpener.writeExisting(origin) } }
    }

    package func request(
        _ command: ChannelRequest.Command, channel: String = "production",
        now: Timestamp = Playground.now, lifetimeDays: Int? = nil,
        signers: Signers = Signers(keys: [], commands: [])
    ) throws -> ChannelRequest {
        var request = ChannelRequest(
            channel: try Channel(channel), command: command, now: now,
            lifetimeDays: lifetimeDays, by: "a test", temporaryDirectory: path, jobs: 2)
        request.signers = signers
        return request
    }

    /// Changes a channel, and checks that a dry run gives the same result and writes nothing.
    @discardableResult
    package func change(
        _ command: ChannelRequest.Command, channel: String = "production",
        now: Timestamp = Playground.now, lifetimeDays: Int? = nil,
        signers: Signers = Signers(keys: [], commands: [])
    ) async throws -> ChannelReport {
        let request = try request(
            command, channel: channel, now: now, lifetimeDays: lifetimeDays, signers: signers)
        let before = try publicContent()
        let plan = try await plan(request)
        #expect(try publicContent() == before)
        let report = try await change(request)
        #expect(plan.after == report.after && plan.outcome == report.outcome)
        #expect(plan.pointerSize == report.pointerSize)
        #expect(plan.siteReplaced == report.siteReplaced && plan.siteNew == report.siteNew)
        return report
    }

    @discardableResult
    package func change(_ request: ChannelRequest) async throws -> ChannelReport {
        try await ChannelChanger.run(request, on: writable)
    }

    package func plan(_ request: ChannelRequest) async throws -> ChannelReport {
        try await ChannelChanger.plan(request, on: writable)
    }

    package func verify(now: Timestamp = Playground.now) async throws -> Verification {
        guard let memory else { return try await OriginVerifier.verify(origin, now: now, jobs: 2) }
        return try await OriginVerifier.verify(memory, now: now, jobs: 2)
    }

    package func store() throws -> any WritableStore {
        if let memory { return memory }
        return try DirectoryStore.open(origin)
    }

    package func reader() throws -> OriginReader {
        OriginReader(try store(), policy: .recordedInLog)
    }

    package func history() throws -> OriginHistory {
        OriginHistory(try store(), policy: .recordedInLog)
    }

    package static let base = "https://cdn.example.com/shop"
    package static let now = Timestamp(seconds: 1_795_248_000)  // 2026-11-21T08:00:00Z

    /// 601 bytes, enough to be compressed.
    package static let logo = String(repeating: "<svg/>", count: 100) + "\n"

    /// A small shop: pages, a script, two assets with equal content, an empty file.
    package static let first: [String: String] = [
        "index.html": "<h1>Shop</h1>\n", "about/index.html": "<h1>About</h1>\n",
        "static/main.js": "go()\n", "static/logo.svg": logo, "about/logo.svg": logo,
        "empty.txt": "",
    ]

    /// The next release: changed pages and script, one file deleted, one added.
    package static let second: [String: String] = [
        "index.html": "<h1>Shop 2</h1>\n", "about/index.html": "<h1>About 2</h1>\n",
        "static/main.js": "go(2)\n", "static/logo.svg": logo, "empty.txt": "",
        "static/new.js": "more()\n",
    ]
}

/// An entry of a directory tree.
package struct TreeEntry: Equatable {
    package let kind: String
    package let inode: UInt64
    /// The modification times of content and metadata.
    package let times: [Int]
    /// The content of a file or the target of a link.
    package let bytes: [UInt8]
}

extension Playground {
    /// All entries below a directory, by relative path.
    ///
    /// Links are not followed.
    package func tree(_ path: String) throws -> [String: TreeEntry] {
        var entries: [String: TreeEntry] = [:]
        if let (memory, path) = inMemory(path) {
            for name in paths(memory, below: path) {
                guard let file = memory.file(name) else { continue }
                let relative = path.isEmpty ? name : String(name.dropFirst(path.utf8.count + 1))
                entries[relative] = TreeEntry(
                    kind: "file", inode: file.revision, times: [], bytes: file.bytes)
            }
            return entries
        }
        try visit(path, prefix: "", &entries)
        return entries
    }

    private func visit(
        _ path: String, prefix: String, _ entries: inout [String: TreeEntry]
    ) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: self.path + "/" + path) {
            let child = "\(path)/\(name)"
            var status = stat()
            guard lstat(self.path + "/" + child, &status) == 0 else { continue }
            var kind = "other"
            var bytes: [UInt8] = []
            switch status.st_mode & S_IFMT {
            case S_IFREG:
                kind = "file"
                bytes = try read(child)
            case S_IFDIR: kind = "directory"
            case S_IFLNK:
                kind = "link"
                bytes = Array(
                    try FileManager.default.destinationOfSymbolicLink(
                        atPath: self.path + "/" + child
                    )
                    .utf8)
            default: break
            }
            entries[prefix + name] = TreeEntry(
                kind: kind, inode: UInt64(status.st_ino),
                times: [
                    status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
                    status.st_ctim.tv_nsec,
                ], bytes: bytes)
            if kind == "directory" { try visit(child, prefix: prefix + name + "/", &entries) }
        }
    }

    /// The files below a directory with their content.
    package func files(_ path: String) throws -> [String: [UInt8]] {
        try tree(path).filter { $0.value.kind == "file" }.mapValues(\.bytes)
    }
}
