package import PackGround

/// Why a store refused a change; the caller knows what that means and reports it.
package enum StoreError: Error, Equatable {
    /// A place is taken: by a file with other content (`nil`), or by something that is not a file.
    case taken(place: String, by: FileStatus.Kind?)
    /// A file has its new content, but a power cut could still undo that.
    case replacedNotDurable(place: String, cause: FileSystemError)
}
