package import PackGround

/// A store that answers for each file with headers, which were given when the file was written.
package protocol HeaderStore: ListingStore {
    /// What this run was told of the files that it read whole, in the order of their places' bytes.
    func headersRead() -> [HeadersRead]

    /// The names of the headers that files do not have as a publish gives them; none for a file that is missing.
    func wrongHeaders(of files: [HeadedFile]) async throws -> [[String]]

    /// Gives a file the headers of a publish; its content, which this run has proved, stays.
    func restoreHeaders(of content: ObjectReference) async throws
}

/// A file that has headers, and what it may contain.
package struct HeadedFile: Sendable {
    package let place: String
    package let contents: [FileDigest]
    /// Whether publishers replace it.
    package let isReplaced: Bool

    package init(_ place: String, _ contents: [FileDigest], isReplaced: Bool = false) {
        self.place = place
        self.contents = contents
        self.isReplaced = isReplaced
    }
}

/// What a store answers with a file, and what a publish has it answer.
package struct HeadersRead: Sendable {
    package let place: String
    /// The headers that decide what a client gets, by names in lower case, and no others.
    package let found: [String: String]
    /// Whether the file never changes.
    package let isLasting: Bool
    /// Its media type, without parameters.
    package let mediaType: String

    package init(place: String, found: [String: String], isLasting: Bool, mediaType: String) {
        self.place = place
        self.found = found
        self.isLasting = isLasting
        self.mediaType = mediaType
    }
}
