package import PackGround

/// A store that serves each file with the HTTP headers set when it was written.
package protocol HeaderStore: ListingStore {
    /// The headers of all files read completely in this run, sorted by key in byte order.
    func headersRead() -> [HeadersRead]

    /// For each file, the names of headers with values other than a publish sets; empty for missing
    /// files.
    func wrongHeaders(of files: [HeadedFile]) async throws -> [[String]]

    /// Sets the headers of a publish. The content, already verified in this run, stays unchanged.
    func restoreHeaders(of content: ObjectReference) async throws
}

/// A file with headers, and its allowed contents.
package struct HeadedFile: Sendable {
    package let path: String
    package let contents: [FileDigest]
    /// Whether publishers replace it.
    package let isReplaced: Bool

    package init(_ path: String, _ contents: [FileDigest], isReplaced: Bool = false) {
        self.path = path
        self.contents = contents
        self.isReplaced = isReplaced
    }
}

/// A file's headers in the store, and the properties that determine its expected headers.
package struct HeadersRead: Sendable {
    package let path: String
    /// Only the headers that affect the client's result, keyed by lowercase name.
    package let found: [String: String]
    /// Whether the file never changes.
    package let isLasting: Bool
    /// Its media type, without parameters.
    package let mediaType: String

    package init(path: String, found: [String: String], isLasting: Bool, mediaType: String) {
        self.path = path
        self.found = found
        self.isLasting = isLasting
        self.mediaType = mediaType
    }
}
