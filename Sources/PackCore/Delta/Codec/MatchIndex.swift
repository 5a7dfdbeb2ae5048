/// The last positions of the previous six and four bytes: two tables of positions by hash.
///
/// A position is that of the byte after them; 0 means none. In the table of six bytes, the unused
/// bits of a position identify the bytes, so that most collisions are found without reading the
/// text.
@safe struct MatchIndex: ~Copyable {
    private let by6: UnsafeMutablePointer<UInt32>
    private let by4: UnsafeMutablePointer<UInt32>
    private let shift: UInt64
    /// The bits of an entry not used by positions.
    private let checkMask: UInt32
    static let bits4 = 18
    private let shift4: UInt32

    /// Allocates the tables.
    ///
    /// - Parameters:
    ///   - bits: The binary logarithm of the slots of the table of six bytes, 8 to 20.
    ///   - count: The size of the text in bytes.
    init(bits: Int, count: Int) {
        shift = UInt64(64 - bits)
        let bits4 = min(bits, Self.bits4)
        shift4 = UInt32(32 - bits4)
        let width = count.bitWidth - count.leadingZeroBitCount
        checkMask = UInt32(truncatingIfNeeded: UInt64.max << UInt64(width))
        unsafe by6 = .allocate(capacity: 1 << bits)
        unsafe by4 = .allocate(capacity: 1 << bits4)
        unsafe by6.initialize(repeating: 0, count: 1 << bits)
        unsafe by4.initialize(repeating: 0, count: 1 << bits4)
    }

    deinit {
        unsafe by6.deallocate()
        unsafe by4.deallocate()
    }

    /// Little-endian bytes before a position; at least 24 bytes must precede it.
    @inline(__always)
    @unsafe private static func load<Word: FixedWidthInteger & BitwiseCopyable>(
        _ text: borrowing TextBuffer, _ position: Int, _ type: Word.Type
    ) -> Word {
        precondition(
            UInt(bitPattern: position &- 24) <= UInt(bitPattern: text.count &- 24))
        return unsafe Word(
            littleEndian: UnsafeRawPointer(text.base + (position - MemoryLayout<Word>.size))
                .loadUnaligned(as: Word.self))
    }

    @inline(__always)
    private static func hash6(_ text: borrowing TextBuffer, _ position: Int) -> UInt64 {
        let a = unsafe load(text, position, UInt64.self) >> 16
        return a &* 0x9E37_79B9_7F4A_7C15
    }

    @inline(__always)
    private func hash4(_ text: borrowing TextBuffer, _ position: Int) -> Int {
        let a = unsafe Self.load(text, position, UInt32.self)
        return Int(truncatingIfNeeded: (a &* 2_654_435_761) &>> shift4)
    }

    /// The part of an entry besides its position.
    @inline(__always)
    private func check(_ hash: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: hash >> 8) & checkMask
    }

    @inline(__always)
    @unsafe private func set(
        _ table: UnsafeMutablePointer<UInt32>, _ hash: UInt64, _ position: Int
    ) {
        unsafe table[Int(truncatingIfNeeded: hash &>> shift)] =
            UInt32(truncatingIfNeeded: position) | check(hash)
    }

    @inline(__always)
    @unsafe private func get(_ table: UnsafeMutablePointer<UInt32>, _ hash: UInt64) -> Int {
        let entry = unsafe table[Int(truncatingIfNeeded: hash &>> shift)]
        return (entry ^ check(hash)) & checkMask == 0 ? Int(entry & ~checkMask) : 0
    }

    /// Records the text before a position.
    @inline(__always)
    func insert(_ position: Int, _ text: borrowing TextBuffer) {
        unsafe set(by6, Self.hash6(text, position), position)
        unsafe by4[hash4(text, position)] = UInt32(truncatingIfNeeded: position)
    }

    /// Records every `step`-th position of a range, from 24 on.
    func insert(_ range: ClosedRange<Int>, step: Int, _ text: borrowing TextBuffer) {
        precondition(range.lowerBound >= 24 && range.upperBound <= text.count)
        var position = range.lowerBound
        while position <= range.upperBound {
            let end = unsafe UnsafeRawPointer(text.base + position)
            let last6 =
                unsafe UInt64(littleEndian: (end - 8).loadUnaligned(as: UInt64.self)) >> 16
            unsafe set(by6, last6 &* 0x9E37_79B9_7F4A_7C15, position)
            let last4 = unsafe UInt32(littleEndian: (end - 4).loadUnaligned(as: UInt32.self))
            unsafe by4[Int((last4 &* 2_654_435_761) &>> shift4)] = UInt32(
                truncatingIfNeeded: position)
            position &+= step
        }
    }

    @inline(__always)
    func last6(_ position: Int, _ text: borrowing TextBuffer) -> Int {
        unsafe get(by6, Self.hash6(text, position))
    }

    @inline(__always)
    func last4(_ position: Int, _ text: borrowing TextBuffer) -> Int {
        unsafe Int(by4[hash4(text, position)])
    }
}
