import PackGround
import PackOrigin

/// Files of an origin that is not a directory, fetched when they are asked for.
///
/// What never changes is fetched once. What changes is fetched each time, so that a publish is seen at once.
actor FetchedFiles {
    /// The largest file that is fetched: it is in memory for a moment.
    private static let sizeLimit = 512 << 20

    private let store: any OriginStore
    private let directory: Directory
    /// Names in the directory by place.
    private var names: [String: (name: String, tag: Digest)] = [:]
    private var count = 0

    /// - Parameter directory: a temporary one, which gets the files.
    init(_ store: any OriginStore, into directory: Directory) {
        self.store = store
        self.directory = directory
    }

    /// The name in the directory of the file at a place; `nil` where nothing is.
    func name(of place: String, isLasting: Bool) async throws -> String? {
        if isLasting, let known = names[place] { return known.name }
        guard let bytes = try await store.read(place, limit: Self.sizeLimit)?.bytes else {
            return nil
        }
        let tag = StreamHasher.digest(of: bytes)
        // An answer may be reading it.
        if let known = names[place], known.tag == tag { return known.name }
        count += 1
        let name = "\(count)"
        let file = try directory.createFile(name)
        try file.write(bytes)
        try file.close()
        names[place] = (name, tag)
        return name
    }
}
