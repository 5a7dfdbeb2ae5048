package import PackGround
import PackRelease

/// A store for a dry run: reads come from another store, and what is written is only recorded.
///
/// Every condition of a write is decided as the other store would decide it.
package final class OverlayStore: WritableStore {
    private struct File {
        let content: FileDigest
        let source: Upload.Source
        let revision: Revision
    }

    private struct Changes {
        /// By the bytes of their places; `nil` where a file was removed.
        var files: [[UInt8]: File?] = [:]
        var count: UInt64 = 0
        /// The bytes of the paths whose headers were set again.
        var headed: Set<[UInt8]> = []
    }

    private let base: any WritableStore
    private let scratch: String
    private let free: UInt64?
    private let changes = Locked(Changes())

    /// - Parameters:
    ///   - scratch: An existing local directory for files that a run makes before it uploads them.
    ///   - free: The free bytes, if they are not those of `base`.
    package init(over base: any WritableStore, scratch: String, free: UInt64? = nil) {
        self.base = base
        self.scratch = scratch
        self.free = free
    }

    package var address: String { base.address }
    package var readsAtOnce: Int { base.readsAtOnce }
    package var localFiles: Directory? { base.localFiles }
    package var guarantee: ConditionalWrites { base.guarantee }
    package func awaitGuarantee() async throws { try await base.awaitGuarantee() }
    package var hashes: (any HashingStore)? { base.hashes }
    package var secondsAhead: Int { base.secondsAhead }

    package func display(_ path: String) -> String { base.display(path) }

    /// - Returns: `nil` where this run changed nothing; `.some(nil)` where it removed the file.
    private func change(at path: String) -> File?? {
        changes.withLock { $0.files[Array(path.utf8)] }
    }

    private func record(_ content: FileDigest, _ source: Upload.Source, at path: String) {
        changes.withLock {
            $0.count += 1
            let file = File(
                content: content, source: source,
                revision: Revision(.tag("dry run \($0.count)")))
            $0.files.updateValue(file, forKey: Array(path.utf8))
        }
    }

    /// Answers for changed paths by `own`, and for all others by one call of `ask`.
    private func merged<Item, Answer>(
        _ items: [Item], path: (Item) -> String, own: (Item, File?) async throws -> Answer,
        ask: ([Item]) async throws -> [Answer]
    ) async throws -> [Answer] {
        let found = items.map { change(at: path($0)) }
        let unchanged = zip(items, found).filter { $1 == nil }.map(\.0)
        var answers = unchanged.isEmpty ? [] : try await ask(unchanged)[...]
        var result: [Answer] = []
        for (item, change) in zip(items, found) {
            if let change {
                result.append(try await own(item, change))
            } else {
                result.append(answers.removeFirst())
            }
        }
        return result
    }

    // MARK: Reading

    package func statuses(of paths: [String]) async throws -> [StoredStatus?] {
        try await merged(
            paths, path: { $0 },
            own: { $1.map { StoredStatus(kind: .file, size: $0.content.size) } },
            ask: base.statuses)
    }

    package func statuses(ofFiles files: [ObjectReference]) async throws -> [StoredStatus?] {
        try await merged(
            files, path: \.path,
            own: { $1.map { StoredStatus(kind: .file, size: $0.content.size) } },
            ask: base.statuses(ofFiles:))
    }

    package func read(_ path: String, limit: Int) async throws -> StoredObject? {
        guard let change = change(at: path) else {
            return try await base.read(path, limit: limit)
        }
        guard let change else { return nil }
        guard change.content.size <= UInt64(limit) else {
            throw Failure.fileTooLarge(display(path))
        }
        return StoredObject(bytes: try await bytes(of: change), revision: change.revision)
    }

    private func bytes(of file: File) async throws -> [UInt8] {
        switch file.source {
        case .bytes(let bytes): return bytes
        case .file(let directory, let name), .staged(let directory, let name):
            return try directory.readFile(name, limit: Int(clamping: file.content.size))
        }
    }

    package func read(_ content: ObjectReference) async throws -> [UInt8] {
        guard change(at: content.path) != nil else { return try await base.read(content) }
        return try await readAndCompare(content)
    }

    package func digest(_ path: String, limit: UInt64) async throws -> FileDigest? {
        guard let change = change(at: path) else {
            return try await base.digest(path, limit: limit)
        }
        return change.flatMap { $0.content.size <= limit ? $0.content : nil }
    }

    package func check(
        _ contents: [ObjectReference], jobs: Int, counter: ProgressCounter?
    ) async throws -> [ContentState] {
        try await merged(contents, path: \.path) { wanted, file in
            counter?.add(wanted.content.size)
            guard let file else { return .missing }
            if file.content.size != wanted.content.size { return .otherSize }
            return file.content == wanted.content ? .whole : .otherContent
        } ask: {
            try await base.check($0, jobs: jobs, counter: counter)
        }
    }

    package func compare(_ copies: [SiteCopy], jobs: Int) async throws -> [CopyState] {
        try await merged(copies, path: \.path) { copy, file in
            guard let file else { return .missing }
            return file.content == copy.asset.content ? .current : .differs
        } ask: {
            try await base.compare($0, jobs: jobs)
        }
    }

    package func fetch(
        _ content: ObjectReference, into directory: Directory, as name: String
    ) async throws {
        guard change(at: content.path) != nil else {
            return try await base.fetch(content, into: directory, as: name)
        }
        let copy = try directory.createFile(name)
        try copy.write(try await readAndCompare(content))
        try copy.close()
    }

    /// What this run changed is not among the files: it reads only those of earlier runs in this way.
    package func withFiles<Result>(
        _ contents: [ObjectReference], _ body: (Directory) async throws -> Result
    ) async throws -> Result {
        try await base.withFiles(contents, body)
    }

    package func revision(of path: String) async throws -> Revision? {
        guard let change = change(at: path) else { return try await base.revision(of: path) }
        return change?.revision
    }

    package func readAhead(_ contents: [ObjectReference]) async { await base.readAhead(contents) }

    package func readAhead(_ path: String, limit: Int) async {
        if change(at: path) == nil { await base.readAhead(path, limit: limit) }
    }

    package func invalidateCache() { base.invalidateCache() }

    package func isEmpty() async throws -> Bool { try await base.isEmpty() }

    package func isFolder(_ path: String) async throws -> Bool {
        let prefix = Array("\(path)/".utf8)
        let isMade = changes.withLock { changes in
            changes.files.contains { $0.value != nil && $0.key.starts(with: prefix) }
        }
        if isMade { return true }
        return try await base.isFolder(path)
    }

    package func names(in folder: String) async throws -> [String] {
        var names = Set(try await base.names(in: folder).map { Array($0.utf8) })
        let prefix = Array("\(folder)/".utf8)
        let own = changes.withLock { $0.files.filter { $0.key.starts(with: prefix) } }
        for (path, file) in own where file == nil {
            names.remove(Array(path.dropFirst(prefix.count)))
        }
        for (path, file) in own where file != nil {
            names.insert(Array(path.dropFirst(prefix.count).prefix { $0 != UInt8(ascii: "/") }))
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    package func visitPublic(_ body: (ListedObject) throws -> Void) async throws {
        try await base.visitPublic { if change(at: $0.path) == nil { try body($0) } }
        let own = changes.withLock {
            $0.files.compactMap { file in file.value.map { (file.key, $0) } }
        }
        for (bytes, file) in own {
            let path = String(decoding: bytes, as: UTF8.self)
            guard !path.hasPrefix(OriginLayout.workspace + "/") else { continue }
            try body(ListedObject(path: path, size: file.content.size))
        }
    }

    package var headers: (any HeaderStore)? { base.headers == nil ? nil : self }

    package func isLocked() -> Bool? { base.isLocked() }

    package func freeBytes() async throws -> UInt64? {
        if let free { return free }
        return try await base.freeBytes()
    }

    package func isWritable(_ folder: String) async throws -> Bool {
        try await base.isWritable(folder)
    }

    package func obstacle(among names: [NeededName]) async throws -> Obstacle? {
        try await base.obstacle(among: names)
    }

    package func checkClock() throws { try base.checkClock() }

    package func isCopy() async throws -> Bool { try await base.isCopy() }

    package func mayBeAtWork(_ intent: RunIntent.Recorded, now: Timestamp) -> Bool {
        base.mayBeAtWork(intent, now: now)
    }

    /// Runs `body` without the lock, unless another run that has announced itself has it now.
    package func exclusively<Result>(
        isNew: Bool, _ body: () async throws -> Result
    ) async throws -> Result? {
        // Looking takes the lock for a moment: only where there is a reason to.
        if try await !base.names(in: OriginLayout.intents).isEmpty, base.isLocked() == true {
            return nil
        }
        return try await body()
    }

    package func announce<Result>(
        _ intent: Upload, _ body: () async throws -> Result
    ) async throws -> Result? {
        guard try await create([intent]) == [.made] else { return nil }
        let result = try await body()
        try checkClock()
        return result
    }

    package func makeStaging() throws -> Staging { try Staging(below: scratch) }

    /// Files of a build are not copied: nothing will be written from them.
    package func stage(
        _ uploads: [Upload], in staging: Staging, jobs: Int, counter: ProgressCounter?
    ) async throws -> [Upload] {
        for upload in uploads { counter?.add(upload.content.size) }
        return uploads
    }

    package func stage(_ copies: [SiteCopy], in staging: Staging) async throws {}

    package func unwritableFolder(of copies: [SiteCopy]) async throws -> String? {
        try await base.unwritableFolder(of: copies)
    }

    package func flush() async throws {}

    package func create(_ uploads: [Upload]) async throws -> [CreateResult] {
        let statuses = try await statuses(of: uploads.map(\.path))
        var results: [CreateResult] = []
        for (upload, status) in zip(uploads, statuses) {
            let result = try await create(upload, over: status)
            if result != .present { record(upload.content, upload.source, at: upload.path) }
            results.append(result)
        }
        return results
    }

    private func create(_ upload: Upload, over status: StoredStatus?) async throws -> CreateResult {
        let path = upload.path
        guard let status else { return .made }
        guard status.kind == .file else { throw StoreError.taken(path: path, by: status.kind) }
        if try await holds(upload.content, at: path) { return .present }
        let isReplaced =
            switch upload.conflict {
            case .keep: false
            case .replace: true
            case .replaceOnly(let revision): try await self.revision(of: path) == revision
            }
        guard isReplaced else { throw StoreError.taken(path: path, by: nil) }
        return .replaced
    }

    package func replace(
        _ upload: Upload, if condition: ReplaceCondition
    ) async throws -> Bool {
        let isMet =
            switch condition {
            case .always: true
            case .absent: try await status(of: upload.path) == nil
            case .unchanged(let revision): try await self.revision(of: upload.path) == revision
            }
        if isMet { record(upload.content, upload.source, at: upload.path) }
        return isMet
    }

    package func copy(
        _ copies: [SiteCopy], from staging: Staging, while isWanted: () async throws -> Bool
    ) async throws {
        guard !copies.isEmpty, try await isWanted() else { return }
        for copy in copies {
            // Nothing of a run reads what it copied there.
            record(copy.asset.content, .bytes([]), at: copy.path)
        }
    }

    package func remove(_ paths: [String]) async throws {
        changes.withLock { changes in
            for path in paths { changes.files.updateValue(nil, forKey: Array(path.utf8)) }
        }
    }
}

extension OverlayStore: HeaderStore {
    package func headersRead() -> [HeadersRead] { base.headers?.headersRead() ?? [] }

    package func wrongHeaders(of files: [HeadedFile]) async throws -> [[String]] {
        let headed = changes.withLock { $0.headed.union($0.files.keys) }
        let others = files.filter { !headed.contains(Array($0.path.utf8)) }
        var answers = try await base.headers?.wrongHeaders(of: others)[...] ?? []
        return files.map {
            headed.contains(Array($0.path.utf8)) ? [] : answers.popFirst() ?? []
        }
    }

    package func restoreHeaders(of content: ObjectReference) async throws {
        changes.withLock { _ = $0.headed.insert(Array(content.path.utf8)) }
    }
}
