package import PackGround
import PackRelease

extension DirectoryStore {
    package func freeBytes() async throws -> UInt64? { try root.freeBytes() }

    package func isWritable(_ folder: String) async throws -> Bool {
        try (folder.isEmpty ? root : root.directory(folder)).isWritable()
    }

    package func obstacle(among names: [NeededName]) async throws -> Obstacle? {
        for name in names {
            // Nothing is below a name that is not a directory.
            guard let found = try root.status(name.path)?.kind, found != name.kind else {
                continue
            }
            return Obstacle(name: name, found: found)
        }
        return nil
    }

    package func flush() async throws { try root.syncFileSystem() }

    // MARK: Staging

    package func stage(
        _ uploads: [Upload], in staging: Staging, jobs: Int, counter: ProgressCounter?
    ) async throws -> [Upload] {
        let target = staging.directory
        _ = try await mapInParallel(
            count: uploads.count, jobs: jobs, makeState: ByteBuffer.forReading
        ) { buffer, index in
            let upload = uploads[index]
            switch upload.source {
            case .staged: return
            case .bytes(let bytes): try Self.write(bytes, upload.stagedName, in: target)
            case .file(let directory, let name):
                let digest = try FileDigest.copy(
                    name, in: directory, to: target, as: upload.stagedName, buffer: buffer,
                    limit: upload.content.size)
                guard digest == upload.content else {
                    throw Failure.buildChangedWhileRead(path: directory.display(name))
                }
            }
            counter?.add(upload.content.size)
        }
        return uploads.map { upload in
            if case .staged = upload.source { return upload }
            var staged = upload
            staged.source = .staged(in: target, named: upload.stagedName)
            return staged
        }
    }

    private static func write(
        _ bytes: [UInt8], _ name: String, in directory: Directory
    ) throws(Failure) {
        let file = try directory.createFile(name)
        try file.write(bytes)
        // An empty file has no content to make durable.
        if !bytes.isEmpty { try file.sync() }
        try file.close()
    }

    /// Calls `body` with the staged file of each upload, staging those that are not staged yet.
    private func withStaged<Result>(
        _ uploads: [Upload], _ body: ([(directory: Directory, name: String)]) throws -> Result
    ) async throws -> Result {
        let staged = uploads.compactMap { upload in
            if case .staged(let directory, let name) = upload.source {
                return (directory: directory, name: name)
            }
            return nil
        }
        if staged.count == uploads.count { return try body(staged) }
        let staging = try makeStaging()
        do {
            let ready = try await stage(uploads, in: staging, jobs: 1, counter: nil)
            try await flush()
            let result = try await withStaged(ready, body)
            try staging.discard()
            return result
        } catch {
            try? staging.discard()
            throw error
        }
    }

    // MARK: Creating

    package func create(_ uploads: [Upload]) async throws -> [CreateResult] {
        if let notes = Self.notes(uploads) {
            return try notes.map { try createPrivate($0.path, $0.bytes) }
        }
        return try await withStaged(uploads) { staged in
            var folders = FolderNames()
            var created: [CreateResult] = []
            for (upload, file) in zip(uploads, staged) {
                try folders.make(for: upload.path, in: root)
                created.append(try link(file.name, of: file.directory, upload))
                // Otherwise a power cut could leave the later file without this one.
                if upload.isDurableFirst {
                    try root.syncDirectories([FolderNames.parent(of: upload.path)])
                }
            }
            try root.syncDirectories(Array(folders.names))
            return created
        }
    }

    /// Gives a staged file its place; a file that something may refer to is never replaced.
    private func link(
        _ name: String, of directory: Directory, _ upload: Upload
    ) throws -> CreateResult {
        let path = upload.path
        if try directory.link(name, to: root, as: path) { return .made }
        // Another publisher or an interrupted publish put it there; the same content is as good.
        if try root.holds(upload.content, at: path) { return .present }
        if let kind = try root.status(path)?.kind, kind != .file {
            throw StoreError.taken(path: path, by: kind)
        }
        let isReplaced =
            switch upload.conflict {
            case .keep: false
            case .replace: true
            case .replaceOnly(let revision): try isTrue(.unchanged(revision), of: path)
            }
        guard isReplaced else { throw StoreError.taken(path: path, by: nil) }
        try directory.rename(name, to: root, as: path)
        return .replaced
    }

    /// The uploads as files of the workspace; `nil` if one of them is not.
    private static func notes(_ uploads: [Upload]) -> [(path: String, bytes: [UInt8])]? {
        let notes = uploads.compactMap { upload -> (path: String, bytes: [UInt8])? in
            guard case .bytes(let bytes) = upload.source, upload.conflict == .keep,
                upload.path.hasPrefix(OriginLayout.workspace + "/")
            else { return nil }
            return (upload.path, bytes)
        }
        return notes.count == uploads.count ? notes : nil
    }

    /// Creates a file of the workspace under its final name, which is safe because it is never served.
    private func createPrivate(_ path: String, _ bytes: [UInt8]) throws -> CreateResult {
        let (folder, name) = FolderNames.split(path)
        let directory = try root.makeDirectories(folder)
        do throws(Failure) {
            try Self.write(bytes, name, in: directory)
        } catch {
            guard error.meansTaken else { throw error }
            return .present
        }
        try directory.sync()
        try root.directory(OriginLayout.workspace).sync()
        try root.sync()
        return .made
    }

    // MARK: Replacing and removing

    package func replace(
        _ upload: Upload, if condition: ReplaceCondition
    ) async throws -> Bool {
        try await withStaged([upload]) { staged in
            let path = upload.path
            guard try isTrue(condition, of: path) else { return false }
            makeLater(staged[0].name, of: staged[0].directory, than: path)
            let changed = try rename(staged[0].name, of: staged[0].directory, to: path)
            do throws(Failure) {
                try root.syncDirectories(changed)
            } catch {
                throw StoreError.replacedNotDurable(path: path, cause: error)
            }
            return true
        }
    }

    /// Gives a staged file a later second than that of the file it is about to replace.
    ///
    /// Web servers make an ETag of a file's time and size, and rsync compares these two: a pointer that replaces one
    /// of its size within a second would look unchanged. Where a file system refuses it, the publish goes on.
    private func makeLater(_ name: String, of directory: Directory, than path: String) {
        do throws(Failure) {
            guard let before = try root.status(path)?.modifiedSeconds,
                let now = try directory.status(name)?.modifiedSeconds,
                // A time that is far ahead was not given here, and differs anyway.
                (now...now + Self.mostSecondsAhead).contains(before)
            else { return }
            try directory.openFile(name).setModified(seconds: before + 1)
        } catch {}
    }

    /// How far ahead of the clock the time of a file may be: one second for each time it was replaced within one.
    private static let mostSecondsAhead = 600

    /// Renames a staged file to its place, creating missing folders.
    ///
    /// - Returns: The folders whose entries must be made durable.
    private func rename(
        _ name: String, of directory: Directory, to path: String
    ) throws(Failure) -> [String] {
        do throws(Failure) {
            try directory.rename(name, to: root, as: path)
            return [FolderNames.split(path).folder]
        } catch {
            guard error.meansMissing else { throw error }
            var folders = FolderNames()
            try folders.make(for: path, in: root)
            try directory.rename(name, to: root, as: path)
            return Array(folders.names)
        }
    }

    private func isTrue(
        _ condition: ReplaceCondition, of path: String
    ) throws(Failure) -> Bool {
        switch condition {
        case .always: true
        case .absent: try root.status(path) == nil
        case .unchanged(let revision): try currentRevision(of: path) == revision
        }
    }

    private func currentRevision(of path: String) throws(Failure) -> Revision? {
        try root.status(path).map { Revision(.file($0.edition)) }
    }

    package func revision(of path: String) async throws -> Revision? {
        try currentRevision(of: path)
    }

    package func remove(_ paths: [String]) async throws {
        // By bytes: two names that look alike may be two folders.
        let folders = Dictionary(grouping: paths) { Array(FolderNames.parent(of: $0).utf8) }
        for (_, paths) in folders.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let folder = FolderNames.parent(of: paths[0])
            guard let directory = try openFolder(folder) else { continue }
            // Of any kind: these names belong to packtool.
            for path in paths { try directory.removeTree(FolderNames.split(path).name) }
        }
    }

    package func removeEmptyFolders(of paths: [String]) async throws {
        // The innermost first; the folders directly below the root stay.
        let folders = Set(paths.flatMap { FolderNames.folders(of: $0).dropFirst() })
        for folder in folders.sorted(by: { $0.utf8.count > $1.utf8.count }) {
            let (parent, name) = FolderNames.split(folder)
            try openFolder(parent)?.removeEmptyDirectory(name)
        }
    }

    private func openFolder(_ folder: String) throws(Failure) -> Directory? {
        if folder.isEmpty { return root }
        do {
            return try root.directory(folder)
        } catch {
            guard error.meansMissing else { throw error }
            return nil
        }
    }
}
