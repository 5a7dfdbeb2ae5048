package import PackGround
package import PackOrigin
import PackRelease

/// An origin in an S3 bucket or a compatible store.
///
/// There is no lock. A log entry can be created only once, and the pointer is replaced only if
/// unchanged. Every run tests these two conditional writes before it writes anything else.
package struct S3Store: WritableStore, HashingStore {
    let client: S3Client
    let memory = S3Memory()
    let cache: ContentCache?
    let scratch: String
    let readBack: ReadBack
    /// Whether there is only one publisher, so that conditional writes are not needed.
    let isUnsafe: Bool
    let writing: Writing

    /// The user's settings for uploads.
    package struct Writing: Sendable {
        /// The value of `x-amz-server-side-encryption`.
        package var encryption: String?
        /// The value of `x-amz-acl`.
        package var acl: String?

        package static let encryptions = ["AES256", "aws:kms", "aws:kms:dsse"]

        /// S3's canned ACLs.
        package static let accessLists = [
            "private", "public-read", "authenticated-read", "bucket-owner-read",
            "bucket-owner-full-control",
        ]

        package init(encryption: String? = nil, acl: String? = nil) {
            self.encryption = encryption
            self.acl = acl
        }

        /// The headers for a path.
        ///
        /// packtool's own files are never public.
        func headers(_ path: String) -> [HTTPHeader] {
            let isPrivate = path.hasPrefix("\(OriginLayout.workspace)/")
            let acl = isPrivate && acl?.hasPrefix("public") == true ? nil : acl
            return [
                encryption.map { HTTPHeader("x-amz-server-side-encryption", $0) },
                acl.map { HTTPHeader("x-amz-acl", $0) },
            ].compactMap { $0 }
        }
    }

    /// - Parameters:
    ///   - scratch: A local directory for files that other components must open.
    package init(
        _ client: S3Client, cache: ContentCache? = nil, scratch: String,
        readBack: ReadBack = .all, isUnsafe: Bool = false, writing: Writing = Writing()
    ) {
        self.writing = writing
        self.client = client
        self.cache = cache
        self.scratch = scratch
        self.readBack = readBack
        self.isUnsafe = isUnsafe
    }

    package var readsAtOnce: Int { client.connections }

    package var guarantee: ConditionalWrites {
        switch memory.level {
        case .conditions, nil: .conditions
        case .createOnly: .createOnly
        case .unsafe: .none
        }
    }

    package func invalidateCache() { memory.invalidate() }

    package func markUnverified(_ paths: [String]) {
        // In the other modes, a size proves nothing.
        if readBack == .sizes { memory.markUnverified(paths) }
    }

    var location: S3Address { client.settings.address }

    package var address: String { location.description }

    package func display(_ path: String) -> String {
        path.isEmpty ? address : "\(address)/\(path)"
    }

    func request(_ method: HTTPRequest.Method, _ path: String, _ action: String) -> S3Request {
        S3Request(
            method: method, key: location.key(path), shown: display(path), action: action)
    }

    /// Converts an unexpected answer to an error.
    func refusal(_ answer: S3Answer, _ request: S3Request) -> any Error {
        client.refusal(answer, request)
    }

    // MARK: Single files

    /// Sends a HEAD request; returns `nil` if the object does not exist.
    func head(_ path: String) async throws -> HTTPHead? {
        let request = request(.head, path, "GetObject")
        let answer = try await client.send(request)
        if answer.isMissing { return nil }
        guard answer.isSuccess else { throw refusal(answer, request) }
        return answer.head
    }

    package func statuses(of paths: [String]) async throws -> [StoredStatus?] {
        try await entries(of: paths).map { $0.map { StoredStatus(kind: .file, size: $0.size) } }
    }

    /// The sizes and ETags of paths, from a listing or HEAD requests.
    ///
    /// `nil` for missing objects.
    func entries(of paths: [String]) async throws -> [S3Memory.Entry?] {
        let listing = try await listing(for: paths)
        return try await inParallel(paths.count) { index in
            let name = Array(paths[index].utf8)
            var entry = listing?.entries[name]
            if entry == nil, listing?.covers(name) != true {
                entry = try await head(paths[index]).map {
                    S3Memory.Entry(size: $0.length ?? 0, tag: $0["etag"] ?? "")
                }
            }
            if let entry, paths[index].hasPrefix(Self.objects) {
                memory.note(paths[index], entry)
            }
            return entry
        }
    }

    static let objects = "\(OriginLayout.objects)/"

    package func read(_ path: String, limit: Int) async throws -> StoredObject? {
        try await memory.turns.withLock(at: path) { try await readAlone(path, limit: limit) }
    }

    private func readAlone(_ path: String, limit: Int) async throws -> StoredObject? {
        if memory.takeMissing(path) {
            memory.compare(path, tag: nil)
            return nil
        }
        if trustsListings, let known = memory.cached(path), known.bytes.count <= limit {
            if case .tag(let tag) = known.revision.value { memory.compare(path, tag: tag) }
            return known
        }
        let isChanging = S3Headers.isReplaced(path)
        if !isChanging, let listing = try await survey() {
            let name = Array(path.utf8)
            if listing.covers(name), listing.entries[name] == nil { return nil }
        }
        guard let (sink, head) = try await get(path, limit: UInt64(limit), keepsBytes: true) else {
            if isChanging { memory.compare(path, tag: nil) }
            return nil
        }
        if sink.isTooLong {
            throw Failure.s3TooLarge(
                path: display(path), limit: UInt64(limit), request: head.requestName)
        }
        let tag = head["etag"] ?? ""
        if isChanging { memory.compare(path, tag: tag) }
        if trustsListings, S3Headers.isLasting(path) {
            memory.note(sink.bytes, of: ObjectReference(path, sink.digest))
        }
        return StoredObject(bytes: sink.bytes, revision: Revision(.tag(tag)))
    }

    package func read(_ content: ObjectReference) async throws -> [UInt8] {
        try await memory.turns.withLock(at: content.path) { try await readAlone(content) }
    }

    private func readAlone(_ content: ObjectReference) async throws -> [UInt8] {
        if let known = memory.bytes(of: content) { return known }
        let bytes: [UInt8]
        do {
            bytes = try await compared(content) { limit in
                try await readAlone(content.path, limit: limit)
            }
        } catch let failure as Failure where failure.code == .s3TooLarge {
            throw Failure.originDiffers(
                path: display(content.path), problem: "does not match its pointer")
        }
        memory.note(bytes, of: content)
        return bytes
    }

    package func readAhead(_ path: String, limit: Int) async {
        guard trustsListings else { return }
        await memory.turns.withLock(at: path) {
            let generation = memory.generation
            if memory.isKnown(path) { return }
            let found: (sink: ContentSink, head: HTTPHead)?
            do {
                found = try await get(path, limit: UInt64(limit), keepsBytes: true)
            } catch { return }
            guard memory.generation == generation || S3Headers.isKept(path) else { return }
            guard let (sink, head) = found else { return memory.noteMissing(path) }
            if sink.isTooLong { return }
            if S3Headers.isLasting(path) {
                memory.note(sink.bytes, of: ObjectReference(path, sink.digest))
            } else {
                memory.note(sink.bytes, tag: head["etag"] ?? "", of: path)
            }
        }
    }

    package func readAhead(_ contents: [ObjectReference]) async {
        guard trustsListings else { return }
        _ = try? await inParallel(contents.count) { try? await readAhead(contents[$0]) }
    }

    /// Prefetches a file without waiting for the listing.
    private func readAhead(_ content: ObjectReference) async throws {
        if content.path.hasSuffix(".zip") {
            // The package stays in the cache.
            let staging = try makeStaging()
            defer { try? staging.discard() }
            return try await fetch(content, into: staging.directory, as: "ahead")
        }
        try await memory.turns.withLock(at: content.path) {
            guard memory.bytes(of: content) == nil else { return }
            let sink = try await get(
                content.path, limit: content.content.size, keepsBytes: true)?.sink
            guard let sink, sink.digest == content.content else { return }
            memory.note(sink.bytes, of: content, isAhead: true)
        }
    }

    package func digest(_ path: String, limit: UInt64) async throws -> FileDigest? {
        guard let sink = try await hashed(path, limit: limit), !sink.isTooLong else { return nil }
        return sink.digest
    }

    /// Reads and hashes an object; returns `nil` if it does not exist.
    func hashed(_ path: String, limit: UInt64) async throws -> ContentSink? {
        try await get(path, limit: limit, keepsBytes: false)?.sink
    }

    private func get(
        _ path: String, limit: UInt64, keepsBytes: Bool
    ) async throws -> (sink: ContentSink, head: HTTPHead)? {
        let request = request(.get, path, "GetObject")
        var sink = ContentSink(limit: limit, keepsBytes: keepsBytes)
        let answer = try await client.send(request) {
            sink = ContentSink(limit: limit, keepsBytes: keepsBytes)
            return (sink, [])
        }
        if answer.isMissing { return nil }
        guard answer.isSuccess else { throw refusal(answer, request) }
        noteHeaders(answer, of: path)
        return (sink, answer.head)
    }

    // MARK: Local files

    package func fetch(
        _ content: ObjectReference, into directory: Directory, as name: String
    ) async throws {
        try await memory.turns.withLock(at: content.path) {
            try await fetchAlone(content, into: directory, as: name)
        }
    }

    private func fetchAlone(
        _ content: ObjectReference, into directory: Directory, as name: String
    ) async throws {
        // A package is read for its files, and later for a delta.
        let isPackage = content.path.hasSuffix(".zip")
        let cache = cache ?? (isPackage ? memory.shelf : nil)
        if let cache, try cache.copy(content.content, to: directory, as: name) { return }
        let part = "\(name).part"
        var sink = try PartSink(part, in: directory, size: content.content.size)
        let request = request(.get, content.path, "GetObject")
        let answer = try await client.send(request) {
            sink = try PartSink(part, in: directory, size: content.content.size)
            if sink.offset == content.content.size, sink.offset > 0 {
                try directory.removeFile(part)
                sink = try PartSink(part, in: directory, size: content.content.size)
            }
            return (
                sink,
                sink.offset > 0 ? [HTTPHeader("Range", "bytes=\(sink.offset)-")] : []
            )
        }
        if answer.isMissing { throw Failure.originMissing(path: display(content.path)) }
        guard answer.isSuccess else { throw refusal(answer, request) }
        noteHeaders(answer, of: content.path)
        guard sink.problem == nil, sink.digest == content.content else {
            try directory.removeFile(part)
            throw Failure.originDiffers(
                path: display(content.path),
                problem: sink.problem ?? "does not match its pointer or manifest")
        }
        if trustsListings { memory.noteProved(content) }
        try directory.rename(part, to: directory, as: name)
        // If the cache's disk is full, the download is still usable.
        try? cache?.add(content.content, name, in: directory)
    }

    package func withFiles<Result>(
        _ contents: [ObjectReference], _ body: (Directory) async throws -> Result
    ) async throws -> Result {
        try await Staging.temporary(below: scratch) {
            let directory = try $0.reopened(shownAs: address)
            var seen: Set<[UInt8]> = []
            let wanted = contents.filter { seen.insert(Array($0.path.utf8)).inserted }
            for content in wanted {
                _ = try directory.makeDirectories(FolderNames.split(content.path).folder)
            }
            _ = try await inParallel(wanted.count) { index in
                let (folder, name) = FolderNames.split(wanted[index].path)
                // The reader reports missing files by name.
                do {
                    try await fetch(wanted[index], into: directory.directory(folder), as: name)
                } catch let failure as Failure where failure.code.isOf("origin") {}
            }
            return try await body(directory)
        }
    }

    package func makeStaging() throws -> Staging { try Staging(below: scratch) }

    /// Sends requests concurrently and returns their results in order.
    func inParallel<Result: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Result
    ) async throws -> [Result] {
        try await requestInParallel(count, atMost: client.connections, body)
    }
}
