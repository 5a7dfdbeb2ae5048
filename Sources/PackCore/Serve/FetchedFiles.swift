import PackGround
import PackOrigin

/// Files of a remote origin, fetched on request.
///
/// Immutable files are fetched once. Mutable files are fetched every time, so that a publish is
/// visible at once.
actor FetchedFiles {
    /// The largest file to fetch, in bytes; it is held in memory during the fetch.
    private static let sizeLimit = 512 << 20

    private let store: any OriginStore
    private let directory: Directory
    /// Names in the directory, by path at the origin.
    private var names: [String: (name: String, tag: Digest)] = [:]
    private var count = 0

    /// Creates an empty set of files.
    ///
    /// - Parameter directory: A temporary directory for the files.
    init(_ store: any OriginStore, into directory: Directory) {
        self.store = store
        self.directory = directory
    }

    /// The local name of the file at a path; `nil` if it does not exist.
    func name(of path: String, isLasting: Bool) async throws -> String? {
        if isLasting, let known = names[path] { return known.name }
        guard let bytes = try await store.read(path, limit: Self.sizeLimit)?.bytes else {
            return nil
        }
        let tag = StreamHasher.digest(of: bytes)
        // A response may be reading the existing file.
        if let known = names[path], known.tag == tag { return known.name }
        count += 1
        let name = "\(count)"
        let file = try directory.createFile(name)
        try file.write(bytes)
        try file.close()
        names[path] = (name, tag)
        return name
    }
}
