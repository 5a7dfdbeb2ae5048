import PackGround
import PackOrigin
import PackRelease
import Synchronization

/// What a run knows of a bucket without asking.
final class S3Memory: Sendable {
    /// What a listing or an answer said of a key.
    struct Entry: Equatable, Sendable {
        let size: UInt64
        let tag: String

        /// The ETag is a hash of the content: of a single upload that no key of the store encrypts.
        var isHashed: Bool {
            let digits = tag.utf8.filter { $0 != UInt8(ascii: "\"") }
            return digits.count == 32
                && tag.utf8.allSatisfy { isHexadecimalDigit($0) || $0 == UInt8(ascii: "\"") }
        }

        func hasContent(of other: Entry) -> Bool {
            size == other.size && isHashed && other.isHashed
                && tag.utf8.filter { $0 != UInt8(ascii: "\"") }
                    == other.tag.utf8.filter { $0 != UInt8(ascii: "\"") }
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

    /// What keeps publishers apart.
    enum Level: Equatable, Sendable {
        case conditions(Dialect)
        /// What is there is never replaced, but for what must change.
        case createOnly
        /// The user says that there is only one.
        case unsafe
    }

    fileprivate struct State {
        var level: Level?
        /// Whether the ETags of what this run uploaded were hashes of it; `nil` before the first upload.
        var hashes: Bool?
        /// Objects by place as bytes: their names never change what they mean.
        var objects: [[UInt8]: Entry] = [:]
        /// Places that this run has written, and those that nobody has proved.
        var made: Set<[UInt8]> = []
        /// Those that this run has written.
        var written: Set<[UInt8]> = []
        /// The MD5 of contents that this run has read on this machine, by their SHA-256.
        var md5s: [Digest: String] = [:]
        /// Files that this run has read since it wrote them.
        var proved: [[UInt8]: FileDigest] = [:]
        /// Files that were read whole and had the hash they must have.
        var contents: [[UInt8]: (content: FileDigest, bytes: [UInt8])] = [:]
        /// Files that were read before it was certain that they are needed.
        var ahead: [[UInt8]: (content: FileDigest, bytes: [UInt8])] = [:]
        /// Files that change, read for the next who asks.
        var changing: [[UInt8]: (bytes: [UInt8], tag: String)] = [:]
        /// Bytes in `contents`.
        var size = 0
        /// What the first page of all keys said; `nil` before it is asked for, and when it may be outdated.
        var listing: S3Listing?
        /// Whether nothing but an intent was written since the listing.
        var isFresh = false
        /// The names in folders that the listing does not cover.
        var names: [[UInt8]: [String]] = [:]
        /// What answers said of files that were read, by place as bytes.
        var headers: [[UInt8]: [String: String]] = [:]
        /// Downloaded packages, for the rest of the run.
        var shelf: ContentCache?
    }

    /// Bytes of contents that are kept; what is above is read again.
    private static let sizeLimit = 32 << 20

    private let state = Mutex(State())

    /// For what several tasks of a run need at once.
    let turns = KeyedLock()

    /// `nil` until the store has proved whether it keeps conditions.
    var level: Level? {
        get { state.withLock { $0.level } }
        set { state.withLock { $0.level = newValue } }
    }

    /// Whether other ETags mean another content: not where a key of the store encrypts, whose ETags look like hashes.
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

    func note(_ place: String, _ entry: Entry) {
        state.withLock { $0.objects[Array(place.utf8)] = entry }
    }

    func noteMade(_ place: String, _ entry: Entry?) {
        state.withLock {
            $0.made.insert(Array(place.utf8))
            $0.written.insert(Array(place.utf8))
            $0.proved[Array(place.utf8)] = nil
            $0.changing[Array(place.utf8)] = nil
            if let old = $0.contents.removeValue(forKey: Array(place.utf8)) {
                $0.size -= old.bytes.count
            }
            $0.objects[Array(place.utf8)] = entry
            $0.tell(place, entry)
        }
    }

    /// Something that the listing may not show, because another publisher created it since.
    func notePresent(_ place: String, size: UInt64) {
        state.withLock { $0.listing?.note(Array(place.utf8), Entry(size: size, tag: "")) }
    }

    func noteRemoved(_ place: String) { state.withLock { $0.tell(place, nil) } }

    /// Files of `site/` are not what the listing said.
    func noteCopied() { state.withLock { $0.isFresh = false } }

    func entry(_ place: String) -> Entry? {
        state.withLock { $0.objects[Array(place.utf8)] }
    }

    func noteDoubtful(_ places: [String]) {
        state.withLock { $0.made.formUnion(places.map { Array($0.utf8) }) }
    }

    /// Whether this run wrote a place, or a run that failed may have: what it says of itself is then no proof.
    func isMade(_ place: String) -> Bool { state.withLock { $0.made.contains(Array(place.utf8)) } }

    func isWritten(_ place: String) -> Bool {
        state.withLock { $0.written.contains(Array(place.utf8)) }
    }

    func note(md5: String, of content: FileDigest) {
        state.withLock { $0.md5s[content.sha256] = md5 }
    }

    func md5(of content: FileDigest) -> String? { state.withLock { $0.md5s[content.sha256] } }

    func noteProved(_ content: ObjectReference) {
        state.withLock { $0.proved[Array(content.place.utf8)] = content.content }
    }

    /// Whether this run has proved a file already, and written nothing there since.
    func isProved(_ content: ObjectReference) -> Bool {
        state.withLock { $0.proved[Array(content.place.utf8)] == content.content }
    }

    /// A file whose content never changes, if it was read before.
    func stored(_ place: String) -> StoredObject? {
        state.withLock { state in
            state.contents[Array(place.utf8)].map {
                StoredObject(bytes: $0.bytes, revision: Revision(.content($0.content.sha256)))
            }
        }
    }

    /// The bytes of a file that was read before; `nil` for one that was not, or had another content.
    func bytes(of content: ObjectReference) -> [UInt8]? {
        state.withLock {
            guard let known = $0.contents[Array(content.place.utf8)],
                known.content == content.content
            else { return nil }
            return known.bytes
        }
    }

    func noteAhead(_ bytes: [UInt8], of content: ObjectReference) {
        state.withLock { $0.ahead[Array(content.place.utf8)] = (content.content, bytes) }
    }

    /// The bytes of a file that was read ahead: from now on they count as read.
    func takeAhead(_ content: ObjectReference) -> [UInt8]? {
        let known = state.withLock { $0.ahead.removeValue(forKey: Array(content.place.utf8)) }
        guard let known, known.content == content.content else { return nil }
        note(known.bytes, of: content)
        return known.bytes
    }

    func noteAhead(_ bytes: [UInt8], tag: String, of place: String) {
        state.withLock { $0.changing[Array(place.utf8)] = (bytes, tag) }
    }

    /// A file that changes, if it was read for this call.
    func takeAhead(_ place: String) -> (bytes: [UInt8], tag: String)? {
        state.withLock { $0.changing.removeValue(forKey: Array(place.utf8)) }
    }

    /// The bytes of some content, wherever they were read.
    func bytes(of content: FileDigest) -> [UInt8]? {
        state.withLock { $0.contents.values.first { $0.content == content }?.bytes }
    }

    func note(_ bytes: [UInt8], of content: ObjectReference) {
        state.withLock {
            guard $0.size + bytes.count <= Self.sizeLimit else { return }
            let old = $0.contents.updateValue(
                (content.content, bytes), forKey: Array(content.place.utf8))
            $0.size += bytes.count - (old?.bytes.count ?? 0)
        }
    }

    // MARK: Headers

    func noteHeaders(_ headers: [String: String], of place: String) {
        state.withLock { $0.headers[Array(place.utf8)] = headers }
    }

    func headersRead() -> [(place: String, headers: [String: String])] {
        let headers = state.withLock { $0.headers }
        return headers.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map { (String(decoding: $0.key, as: UTF8.self), $0.value) }
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

    /// Asks anew from now on: another run may have changed something, but for what this one wrote.
    ///
    /// Log entries and roots that were read are kept: nothing replaces or deletes them.
    func forget() {
        state.withLock { state in
            state.listing = nil
            state.names = [:]
            state.changing = [:]
            let made = state.made
            state.objects = state.objects.filter { made.contains($0.key) }
            state.contents = state.contents.filter {
                S3Headers.isKept(String(decoding: $0.key, as: UTF8.self))
            }
            state.size = state.contents.values.reduce(0) { $0 + $1.bytes.count }
        }
    }

    func names(in folder: String) -> [String]? {
        state.withLock { $0.names[Array(folder.utf8)] }
    }

    func note(_ names: [String], in folder: String) {
        state.withLock { $0.names[Array(folder.utf8)] = names }
    }

    /// Compares what a file says of itself now with the listing, and forgets the listing if they differ.
    ///
    /// A pointer that is not the listed one may name log entries that are not listed.
    func compare(_ place: String, tag: String?) {
        state.withLock {
            let bytes = Array(place.utf8)
            guard let listing = $0.listing, listing.covers(bytes),
                listing.entries[bytes]?.tag != tag
            else { return }
            $0.listing = nil
            $0.names = [:]
        }
    }

    // MARK: Packages

    var shelf: ContentCache? {
        get { state.withLock { $0.shelf } }
        set { state.withLock { $0.shelf = newValue } }
    }
}

extension S3Memory.State {
    /// Keeps the listing true after a change of this run.
    fileprivate mutating func tell(_ place: String, _ entry: S3Memory.Entry?) {
        let bytes = Array(place.utf8)
        listing?.note(bytes, entry)
        if !place.hasPrefix("\(OriginLayout.workspace)/") { isFresh = false }
        let folder = FolderNames.parent(of: place)
        names[Array(folder.utf8)] = nil
    }
}
