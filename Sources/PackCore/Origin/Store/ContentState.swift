/// What is at a place, compared with what has to be there.
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
    func isWhole() throws -> Bool {
        switch self {
        case .whole: true
        case .unreadable(let error): throw error
        default: false
        }
    }

    /// What is wrong with a file that must have an asset's content; `nil` where nothing is.
    var problem: String? {
        switch self {
        case .whole: nil
        case .missing: "is missing"
        case .notAFile(let kind): "is \(kind.name), not a file"
        case .otherSize: "has another size than its manifest says"
        case .otherContent: "has other content than its manifest says"
        case .unreadable(let error): "cannot be read: \(error)"
        }
    }
}

extension StoredStatus? {
    /// The part of a comparison that needs no reading.
    func shape(of content: FileDigest) -> ContentState {
        guard let self else { return .missing }
        guard self.kind == .file else { return .notAFile(self.kind) }
        return self.size == content.size ? .whole : .otherSize
    }
}

extension FileStatus.Kind {
    /// With its article, for messages.
    var name: String {
        switch self {
        case .file: "a file"
        case .directory: "a directory"
        case .symbolicLink: "a symbolic link"
        case .other: "a device, pipe or socket"
        }
    }
}

extension Error {
    /// This process or machine has run out of something: that says nothing about what is stored.
    var meansShortage: Bool { (self as? FileSystemError)?.meansShortage ?? false }

    /// A reading failed because of what is there; all else says nothing about it.
    var meansAnotherContent: Bool { (self as? FileSystemError)?.meansAnotherContent ?? false }
}
