package import PackGround
import PackRelease

/// An origin in a local directory or on a mounted file system.
///
/// Its calls are async like every store's, but only those that read files in parallel ever suspend.
package struct DirectoryStore: WritableStore {
    package let root: Directory
    /// The hashes of files that earlier runs have read here; `nil` reads every file.
    let known: HashCache?

    package var address: String { root.path }
    package var localFiles: Directory? { root }

    package init(_ root: Directory, known: HashCache? = nil) {
        self.root = root
        self.known = known
    }

    /// The same origin, whose unchanged files need not be read again.
    package func trusting(_ known: HashCache?) -> DirectoryStore {
        DirectoryStore(root, known: known)
    }

    /// Opens an existing origin.
    package static func open(_ path: String) throws -> DirectoryStore {
        DirectoryStore(try Directory.open(path))
    }

    package func display(_ path: String) -> String { root.display(path) }

    // MARK: Reading

    package func statuses(of paths: [String]) async throws -> [StoredStatus?] {
        try paths.map { try storedStatus($0) }
    }

    package func statuses(ofFiles files: [ObjectReference]) async throws -> [StoredStatus?] {
        try files.map { file in
            guard let status = try root.status(file.path) else { return nil }
            return StoredStatus(
                kind: status.kind, size: status.size,
                isProved: known?.content(of: status)?.sha256 == file.content.sha256)
        }
    }

    func storedStatus(_ path: String) throws(Failure) -> StoredStatus? {
        guard let status = try root.status(path) else { return nil }
        return StoredStatus(kind: status.kind, size: status.size)
    }

    package func read(_ path: String, limit: Int) async throws -> StoredObject? {
        do throws(Failure) {
            let file = try root.readFileAndStatus(path, limit: limit)
            return StoredObject(bytes: file.bytes, revision: Revision(.file(file.status.edition)))
        } catch {
            guard error.meansMissing else { throw error }
            return nil
        }
    }

    package func digest(_ path: String, limit: UInt64) async throws -> FileDigest? {
        guard try root.status(path)?.kind == .file else { return nil }
        return try FileDigest.read(path, in: root, buffer: .forReading(), limit: limit)
    }

    package func check(
        _ contents: [ObjectReference], jobs: Int, counter: ProgressCounter?
    ) async throws -> [ContentState] {
        let (root, known) = (root, known)
        return try await mapInParallel(
            count: contents.count, jobs: jobs, makeState: ByteBuffer.forReading
        ) { buffer, index in
            let state = try root.state(of: contents[index], known, buffer: buffer)
            counter?.add(contents[index].content.size)
            return state
        }
    }

    package func fetch(
        _ content: ObjectReference, into directory: Directory, as name: String
    ) async throws {
        let path = content.path
        guard try root.status(path)?.kind == .file else {
            throw Failure.originMissing(path: display(path))
        }
        let digest = try FileDigest.copy(
            path, in: root, to: directory, as: name, buffer: .forReading(),
            limit: content.content.size)
        guard digest == content.content else {
            throw Failure.originDiffers(
                path: display(path), problem: "does not match its pointer")
        }
    }

    package func withFiles<Result>(
        _ contents: [ObjectReference], _ body: (Directory) async throws -> Result
    ) async throws -> Result {
        try await body(root)
    }

    // MARK: Listing

    package func isEmpty() async throws -> Bool { try root.names().isEmpty }

    package func isFolder(_ path: String) async throws -> Bool {
        try root.status(path)?.kind == .directory
    }

    package func names(in folder: String) async throws -> [String] {
        guard try root.status(folder)?.kind == .directory else { return [] }
        return try root.directory(folder).names().compactMap {
            String(utf8: $0)
        }
    }

    package func visitPublic(_ body: (ListedObject) throws -> Void) async throws {
        try visit(root, prefix: "", depth: 1, body)
    }

    /// The directories below the root in which a public file can be: `site/` and those of its path.
    private static let deepest = 1 + AssetPath.deepestPath

    /// Nothing refers to anything deeper, and following a tree of any depth would exhaust stack and descriptors.
    private func visit(
        _ directory: Directory, prefix: String, depth: Int, _ body: (ListedObject) throws -> Void
    ) throws {
        for bytes in try directory.names() {
            let name = String(decoding: bytes, as: UTF8.self)
            if prefix.isEmpty, name == OriginLayout.workspace { continue }
            guard let status = try directory.status(name) else { continue }
            if status.kind != .directory {
                try body(ListedObject(path: prefix + name, size: status.size))
            } else if depth > Self.deepest {
                try body(ListedObject(path: prefix + name + "/", size: 0))
            } else {
                try visit(
                    directory.directory(name), prefix: prefix + name + "/", depth: depth + 1, body)
            }
        }
    }
}

extension Directory {
    /// The result of comparing a place with the content it must have.
    fileprivate func state(
        of content: ObjectReference, _ known: HashCache?, buffer: ByteBuffer
    ) throws(Failure) -> ContentState {
        do throws(Failure) {
            let status = try status(content.path)
            let shape = status.map { StoredStatus(kind: $0.kind, size: $0.size) }
                .shape(of: content.content)
            guard case .whole = shape, let status else { return shape }
            if known?.content(of: status)?.sha256 == content.content.sha256 { return .whole }
            let digest = try FileDigest.read(
                content.path, in: self, buffer: buffer, limit: content.content.size)
            guard digest?.size == content.content.size else { return .otherSize }
            guard digest == content.content else { return .otherContent }
            known?.add(.init(sha256: content.content.sha256), of: status, at: content.path)
            return .whole
        } catch {
            if error.isLocalOrTransient { throw error }
            return .unreadable(error)
        }
    }
}
