/// The evidence that a remote store requires for a file's content.
package enum ReadBack: Sendable {
    /// The size, for files not written by this run.
    case sizes
    /// A hash from the store.
    ///
    /// The bytes are read if there is none, or if this run wrote the file.
    case hashes
    /// The bytes of every file.
    case all
}
