/// The last replacement of each old token of a file.
@safe struct RenameDictionary: ~Copyable {
    private static let bits = 14

    /// The replacement of an old token.
    struct Entry {
        /// The hash of the old token.
        var check: UInt32 = 0
        /// The number of the file; entries of earlier files are ignored.
        var file: UInt32 = 0
        /// The position of the new token in the text.
        var position: UInt32 = 0
        var length: UInt8 = 0
        /// The number of consecutive times the token had this replacement, at most 7.
        var confidence: UInt8 = 0
    }

    private let entries: UnsafeMutablePointer<Entry>
    private var file: UInt32 = 0
    /// Whether no token of this file was recorded yet.
    private(set) var isEmpty = true

    init() {
        unsafe entries = .allocate(capacity: 1 << Self.bits)
        unsafe entries.initialize(repeating: Entry(), count: 1 << Self.bits)
    }

    deinit { unsafe entries.deallocate() }

    /// Forgets everything, because names differ in meaning between files.
    mutating func beginFile() {
        file &+= 1
        isEmpty = true
    }

    /// The hash of a token: 32 bits, never 0.
    @inline(__always)
    static func hash(_ text: borrowing TextBuffer, _ start: Int, _ length: Int) -> UInt32 {
        var h = UInt32(truncatingIfNeeded: length)
        for index in start..<(start &+ length) {
            h = (h &+ UInt32(text[index]) &+ 1) &* 0x2F0B_4A27
            h ^= h >> 15
        }
        return h == 0 ? 1 : h
    }

    @inline(__always)
    private static func place(_ hash: UInt32) -> Int {
        Int((hash &* 2_654_435_761) >> UInt32(32 - bits))
    }

    /// The replacement of a token in this file.
    @inline(__always)
    func entry(_ hash: UInt32) -> Entry? {
        let entry = unsafe entries[Self.place(hash)]
        return entry.check == hash && entry.file == file ? entry : nil
    }

    /// Records the replacement of a token.
    mutating func note(
        _ hash: UInt32, became position: Int, _ length: Int, _ text: borrowing TextBuffer
    ) {
        isEmpty = false
        let place = unsafe entries + Self.place(hash)
        let old = unsafe place.pointee
        var new = Entry(
            check: hash, file: file, position: UInt32(truncatingIfNeeded: position),
            length: UInt8(truncatingIfNeeded: length))
        if old.check == hash, old.file == file, Int(old.length) == length,
            text.isEqual(Int(old.position), position, length)
        {
            new.confidence = min(7, old.confidence &+ 1)
        }
        unsafe place.pointee = new
    }
}
