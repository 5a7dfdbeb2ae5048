/// Where an origin is kept, as far as reading by place goes: what a client needs.
///
/// A place is a path relative to the origin's root (`OriginLayout`). Nothing here knows a descriptor or a URL, so a
/// directory, memory, a bucket or a web server can be one. Calls take batches where many places are concerned: a
/// directory works through them without waiting, a store in a network asks for them in parallel.
///
/// What can be read is thrown or returned as found; ``Swift/Error/meansShortage`` and
/// ``Swift/Error/meansAnotherContent`` tell what an error says of the place.
package protocol OriginStore: Sendable {
    /// The origin as a person would name it, without secrets.
    var address: String { get }

    /// A place of this origin as a person would name it.
    func display(_ place: String) -> String

    /// What is at some places, without their content; `nil` for a place where nothing is.
    func statuses(of places: [String]) async throws -> [StoredStatus?]

    /// Reads a whole file; `nil` where nothing is.
    ///
    /// - Throws: an error that means another content where there is something else, or a file of more than `limit`
    ///   bytes.
    func read(_ place: String, limit: Int) async throws -> Stored?

    /// Hashes what is at a place; `nil` where that is longer than `limit` or is no file.
    func digest(_ place: String, limit: UInt64) async throws -> FileDigest?

    /// Compares what is at some places with what has to be there, to the last byte.
    ///
    /// Nothing but a file of the right size is opened, and no more of it is read than its content has.
    ///
    /// - Parameter counter: told of every place that has been compared.
    func check(
        _ contents: [PlacedContent], jobs: Int, counter: ProgressCounter?
    ) async throws -> [ContentState]

    /// Compares files of `site/` with the objects that they are copies of.
    func compare(_ copies: [SiteCopy], jobs: Int) async throws -> [CopyState]

    /// Copies a file to a new one on this machine, never more of it than it must have.
    ///
    /// - Throws: ``OriginError/missing(place:)``, ``OriginError/differs(place:problem:)``.
    func fetch(
        _ content: PlacedContent, into directory: Directory, as name: String
    ) async throws

    /// Hands out a directory of this machine in which some places can be opened as files.
    ///
    /// What they contain is for the caller to check. The directory is the origin itself where the store is one; else
    /// it goes when `body` is done.
    func withFiles<Result>(
        _ contents: [PlacedContent], _ body: (Directory) async throws -> Result
    ) async throws -> Result
}

extension OriginStore {
    /// What is at a place, without its content; `nil` where nothing is.
    func status(of place: String) async throws -> StoredStatus? {
        try await statuses(of: [place])[0]
    }

    /// Compares what is at a place with what has to be there.
    func check(_ place: String, _ content: FileDigest) async throws -> ContentState {
        try await check([PlacedContent(place, content)], jobs: 1, counter: nil)[0]
    }

    /// Whether a file of this content is at a place.
    ///
    /// - Throws: where it cannot be read.
    func holds(_ content: FileDigest, at place: String) async throws -> Bool {
        try await check(place, content).isWhole()
    }
}
