import PackGround

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Small files named by users.
enum ReadableFile {
    /// Splits a path into its directory and its name there.
    ///
    /// A path without a final name (`.`, `..`, `/`) is a directory with the name `.`.
    static func locate(_ path: String) throws -> (directory: Directory, name: String) {
        var path = path
        guard !path.isEmpty else {
            throw Failure.fileSystem("open", path, number: ENOENT)
        }
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        let slash = path.lastSlash
        let name = String(path.lastComponent)
        if name.isEmpty || name == "." || name == ".." {
            return (try Directory.open(path), ".")
        }
        guard let slash else { return (try Directory.open("."), path) }
        let parent = slash == path.startIndex ? "/" : String(path[..<slash])
        return (try Directory.open(parent), name)
    }

    /// Like ``locate(_:)``, but follows a link, for reading.
    ///
    /// Other paths are not changed, so that messages show them as typed.
    static func locateExisting(_ path: String) throws -> (directory: Directory, name: String) {
        let location = try locate(path)
        guard try location.directory.status(location.name)?.kind == .symbolicLink else {
            return location
        }
        return try locate(resolvedPath(path))
    }

    /// Reads a whole file of at most `limit` bytes.
    static func read(_ path: String, limit: Int) throws -> [UInt8] {
        let (directory, name) = try locateExisting(path)
        if let status = try directory.status(name) {
            guard status.kind != .directory else {
                throw Failure.fileSystem("read", path, number: EISDIR)
            }
            guard status.kind == .file else { throw Failure.inputNotAFile(path: path) }
            guard status.size <= UInt64(limit) else {
                throw Failure.inputTooLarge(path: path, size: status.size, limit: limit)
            }
        }
        return try directory.readFile(name, limit: limit)
    }

    /// Writes a file atomically: to a temporary file in the same directory, which is renamed.
    static func replace(
        _ path: String, with bytes: [UInt8], _ console: Console
    ) async throws {
        let (directory, name) = try locate(path)
        try OutputLocation.refuseSpecial(path)
        try await TemporaryDirectory.with(in: directory, console) { staging in
            let file = try staging.createFile("file")
            try file.write(bytes)
            try file.close()
            try OutputLocation.move(file: "file", of: staging, at: path, (directory, name))
        }
    }
}

extension Failure.Code {
    static let inputNotAFile = Self("input.not-a-file")
    static let inputTooLarge = Self("input.too-large")
}

extension Failure {
    fileprivate static func inputNotAFile(path: String) -> Failure {
        Failure(.inputNotAFile, "'\(path)' is a pipe or a device, not a file")
    }

    fileprivate static func inputTooLarge(path: String, size: UInt64, limit: Int) -> Failure {
        Failure(
            .inputTooLarge,
            "'\(path)' has \(readableSize(size)); a file of its kind has at most "
                + readableSize(UInt64(limit)))
    }
}
