package import PackGround

/// Local files by content hash, so that no content is uploaded or downloaded twice.
///
/// Every read verifies the hash. The folder can be deleted without loss.
package struct ContentCache: Sendable {
    private let path: String
    /// The maximum size in bytes; above it, the oldest files are removed.
    package static let limit: UInt64 = 2 << 30

    /// The file that tells backup programs to skip the directory (https://bford.info/cachedir/).
    private static let tagName = "CACHEDIR.TAG"
    private static let tag = Array(
        """
        Signature: 8a477f597d28d172789f06886806bc55
        # This directory is a cache of packtool; nothing is lost if it is removed.

        """.utf8)

    /// Opens a cache, or creates one in a missing or empty directory.
    ///
    /// - Throws: ``Failure`` if the directory cannot be created.
    package init(_ path: String) throws {
        self.path = path
        try prune(Self.directory(path), limit: Self.limit)
    }

    /// Opens a cache's directory, or creates it, without removing old files.
    ///
    /// - Throws: ``Failure`` for a directory with other files.
    package static func directory(_ path: String) throws -> Directory {
        let root = try Directory.openOrCreate(path)
        try mark(root)
        return root
    }

    private static func mark(_ root: Directory) throws {
        if (try? root.readFile(tagName, limit: tag.count)) == tag { return }
        let names = try root.names()
        // A killed run may have left an empty tag.
        let isUnused =
            try names.isEmpty
            || (names == [Array(tagName.utf8)] && root.status(tagName)?.size == 0)
        guard isUnused else { throw Failure.cacheForeign(path: root.path) }
        let name = "\(uniqueName()).part"
        let file = try root.createFile(name)
        try file.write(tag)
        try file.close()
        try root.rename(name, to: root, as: tagName)
    }

    private func folder(of content: FileDigest) throws -> Directory {
        let root = try Directory.openOrCreate(path)
        return try root.makeDirectories(String(content.sha256.description.prefix(2)))
    }

    /// Copies a file out of the cache.
    ///
    /// - Returns: `false` if the file is missing or damaged. A damaged file is removed.
    package func copy(_ content: FileDigest, to directory: Directory, as name: String) throws
        -> Bool
    {
        let folder = try folder(of: content)
        let file = content.sha256.description
        guard try folder.status(file)?.kind == .file else { return false }
        let digest = try FileDigest.copy(
            file, in: folder, to: directory, as: name, buffer: .forReading(),
            limit: content.size)
        if digest == content { return true }
        try directory.removeFile(name)
        try folder.removeFile(file)
        return false
    }

    /// The MD5 of the content; `nil` if it is missing or damaged.
    package func md5(of content: FileDigest) throws -> String? {
        let folder = try folder(of: content)
        let file = content.sha256.description
        guard try folder.status(file)?.kind == .file,
            let found = try FileDigest.readWithMD5(
                file, in: folder, buffer: .forReading(), limit: content.size),
            found.content == content
        else { return nil }
        return found.md5
    }

    /// Adds a file with verified content.
    package func add(_ content: FileDigest, _ name: String, in directory: Directory) throws {
        let folder = try folder(of: content)
        let file = content.sha256.description
        guard try folder.status(file) == nil else { return }
        // A unique name, so concurrent runs do not write the same file.
        let part = "\(uniqueName()).part"
        do {
            let digest = try FileDigest.copy(
                name, in: directory, to: folder, as: part, buffer: .forReading(),
                limit: content.size)
            guard digest == content else { return try folder.removeFile(part) }
            try folder.rename(part, to: folder, as: file)
        } catch {
            try? folder.removeFile(part)
            throw error
        }
    }

    private static func isName(_ name: some StringProtocol, digits: Int) -> Bool {
        name.utf8.count == digits && name.utf8.allSatisfy(isHexadecimalDigit)
    }

    private func prune(_ root: Directory, limit: UInt64) throws {
        var files: [(folder: String, name: String, status: FileStatus)] = []
        for bytes in try root.names() {
            let folder = String(decoding: bytes, as: UTF8.self)
            guard Self.isName(folder, digits: 2), try root.status(folder)?.kind == .directory else {
                continue
            }
            let directory = try root.directory(folder)
            for bytes in try directory.names() {
                let name = String(decoding: bytes, as: UTF8.self)
                // The user may have passed a directory with other files.
                let isPart = name.hasSuffix(".part") && Self.isName(name.dropLast(5), digits: 32)
                guard isPart || name.hasPrefix(folder) && Self.isName(name, digits: 64),
                    let status = try directory.status(name), status.kind == .file
                else { continue }
                files.append((folder, name, status))
            }
        }
        var size = files.clampedSum { $0.status.size }
        guard size > limit else { return }
        files.sort { $0.status.modified < $1.status.modified }
        for file in files {
            guard size > limit else { return }
            try root.directory(file.folder).removeFile(file.name)
            size -= min(size, file.status.size)
        }
    }
}

extension Failure.Code {
    package static let cacheForeign = Self("cache.foreign")
}

extension Failure {
    /// A directory given as the cache contains other files.
    package static func cacheForeign(path: String) -> Failure {
        Failure(
            .cacheForeign, "'\(path)' is not empty and is not a cache of packtool",
            unaffected: "everything in it; nothing was written")
    }
}
