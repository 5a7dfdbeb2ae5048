package import PackGround

/// The result of comparing a place with the content it must have.
package enum ContentState: Sendable {
    case whole
    case missing
    case notAFile(FileStatus.Kind)
    case otherSize
    case otherContent
    case unreadable(any Error)

    /// Whether the content is there.
    ///
    /// - Throws: what kept it from being read.
    package func isWhole() throws -> Bool {
        switch self {
        case .whole: true
        case .unreadable(let error): throw error
        default: false
        }
    }

    /// What is wrong with a file that must have an asset's content; `nil` where nothing is.
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
    /// The part of a comparison that needs no reading.
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

/// A failure that says what it is a failure of.
package protocol StorageFailure: Error {
    /// This process or machine has run out of a resource; that says nothing about the stored file.
    var isLocalOrTransient: Bool { get }
    /// Reading failed because of what is at the place, not because of this machine or its rights.
    var meansAnotherContent: Bool { get }
    /// A store has answered that these credentials may not do that, and nothing of it was or will be done.
    var meansDenial: Bool { get }
}

extension StorageFailure {
    package var meansDenial: Bool { false }
}

extension FileSystemError: StorageFailure {}

extension Error {
    /// ``StorageFailure/isLocalOrTransient``; other errors do not mean it.
    package var isLocalOrTransient: Bool {
        (self as? any StorageFailure)?.isLocalOrTransient ?? false
    }

    /// ``StorageFailure/meansAnotherContent``; other errors do not mean it.
    package var meansAnotherContent: Bool {
        (self as? any StorageFailure)?.meansAnotherContent ?? false
    }

    /// ``StorageFailure/meansDenial``; other errors do not mean it.
    package var meansDenial: Bool { (self as? any StorageFailure)?.meansDenial ?? false }
}
