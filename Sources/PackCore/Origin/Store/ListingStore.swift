/// A store that can list its files: a directory or a bucket, but not a web server.
package protocol ListingStore: OriginStore {
    /// Whether nothing at all is there, hidden files included.
    func isEmpty() async throws -> Bool

    /// Whether a place is a directory, or a prefix of other places.
    func isFolder(_ place: String) async throws -> Bool

    /// The names directly below a place, sorted by bytes; none if it is not a folder.
    ///
    /// Names that are not UTF-8 are left out: no place of an origin has one.
    func names(in folder: String) async throws -> [String]

    /// Calls `body` with every served file: all but those below `.packtool/`.
    ///
    /// A directory deeper than any place of an origin is one entry, with a slash at its end.
    func visitPublic(_ body: (ListedObject) throws -> Void) async throws

    /// Whether a command that changes the store holds its lock; `nil` for a store without one, or where that cannot be
    /// told.
    ///
    /// Ask only where an intent was left: a publish that starts at the same moment can take this look for a publisher.
    func isLocked() -> Bool?
}

extension ListingStore {
    package func isLocked() -> Bool? { nil }
}
