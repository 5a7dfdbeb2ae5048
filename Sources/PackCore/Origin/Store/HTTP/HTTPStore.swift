package import PackGround

/// A read-only origin on a web server, with mirrors.
///
/// Pointers and log entries come from the first address that answers. Files with a known hash come
/// from any address, and a mirror that served wrong bytes is skipped for the rest of the run. Only
/// files referenced by a pointer are requested.
package struct HTTPStore: OriginStore {
    package let addresses: [HTTPAddress]
    package let client: HTTPClient
    private let struck: FailedMirrors
    private let begun = BegunParts()
    private let parts: String?
    private let scratch: String
    /// Whether reads of pointers and log entries bypass all caches.
    private var isPastCaches = false

    /// The number of concurrent requests.
    package static let connections = 32

    package var readsAtOnce: Int { Self.connections }

    /// - Parameters:
    ///   - mirrors: Other addresses of the same origin.
    ///   - parts: A directory for partial files that a later run continues; created on demand.
    ///   - scratch: A local directory for files that other components must open.
    package init(
        _ address: HTTPAddress, mirrors: [HTTPAddress] = [], client: HTTPClient,
        parts: String? = nil,
        scratch: String
    ) {
        addresses = [address] + mirrors
        self.client = client
        self.parts = parts
        self.scratch = scratch
        struck = FailedMirrors()
    }

    package var address: String { addresses[0].shown }

    package func display(_ path: String) -> String { addresses[0].display(path) }

    package func pastCaches() -> (any OriginStore)? {
        guard !isPastCaches else { return nil }
        var fresh = self
        fresh.isPastCaches = true
        return fresh
    }

    /// Notes about skipped addresses whose failures did not stop the run.
    package var notes: [String] {
        guard addresses.count > 1 else { return [] }
        return struck.reasons(of: addresses).map {
            "'\($0.address.shown)' was not asked again: \($0.reason)"
        }
    }

    // MARK: Reading what changes

    package func statuses(of paths: [String]) async throws -> [StoredStatus?] {
        try await inParallel(paths.count) { index in
            let path = paths[index]
            let shown = display(path)
            let head = try await client.send(shown) {
                (request(.head, addresses[0], path), ContentSink(limit: 0, keepsBytes: false))
            }
            if head.meansMissing { return nil }
            guard head.isSuccess else { throw refusal(head, shown) }
            return StoredStatus(kind: .file, size: head.length ?? 0)
        }
    }

    package func read(_ path: String, limit: Int) async throws -> StoredObject? {
        try await read(path, limit: limit, confirming: nil)
    }

    package func read(
        _ path: String, limit: Int, confirming earlier: HTTPAnswer?
    ) async throws -> StoredObject? {
        var failure: Failure?
        var isMissing = false
        for address in struck.rest(of: addresses) {
            do {
                if let file = try await file(
                    path, at: address, limit: UInt64(limit),
                    token: isPastCaches ? uniqueName() : nil, confirming: earlier)
                {
                    return file
                }
                isMissing = true
            } catch let error as Failure where error.code.isOf("http") {
                struck.add(address, "\(error)")
                failure = failure ?? error
            }
        }
        // The unreachable address may have the file.
        if let failure, !isMissing || failure.isLocalOrTransient { throw named(failure) }
        return nil
    }

    /// A file; `nil` if it is missing.
    ///
    /// - Parameter earlier: An answer to be confirmed, if it came from this address and no caches
    ///   are bypassed.
    private func file(
        _ path: String, at address: HTTPAddress, limit: UInt64, token: String?,
        confirming earlier: HTTPAnswer? = nil
    ) async throws -> StoredObject? {
        let shown = address.display(path)
        let earlier = token == nil && earlier?.address == shown ? earlier : nil
        var sink = ContentSink(limit: limit, keepsBytes: true)
        let head = try await client.send(shown) {
            sink = ContentSink(limit: limit, keepsBytes: true)
            var request = request(.get, address, path, token: token)
            if let earlier { request.headers.append(HTTPHeader("If-None-Match", earlier.tag)) }
            return (request, sink)
        }
        if head.meansMissing { return nil }
        if head.status == 304, let earlier {
            // A tag of another file confirms nothing (RFC 9111, section 4.3.4).
            guard head["etag"].map(earlier.hasTag) ?? true else {
                return try await self.file(path, at: address, limit: limit, token: token)
            }
            return StoredObject(
                bytes: earlier.bytes, revision: Self.revision(of: earlier.bytes), answer: earlier,
                isConfirmed: true)
        }
        guard head.isSuccess else { throw refusal(head, shown) }
        if let encoding = head.encoding {
            throw Failure.httpTransformed(
                path: shown, encoding: encoding, request: head.requestName)
        }
        if head.isPage { throw Failure.httpPageForFile(path: shown, request: head.requestName) }
        if sink.isTooLong {
            throw Failure.httpTooLarge(path: shown, limit: limit, request: head.requestName)
        }
        let bytes = sink.bytes
        return StoredObject(
            bytes: bytes, revision: Self.revision(of: bytes),
            answer: head["etag"].flatMap { HTTPAnswer(address: shown, tag: $0, bytes: bytes) })
    }

    private static func revision(of bytes: [UInt8]) -> Revision {
        Revision(.content(StreamHasher.digest(of: bytes)))
    }

    private func refusal(_ head: HTTPHead, _ shown: String) -> Failure {
        .httpStatus(path: shown, status: head.status, request: head.requestName)
    }

    private func request(
        _ method: HTTPRequest.Method, _ address: HTTPAddress, _ path: String, token: String? = nil,
        from offset: UInt64 = 0
    ) -> HTTPRequest {
        var request = HTTPRequest(
            method, address.url(of: path, pastCaches: token),
            headers: [HTTPHeader("Accept-Encoding", "identity")])
        if offset > 0 { request.headers.append(HTTPHeader("Range", "bytes=\(offset)-")) }
        return request
    }

    // MARK: Reading what a hash names

    package func read(_ content: ObjectReference) async throws -> [UInt8] {
        guard let limit = UntrustedLength(content.content.size).count(atMost: Int(Int32.max)) else {
            throw differs(content, "is longer than this tool reads at once")
        }
        var result: [UInt8] = []
        try await get(content) { address, token in
            guard
                let bytes = try await file(
                    content.path, at: address, limit: UInt64(limit), token: token)?.bytes
            else { return .missing }
            guard bytes.count == limit, StreamHasher.digest(of: bytes) == content.content.sha256
            else {
                return .wrong("does not match its pointer")
            }
            result = bytes
            return .whole
        }
        return result
    }

    package func fetch(
        _ content: ObjectReference, into directory: Directory, as name: String
    ) async throws {
        // Do not resume small files: downloading them again is cheap.
        let folder =
            content.content.size > 256 << 10
            ? try parts.map(Self.openParts) ?? directory : directory
        let part = "\(content.content.sha256).part"
        if folder !== directory { try begun.begin(part, in: folder) }
        try await get(content) { address, token in
            try await download(content, part, folder, address, token)
        }
        try folder.rename(part, to: directory, as: name)
    }

    /// Does not follow a link at the path, because the directory's files are removed.
    private static func openParts(_ path: String) throws -> Directory {
        let (folder, name) = FolderNames.split(path)
        return try Directory.openOrCreate(folder.isEmpty ? "." : folder).makeDirectories(name)
    }

    private func download(
        _ content: ObjectReference, _ part: String, _ folder: Directory, _ address: HTTPAddress,
        _ token: String?
    ) async throws -> Outcome {
        let size = content.content.size
        var sink = try PartSink(part, in: folder, size: size)
        if sink.digest == content.content { return .whole }
        let shown = address.display(content.path)
        let head = try await client.send(shown) {
            sink = try PartSink(part, in: folder, size: size)
            if sink.offset == size, size > 0 {
                // The part is complete but wrong.
                try folder.removeFile(part)
                sink = try PartSink(part, in: folder, size: size)
            }
            return (request(.get, address, content.path, token: token, from: sink.offset), sink)
        }
        if head.meansMissing { return .missing }
        guard head.isSuccess || head.status == 416 else { throw refusal(head, shown) }
        if head.isSuccess, sink.problem == nil, sink.digest == content.content { return .whole }
        try folder.removeFile(part)
        if head.status == 206 || head.status == 416 { return .notResumed }
        return .wrong(sink.problem ?? "does not match its pointer or manifest")
    }

    /// The answer of one address for a file with a known hash.
    private enum Outcome {
        case whole
        case missing
        /// The end of a partial file did not match; a restart may succeed.
        case notResumed
        case wrong(String)
    }

    /// Requests a file from each address, a second time past its caches, until one has it.
    ///
    /// - Throws: ``Failure/originMissing(path:)``, ``Failure/originDiffers(path:problem:)``, ``Failure``.
    private func get(
        _ content: ObjectReference,
        _ attempt: (_ address: HTTPAddress, _ token: String?) async throws -> Outcome
    ) async throws {
        var failure: Failure?
        var problem: String?
        for address in struck.rest(of: addresses) {
            var fault: String?
            do {
                for token in [nil, uniqueName()] {
                    var outcome = try await attempt(address, token)
                    if case .notResumed = outcome { outcome = try await attempt(address, token) }
                    switch outcome {
                    case .whole: return
                    case .missing: break
                    case .notResumed: fault = fault ?? "is answered with wrong ranges"
                    case .wrong(let text): fault = fault ?? text
                    }
                }
                if let fault {
                    problem = problem ?? fault
                    struck.add(address, "'\(address.display(content.path))' \(fault)")
                }
            } catch let error as Failure where error.code.isOf("http") {
                // Otherwise each further file would wait for it equally long.
                failure = failure ?? error
                struck.add(address, "\(error)")
            }
        }
        if let problem { throw differs(content, problem) }
        if let failure { throw named(failure) }
        throw Failure.originMissing(path: display(content.path))
    }

    /// The first address's failure, after the other addresses also failed.
    private func named(_ failure: Failure) -> Failure {
        addresses.count > 1 ? .httpEveryAddress(count: addresses.count, first: failure) : failure
    }

    private func differs(_ content: ObjectReference, _ problem: String) -> Failure {
        .originDiffers(path: display(content.path), problem: problem)
    }

    // MARK: Comparing

    package func digest(_ path: String, limit: UInt64) async throws -> FileDigest? {
        guard let sink = try await hashed(path, limit: limit), !sink.isTooLong else { return nil }
        return sink.digest
    }

    /// Hashes the file at a key; `nil` if it is missing.
    private func hashed(_ path: String, limit: UInt64) async throws -> ContentSink? {
        let shown = display(path)
        var sink = ContentSink(limit: limit, keepsBytes: false)
        let head = try await client.send(shown) {
            sink = ContentSink(limit: limit, keepsBytes: false)
            return (request(.get, addresses[0], path), sink)
        }
        if head.meansMissing { return nil }
        guard head.isSuccess else { throw refusal(head, shown) }
        return sink
    }

    package func check(
        _ contents: [ObjectReference], jobs: Int, counter: ProgressCounter?
    ) async throws -> [ContentState] {
        try await inParallel(contents.count) { index in
            let wanted = contents[index]
            defer { counter?.add(wanted.content.size) }
            do {
                guard let sink = try await hashed(wanted.path, limit: wanted.content.size) else {
                    return .missing
                }
                if sink.isTooLong || sink.digest.size != wanted.content.size { return .otherSize }
                return sink.digest == wanted.content ? .whole : .otherContent
            } catch {
                if error.isLocalOrTransient { throw error }
                return .unreadable(error)
            }
        }
    }

    package func compare(_ copies: [SiteCopy], jobs: Int) async throws -> [CopyState] {
        let states = try await check(
            copies.map { ObjectReference($0.path, $0.asset.content) }, jobs: jobs, counter: nil)
        return states.map { state in
            switch state {
            case .whole: .current
            case .missing: .missing
            case .unreadable(let error): .unreadable(error)
            default: .differs
            }
        }
    }

    package func withFiles<Result>(
        _ contents: [ObjectReference], _ body: (Directory) async throws -> Result
    ) async throws -> Result {
        try await Staging.temporary(below: scratch) {
            let directory = try $0.reopened(shownAs: address)
            for content in contents {
                let (folder, file) = FolderNames.split(content.path)
                try await fetch(content, into: directory.makeDirectories(folder), as: file)
            }
            return try await body(directory)
        }
    }

    /// Runs requests in parallel and returns their results in order.
    private func inParallel<Result: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Result
    ) async throws -> [Result] {
        try await requestInParallel(count, atMost: Self.connections, body)
    }
}
