/// Files of this machine by the hash of their content, so that what was uploaded or downloaded once is not again.
///
/// A file is hashed again each time that it is read. Nothing is lost if the folder is removed.
package struct ContentCache: Sendable {
    private let path: String
    /// Bytes above which the files that were added first are removed.
    package static let limit: UInt64 = 2 << 30

    /// - Throws: ``FileSystemError`` where the directory cannot be made.
    package init(_ path: String) throws {
        self.path = path
        try prune(Directory.openOrCreate(path), limit: Self.limit)
    }

    private func folder(of content: FileDigest) throws -> Directory {
        let root = try Directory.openOrCreate(path)
        return try root.makeDirectories(String(content.sha256.description.prefix(2)))
    }

    /// Copies a file out of the cache.
    ///
    /// - Returns: `false` if it is not there. One that is damaged is removed.
    func copy(_ content: FileDigest, to directory: Directory, as name: String) throws -> Bool {
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

    /// Keeps a file whose content was checked before.
    func add(_ content: FileDigest, _ name: String, in directory: Directory) throws {
        let folder = try folder(of: content)
        let file = content.sha256.description
        guard try folder.status(file) == nil else { return }
        // Under its own name, so that two runs do not write into one file.
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
                // Somebody may have named a directory that has other files, too.
                let isPart = name.hasSuffix(".part") && Self.isName(name.dropLast(5), digits: 32)
                guard isPart || name.hasPrefix(folder) && Self.isName(name, digits: 64),
                    let status = try directory.status(name), status.kind == .file
                else { continue }
                files.append((folder, name, status))
            }
        }
        var size = files.clampedSum { $0.status.size }
        guard size > limit else { return }
        files.sort {
            $0.status.edition.modified.lexicographicallyPrecedes($1.status.edition.modified)
        }
        for file in files {
            guard size > limit else { return }
            try root.directory(file.folder).removeFile(file.name)
            size -= min(size, file.status.size)
        }
    }
}
