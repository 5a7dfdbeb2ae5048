extension Directory {
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
