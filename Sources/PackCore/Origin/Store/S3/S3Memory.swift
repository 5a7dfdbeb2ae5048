import PackGround
import PackOrigin
import PackRelease
import Synchronization

/// A run's read cache of a bucket, and what the run has learned about the store.
///
/// Answers count for one generation; ``invalidate()`` begins the next, because another run may have changed something.
/// Answers about files that this run wrote, and the content of files that nothing replaces or deletes, count for the
/// whole run.
final class S3Memory: Sendable {
    /// Size and ETag of a key, from a listing or an answer.
    struct Entry: Equatable, Sendable {
        let size: UInt64
        let tag: String

        private var digits: [UInt8] { tag.utf8.filter { $0 != UInt8(ascii: "\"") } }

        /// The ETag is a hash of the content: of an upload that no key of the store encrypts.
        var isHashed: Bool { digits.count == 32 && digits.allSatisfy(isHexadecimalDigit) }

        func hasContent(of other: Entry) -> Bool {
            size == other.size && isHashed && other.isHashed && digits == other.digits
        }

        /// Whether the store states this MD5 of it.
        func states(_ md5: String, of content: FileDigest) -> Bool {
            hasContent(of: Entry(size: content.size, tag: md5))
        }
    }

    /// How a store takes the ETag of `If-Match`.
    enum Dialect: Equatable, Sendable {
        case quoted
        /// Ceph's radosgw.
        case unquoted

        /// An ETag as `If-Match` takes it.
        func form(_ tag: String) -> String { self == .quoted ? tag : tag.filter { $0 != "\"" } }
    }

    /// The conditional writes that keep publishers apart.
    enum Level: Equatable, Sendable {
        case conditions(Dialect)
        /// Existing files are never replaced, except those that must change.
        case createOnly
        /// The user states that there is only one publisher.
        case unsafe
    }

    /// The bytes of a file.
    private struct Content {
        let digest: FileDigest
        let bytes: [UInt8]
        /// The last generation that may use them.
        var until: Int
        /// The ETag of a file that changes: its bytes are for one read.
        var tag: String?
    }

    /// Everything known about one place.
    private struct Known {
        var entry: Entry?
        var content: Content?
        /// The content that this run has read there since it wrote the file, if it did.
        var proved: FileDigest?
        /// This run wrote it.
        var isWritten = false
        /// This run wrote it, or a failed run may have: its size and ETag prove nothing.
        var isUnverified = false
        /// The names in a folder that the listing does not cover.
        var names: [String]?
        /// Headers of the answer to the last read.
        var headers: [String: String]?
    }

    private struct State {
        var level: Level?
        /// Whether the ETags of this run's uploads were their MD5; `nil` before the first upload.
        var hashes: Bool?
        /// The MD5 of contents that this run has read on this machine, by their SHA-256.
        var md5s: [Digest: String] = [:]
        var generation = 0
        /// By place, as bytes.
        var places: [[UInt8]: Known] = [:]
        /// Bytes in `places`.
        var size = 0
        /// The first page of all keys; `nil` before it is asked for, and when it may be outdated.
        var listing: S3Listing?
        /// Whether this run has written nothing but intents since the listing.
        var isFresh = false
        /// Downloaded packages, for the rest of the run.
        var shelf: ContentCache?

        subscript(place: String) -> Known {
            get { places[Array(place.utf8)] ?? Known() }
            set { places[Array(place.utf8)] = newValue }
        }

        mutating func set(_ content: Content?, of place: String) {
            let old = self[place].content
            let size = size - (old?.bytes.count ?? 0) + (content?.bytes.count ?? 0)
            // Larger files are read again.
            guard content == nil || size <= S3Memory.sizeLimit else { return }
            self[place].content = content
            self.size = size
        }

        /// Keeps the listing true after a change of this run.
        mutating func noteChange(_ place: String, _ entry: Entry?) {
            listing?.note(Array(place.utf8), entry)
            if !place.hasPrefix("\(OriginLayout.workspace)/") { isFresh = false }
            self[FolderNames.parent(of: place)].names = nil
        }

        mutating func dropListing() {
            listing = nil
            for key in places.keys { places[key]?.names = nil }
        }
    }

    /// Bytes of contents that are kept.
    private static let sizeLimit = 32 << 20

    private let state = Mutex(State())

    /// Lets one task read a place that several need at once.
    let turns = KeyedLock()

    // MARK: The store

    /// `nil` until the store has proved whether it supports conditions.
    var level: Level? {
        get { state.withLock { $0.level } }
        set { state.withLock { $0.level = newValue } }
    }

    /// Whether a different ETag means different content: not if a key of the store encrypts, whose ETags look like hashes.
    var tagsAreHashes: Bool { state.withLock { $0.hashes ?? false } }

    /// Whether ETags can state the content: not known before the first upload.
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

    // MARK: What the store states of places

    func note(_ place: String, _ entry: Entry) { state.withLock { $0[place].entry = entry } }

    func entry(_ place: String) -> Entry? { state.withLock { $0[place].entry } }

    func noteWritten(_ place: String, _ entry: Entry) {
        state.withLock {
            $0.set(nil, of: place)
            $0[place].proved = nil
            $0[place].isWritten = true
            $0[place].isUnverified = true
            $0[place].entry = entry
            $0.noteChange(place, entry)
        }
    }

    /// A file that the listing may lack, because another publisher created it since.
    func notePresent(_ place: String, size: UInt64) {
        state.withLock { $0.listing?.note(Array(place.utf8), Entry(size: size, tag: "")) }
    }

    func noteRemoved(_ place: String) { state.withLock { $0.noteChange(place, nil) } }

    /// The listing no longer shows the files of `site/`.
    func noteCopied() { state.withLock { $0.isFresh = false } }

    func markUnverified(_ places: [String]) {
        state.withLock { for place in places { $0[place].isUnverified = true } }
    }

    func isUnverified(_ place: String) -> Bool { state.withLock { $0[place].isUnverified } }

    func isWritten(_ place: String) -> Bool { state.withLock { $0[place].isWritten } }

    func noteHeaders(_ headers: [String: String], of place: String) {
        state.withLock { $0[place].headers = headers }
    }

    func headersRead() -> [(place: String, headers: [String: String])] {
        state.withLock { $0.places }
            .compactMap { place, known in known.headers.map { (place, $0) } }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }
            .map { (String(decoding: $0.0, as: UTF8.self), $0.1) }
    }

    // MARK: Content

    func noteProved(_ content: ObjectReference) {
        state.withLock { $0[content.place].proved = content.content }
    }

    /// Whether this run has proved a file already, and written nothing there since.
    func isProved(_ content: ObjectReference) -> Bool {
        state.withLock { $0[content.place].proved == content.content }
    }

    /// Keeps bytes that were read whole and have the hash that they must have.
    ///
    /// - Parameter isAhead: before it was certain that they are needed; then they also count for the next generation.
    func note(_ bytes: [UInt8], of content: ObjectReference, isAhead: Bool = false) {
        state.withLock {
            let until = S3Headers.isKept(content.place) ? .max : $0.generation + (isAhead ? 1 : 0)
            $0.set(
                Content(digest: content.content, bytes: bytes, until: until), of: content.place)
        }
    }

    /// Keeps a file that changes, for the next read of it.
    func note(_ bytes: [UInt8], tag: String, of place: String) {
        state.withLock {
            $0.set(
                Content(
                    digest: FileDigest(of: bytes), bytes: bytes, until: $0.generation, tag: tag),
                of: place)
        }
    }

    /// A file that was read before and never changes, or that was read for this call.
    func cached(_ place: String) -> StoredObject? {
        state.withLock { state in
            guard let content = state[place].content else { return nil }
            if content.tag != nil { state.set(nil, of: place) }
            return StoredObject(
                bytes: content.bytes,
                revision: Revision(content.tag.map { .tag($0) } ?? .content(content.digest.sha256)))
        }
    }

    /// The bytes of a file that was read before; `nil` for one that was not, or had other content.
    func bytes(of content: ObjectReference) -> [UInt8]? {
        state.withLock {
            let known = $0[content.place].content
            return known?.digest == content.content ? known?.bytes : nil
        }
    }

    /// The bytes of some content, wherever they were read.
    func bytes(of digest: FileDigest) -> [UInt8]? {
        state.withLock { $0.places.values.first { $0.content?.digest == digest }?.content?.bytes }
    }

    // MARK: The listing

    var listing: S3Listing? { state.withLock { $0.listing } }

    /// The listing, if this run has uploaded nothing since.
    var freshListing: S3Listing? { state.withLock { $0.isFresh ? $0.listing : nil } }

    func note(_ listing: S3Listing) {
        state.withLock {
            $0.listing = listing
            $0.isFresh = true
        }
    }

    func names(in folder: String) -> [String]? { state.withLock { $0[folder].names } }

    func note(_ names: [String], in folder: String) {
        state.withLock { $0[folder].names = names }
    }

    /// Compares the ETag of a file with the listing, and drops the listing if they differ.
    ///
    /// A pointer that is not the listed one may name log entries that are not listed.
    func compare(_ place: String, tag: String?) {
        state.withLock {
            let bytes = Array(place.utf8)
            guard let listing = $0.listing, listing.covers(bytes),
                listing.entries[bytes]?.tag != tag
            else { return }
            $0.dropListing()
        }
    }

    /// Begins the next generation.
    func invalidate() {
        state.withLock { state in
            state.generation += 1
            state.dropListing()
            for (key, known) in state.places {
                if !known.isUnverified { state.places[key]?.entry = nil }
                guard let content = known.content, content.until < state.generation else {
                    continue
                }
                state.places[key]?.content = nil
                state.size -= content.bytes.count
            }
        }
    }

    // MARK: Packages

    var shelf: ContentCache? {
        get { state.withLock { $0.shelf } }
        set { state.withLock { $0.shelf = newValue } }
    }
}
