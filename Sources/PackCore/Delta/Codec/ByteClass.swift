/// The kind of character of a byte in the languages of the web.
package enum ByteClass {
    /// Whether a byte can be part of a token: letters, digits, `_`, `$` and bytes beyond ASCII.
    package static func isTokenByte(_ byte: UInt8) -> Bool {
        (byte >= 0x61 && byte <= 0x7A) || (byte >= 0x41 && byte <= 0x5A)
            || (byte >= 0x30 && byte <= 0x39) || byte == 0x5F || byte == 0x24 || byte >= 0x80
    }

    /// The highest bit of each of eight bytes.
    static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Marks the token bytes among eight bytes, in their highest bits.
    @inline(__always)
    static func tokens(in bytes: UInt64) -> UInt64 {
        let low = bytes & ~highBits
        let lower = low | 0x2020_2020_2020_2020
        let letters = atLeast(0x61, lower) ^ atLeast(0x7B, lower)
        let digits = atLeast(0x30, low) ^ atLeast(0x3A, low)
        return (bytes | letters | digits | equal(0x5F, low) | equal(0x24, low)) & highBits
    }

    /// Sixteen bytes; signed, because only the comparison of signed ones is one instruction everywhere.
    typealias Bytes = SIMD16<Int8>

    /// Marks the token bytes, and the bytes allowed before a content hash in a name, among sixteen
    /// bytes.
    ///
    /// - Parameter bit: The value of a marked byte; the others are 0.
    @inline(__always)
    static func marks(in bytes: Bytes, bit: Int8) -> (tokens: Bytes, separators: Bytes) {
        let isUnderscore = bytes .== Bytes(repeating: 0x5F)
        let isLetter = isAmong(26, from: 0x61, bytes | Bytes(repeating: 0x20))
        let isOther = bytes .== Bytes(repeating: 0x24) .| bytes .< Bytes(repeating: 0)
        let isToken = isLetter .| isAmong(10, from: 0x30, bytes) .| isUnderscore .| isOther
        // `-`, `.` and `/` are adjacent.
        let isSeparator = isAmong(3, from: 0x2D, bytes) .| isUnderscore
        let none = Bytes(repeating: 0)
        return (
            none.replacing(with: bit, where: isToken), none.replacing(with: bit, where: isSeparator)
        )
    }

    /// Marks the last digits of base64 VLQ numbers, and the bytes that are no digits, among sixteen
    /// bytes.
    ///
    /// - Parameter bit: The value of a marked byte; the others are 0.
    @inline(__always)
    static func numberMarks(in bytes: Bytes, bit: Int8) -> (ends: Bytes, others: Bytes) {
        // The digits from 0 to 31.
        let isEnd = isAmong(26, from: 0x41, bytes) .| isAmong(6, from: 0x61, bytes)
        // `/` precedes `0`.
        let isInside =
            isAmong(20, from: 0x67, bytes) .| isAmong(11, from: 0x2F, bytes)
            .| bytes .== Bytes(repeating: 0x2B)
        let none = Bytes(repeating: 0)
        return (
            none.replacing(with: bit, where: isEnd),
            Bytes(repeating: bit).replacing(with: none, where: isEnd .| isInside)
        )
    }

    /// Marks the bytes that are among `count` ones from `first` on.
    ///
    /// One addition moves these to the smallest numbers.
    @inline(__always)
    private static func isAmong(_ count: Int8, from first: Int8, _ bytes: Bytes) -> SIMDMask<Bytes>
    {
        bytes &- Bytes(repeating: first &- .min) .< Bytes(repeating: .min &+ count)
    }

    /// Packs the marks of four times sixteen bytes into a number, that of the first byte lowest.
    ///
    /// - Parameter bytes: The marks by the bits 0, 2, 4 and 6, in this order, of the same byte.
    @inline(__always)
    static func gathered(_ bytes: Bytes) -> UInt64 {
        let words = unsafe unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
        // Bit k of byte j is that of byte j of the k-th of eight words.
        var bits = UInt64(littleEndian: words[0]) | UInt64(littleEndian: words[1]) &<< 1
        // The transposed matrix of bits.
        var odd = (bits ^ bits &>> 7) & 0x00AA_00AA_00AA_00AA
        bits ^= odd ^ odd &<< 7
        odd = (bits ^ bits &>> 14) & 0x0000_CCCC_0000_CCCC
        bits ^= odd ^ odd &<< 14
        odd = (bits ^ bits &>> 28) & 0x0000_0000_F0F0_F0F0
        return bits ^ odd ^ odd &<< 28
    }

    /// Marks the bytes among eight allowed before a content hash in a name, in their highest bits.
    @inline(__always)
    static func separators(in bytes: UInt64) -> UInt64 {
        let low = bytes & ~highBits
        let found = equal(0x2D, low) | equal(0x2E, low) | equal(0x2F, low) | equal(0x5F, low)
        return found & ~bytes & highBits
    }

    /// Sets the highest bit of each byte below 0x80 that is at least `byte`; the other bits are
    /// undefined.
    @inline(__always)
    private static func atLeast(_ byte: UInt64, _ bytes: UInt64) -> UInt64 {
        bytes &+ (0x80 &- byte) &* 0x0101_0101_0101_0101
    }

    /// Sets the highest bit of each byte below 0x80 that equals `byte`; the other bits are
    /// undefined.
    @inline(__always)
    private static func equal(_ byte: UInt64, _ bytes: UInt64) -> UInt64 {
        ~((bytes ^ byte &* 0x0101_0101_0101_0101) &+ 0x7F7F_7F7F_7F7F_7F7F)
    }

    /// The class of a byte, one of fifteen: 0 to 14.
    static func of(_ byte: UInt8) -> UInt8 {
        switch byte {
        case 0x61...0x7A: 0
        case 0x41...0x5A: 1
        case 0x30...0x39: 2
        case 0x5F, 0x24: 3
        case 0..<0x20: 4
        case 0x80...: 5
        case 0x22, 0x27, 0x60: 6
        case 0x2E: 7
        case 0x2C: 8
        case 0x28, 0x29: 9
        case 0x7B, 0x7D: 10
        case 0x20: 11
        case 0x3D, 0x3A: 12
        case 0x2D, 0x2F: 13
        default: 14
        }
    }
}

/// The byte classes as tables.
@safe struct ByteTables: ~Copyable {
    private let tokens: UnsafeMutablePointer<Bool>
    private let classes: UnsafeMutablePointer<UInt8>

    init() {
        unsafe tokens = .allocate(capacity: 256)
        unsafe classes = .allocate(capacity: 256)
        for byte in UInt8.min...UInt8.max {
            unsafe (tokens + Int(byte)).initialize(to: ByteClass.isTokenByte(byte))
            unsafe (classes + Int(byte)).initialize(to: ByteClass.of(byte))
        }
    }

    deinit {
        unsafe tokens.deallocate()
        unsafe classes.deallocate()
    }

    @inline(__always)
    func isToken(_ byte: UInt8) -> Bool { unsafe tokens[Int(byte)] }

    @inline(__always)
    func kind(_ byte: UInt8) -> UInt32 { unsafe UInt32(classes[Int(byte)]) }
}
