package import PackGround

/// The source of a build's bytes: a directory, or memory (examples and tests).
package enum SiteSource: Sendable {
    case directory(Directory)
    /// The objects of a release in an origin, with the key of each path.
    case objects(Directory, paths: [AssetPath: String])
    case memory([AssetPath: [UInt8]])

    /// The maximum size of a document in bytes; larger files are only hashed.
    package static let documentLimit = 192 << 20

    /// The whole content of a file.
    ///
    /// - Throws: ``Failure``.
    package func content(of path: AssetPath) throws(Failure) -> [UInt8] {
        switch self {
        case .directory(let directory):
            return try directory.readFile(path.description, limit: Self.documentLimit)
        case .objects(let directory, let paths):
            return try directory.readFile(object(path, paths), limit: Self.documentLimit)
        case .memory(let files):
            guard let content = files[path] else {
                throw Failure.fileSystem("read", path.description, number: 2)
            }
            return content
        }
    }

    /// The first bytes of a file.
    package func head(of path: AssetPath, count: Int) throws(Failure) -> [UInt8] {
        switch self {
        case .directory(let directory):
            return try directory.openFile(path.description).bytes(at: 0, count: count)
        case .objects(let directory, let paths):
            return try directory.openFile(object(path, paths)).bytes(at: 0, count: count)
        case .memory(let files): return Array((files[path] ?? []).prefix(count))
        }
    }

    /// The SHA-256 of a file.
    ///
    /// - Throws: ``Failure``.
    func digest(of path: AssetPath) throws(Failure) -> Digest {
        switch self {
        case .directory(let directory):
            return try FileDigest.of(path.description, in: directory).sha256
        case .objects(let directory, let paths):
            return try FileDigest.of(object(path, paths), in: directory).sha256
        case .memory(let files): return StreamHasher.digest(of: files[path] ?? [])
        }
    }

    private func object(
        _ path: AssetPath, _ paths: [AssetPath: String]
    ) throws(Failure) -> String {
        guard let object = paths[path] else {
            throw Failure.fileSystem("read", path.description, number: 2)
        }
        return object
    }
}
