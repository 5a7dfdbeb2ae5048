/// The last replacement of each old token of a file.
@safe struct RenameDictionary: ~Copyable {
    private static let bits = 14

    /// The highest confidence.
    private static let certain: UInt8 = 7

    /// The replacement of an old token.
    struct Entry {
        /// The hash of the old token.
        var check: UInt32 = 0
        /// The number of the file; entries of earlier files are ignored.
        var file: UInt32 = 0
        /// The position of the new token in the text.
        var position: UInt32 = 0
        var length: UInt8 = 0
        /// The length of the old token: tokens of several lengths may have one hash.
        var oldLength: UInt8 = 0
        /// The number of consecutive times the token had this replacement, at most 7.
        var confidence: UInt8 = 0
        /// Whether the new token is the old one.
        var isSame = false
    }

    private let entries: UnsafeMutablePointer<Entry>
    private var file: UInt32 = 0
    /// Whether no token of this file was recorded yet.
    private(set) var isEmpty = true
    /// A bit for the length of each token that changed in this file, the lowest one for 1.
    private(set) var changedLengths: UInt64 = 0

    init() {
        unsafe entries = .allocate(capacity: 1 << Self.bits)
        unsafe entries.initialize(repeating: Entry(), count: 1 << Self.bits)
    }

    deinit { unsafe entries.deallocate() }

    /// Forgets everything, because names differ in meaning between files.
    mutating func beginFile() {
        file &+= 1
        isEmpty = true
        changedLengths = 0
    }

    /// The hash of a token of at most 64 bytes: 32 bits, never 0.
    ///
    /// It depends on the length and the first and last eight bytes only.
    @inline(__always)
    static func hash(_ text: borrowing TextBuffer, _ start: Int, _ length: Int) -> UInt32 {
        if length <= 0 { return 1 }
        let first = text.word(at: start)
        if length <= 8 { return hash(short: first, length) }
        return hash(long: first, text.word(at: start &+ length &- 8), length)
    }

    /// The hash of a longer token, from its first and last eight bytes.
    @inline(__always)
    static func hash(long first: UInt64, _ last: UInt64, _ length: Int) -> UInt32 {
        folded(first ^ (last &+ UInt64(truncatingIfNeeded: length)) &* 0xD6E8_FEB8_6659_FD93)
    }

    /// The hash of a token of one to eight bytes.
    ///
    /// - Parameter word: Eight bytes from its start, the first one lowest.
    @inline(__always)
    static func hash(short word: UInt64, _ length: Int) -> UInt32 {
        folded(word & UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- 8 &* length))
    }

    @inline(__always)
    private static func folded(_ value: UInt64) -> UInt32 {
        let h = UInt32(truncatingIfNeeded: (value &* 0x9E37_79B9_7F4A_7C15) >> 32)
        return h == 0 ? 1 : h
    }

    @inline(__always)
    private static func slot(_ hash: UInt32) -> Int { Int(hash >> UInt32(32 - bits)) }

    /// The replacement of a token in this file.
    @inline(__always)
    func entry(_ hash: UInt32, _ length: Int) -> Entry? {
        let entry = unsafe entries[Self.slot(hash)]
        return isEntry(entry, of: hash, length) ? entry : nil
    }

    @inline(__always)
    private func isEntry(_ entry: Entry, of hash: UInt32, _ length: Int) -> Bool {
        entry.check == hash && entry.file == file && Int(entry.oldLength) == length
    }

    /// What became of a token in this file.
    enum State { case unknown, same, changed }

    @inline(__always)
    func state(_ hash: UInt32, _ length: Int) -> State {
        guard let entry = entry(hash, length) else { return .unknown }
        return entry.isSame ? .same : .changed
    }

    /// Records the replacement of a token.
    ///
    /// A replacement that is certain already keeps its position.
    mutating func note(
        _ hash: UInt32, _ oldPosition: Int, _ oldLength: Int, became position: Int, _ length: Int,
        _ text: borrowing TextBuffer
    ) {
        isEmpty = false
        let slot = unsafe entries + Self.slot(hash)
        let old = unsafe slot.pointee
        var new = Entry(
            check: hash, file: file, position: UInt32(truncatingIfNeeded: position),
            length: UInt8(truncatingIfNeeded: length),
            oldLength: UInt8(truncatingIfNeeded: oldLength))
        if isEntry(old, of: hash, oldLength), Int(old.length) == length,
            text.isEqual(Int(old.position), position, length)
        {
            if old.confidence == Self.certain { return }
            new.confidence = old.confidence &+ 1
        }
        new.isSame = length == oldLength && text.isEqual(oldPosition, position, length)
        if !new.isSame { changedLengths |= 1 << UInt64(max(0, oldLength - 1) & 63) }
        unsafe slot.pointee = new
    }
}
