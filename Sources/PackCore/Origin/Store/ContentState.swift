package import PackGround

/// The result of comparing a file with its expected content.
package enum ContentState: Sendable {
    case whole
    case missing
    case notAFile(FileStatus.Kind)
    case otherSize
    case otherContent
    case unreadable(any Error)

    /// Whether the file has the expected content.
    ///
    /// - Throws: The read error, if the file is unreadable.
    package func isWhole() throws -> Bool {
        switch self {
        case .whole: true
        case .unreadable(let error): throw error
        default: false
        }
    }

    /// The problem of a file with an asset's expected content, for messages; `nil` if there is
    /// none.
    package var problem: String? {
        switch self {
        case .whole: nil
        case .missing: "is missing"
        case .notAFile(let kind): "is \(kind.name), not a file"
        case .otherSize: "does not have the size in its manifest"
        case .otherContent: "does not match its manifest"
        case .unreadable(let error): "cannot be read: \(error)"
        }
    }
}

extension StoredStatus? {
    /// Compares kind and size, without reading the file.
    package func shape(of content: FileDigest) -> ContentState {
        guard let self else { return .missing }
        guard self.kind == .file else { return .notAFile(self.kind) }
        return self.size == content.size ? .whole : .otherSize
    }
}

extension FileStatus.Kind {
    /// With its article, for messages.
    package var name: String {
        switch self {
        case .file: "a file"
        case .directory: "a directory"
        case .symbolicLink: "a symbolic link"
        case .other: "a device, pipe or socket"
        }
    }
}
