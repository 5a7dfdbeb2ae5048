/// A store with file listings: a directory or a bucket, but not a web server.
package protocol ListingStore: OriginStore {
    /// Whether the store contains no files, including hidden ones.
    func isEmpty() async throws -> Bool

    /// Whether a key is a directory, or a prefix of other keys.
    func isFolder(_ path: String) async throws -> Bool

    /// The names directly below a key, sorted by bytes; empty if it is not a folder.
    ///
    /// Omits names with invalid UTF-8, which no origin key contains.
    func names(in folder: String) async throws -> [String]

    /// Calls `body` with every served file: all but those below `.packtool/`.
    ///
    /// A directory deeper than any origin key is reported as one entry with a trailing slash.
    func visitPublic(_ body: (ListedObject) throws -> Void) async throws

    /// Access to the headers that the store serves files with; `nil` if it sets none.
    var headers: (any HeaderStore)? { get }

    /// Whether a writing command holds the store's lock; `nil` if there is no lock or its state is
    /// unknown.
    ///
    /// Call this only if an intent remains: a publish starting at the same moment can mistake this
    /// check for another publisher.
    func isLocked() -> Bool?
}

extension ListingStore {
    package func isLocked() -> Bool? { nil }

    package var headers: (any HeaderStore)? { self as? any HeaderStore }
}
