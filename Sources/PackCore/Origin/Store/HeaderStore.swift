/// A store that answers for each file with headers, which were given when the file was written.
package protocol HeaderStore: ListingStore {
    /// What this run was told of the files that it read whole, in the order of their places' bytes.
    func headersRead() -> [HeadersRead]
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
}
