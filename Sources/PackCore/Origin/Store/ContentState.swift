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

/// An error with a classified cause.
package protocol StorageFailure: Error {
    /// This process or machine ran out of a resource; the stored file may be intact.
    var isLocalOrTransient: Bool { get }
    /// Reading failed because of the stored content, not because of this machine or its
    /// permissions.
    var meansAnotherContent: Bool { get }
    /// The store denied the operation for these credentials. It had no effect and will have none.
    var meansDenial: Bool { get }
}

extension StorageFailure {
    package var meansDenial: Bool { false }
}

extension FileSystemError: StorageFailure {
    /// A system call that failed has no effect later.
    package var meansDenial: Bool { true }
}

extension Error {
    /// ``StorageFailure/isLocalOrTransient``; `false` for other errors.
    package var isLocalOrTransient: Bool {
        (self as? any StorageFailure)?.isLocalOrTransient ?? false
    }

    /// ``StorageFailure/meansAnotherContent``; `false` for other errors.
    package var meansAnotherContent: Bool {
        (self as? any StorageFailure)?.meansAnotherContent ?? false
    }

    /// ``StorageFailure/meansDenial``; `false` for other errors.
    package var meansDenial: Bool { (self as? any StorageFailure)?.meansDenial ?? false }
}
