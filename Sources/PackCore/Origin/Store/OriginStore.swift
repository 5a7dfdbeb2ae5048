package import PackGround

/// What keeps an origin, seen by a reader who knows the places it needs: a client.
///
/// A place is a path relative to the origin's root (`OriginLayout`).
/// There are no descriptors or URLs here, so a directory, memory, a bucket or a web server can be a
/// store.
/// Calls take batches of places: a directory processes them without waiting, a network store
/// requests them in parallel.
///
/// ``StorageFailure`` tells what an error says about the place.
package protocol OriginStore: Sendable {
    /// The origin as a person would name it, without secrets.
    var address: String { get }

    /// Whether each file costs a request, so that a package is read rather than its many objects.
    var prefersPackages: Bool { get }

    /// A place of this origin as a person would name it.
    func display(_ place: String) -> String

    /// What is at some places, without their content; `nil` for a place where nothing is.
    func statuses(of places: [String]) async throws -> [StoredStatus?]

    /// Reads a whole file; `nil` where nothing is.
    ///
    /// - Throws: an error with `meansAnotherContent` for anything but a file, and for one above `limit` bytes.
    func read(_ place: String, limit: Int) async throws -> StoredObject?

    /// Reads a whole file whose hash is known.
    ///
    /// - Throws: ``OriginError/missing(place:)``, ``OriginError/differs(place:problem:)``.
    func read(_ content: ObjectReference) async throws -> [UInt8]

    /// The same store with changing places read past all caches; `nil` where there are none.
    func pastCaches() -> (any OriginStore)?

    /// Hashes the file at a place; `nil` if it is longer than `limit` or not a file.
    func digest(_ place: String, limit: UInt64) async throws -> FileDigest?

    /// Compares what is at some places with what must be there, to the last byte.
    ///
    /// Only files of the right size are opened, and no more than that size is read.
    ///
    /// - Parameter counter: Counts every place that was compared.
    func check(
        _ contents: [ObjectReference], jobs: Int, counter: ProgressCounter?
    ) async throws -> [ContentState]

    /// Compares files of `site/` with the objects that they are copies of.
    func compare(_ copies: [SiteCopy], jobs: Int) async throws -> [CopyState]

    /// Copies a file to a new one on this machine, never more of it than it must have.
    ///
    /// - Throws: ``OriginError/missing(place:)``, ``OriginError/differs(place:problem:)``.
    func fetch(
        _ content: ObjectReference, into directory: Directory, as name: String
    ) async throws

    /// Passes a local directory to `body` in which some places can be opened as files.
    ///
    /// The caller checks their content. A store that is a directory hands out the origin itself; any other makes a
    /// temporary directory and removes it when `body` is done.
    func withFiles<Result>(
        _ contents: [ObjectReference], _ body: (Directory) async throws -> Result
    ) async throws -> Result
}

extension OriginStore {
    package var prefersPackages: Bool { false }

    package func pastCaches() -> (any OriginStore)? { nil }

    package func read(_ content: ObjectReference) async throws -> [UInt8] {
        let shown = display(content.place)
        let status = try await status(of: content.place)
        guard status?.kind == .file else { throw OriginError.missing(place: shown) }
        let differs = OriginError.differs(place: shown, problem: "does not match its pointer")
        guard status?.size == content.content.size else { throw differs }
        return try await readAndCompare(content)
    }

    /// Reads a file whose status is not known, and compares it with its hash.
    ///
    /// - Throws: ``OriginError/missing(place:)``, ``OriginError/differs(place:problem:)``.
    package func readAndCompare(_ content: ObjectReference) async throws -> [UInt8] {
        let shown = display(content.place)
        let differs = OriginError.differs(place: shown, problem: "does not match its pointer")
        guard let size = UntrustedLength(content.content.size).count(atMost: Int(Int32.max)) else {
            throw differs
        }
        guard let bytes = try await read(content.place, limit: size)?.bytes else {
            throw OriginError.missing(place: shown)
        }
        guard bytes.count == size, StreamHasher.digest(of: bytes) == content.content.sha256 else {
            throw differs
        }
        return bytes
    }

    /// What is at a place, without its content; `nil` where nothing is.
    package func status(of place: String) async throws -> StoredStatus? {
        try await statuses(of: [place])[0]
    }

    /// Compares what is at a place with what must be there.
    package func check(_ place: String, _ content: FileDigest) async throws -> ContentState {
        try await check([ObjectReference(place, content)], jobs: 1, counter: nil)[0]
    }

    /// Whether a file of this content is at a place.
    ///
    /// - Throws: where it cannot be read.
    package func holds(_ content: FileDigest, at place: String) async throws -> Bool {
        try await check(place, content).isWhole()
    }
}
