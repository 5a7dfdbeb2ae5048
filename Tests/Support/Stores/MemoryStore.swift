package import PackGround
package import PackOrigin
import PackRelease
import Synchronization

/// An origin in memory that behaves like a bucket: no directories, no partial files, no lock.
///
/// Publishers are kept apart by the same rules as in a bucket: a name is created once, and a file is replaced only if
/// its revision has not changed.
package final class MemoryStore: WritableStore, HashingStore {
    /// A change of one file.
    package enum Change: Equatable, Sendable {
        case create(String)
        case replace(String)
        case delete(String)
    }

    package struct File: Sendable {
        package let bytes: [UInt8]
        /// Another one for each time that a file is written.
        package let revision: UInt64
    }

    /// Keys are bytes: `String` treats two Unicode spellings of a name as equal.
    struct Contents {
        var files: [[UInt8]: File] = [:]
        var lastRevision: UInt64 = 0
        /// A folder in which no name may change; empty for the top of the store.
        var sealed: String?

        mutating func put(_ path: String, _ bytes: [UInt8]) {
            lastRevision += 1
            files[Array(path.utf8)] = File(bytes: bytes, revision: lastRevision)
        }
    }

    package let address: String
    let contents = Mutex(Contents())
    let scratch: String
    let willChange: @Sendable (Change) async throws -> Void
    package let guarantee: ConditionalWrites
    package let isRemote: Bool
    package let secondsAhead: Int
    let free: UInt64?

    /// - Parameters:
    ///   - guarantee: without conditions a file is compared first, and replaced whatever happens in between.
    ///   - isRemote: Whether calls run in parallel, as in a bucket.
    ///   - scratch: a directory of this machine, for files that others have to open.
    ///   - secondsAhead: how far its clock is ahead of the machine's.
    ///   - free: what it says of its free bytes.
    ///   - willChange: called before each change; if it throws, the change does not happen.
    package init(
        address: String, scratch: String, guarantee: ConditionalWrites = .conditions,
        isRemote: Bool = false, secondsAhead: Int = 0, free: UInt64? = nil,
        willChange: @escaping @Sendable (Change) async throws -> Void = { _ in }
    ) {
        self.address = address
        self.scratch = scratch
        self.guarantee = guarantee
        self.isRemote = isRemote
        self.secondsAhead = secondsAhead
        self.free = free
        self.willChange = willChange
    }

    /// From now on says of a folder that this user may not write there.
    package func seal(_ folder: String) { contents.withLock { $0.sealed = folder } }

    package var readsAtOnce: Int { isRemote ? 32 : 1 }

    package func display(_ path: String) -> String {
        path.isEmpty ? address : "\(address)/\(path)"
    }

    // MARK: The files themselves

    /// What is at a place.
    package func file(_ path: String) -> File? {
        contents.withLock { $0.files[Array(path.utf8)] }
    }

    /// Writes or removes a file, as another publisher might.
    package func set(_ path: String, _ bytes: [UInt8]?) {
        contents.withLock {
            if let bytes { $0.put(path, bytes) } else { $0.files[Array(path.utf8)] = nil }
        }
    }

    /// All places, sorted by bytes.
    package var paths: [String] {
        contents.withLock { Array($0.files.keys) }
            .sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: Reading

    package func statuses(of paths: [String]) async throws -> [StoredStatus?] {
        paths.map(status)
    }

    private func status(_ path: String) -> StoredStatus? {
        file(path).map { StoredStatus(kind: .file, size: UInt64($0.bytes.count)) }
    }

    package func read(_ path: String, limit: Int) async throws -> StoredObject? {
        guard let file = file(path) else { return nil }
        guard file.bytes.count <= limit else {
            throw Failure.fileTooLarge(display(path))
        }
        return StoredObject(bytes: file.bytes, revision: Revision(.number(file.revision)))
    }

    package func digest(_ path: String, limit: UInt64) async throws -> FileDigest? {
        guard let file = file(path), UInt64(file.bytes.count) <= limit else { return nil }
        return file.digest
    }

    package func check(
        _ contents: [ObjectReference], jobs: Int, counter: ProgressCounter?
    ) async throws -> [ContentState] {
        contents.map { wanted in
            defer { counter?.add(wanted.content.size) }
            let shape = status(wanted.path).shape(of: wanted.content)
            guard case .whole = shape, let file = file(wanted.path) else { return shape }
            return file.digest == wanted.content ? .whole : .otherContent
        }
    }

    package func compare(_ copies: [SiteCopy], jobs: Int) async throws -> [CopyState] {
        copies.map { copy in
            guard let file = file(copy.path) else { return .missing }
            return file.digest == copy.asset.content ? .current : .differs
        }
    }

    package func fetch(
        _ content: ObjectReference, into directory: Directory, as name: String
    ) async throws {
        guard let file = file(content.path) else {
            throw Failure.originMissing(path: display(content.path))
        }
        guard file.digest == content.content else {
            throw Failure.originDiffers(
                path: display(content.path), problem: "does not match its pointer")
        }
        try Self.write(file.bytes, as: name, in: directory)
    }

    package func withFiles<Result>(
        _ contents: [ObjectReference], _ body: (Directory) async throws -> Result
    ) async throws -> Result {
        try await Staging.temporary(below: scratch) {
            let directory = try $0.reopened(shownAs: address)
            for path in Set(contents.map(\.path)) {
                guard let file = file(path) else { continue }
                let (folder, name) = FolderNames.split(path)
                try Self.write(file.bytes, as: name, in: directory.makeDirectories(folder))
            }
            return try await body(directory)
        }
    }

    static func write(
        _ bytes: [UInt8], as name: String, in directory: Directory
    ) throws(Failure) {
        let copy = try directory.createFile(name)
        try copy.write(bytes)
        try copy.close()
    }

    // MARK: Listing

    package func isEmpty() async throws -> Bool { contents.withLock { $0.files.isEmpty } }

    package func isFolder(_ path: String) async throws -> Bool {
        let prefix = Array("\(path)/".utf8)
        return contents.withLock { $0.files.keys.contains { $0.starts(with: prefix) } }
    }

    package func names(in folder: String) async throws -> [String] {
        let prefix = Array("\(folder)/".utf8)
        let names = contents.withLock { contents in
            Set(
                contents.files.keys.filter { $0.starts(with: prefix) }
                    .map { Array($0.dropFirst(prefix.count).prefix { $0 != UInt8(ascii: "/") }) })
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    package func visitPublic(_ body: (ListedObject) throws -> Void) async throws {
        for path in paths where !path.hasPrefix(OriginLayout.workspace + "/") {
            guard let status = status(path) else { continue }
            try body(ListedObject(path: path, size: status.size))
        }
    }
}

extension MemoryStore.File {
    /// Hash and size of the content.
    var digest: FileDigest { FileDigest(of: bytes) }
}
