extension Directory {
    /// Whether a regular file of this size and content is at a place.
    ///
    /// Nothing else is opened, and no more is read than the content has: a device, a pipe or a huge sparse file
    /// under one of our names cannot hold the caller up.
    func holds(
        _ content: FileDigest, at place: String, buffer: ByteBuffer = .forReading()
    ) throws(FileSystemError) -> Bool {
        guard let status = try status(place), status.kind == .file, status.size == content.size
        else { return false }
        return try FileDigest.read(place, in: self, buffer: buffer, limit: content.size) == content
    }

    func holds(_ content: ContentReference, at place: String) throws(FileSystemError) -> Bool {
        try holds(FileDigest(sha256: content.sha256, size: content.size), at: place)
    }

    /// What is wrong with a file that must have an asset's content; `nil` where nothing is.
    func problem(
        of place: String, _ asset: Asset, buffer: ByteBuffer
    ) throws(FileSystemError) -> String? {
        do throws(FileSystemError) {
            if let problem = try problem(ofShape: place, asset) { return problem }
            let digest = try FileDigest.read(place, in: self, buffer: buffer, limit: asset.size)
            guard digest?.size == asset.size else {
                return "has another size than its manifest says"
            }
            return digest?.sha256 == asset.sha256 ? nil : "has other content than its manifest says"
        } catch {
            if error.meansShortage { throw error }
            return "cannot be read: \(error)"
        }
    }

    /// The part of ``problem(of:_:buffer:)`` that needs no reading.
    func problem(ofShape place: String, _ asset: Asset) throws(FileSystemError) -> String? {
        guard let status = try status(place) else { return "is missing" }
        guard status.kind == .file else { return "is \(status.kind.name), not a file" }
        return status.size == asset.size ? nil : "has another size than its manifest says"
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
