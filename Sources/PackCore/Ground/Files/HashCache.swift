/// Hashes of a directory's files from earlier runs, so that an unchanged file need not be read again.
///
/// As in git's index, a file is unchanged if device, inode, size and both times are the same.
/// A file changed too shortly before it was read is not recorded, because it could have changed
/// again without another time. After a week, nothing is trusted and every file is read.
package final class HashCache: Sendable {
    /// The hashes of a file.
    package struct Content: Equatable, Sendable {
        package let sha256: Digest
        /// CRC-32; 0 where nothing needs it.
        package let checksum: UInt32

        package init(sha256: Digest, checksum: UInt32 = 0) {
            self.sha256 = sha256
            self.checksum = checksum
        }
    }

    /// Identifies the directory, so that no file of another one is used.
    private let owner: Digest
    /// The last time at which every file was read, in seconds since 1970.
    private let provedAt: Int
    /// In the order of their keys.
    private let known: [Record]
    private let state: Locked<State>

    private struct State {
        /// Whether a file of this run has the record in ``known``.
        var isUsed: [Bool]
        var added: [(record: Record, name: String)] = []
    }

    /// A cache is as old as this at most, in seconds.
    package static let lifetime = 7 * 86_400
    /// The largest number of records.
    package static let limit = 500_000
    /// Below both of these, a cache is not worth a file.
    package static let fewFiles = 1000
    package static let fewBytes: UInt64 = 64 << 20

    /// Reads a cache.
    ///
    /// - Parameters:
    ///   - bytes: The file of an earlier run; a damaged one, one of another directory and one that is
    ///     a week old count as none.
    ///   - now: Seconds since 1970.
    package init(_ bytes: [UInt8]?, of directory: String, now: Int) {
        owner = StreamHasher.digest(of: Array(directory.utf8))
        let file = bytes.flatMap(Self.decode)
        if let file, file.owner == owner, file.provedAt <= now,
            now - file.provedAt < Self.lifetime
        {
            (provedAt, known) = (file.provedAt, file.records)
        } else {
            (provedAt, known) = (now, [])
        }
        state = Locked(State(isUsed: Array(repeating: false, count: known.count)))
    }

    /// The hashes of a file whose status is unchanged.
    ///
    /// - Parameter name: Its path, or nothing where the caller knows the hash to expect.
    package func content(of status: FileStatus, named name: [UInt8] = []) -> Content? {
        let key = Key(status, name)
        var (low, high) = (0, known.count)
        while low < high {
            let middle = (low + high) / 2
            if known[middle].key < key { low = middle + 1 } else { high = middle }
        }
        guard low < known.count, known[low].key == key, known[low].matches(status) else {
            return nil
        }
        state.withLock { $0.isUsed[low] = true }
        return known[low].content
    }

    /// Records a file that this run has read since it had a status.
    ///
    /// - Parameter path: Where ``refresh(_:)`` finds it.
    package func add(
        _ content: Content, of status: FileStatus, named name: [UInt8] = [], at path: String = ""
    ) {
        let record = Record(status, name, content)
        state.withLock { $0.added.append((record, path)) }
    }

    /// Updates the recorded files after links to them were made, which changes one of the times.
    ///
    /// - Parameter status: The status at a recorded path.
    package func refresh(_ status: (String) -> FileStatus?) {
        let added = state.withLock { $0.added }
        let refreshed = added.compactMap { record, path -> (record: Record, name: String)? in
            guard let status = status(path), let new = record.renewed(by: status) else {
                return nil
            }
            return (new, path)
        }
        state.withLock { $0.added = refreshed }
    }

    /// Whether ``encoded(at:)`` may give a file.
    package var isWorthAFile: Bool { changed().map(Self.isMuch) ?? false }

    /// The records for later runs; `nil` if they are the known ones.
    ///
    /// - Parameter time: Leaves out what is racy at this time.
    private func changed(at time: FileTime? = nil) -> [Record]? {
        state.withLock { state in
            let added = state.added.map(\.record).filter { record in
                time.map { !record.isRacy(at: $0) } ?? true
            }
            if added.isEmpty, state.isUsed.allSatisfy({ $0 }) { return nil }
            return known.indices.filter { state.isUsed[$0] }.map { known[$0] } + added
        }
    }

    private static func isMuch(_ records: [Record]) -> Bool {
        records.count >= fewFiles || records.clampedSum(of: \.size) >= fewBytes
    }

    /// The file for later runs; `nil` if there is nothing new or little to record.
    ///
    /// - Parameter time: A time before the files were read, or after ``refresh(_:)`` before it.
    package func encoded(at time: FileTime) -> [UInt8]? {
        guard let records = changed(at: time), Self.isMuch(records) else { return nil }
        return Self.encode(
            File(owner: owner, provedAt: provedAt, records: Self.distinct(records)))
    }

    /// One record for each key, in the order of keys.
    private static func distinct(_ records: [Record]) -> [Record] {
        var distinct: [Record] = []
        for record in records.sorted(by: { $0.key < $1.key }).prefix(limit) {
            if distinct.last?.key == record.key { distinct.removeLast() }
            distinct.append(record)
        }
        return distinct
    }
}

extension HashCache {
    /// Identifies a file: by its path also, because some file systems give an inode number twice.
    fileprivate struct Key: Comparable, Sendable {
        let inode, device, name: UInt64

        init(inode: UInt64, device: UInt64, name: UInt64) {
            self.inode = inode
            self.device = device
            self.name = name
        }

        init(_ status: FileStatus, _ name: [UInt8]) {
            // FNV-1a.
            let hash = name.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
                ($0 ^ UInt64($1)) &* 0x100_0000_01b3
            }
            self.init(
                inode: status.identity.inode, device: status.identity.device, name: hash)
        }

        static func < (one: Key, other: Key) -> Bool {
            if one.inode != other.inode { return one.inode < other.inode }
            if one.device != other.device { return one.device < other.device }
            return one.name < other.name
        }
    }

    fileprivate struct Record: Sendable {
        let key: Key
        let size: UInt64
        let modified, changed: FileTime
        let content: Content

        init(key: Key, size: UInt64, modified: FileTime, changed: FileTime, content: Content) {
            self.key = key
            self.size = size
            self.modified = modified
            self.changed = changed
            self.content = content
        }

        init(_ status: FileStatus, _ name: [UInt8], _ content: Content) {
            self.init(
                key: Key(status, name), size: status.size, modified: status.modified,
                changed: status.changed, content: content)
        }

        func matches(_ status: FileStatus) -> Bool {
            status.kind == .file && status.size == size && status.modified == modified
                && status.changed == changed
        }

        /// With the later time that a link gave the file; `nil` for any other change.
        func renewed(by status: FileStatus) -> Record? {
            guard status.kind == .file, status.identity.inode == key.inode,
                status.identity.device == key.device, status.size == size,
                status.modified == modified
            else { return nil }
            return Record(
                key: key, size: size, modified: modified, changed: status.changed,
                content: content)
        }

        func isRacy(at time: FileTime) -> Bool {
            modified.isRecent(at: time) || changed.isRecent(at: time)
        }
    }
}

extension FileTime {
    /// Whether a file with this time could have changed again at a time without showing it.
    ///
    /// FAT keeps two seconds, old file systems one; all others a tick of the kernel's clock.
    fileprivate func isRecent(at time: FileTime) -> Bool {
        let isCoarse = nanoseconds % 1_000_000 == 0
        let (second, nanosecond) =
            time.nanoseconds >= 100_000_000
            ? (time.seconds, time.nanoseconds - 100_000_000)
            : (time.seconds - 1, time.nanoseconds + 900_000_000)
        let limit =
            isCoarse
            ? FileTime(seconds: time.seconds - 2, nanoseconds: time.nanoseconds)
            : FileTime(seconds: second, nanoseconds: nanosecond)
        return !(self < limit)
    }
}

// MARK: The file

extension HashCache {
    private struct File {
        let owner: Digest
        let provedAt: Int
        let records: [Record]
    }

    /// The last digit is the version of the form.
    private static let magic = Array("packtool hashes1".utf8)
    private static let headSize = 16 + 32 + 8 + 8
    private static let recordSize = 4 * 8 + 2 * 12 + 32 + 4
    private static let checkSize = 32

    /// The largest size of a file in bytes.
    package static let sizeLimit = headSize + limit * recordSize + checkSize

    /// Numbers are little-endian; the SHA-256 of everything before it ends the file.
    private static func encode(_ file: File) -> [UInt8] {
        var bytes = magic
        bytes.reserveCapacity(headSize + file.records.count * recordSize + checkSize)
        func append(_ number: UInt64, _ count: Int = 8) {
            for index in 0..<count {
                bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(index))))
            }
        }
        func append(_ time: FileTime) {
            append(UInt64(bitPattern: Int64(time.seconds)))
            append(UInt64(clamping: time.nanoseconds), 4)
        }
        bytes += file.owner.bytes
        append(UInt64(bitPattern: Int64(file.provedAt)))
        append(UInt64(file.records.count))
        for record in file.records {
            append(record.key.inode)
            append(record.key.device)
            append(record.key.name)
            append(record.size)
            append(record.modified)
            append(record.changed)
            bytes += record.content.sha256.bytes
            append(UInt64(record.content.checksum), 4)
        }
        bytes += StreamHasher.digest(of: bytes).bytes
        return bytes
    }

    /// - Returns: `nil` for anything but the bytes that ``encode(_:)`` gives.
    private static func decode(_ bytes: [UInt8]) -> File? {
        guard bytes.count >= headSize + checkSize, bytes.starts(with: magic) else { return nil }
        let content = bytes.count - headSize - checkSize
        let end = bytes.count - checkSize
        guard content % recordSize == 0, content / recordSize <= limit,
            Digest(bytes: bytes[end...]) == StreamHasher.digest(of: bytes, first: end)
        else { return nil }
        var position = magic.count
        func number(_ count: Int = 8) -> UInt64 {
            var value: UInt64 = 0
            for index in 0..<count {
                value |= UInt64(bytes[position + index]) << (8 * UInt64(index))
            }
            position += count
            return value
        }
        func digest() -> Digest? {
            position += 32
            return Digest(bytes: bytes[(position - 32)..<position])
        }
        func time() -> FileTime? {
            let seconds = Int(Int64(bitPattern: number()))
            let nanoseconds = Int(number(4))
            guard nanoseconds < 1_000_000_000 else { return nil }
            return FileTime(seconds: seconds, nanoseconds: nanoseconds)
        }
        guard let owner = digest() else { return nil }
        let provedAt = Int(Int64(bitPattern: number()))
        guard provedAt >= 0, number() == UInt64(content / recordSize) else { return nil }
        var records: [Record] = []
        records.reserveCapacity(content / recordSize)
        for _ in 0..<content / recordSize {
            let key = Key(inode: number(), device: number(), name: number())
            if let last = records.last?.key, !(last < key) { return nil }
            let size = number()
            guard let modified = time(), let changed = time(), let sha256 = digest() else {
                return nil
            }
            records.append(
                Record(
                    key: key, size: size, modified: modified, changed: changed,
                    content: Content(sha256: sha256, checksum: UInt32(number(4)))))
        }
        return File(owner: owner, provedAt: provedAt, records: records)
    }
}
