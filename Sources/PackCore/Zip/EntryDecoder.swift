/// Decodes the entries of one archive.
package protocol EntryDecoder: ~Copyable, SendableMetatype {
    /// Called for each entry in the order of the archive, before its content is read or passed over.
    mutating func begin(_ entry: ZipEntry) throws
    /// Passes the content of the entry begun last to `body`, in pieces.
    mutating func read(_ entry: ZipEntry, _ body: (RawSpan) throws -> Void) throws
    /// Called after the last entry.
    mutating func finish() throws
}
