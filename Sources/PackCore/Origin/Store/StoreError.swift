/// Why a store did not do what it was told; whoever told it knows what that means and says so.
package enum StoreError: Error, Equatable {
    /// A place is taken: by a file with other content (`nil`) or by something else.
    case taken(place: String, by: FileStatus.Kind?)
    /// This user may not change names in a folder.
    case notWritable(folder: String)
    /// A file has its new content, but a power cut could still take it back.
    case replacedNotDurable(place: String, cause: FileSystemError)
}
