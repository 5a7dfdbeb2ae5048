/// One side of the binary arithmetic coder (carry-less range coder, 32 bits).
protocol BitCoder: ~Copyable {
    /// Whether this coder decodes; otherwise it encodes.
    static var isDecoding: Bool { get }

    /// Codes a bit.
    ///
    /// - Parameters:
    ///   - bit: 0 or 1; ignored when decoding.
    ///   - probability: The probability of a 1, 1 to 65535 of 65536.
    /// - Returns: The bit.
    mutating func code(_ bit: UInt32, _ probability: UInt32) -> UInt32
}

/// Decodes bits from a stream.
@safe struct BitDecoder: BitCoder, ~Copyable {
    static var isDecoding: Bool { true }

    private let bytes: [UInt8]
    private let start: Int
    private let end: Int
    /// The number of bytes shifted in; beyond the end they are zeros.
    private(set) var position: Int
    private var low: UInt32 = 0
    private var high: UInt32 = .max
    private var value: UInt32 = 0

    /// Starts decoding.
    ///
    /// - Parameter range: The range of the stream in `bytes`.
    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        start = range.lowerBound
        position = range.lowerBound
        end = min(range.upperBound, bytes.count)
        for _ in 0..<4 { value = value << 8 | nextByte() }
    }

    private mutating func nextByte() -> UInt32 {
        defer { position &+= 1 }
        return position < end ? UInt32(bytes[position]) : 0
    }

    @inline(__always)
    mutating func code(_ bit: UInt32, _ probability: UInt32) -> UInt32 {
        let middle =
            low &+ UInt32(truncatingIfNeeded: (UInt64(high &- low) &* UInt64(probability)) >> 16)
        let result: UInt32
        if value <= middle {
            high = middle
            result = 1
        } else {
            low = middle &+ 1
            result = 0
        }
        while (low ^ high) >> 24 == 0 {
            value = value << 8 | nextByte()
            low <<= 8
            high = high << 8 | 255
        }
        return result
    }

    /// Whether the stream ends exactly as an encoder would end it.
    ///
    /// That is with one byte within the last interval, without trailing zeros.
    var isAtEnd: Bool {
        let last = low == 0 ? 0 : (low >> 24 &+ 1) << 24
        return value == last && position >= end && (end == start || bytes[end &- 1] != 0)
    }
}

/// Encodes bits to a stream.
struct BitEncoder: BitCoder, ~Copyable {
    static var isDecoding: Bool { false }

    private(set) var bytes: [UInt8] = []
    private var low: UInt32 = 0
    private var high: UInt32 = .max

    @inline(__always)
    mutating func code(_ bit: UInt32, _ probability: UInt32) -> UInt32 {
        let middle =
            low &+ UInt32(truncatingIfNeeded: (UInt64(high &- low) &* UInt64(probability)) >> 16)
        if bit != 0 { high = middle } else { low = middle &+ 1 }
        while (low ^ high) >> 24 == 0 {
            bytes.append(UInt8(truncatingIfNeeded: high >> 24))
            low <<= 8
            high = high << 8 | 255
        }
        return bit
    }

    /// Ends the stream with the fewest bytes possible; the decoder reads zeros beyond the end.
    consuming func finish() -> [UInt8] {
        var result = bytes
        if low > 0 { result.append(UInt8(truncatingIfNeeded: (low >> 24) &+ 1)) }
        while result.last == 0 { result.removeLast() }
        return result
    }
}
