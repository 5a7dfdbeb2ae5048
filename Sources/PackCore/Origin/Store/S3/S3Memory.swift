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
    }

    /// How a store takes the ETag of `If-Match`.
    enum Dialect: Equatable, Sendable {
        case quoted
        /// Ceph's radosgw.
        case unquoted
    }

    /// What keeps publishers apart.
    enum Level: Equatable, Sendable {
        case conditions(Dialect)
        /// The user says that there is only one.
        case unsafe
    }

    private struct State {
        var level: Level?
        /// Objects by place as bytes: their names never change what they mean.
        var objects: [[UInt8]: Entry] = [:]
        /// Places that this run has written.
        var made: Set<[UInt8]> = []
        /// Files that this run has read back since it wrote them.
        var proved: [[UInt8]: FileDigest] = [:]
        /// Files that were read whole and had the hash they must have.
        var contents: [[UInt8]: (content: FileDigest, bytes: [UInt8])] = [:]
        /// Bytes in `contents`.
        var size = 0
        /// Folders in which something was seen.
        var folders: Set<[UInt8]> = []
    }

    /// Bytes of contents that are kept; what is above is read again.
    private static let sizeLimit = 32 << 20

    private let state = Mutex(State())

    /// `nil` until the store has proved whether it keeps conditions.
    var level: Level? {
        get { state.withLock { $0.level } }
        set { state.withLock { $0.level = newValue } }
    }

    func note(_ place: String, _ entry: Entry) {
        state.withLock { $0.objects[Array(place.utf8)] = entry }
    }

    func noteMade(_ place: String, _ entry: Entry?) {
        state.withLock {
            $0.made.insert(Array(place.utf8))
            $0.proved[Array(place.utf8)] = nil
            if let old = $0.contents.removeValue(forKey: Array(place.utf8)) {
                $0.size -= old.bytes.count
            }
            $0.objects[Array(place.utf8)] = entry
        }
    }

    func entry(_ place: String) -> Entry? {
        state.withLock { $0.objects[Array(place.utf8)] }
    }

    /// Whether this run wrote a place: what it says of itself is then no proof.
    func isMade(_ place: String) -> Bool { state.withLock { $0.made.contains(Array(place.utf8)) } }

    func noteProved(_ content: PlacedContent) {
        state.withLock { $0.proved[Array(content.place.utf8)] = content.content }
    }

    /// Whether this run wrote a file and has read it back already.
    func isProved(_ content: PlacedContent) -> Bool {
        state.withLock { $0.proved[Array(content.place.utf8)] == content.content }
    }

    /// The bytes of a file that was read before; `nil` for one that was not, or had another content.
    func bytes(of content: PlacedContent) -> [UInt8]? {
        state.withLock {
            guard let known = $0.contents[Array(content.place.utf8)],
                known.content == content.content
            else { return nil }
            return known.bytes
        }
    }

    func note(_ bytes: [UInt8], of content: PlacedContent) {
        state.withLock {
            guard $0.size + bytes.count <= Self.sizeLimit else { return }
            let old = $0.contents.updateValue(
                (content.content, bytes), forKey: Array(content.place.utf8))
            $0.size += bytes.count - (old?.bytes.count ?? 0)
        }
    }

    func hasSeen(folder: String) -> Bool {
        state.withLock { $0.folders.contains(Array(folder.utf8)) }
    }

    func noteSeen(folder: String) { state.withLock { _ = $0.folders.insert(Array(folder.utf8)) } }
}
