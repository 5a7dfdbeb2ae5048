/// A store that can say what it has: a directory, a bucket; not a web server.
package protocol ListingStore: OriginStore {
    /// Whether nothing at all is there, hidden files included.
    func isEmpty() async throws -> Bool

    /// Whether a place is a directory, or the beginning of the name of some file.
    func isFolder(_ place: String) async throws -> Bool

    /// The names directly below a place, sorted by bytes; none where it is no folder.
    ///
    /// Names that are not UTF-8 are left out: no place of an origin has one.
    func names(in folder: String) async throws -> [String]

    /// Calls `body` with everything that is served: all but what is below `.packtool/`.
    ///
    /// What lies deeper than any place of an origin is one entry with a slash at its end.
    func visitPublic(_ body: (Listed) throws -> Void) async throws
}
