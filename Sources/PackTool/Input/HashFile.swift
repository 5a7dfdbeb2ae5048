import PackGround
import PackOrigin

/// The file that keeps the hashes of a directory's files for later publishes.
///
/// Nothing depends on it: if it cannot be read or written, every file is read.
struct HashFile {
    let hashes: HashCache
    private let name: String
    private let cache: String
    private let openedAt: FileTime

    private static let folder = "hashes"
    /// Files of directories that were not published for so many seconds are removed.
    private static let lifetime = 30 * 86_400

    /// - Parameters:
    ///   - cache: The cache directory; `nil` for the user's.
    ///   - readsAll: Whether to use no hashes of earlier runs.
    /// - Returns: `nil` if there is no cache directory.
    init?(
        of directory: String, in cache: String?, readsAll: Bool, _ environment: ProcessEnvironment
    ) {
        guard let cache = cache ?? environment.cacheDirectory else { return nil }
        let now = environment.clock.seconds
        let path = resolvedPath(directory)
        self.cache = cache
        name = "\(StreamHasher.digest(of: Array(path.utf8)))"
        openedAt = FileTime(seconds: now, nanoseconds: 0)
        let file =
            readsAll
            ? nil
            : try? Directory.openIfPresent(cache)?.readFile(
                "\(Self.folder)/\(name)", limit: HashCache.sizeLimit)
        hashes = HashCache(file, of: path, now: now)
    }

    /// Writes the hashes of files that were read after the file was opened.
    func save() {
        write { _ in openedAt }
    }

    /// Removes the file.
    func discard() {
        try? Directory.openIfPresent(cache)?.removeFile("\(Self.folder)/\(name)")
    }

    /// Writes the hashes of files that this run has linked since.
    func save(linkedIn directory: String) {
        guard let directory = try? Directory.open(directory) else { return }
        write { time in
            hashes.refresh { try? directory.status($0) }
            return time
        }
    }

    /// - Parameter time: Receives the file system's time.
    private func write(_ time: (FileTime) -> FileTime) {
        guard hashes.isWorthAFile, let root = try? ContentCache.directory(cache),
            let folder = try? root.makeDirectories(Self.folder)
        else { return }
        removeOld(in: folder)
        // The last writer wins: both are right.
        let part = "\(uniqueName()).part"
        do {
            let file = try folder.createPrivateFile(part)
            guard let bytes = hashes.encoded(at: time(try file.status().modified)) else {
                try file.close()
                return try folder.removeFile(part)
            }
            try file.write(bytes)
            try file.close()
            try folder.rename(part, to: folder, as: name)
        } catch {
            try? folder.removeFile(part)
        }
    }

    private func removeOld(in folder: Directory) {
        let oldest = openedAt.seconds - Self.lifetime
        for bytes in (try? folder.names()) ?? [] {
            let name = String(decoding: bytes, as: UTF8.self)
            guard let status = try? folder.status(name), status.kind == .file,
                status.modifiedSeconds < oldest
            else { continue }
            try? folder.removeFile(name)
        }
    }
}

extension ProcessEnvironment {
    /// The directory for caches: `PACKTOOL_CACHE`, or one in the user's cache directory
    /// (XDG Base Directory Specification); `nil` if there is none.
    var cacheDirectory: String? {
        if let named = variable("PACKTOOL_CACHE") { return named }
        let base = variable("XDG_CACHE_HOME") ?? variable("HOME").map { "\($0)/.cache" }
        return base.flatMap { $0.hasPrefix("/") ? "\($0)/packtool" : nil }
    }
}
