/// Decodes a raw LZMA stream whose dictionary is the text before it.
///
/// The format follows the LZMA specification of the LZMA SDK (public domain), without header, with
/// end marker. For any input, the decoder stays within the text and takes no more steps than there
/// is output.
@safe struct LZMADecoder: ~Copyable {
    /// lc, lp and pb, packed into a byte as in the specification.
    struct Properties: Equatable {
        let literalContextBits: Int
        let literalPositionBits: Int
        let positionBits: Int

        /// Unpacks a byte.
        ///
        /// - Returns: `nil` for a byte above 224, or if lc + lp is above 4.
        init?(_ byte: UInt8) {
            guard byte < 225 else { return nil }
            literalContextBits = Int(byte) % 9
            literalPositionBits = Int(byte) / 9 % 5
            positionBits = Int(byte) / 45
            guard literalContextBits + literalPositionBits <= 4 else { return nil }
        }
    }

    /// The index of the probabilities of each kind of decision.
    private enum Place {
        static let isMatch = 0
        static let isRep = isMatch + 12 << 4
        static let isRepG0 = isRep + 12
        static let isRepG1 = isRepG0 + 12
        static let isRepG2 = isRepG1 + 12
        static let isRep0Long = isRepG2 + 12
        static let slot = isRep0Long + 12 << 4
        static let special = slot + 4 << 6
        static let align = special + 128
        static let matchLength = align + 16
        static let repLength = matchLength + Length.count
        static let literal = repLength + Length.count
    }

    private enum Length {
        static let choice = 0
        static let choice2 = 1
        static let low = 2
        static let middle = low + 16 << 3
        static let high = middle + 16 << 3
        static let count = high + 256
    }

    private let properties: Properties
    private let input: [UInt8]
    private let inputEnd: Int
    private var position: Int
    private var range: UInt32 = .max
    private var code: UInt32 = 0
    private var isCorrupt = false
    /// All indices are below 14,134, so none is reduced.
    private let probabilities: Cells<UInt16>

    /// Starts decoding.
    ///
    /// - Parameter range: The range of the stream in `input`.
    init(_ input: [UInt8], _ range: Range<Int>, _ properties: Properties) {
        self.input = input
        self.properties = properties
        position = range.lowerBound
        inputEnd = min(range.upperBound, input.count)
        probabilities = Cells(bits: 14, repeating: 1024)
        if nextByte() != 0 { isCorrupt = true }
        for _ in 0..<4 { code = code << 8 | UInt32(nextByte()) }
        if code == .max { isCorrupt = true }
    }

    /// Decodes a range of a text, using all text before it as dictionary.
    ///
    /// - Parameters:
    ///   - range: Where the output belongs.
    ///   - start: Where the dictionary starts.
    /// - Returns: Whether the stream was valid, gave all of the output and ended there.
    mutating func decode(
        into text: borrowing TextBuffer, _ range: Range<Int>, dictionaryFrom start: Int
    ) -> Bool {
        let end = range.upperBound
        var output = range.lowerBound
        var state = 0
        var distances = (0, 0, 0, 0)
        while !isCorrupt {
            let positionState = (output &- start) & ((1 << properties.positionBits) &- 1)
            if bit(Place.isMatch &+ state << 4 &+ positionState) == 0 {
                guard output < end else { return false }
                let previous = output > start ? text[output &- 1] : 0
                var matched: UInt8?
                if state >= 7 {
                    guard distances.0 < output &- start else { return false }
                    matched = text[output &- 1 &- distances.0]
                }
                text[output] = literal(output &- start, previous, matched)
                output &+= 1
                state = state < 4 ? 0 : state < 10 ? state &- 3 : state &- 6
                continue
            }
            let length: Int
            if bit(Place.isRep &+ state) == 0 {
                length = codedLength(Place.matchLength, positionState)
                state = state < 7 ? 7 : 10
                guard let distance = distance(length) else {
                    return output == end && !isCorrupt && code == 0 && position == inputEnd
                }
                distances = (distance, distances.0, distances.1, distances.2)
            } else {
                if bit(Place.isRepG0 &+ state) == 0 {
                    if bit(Place.isRep0Long &+ state << 4 &+ positionState) == 0 {
                        guard output < end, distances.0 < output &- start else { return false }
                        text[output] = text[output &- 1 &- distances.0]
                        output &+= 1
                        state = state < 7 ? 9 : 11
                        continue
                    }
                } else if bit(Place.isRepG1 &+ state) == 0 {
                    distances = (distances.1, distances.0, distances.2, distances.3)
                } else if bit(Place.isRepG2 &+ state) == 0 {
                    distances = (distances.2, distances.0, distances.1, distances.3)
                } else {
                    distances = (distances.3, distances.0, distances.1, distances.2)
                }
                length = codedLength(Place.repLength, positionState)
                state = state < 7 ? 8 : 11
            }
            guard distances.0 < output &- start, length <= end &- output else { return false }
            let from = output &- 1 &- distances.0
            if distances.0 >= length {
                text.copy(from, to: output, length)
            } else {
                for offset in 0..<length { text[output &+ offset] = text[from &+ offset] }
            }
            output &+= length
        }
        return false
    }

    // MARK: Symbols

    private mutating func literal(_ output: Int, _ previous: UInt8, _ matched: UInt8?) -> UInt8 {
        let positionPart =
            (output & ((1 << properties.literalPositionBits) &- 1))
            << properties.literalContextBits
        let context = positionPart &+ Int(previous) >> (8 &- properties.literalContextBits)
        let base = Place.literal &+ 0x300 &* context
        var symbol = 1
        if let matched {
            var rest = Int(matched)
            while symbol < 0x100 {
                let matchBit = rest >> 7 & 1
                rest <<= 1
                let bit = bit(base &+ (1 &+ matchBit) << 8 &+ symbol)
                symbol = symbol << 1 | bit
                if matchBit != bit { break }
            }
        }
        while symbol < 0x100 { symbol = symbol << 1 | bit(base &+ symbol) }
        return UInt8(truncatingIfNeeded: symbol)
    }

    /// A length, 2 to 273.
    private mutating func codedLength(_ base: Int, _ positionState: Int) -> Int {
        if bit(base &+ Length.choice) == 0 {
            return 2 &+ tree(base &+ Length.low &+ positionState << 3, 3)
        }
        if bit(base &+ Length.choice2) == 0 {
            return 10 &+ tree(base &+ Length.middle &+ positionState << 3, 3)
        }
        return 18 &+ tree(base &+ Length.high, 8)
    }

    /// A distance less one; `nil` for the end marker.
    private mutating func distance(_ length: Int) -> Int? {
        let slot = tree(Place.slot &+ min(length &- 2, 3) << 6, 6)
        if slot < 4 { return slot }
        let bits = slot >> 1 &- 1
        var result = (2 | slot & 1) << bits
        if slot < 14 {
            result &+= reverseTree(Place.special &+ result &- slot, bits)
        } else {
            result &+= directBits(bits &- 4) << 4
            result &+= reverseTree(Place.align, 4)
        }
        return result == 0xFFFF_FFFF ? nil : result
    }

    private mutating func tree(_ base: Int, _ bits: Int) -> Int {
        var symbol = 1
        for _ in 0..<bits { symbol = symbol << 1 | bit(base &+ symbol) }
        return symbol &- 1 << bits
    }

    private mutating func reverseTree(_ base: Int, _ bits: Int) -> Int {
        var symbol = 1
        var result = 0
        for index in 0..<bits {
            let bit = bit(base &+ symbol)
            symbol = symbol << 1 | bit
            result |= bit << index
        }
        return result
    }

    // MARK: The range coder

    private mutating func nextByte() -> UInt8 {
        guard position < inputEnd else {
            isCorrupt = true
            return 0
        }
        defer { position &+= 1 }
        return input[position]
    }

    @inline(__always)
    private mutating func normalize() {
        if range < 1 << 24 {
            range <<= 8
            code = code << 8 | UInt32(nextByte())
        }
    }

    @inline(__always)
    private mutating func bit(_ index: Int) -> Int {
        let probability = probabilities[index]
        let bound = (range >> 11) &* UInt32(probability)
        let result: Int
        if code < bound {
            range = bound
            probabilities[index] = probability &+ (2048 &- probability) >> 5
            result = 0
        } else {
            range &-= bound
            code &-= bound
            probabilities[index] = probability &- probability >> 5
            result = 1
        }
        normalize()
        return result
    }

    private mutating func directBits(_ count: Int) -> Int {
        var result = 0
        for _ in 0..<count {
            range >>= 1
            code &-= range
            let mask = 0 &- code >> 31
            code &+= range & mask
            if code == range { isCorrupt = true }
            normalize()
            result = result << 1 &+ Int(1 &- (mask & 1))
        }
        return result
    }
}
