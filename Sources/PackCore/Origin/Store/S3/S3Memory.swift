import PackGround
import PackOrigin
import PackRelease

/// Caches a run's reads from a bucket and the properties of the store.
///
/// Most answers are valid for one generation, and ``invalidate()`` starts the next one because
/// another run may have changed files. Answers about files written by this run and the content of
/// permanent files are valid for the whole run.
final class S3Memory: Sendable {
    /// The size and ETag of a key, from a listing or an answer.
    struct Entry: Equatable, Sendable {
        let size: UInt64
        let tag: String

        private var digits: [UInt8] { tag.utf8.filter { $0 != UInt8(ascii: "\"") } }

        /// Whether the ETag looks like an MD5.
        ///
        /// Stores use it for uploads that they do not encrypt with a KMS key.
        var isHashed: Bool { digits.count == 32 && digits.allSatisfy(isHexadecimalDigit) }

        func hasContent(of other: Entry) -> Bool {
            size == other.size && isHashed && other.isHashed && digits == other.digits
        }

        /// Whether the store's ETag is this MD5.
        func states(_ md5: String, of content: FileDigest) -> Bool {
            hasContent(of: Entry(size: content.size, tag: md5))
        }
    }

    /// The ETag syntax that a store accepts in `If-Match`.
    enum Dialect: Equatable, Sendable {
        case quoted
        /// Ceph's radosgw.
        case unquoted

        /// Formats an ETag for `If-Match`.
        func form(_ tag: String) -> String { self == .quoted ? tag : tag.filter { $0 != "\"" } }
    }

    /// The conditional writes available to concurrent publishers.
    enum Level: Equatable, Sendable {
        case conditions(Dialect)
        /// Only creation is conditional.
        ///
        /// Replacing the files that change is not.
        case createOnly
        /// The user guarantees a single publisher.
        case unsafe
    }

    /// The content of a file.
    private struct Content {
        let digest: FileDigest
        let bytes: [UInt8]
        /// The last generation in which the content is valid.
        var until: Int
        /// The ETag of a changing file, whose content is used once.
        var tag: String?
    }

    /// Everything known about one path.
    private struct Known {
        var entry: Entry?
        var content: Content?
        /// The generation in which a prefetch of a changing file found none, until the next read.
        var missingIn: Int?
        /// The content that this run has verified since its last write to the path.
        var proved: FileDigest?
        /// Whether this run wrote the file.
        var isWritten = false
        /// Whether size and ETag prove nothing, because this run or a failed one wrote the file.
        var isUnverified = false
        /// The names in a folder not covered by the listing.
        var names: [String]?
        /// The headers of the last read.
        var headers: [String: String]?
    }

    private struct State {
        var level: Level?
        /// Whether the ETags of this run's uploads were MD5 hashes; `nil` before the first upload.
        var hashes: Bool?
        /// The MD5 of content read on this machine, by SHA-256.
        var md5s: [Digest: String] = [:]
        var generation = 0
        /// By path, as bytes.
        var paths: [[UInt8]: Known] = [:]
        /// The number of content bytes in `paths`.
        var size = 0
        /// The first page of all keys, or `nil` if it was not read or may be outdated.
        var listing: S3Listing?
        /// Whether this run has written only intents since the listing.
        var isFresh = false
        /// The packages downloaded by this run.
        var shelf: ContentCache?
        var replacing: Task<Void, any Error>?

        subscript(path: String) -> Known {
            get { paths[Array(path.utf8)] ?? Known() }
            set { paths[Array(path.utf8)] = newValue }
        }

        mutating func set(_ content: Content?, of path: String) {
            let old = self[path].content
            let size = size - (old?.bytes.count ?? 0) + (content?.bytes.count ?? 0)
            // Larger files are not cached.
            guard content == nil || size <= S3Memory.sizeLimit else { return }
            self[path].content = content
            self.size = size
        }

        /// Updates the listing after a change made by this run.
        mutating func noteChange(_ path: String, _ entry: Entry?) {
            listing?.note(Array(path.utf8), entry)
            if !path.hasPrefix("\(OriginLayout.workspace)/") { isFresh = false }
            self[FolderNames.parent(of: path)].names = nil
        }

        mutating func dropListing() {
            listing = nil
            for key in paths.keys { paths[key]?.names = nil }
        }
    }

    /// The limit for cached content, in bytes.
    private static let sizeLimit = 32 << 20

    private let state = Locked(State())

    /// Serializes concurrent reads of one path.
    let turns = KeyedLock()

    // MARK: The store

    /// `nil` until the run has tested the store's conditional writes.
    var level: Level? {
        get { state.withLock { $0.level } }
        set { state.withLock { $0.level = newValue } }
    }

    /// Whether different ETags mean different content.
    ///
    /// Not so with KMS encryption, whose ETags also look like hashes.
    var tagsAreHashes: Bool { state.withLock { $0.hashes ?? false } }

    /// Whether ETags may be content hashes.
    ///
    /// Also true before the first upload.
    var tagsMayBeHashes: Bool { state.withLock { $0.hashes ?? true } }

    /// Compares the ETag of an upload with its MD5.
    func noteTag(_ tag: String, md5: String, of content: FileDigest) {
        let isHash = tag.filter { $0 != "\"" } == md5
        state.withLock {
            $0.hashes = ($0.hashes ?? true) && isHash
            $0.md5s[content.sha256] = md5
        }
    }

    func note(md5: String, of content: FileDigest) {
        state.withLock { $0.md5s[content.sha256] = md5 }
    }

    func md5(of content: FileDigest) -> String? { state.withLock { $0.md5s[content.sha256] } }

    // MARK: Sizes, ETags and headers

    func note(_ path: String, _ entry: Entry) { state.withLock { $0[path].entry = entry } }

    func entry(_ path: String) -> Entry? { state.withLock { $0[path].entry } }

    func noteWritten(_ path: String, _ entry: Entry) {
        state.withLock {
            $0.set(nil, of: path)
            $0[path].proved = nil
            $0[path].missingIn = nil
            $0[path].isWritten = true
            $0[path].isUnverified = true
            $0[path].entry = entry
            $0.noteChange(path, entry)
        }
    }

    /// Adds a file to the listing that another publisher created since.
    func notePresent(_ path: String, size: UInt64) {
        state.withLock { $0.listing?.note(Array(path.utf8), Entry(size: size, tag: "")) }
    }

    func noteRemoved(_ path: String) { state.withLock { $0.noteChange(path, nil) } }

    /// Marks the listing as outdated for `site/`.
    func noteCopied() { state.withLock { $0.isFresh = false } }

    func markUnverified(_ paths: [String]) {
        state.withLock { for path in paths { $0[path].isUnverified = true } }
    }

    func isUnverified(_ path: String) -> Bool { state.withLock { $0[path].isUnverified } }

    func isWritten(_ path: String) -> Bool { state.withLock { $0[path].isWritten } }

    func noteHeaders(_ headers: [String: String], of path: String) {
        state.withLock { $0[path].headers = headers }
    }

    func headersRead() -> [(path: String, headers: [String: String])] {
        state.withLock { $0.paths }
            .compactMap { path, known in known.headers.map { (path, $0) } }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }
            .map { (String(decoding: $0.0, as: UTF8.self), $0.1) }
    }

    // MARK: Content

    func noteProved(_ content: ObjectReference) {
        state.withLock { $0[content.path].proved = content.content }
    }

    /// Whether this run has verified the file since its last write.
    func isProved(_ content: ObjectReference) -> Bool {
        state.withLock { $0[content.path].proved == content.content }
    }

    /// Caches complete content whose hash was checked.
    ///
    /// - Parameter isAhead: Whether the content was prefetched. If so, it is also valid in the next
    ///   generation.
    func note(_ bytes: [UInt8], of content: ObjectReference, isAhead: Bool = false) {
        state.withLock {
            let until = S3Headers.isKept(content.path) ? .max : $0.generation + (isAhead ? 1 : 0)
            $0.set(
                Content(digest: content.content, bytes: bytes, until: until), of: content.path)
        }
    }

    /// Caches a changing file for its next read.
    func note(_ bytes: [UInt8], tag: String, of path: String) {
        state.withLock {
            $0.set(
                Content(
                    digest: FileDigest(of: bytes), bytes: bytes, until: $0.generation, tag: tag),
                of: path)
        }
    }

    /// Caches the answer that a changing file is missing for its next read.
    func noteMissing(_ path: String) {
        state.withLock { if !S3Headers.isLasting(path) { $0[path].missingIn = $0.generation } }
    }

    /// Whether a prefetch found no file; true once.
    func takeMissing(_ path: String) -> Bool {
        state.withLock { state in
            guard let generation = state[path].missingIn else { return false }
            state[path].missingIn = nil
            return generation == state.generation
        }
    }

    /// Returns the cached content of a path.
    ///
    /// A changing file is returned once.
    func cached(_ path: String) -> StoredObject? {
        state.withLock { state in
            guard let content = state[path].content else { return nil }
            if content.tag != nil { state.set(nil, of: path) }
            return StoredObject(
                bytes: content.bytes,
                revision: Revision(content.tag.map { .tag($0) } ?? .content(content.digest.sha256)))
        }
    }

    /// Whether the content of a path is cached.
    func isKnown(_ path: String) -> Bool { state.withLock { $0[path].content != nil } }

    /// Returns cached content if it matches `content`.
    func bytes(of content: ObjectReference) -> [UInt8]? {
        state.withLock {
            let known = $0[content.path].content
            return known?.digest == content.content ? known?.bytes : nil
        }
    }

    /// Returns cached content with the given digest from any path.
    func bytes(of digest: FileDigest) -> [UInt8]? {
        state.withLock { $0.paths.values.first { $0.content?.digest == digest }?.content?.bytes }
    }

    // MARK: The listing

    var listing: S3Listing? { state.withLock { $0.listing } }

    /// The listing, or `nil` if this run has written files other than intents since.
    var freshListing: S3Listing? { state.withLock { $0.isFresh ? $0.listing : nil } }

    /// Caches a listing.
    ///
    /// - Parameter generation: The generation in which it was requested.
    /// - Returns: `false` for a listing that is older than the present generation.
    func note(_ listing: S3Listing, requestedIn generation: Int) -> Bool {
        state.withLock {
            guard $0.generation == generation else { return false }
            $0.listing = listing
            $0.isFresh = true
            return true
        }
    }

    func names(in folder: String) -> [String]? { state.withLock { $0[folder].names } }

    func note(_ names: [String], in folder: String) {
        state.withLock { $0[folder].names = names }
    }

    /// Drops the listing if the file's ETag differs from the listed one.
    ///
    /// A newer pointer may name log entries missing in the listing.
    func compare(_ path: String, tag: String?) {
        state.withLock {
            let bytes = Array(path.utf8)
            guard let listing = $0.listing, listing.covers(bytes),
                listing.entries[bytes]?.tag != tag
            else { return }
            $0.dropListing()
        }
    }

    /// Changes with each ``invalidate()``.
    var generation: Int { state.withLock { $0.generation } }

    /// Starts the next generation.
    func invalidate() {
        state.withLock { state in
            state.generation += 1
            state.dropListing()
            for (key, known) in state.paths {
                if !known.isUnverified { state.paths[key]?.entry = nil }
                guard let content = known.content, content.until < state.generation else {
                    continue
                }
                state.paths[key]?.content = nil
                state.size -= content.bytes.count
            }
        }
    }

    // MARK: Conditions

    /// The test of conditional replacing, while it runs or if it failed.
    var replacing: Task<Void, any Error>? {
        get { state.withLock { $0.replacing } }
        set { state.withLock { $0.replacing = newValue } }
    }

    // MARK: Packages

    var shelf: ContentCache? {
        get { state.withLock { $0.shelf } }
        set { state.withLock { $0.shelf = newValue } }
    }
}
