/// The last positions of the previous 24, 12, 6 and 4 bytes: four tables of positions by hash.
///
/// A position is that of the byte after them; 0 means none. In the larger tables, the unused bits
/// of a position identify the bytes, so that most collisions are found without reading the text.
@safe struct MatchIndex: ~Copyable {
    private let by24: UnsafeMutablePointer<UInt32>
    private let by12: UnsafeMutablePointer<UInt32>
    private let by6: UnsafeMutablePointer<UInt32>
    private let by4: UnsafeMutablePointer<UInt32>
    private let shift: UInt64
    /// The bits of an entry not used by positions.
    private let checkMask: UInt32
    static let bits4 = 18

    /// Allocates the tables.
    ///
    /// - Parameters:
    ///   - bits: The binary logarithm of the slots of each of the three larger tables, 8 to 24.
    ///   - count: The size of the text in bytes.
    init(bits: Int, count: Int) {
        shift = UInt64(64 - bits)
        let width = count.bitWidth - count.leadingZeroBitCount
        checkMask = UInt32(truncatingIfNeeded: UInt64.max << UInt64(width))
        unsafe by24 = .allocate(capacity: 1 << bits)
        unsafe by12 = .allocate(capacity: 1 << bits)
        unsafe by6 = .allocate(capacity: 1 << bits)
        unsafe by4 = .allocate(capacity: 1 << Self.bits4)
        unsafe by24.initialize(repeating: 0, count: 1 << bits)
        unsafe by12.initialize(repeating: 0, count: 1 << bits)
        unsafe by6.initialize(repeating: 0, count: 1 << bits)
        unsafe by4.initialize(repeating: 0, count: 1 << Self.bits4)
    }

    deinit {
        unsafe by24.deallocate()
        unsafe by12.deallocate()
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
    private static func hash24(_ text: borrowing TextBuffer, _ position: Int) -> UInt64 {
        let a = unsafe load(text, position &- 16, UInt64.self)
        let b = unsafe load(text, position &- 8, UInt64.self)
        let c = unsafe load(text, position, UInt64.self)
        var v = (a &* 0x9E37_79B9_7F4A_7C15) ^ (b &+ (a >> 29)) &* 0xD6E8_FEB8_6659_FD93
        v ^= v >> 31
        v = (v &+ c) &* 0xA076_1D64_78BD_642F
        return (v ^ v >> 32) &* 0x9E37_79B9_7F4A_7C15
    }

    @inline(__always)
    private static func hash12(_ text: borrowing TextBuffer, _ position: Int) -> UInt64 {
        let a = unsafe load(text, position, UInt64.self)
        let b = unsafe UInt64(load(text, position &- 8, UInt32.self))
        return (a ^ b &* 0xD6E8_FEB8_6659_FD93) &* 0x9E37_79B9_7F4A_7C15
    }

    @inline(__always)
    private static func hash6(_ text: borrowing TextBuffer, _ position: Int) -> UInt64 {
        let a = unsafe load(text, position, UInt64.self) >> 16
        return a &* 0x9E37_79B9_7F4A_7C15
    }

    @inline(__always)
    private static func hash4(_ text: borrowing TextBuffer, _ position: Int) -> Int {
        let a = unsafe load(text, position, UInt32.self)
        return Int(truncatingIfNeeded: (a &* 2_654_435_761) >> UInt32(32 - bits4))
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
        unsafe table[Int(truncatingIfNeeded: hash >> shift)] =
            UInt32(truncatingIfNeeded: position) | check(hash)
    }

    @inline(__always)
    @unsafe private func get(_ table: UnsafeMutablePointer<UInt32>, _ hash: UInt64) -> Int {
        let entry = unsafe table[Int(truncatingIfNeeded: hash >> shift)]
        return (entry ^ check(hash)) & checkMask == 0 ? Int(entry & ~checkMask) : 0
    }

    /// Records the text before a position.
    @inline(__always)
    func insert(_ position: Int, _ text: borrowing TextBuffer) {
        unsafe set(by24, Self.hash24(text, position), position)
        unsafe set(by12, Self.hash12(text, position), position)
        unsafe set(by6, Self.hash6(text, position), position)
        unsafe by4[Self.hash4(text, position)] = UInt32(truncatingIfNeeded: position)
    }

    /// Records every `step`-th position of a range.
    ///
    /// One table after the other: the pages of all four exceed a processor's TLB.
    func insert(_ range: ClosedRange<Int>, step: Int, _ text: borrowing TextBuffer) {
        Self.forEach(range, step) { place in
            unsafe set(by24, Self.hash24(text, place), place)
        }
        Self.forEach(range, step) { place in
            unsafe set(by12, Self.hash12(text, place), place)
        }
        Self.forEach(range, step) { place in unsafe set(by6, Self.hash6(text, place), place) }
        Self.forEach(range, step) { place in
            unsafe by4[Self.hash4(text, place)] = UInt32(truncatingIfNeeded: place)
        }
    }

    /// A loop without the overflow check that `stride` does at every step.
    @inline(__always)
    private static func forEach(_ range: ClosedRange<Int>, _ step: Int, _ body: (Int) -> Void) {
        var place = range.lowerBound
        while place <= range.upperBound {
            body(place)
            place &+= step
        }
    }

    @inline(__always)
    func last24(_ position: Int, _ text: borrowing TextBuffer) -> Int {
        unsafe get(by24, Self.hash24(text, position))
    }

    @inline(__always)
    func last12(_ position: Int, _ text: borrowing TextBuffer) -> Int {
        unsafe get(by12, Self.hash12(text, position))
    }

    @inline(__always)
    func last6(_ position: Int, _ text: borrowing TextBuffer) -> Int {
        unsafe get(by6, Self.hash6(text, position))
    }

    @inline(__always)
    func last4(_ position: Int, _ text: borrowing TextBuffer) -> Int {
        unsafe Int(by4[Self.hash4(text, position)])
    }
}
