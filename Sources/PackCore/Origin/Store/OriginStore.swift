package import PackGround

/// Read access to an origin for clients, which know the keys they need.
///
/// Keys are paths relative to the origin's root (`OriginLayout`).
/// The protocol uses no descriptors or URLs, so directories, memory, buckets and web servers can
/// implement it.
/// Calls take batches of keys: a directory processes them without waiting, a network store
/// requests them in parallel.
///
/// ``Failure/Traits`` classify the errors.
package protocol OriginStore: Sendable {
    /// The origin's address for messages, without secrets.
    var address: String { get }

    /// The number of reads worth requesting at once; 1 if a read waits for no other machine.
    var readsAtOnce: Int { get }

    /// The directory with the origin's files; `nil` if each file must be fetched.
    var localFiles: Directory? { get }

    /// A key of this origin, formatted for messages.
    func display(_ path: String) -> String

    /// The status of each key, without reading content; `nil` for missing keys.
    func statuses(of paths: [String]) async throws -> [StoredStatus?]

    /// The status of each key, and whether its expected content is proved without reading it.
    func statuses(ofFiles files: [ObjectReference]) async throws -> [StoredStatus?]

    /// Reads a whole file; `nil` if it is missing.
    ///
    /// - Throws: an error with `meansAnotherContent` for anything but a file, and for one above `limit` bytes.
    func read(_ path: String, limit: Int) async throws -> StoredObject?

    /// Reads a whole file, or has its server confirm that it has not changed.
    func read(
        _ path: String, limit: Int, confirming earlier: HTTPAnswer?
    ) async throws -> StoredObject?

    /// Reads a whole file whose hash is known.
    ///
    /// - Throws: ``Failure/originMissing(path:)``, ``Failure/originDiffers(path:problem:)``.
    func read(_ content: ObjectReference) async throws -> [UInt8]

    /// Prefetches a file for the next ``read(_:limit:)`` of it; ignores failures.
    ///
    /// Use this if the read itself can only start after other work.
    func readAhead(_ path: String, limit: Int) async

    /// A view of this store that bypasses all caches for changing keys; `nil` if there are no
    /// caches.
    func pastCaches() -> (any OriginStore)?

    /// Hashes the file at a key; `nil` if it is longer than `limit` bytes or not a file.
    func digest(_ path: String, limit: UInt64) async throws -> FileDigest?

    /// Compares the full content of keys with the expected content.
    ///
    /// Opens only files of the expected size, and never reads beyond it.
    ///
    /// - Parameter counter: Counts compared keys.
    func check(
        _ contents: [ObjectReference], jobs: Int, counter: ProgressCounter?
    ) async throws -> [ContentState]

    /// Compares files of `site/` with their source objects.
    func compare(_ copies: [SiteCopy], jobs: Int) async throws -> [CopyState]

    /// Copies a file to a new local file, never reading more than the expected size.
    ///
    /// - Throws: ``Failure/originMissing(path:)``, ``Failure/originDiffers(path:problem:)``.
    func fetch(
        _ content: ObjectReference, into directory: Directory, as name: String
    ) async throws

    /// Passes `body` a local directory in which the given keys can be opened as files.
    ///
    /// The caller verifies their content. A directory store passes the origin itself; other stores
    /// create a temporary directory and remove it after `body` returns.
    func withFiles<Result>(
        _ contents: [ObjectReference], _ body: (Directory) async throws -> Result
    ) async throws -> Result
}

extension OriginStore {
    package var readsAtOnce: Int { 1 }

    package var localFiles: Directory? { nil }

    /// Runs two calls in parallel if they wait for a remote store, else one after the other.
    ///
    /// - Parameter second: Gets whether `first` has already ended.
    package func together<First, Second: Sendable>(
        _ first: () async throws -> First, _ second: @Sendable (Bool) async throws -> Second
    ) async throws -> (First, Second) {
        guard readsAtOnce > 1 else { return (try await first(), try await second(true)) }
        async let later = second(false)
        let result = try await first()
        return (result, try await later)
    }

    package func statuses(ofFiles files: [ObjectReference]) async throws -> [StoredStatus?] {
        try await statuses(of: files.map(\.path))
    }

    package func readAhead(_ path: String, limit: Int) async {}

    package func pastCaches() -> (any OriginStore)? { nil }

    package func read(
        _ path: String, limit: Int, confirming earlier: HTTPAnswer?
    ) async throws -> StoredObject? {
        try await read(path, limit: limit)
    }

    package func read(_ content: ObjectReference) async throws -> [UInt8] {
        let shown = display(content.path)
        let status = try await status(of: content.path)
        guard status?.kind == .file else { throw Failure.originMissing(path: shown) }
        let differs = Failure.originDiffers(path: shown, problem: "does not match its pointer")
        guard status?.size == content.content.size else { throw differs }
        return try await readAndCompare(content)
    }

    /// Reads a file without checking its status first, and compares it with its hash.
    ///
    /// - Throws: ``Failure/originMissing(path:)``, ``Failure/originDiffers(path:problem:)``.
    package func readAndCompare(_ content: ObjectReference) async throws -> [UInt8] {
        try await compared(content) { try await read(content.path, limit: $0) }
    }

    /// Reads a file by `read`, which gets the most bytes, and compares it with its hash.
    ///
    /// - Throws: ``Failure/originMissing(path:)``, ``Failure/originDiffers(path:problem:)``.
    package func compared(
        _ content: ObjectReference, _ read: (_ limit: Int) async throws -> StoredObject?
    ) async throws -> [UInt8] {
        let shown = display(content.path)
        let differs = Failure.originDiffers(path: shown, problem: "does not match its pointer")
        guard let size = UntrustedLength(content.content.size).count(atMost: Int(Int32.max)) else {
            throw differs
        }
        guard let bytes = try await read(size)?.bytes else {
            throw Failure.originMissing(path: shown)
        }
        guard bytes.count == size, StreamHasher.digest(of: bytes) == content.content.sha256 else {
            throw differs
        }
        return bytes
    }

    /// The status of a key, without reading content; `nil` if it is missing.
    package func status(of path: String) async throws -> StoredStatus? {
        try await statuses(of: [path])[0]
    }

    /// Compares the content of a key with the expected content.
    package func check(_ path: String, _ content: FileDigest) async throws -> ContentState {
        try await check([ObjectReference(path, content)], jobs: 1, counter: nil)[0]
    }

    /// Whether the file at a key has this content.
    ///
    /// - Throws: If the file cannot be read.
    package func holds(_ content: FileDigest, at path: String) async throws -> Bool {
        try await check(path, content).isWhole()
    }
}
