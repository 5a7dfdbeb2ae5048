package import PackGround

/// The reason for a rejected change; the caller interprets and reports it.
package enum StoreError: Error, Equatable {
    /// The key is taken: by a file with other content (`nil`), or by another kind of file.
    case taken(path: String, by: FileStatus.Kind?)
    /// The file has its new content, but a power cut could still revert it.
    case replacedNotDurable(path: String, cause: Failure)
}
