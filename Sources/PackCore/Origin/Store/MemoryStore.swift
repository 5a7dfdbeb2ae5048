import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An origin in memory, which behaves as a bucket does: names without directories, a file whole or not there, no lock.
///
/// What keeps publishers apart is what keeps them apart at a bucket: a name is created once, and a file is replaced
/// only by whoever has its revision.
package final class MemoryStore: WritableStore {
    /// A change of one file that is about to happen.
    package enum Change: Equatable, Sendable {
        case create(String)
        case replace(String)
        case remove(String)
    }

    package struct File: Sendable {
        package let bytes: [UInt8]
        /// Another one for each time that a file is written.
        package let revision: UInt64
    }

    /// Names are compared by their bytes: `String` holds two spellings of a letter for one.
    private struct Contents {
        var files: [[UInt8]: File] = [:]
        var lastRevision: UInt64 = 0

        mutating func put(_ place: String, _ bytes: [UInt8]) {
            lastRevision += 1
            files[Array(place.utf8)] = File(bytes: bytes, revision: lastRevision)
        }
    }

    package let address: String
    private let contents = Mutex(Contents())
    private let scratch: String
    private let willChange: @Sendable (Change) async throws -> Void

    /// - Parameters:
    ///   - scratch: a directory of this machine, for files that others have to open.
    ///   - willChange: told of each change first; what it throws keeps the change from happening.
    package init(
        address: String, scratch: String,
        willChange: @escaping @Sendable (Change) async throws -> Void = { _ in }
    ) {
        self.address = address
        self.scratch = scratch
        self.willChange = willChange
    }

    package func display(_ place: String) -> String {
        place.isEmpty ? address : "\(address)/\(place)"
    }

    // MARK: The files themselves

    /// What is at a place.
    package func file(_ place: String) -> File? {
        contents.withLock { $0.files[Array(place.utf8)] }
    }

    /// Puts a file to a place, or takes it away, as if somebody else had done so.
    package func set(_ place: String, _ bytes: [UInt8]?) {
        contents.withLock {
            if let bytes { $0.put(place, bytes) } else { $0.files[Array(place.utf8)] = nil }
        }
    }

    /// All places, sorted by bytes.
    package var places: [String] {
        contents.withLock { Array($0.files.keys) }
            .sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: Reading

    package func statuses(of places: [String]) async throws -> [StoredStatus?] {
        places.map(status)
    }

    private func status(_ place: String) -> StoredStatus? {
        file(place).map { StoredStatus(kind: .file, size: UInt64($0.bytes.count)) }
    }

    package func read(_ place: String, limit: Int) async throws -> Stored? {
        guard let file = file(place) else { return nil }
        guard file.bytes.count <= limit else {
            throw FileSystemError(operation: "read", path: display(place), number: EFBIG)
        }
        return Stored(bytes: file.bytes, revision: Revision(.number(file.revision)))
    }

    package func digest(_ place: String, limit: UInt64) async throws -> FileDigest? {
        guard let file = file(place), UInt64(file.bytes.count) <= limit else { return nil }
        return file.digest
    }

    package func check(
        _ contents: [PlacedContent], jobs: Int, counter: ProgressCounter?
    ) async throws -> [ContentState] {
        contents.map { wanted in
            defer { counter?.add(wanted.content.size) }
            let shape = status(wanted.place).shape(of: wanted.content)
            guard case .whole = shape, let file = file(wanted.place) else { return shape }
            return file.digest == wanted.content ? .whole : .otherContent
        }
    }

    package func compare(_ copies: [SiteCopy], jobs: Int) async throws -> [CopyState] {
        copies.map { copy in
            guard let file = file(copy.place) else { return .missing }
            return file.digest == copy.asset.content ? .current : .differs
        }
    }

    package func fetch(
        _ content: PlacedContent, into directory: Directory, as name: String
    ) async throws {
        guard let file = file(content.place) else {
            throw OriginError.missing(place: display(content.place))
        }
        guard file.digest == content.content else {
            throw OriginError.differs(
                place: display(content.place), problem: "is not what its pointer says")
        }
        try Self.write(file.bytes, as: name, in: directory)
    }

    package func withFiles<Result>(
        _ contents: [PlacedContent], _ body: (Directory) async throws -> Result
    ) async throws -> Result {
        let staging = try makeStaging()
        defer { try? staging.discard() }
        let directory = try staging.directory.reopened(shownAs: address)
        for place in Set(contents.map(\.place)) {
            guard let file = file(place) else { continue }
            let (folder, name) = FolderNames.split(place)
            try Self.write(file.bytes, as: name, in: directory.makeDirectories(folder))
        }
        return try await body(directory)
    }

    private static func write(
        _ bytes: [UInt8], as name: String, in directory: Directory
    ) throws(FileSystemError) {
        let copy = try directory.createFile(name)
        try copy.write(bytes)
        try copy.close()
    }

    // MARK: Listing

    package func isEmpty() async throws -> Bool { contents.withLock { $0.files.isEmpty } }

    package func isFolder(_ place: String) async throws -> Bool {
        let prefix = Array("\(place)/".utf8)
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

    package func visitPublic(_ body: (Listed) throws -> Void) async throws {
        for place in places where !place.hasPrefix(OriginLayout.workspace + "/") {
            guard let status = status(place) else { continue }
            try body(Listed(place: place, size: status.size))
        }
    }

    // MARK: Changing

    /// Tells of a change, then makes it in one step.
    ///
    /// - Parameter decide: what the place has afterwards, by what it has; `nil` leaves it as it is.
    /// - Returns: whether it was changed.
    private func change(
        _ change: Change, at place: String, _ decide: (File?) throws -> [UInt8]?
    ) async throws -> Bool {
        try await willChange(change)
        return try contents.withLock { contents in
            guard let bytes = try decide(contents.files[Array(place.utf8)]) else { return false }
            contents.put(place, bytes)
            return true
        }
    }

    package func makeStaging() throws -> Staging {
        let parent = try Directory.open(scratch)
        let name = "packtool-\(uniqueName())"
        try parent.makeDirectory(name)
        return Staging(try parent.directory(name)) { try parent.removeTree(name) }
    }

    package func stage(
        _ uploads: [Upload], in staging: Staging, jobs: Int, counter: ProgressCounter?
    ) async throws -> [Upload] {
        try uploads.map { upload in
            var staged = upload
            staged.source = .bytes(try upload.bytes())
            counter?.add(upload.content.size)
            return staged
        }
    }

    package func create(_ uploads: [Upload]) async throws -> [Created] {
        var created: [Created] = []
        for upload in uploads { created.append(try await create(upload)) }
        return created
    }

    private func create(_ upload: Upload) async throws -> Created {
        let bytes = try upload.bytes()
        var result = Created.made
        _ = try await change(.create(upload.place), at: upload.place) { present in
            guard let present else { return bytes }
            result = .present
            if present.digest == upload.content { return nil }
            result = .replaced
            switch upload.conflict {
            case .keep: throw StoreError.taken(place: upload.place, by: nil)
            case .replace: return bytes
            case .replaceUnless: return nil
            }
        }
        guard case .replaceUnless(let other) = upload.conflict, result == .replaced else {
            return result
        }
        guard file(other) == nil else { throw StoreError.taken(place: upload.place, by: nil) }
        _ = try await change(.replace(upload.place), at: upload.place) { _ in bytes }
        return result
    }

    package func replace(
        _ upload: Upload, if condition: ReplaceCondition
    ) async throws -> Bool {
        let bytes = try upload.bytes()
        return try await change(.replace(upload.place), at: upload.place) { present in
            switch condition {
            case .always: bytes
            case .absent: present == nil ? bytes : nil
            case .unchanged(let revision):
                present.map { Revision(.number($0.revision)) } == revision ? bytes : nil
            }
        }
    }

    package func copy(_ copies: [SiteCopy], from staging: Staging) async throws {
        for copy in copies {
            guard let object = file(copy.object) else {
                throw OriginError.missing(place: display(copy.object))
            }
            _ = try await change(.replace(copy.place), at: copy.place) { _ in object.bytes }
        }
    }

    package func remove(_ places: [String]) async throws {
        for place in places {
            try await willChange(.remove(place))
            set(place, nil)
        }
    }

    // MARK: What memory has no question of

    package func freeBytes() async throws -> UInt64? { nil }

    package func isWritable(_ folder: String) async throws -> Bool { true }

    package func obstacle(among names: [NeededName]) async throws -> Obstacle? { nil }

    package func exclusively<Result>(
        isNew: Bool, _ body: () async throws -> Result
    ) async throws -> Result? {
        try await body()
    }

    package func stage(_ copies: [SiteCopy], in staging: Staging) async throws {}

    package func settle() async throws {}
}

extension MemoryStore.File {
    /// Hash and size of the content.
    var digest: FileDigest {
        FileDigest(sha256: StreamHasher.digest(of: bytes), size: UInt64(bytes.count))
    }
}

extension Upload {
    /// The content as a whole.
    ///
    /// - Throws: ``BuildError/changedWhileRead(path:)`` for a file that has other content by now.
    fileprivate func bytes() throws -> [UInt8] {
        switch source {
        case .bytes(let bytes): return bytes
        case .file(let directory, let name), .staged(let directory, let name):
            let changed = BuildError.changedWhileRead(path: directory.display(name))
            guard try directory.status(name)?.size == content.size,
                let limit = ForeignLength(content.size).count(atMost: .max)
            else { throw changed }
            let bytes = try directory.readFile(name, limit: limit)
            guard StreamHasher.digest(of: bytes) == content.sha256 else { throw changed }
            return bytes
        }
    }
}
