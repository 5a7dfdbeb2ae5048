/// Jumps: the encoder states the aligned position after a change that no search nearby finds.
extension AlignedCoder where Coder: ~Copyable {
    /// Codes whether the aligned position moves elsewhere, and where to.
    ///
    /// - Parameter length: The number of bytes before the aligned position that agree.
    mutating func codeJump(_ length: Int) {
        let target = Coder.isDecoding ? 0 : jumpTarget()
        let misses = min(7, missesSinceLost)
        let agreed = length == 0 ? 0 : length < 3 ? 1 : length < 6 ? 2 : 3
        let first = 2048 &+ (p == 0 ? 64 : 0) &+ misses &* 4 &+ agreed
        let kinds = Int(bytes.kind(text[i &- 1]) &* 16 &+ bytes.kind(text[i &- 2]))
        let second = 2304 &+ kinds
        let a = runFlags[first]
        let b = runFlags[second]
        let mixed = (logistic.stretch(a >> 16) &+ logistic.stretch(b >> 16)) / 2
        let isStay = coder.code(target > 0 ? 0 : 1, max(1, logistic.squash(mixed)))
        runFlags[first] = logistic.updated(a, isStay, limit: 255)
        runFlags[second] = logistic.updated(b, isStay, limit: 255)
        if isStay == 1 { return }
        let origin = anchor > 0 ? anchor : layout.output.lowerBound
        let distance = codeDistance(target &- origin)
        p = origin &+ distance
        if p < TextLayout.padding || p >= i { p = 0 }
        if p == 0 { return }
        run = Self.runMinimum
        isLost = false
        missesSinceLost = 0
    }

    /// Codes a distance of less than 2^32 in both directions.
    private mutating func codeDistance(_ known: Int) -> Int {
        let folded = UInt64(bitPattern: Int64(known &<< 1 ^ known >> 63)) &+ 1
        let width = folded.bitWidth &- folded.leadingZeroBitCount
        var bits = 1
        while bits < 34, codeRunFlag(bits < width ? 1 : 0, at: 2560 &+ bits) == 1 { bits &+= 1 }
        var value: UInt64 = 1
        var index = bits &- 2
        while index >= 0 {
            let bit = UInt32(truncatingIfNeeded: folded &>> UInt64(truncatingIfNeeded: index) & 1)
            let coded =
                bits &- 2 &- index < 2
                ? codeRunFlag(
                    bit, at: 2560 &+ 64 &+ bits &* 4 &+ Int(value & 1) &+ (bits &- 2 &- index) &* 2)
                : coder.code(bit, 32768)
            value = value << 1 | UInt64(coded)
            index &-= 1
        }
        value &-= 1
        return Int(value >> 1) ^ (0 &- Int(value & 1))
    }

    /// The position to jump to; 0 for none.
    private mutating func jumpTarget() -> Int {
        finder.fill(upTo: i, text)
        let from = i &- layout.output.lowerBound
        let (position, found) = finder.find(source, from, text, before: i, limit: fileEnd &- i)
        guard position > 0, position != p else { return 0 }
        var own = 0
        if p > 0 { own = firstMiss(p, min(found, i &- p)) }
        let isNear = isLost && abs(position &- anchor) <= Self.nearby
        return found >= own &+ (isNear ? Self.nearGain : Self.farGain) ? position : 0
    }

    /// The number of right bytes that a jump must gain, by whether the position could be found nearby.
    private static var nearGain: Int { 24 }
    private static var farGain: Int { 40 }
}

/// Finds where the encoder's text occurred before.
struct JumpFinder {
    private static let bits = 22
    private var slots: [UInt32] = []
    private var filled = TextLayout.padding

    /// Records every fourth position before `end`.
    mutating func fill(upTo end: Int, _ text: borrowing TextBuffer) {
        if slots.isEmpty { slots = [UInt32](repeating: 0, count: 1 << Self.bits) }
        while filled &+ 12 <= end {
            slots[Self.slot(text.word(at: filled), text.word(at: filled &+ 4))] = UInt32(
                truncatingIfNeeded: filled)
            filled &+= 4
        }
    }

    @inline(__always)
    private static func slot(_ a: UInt64, _ b: UInt64) -> Int {
        Int(
            truncatingIfNeeded: ((a ^ (b >> 32) &* 0xD6E8_FEB8_6659_FD93) &* 0x9E37_79B9_7F4A_7C15)
                >> UInt64(64 - bits))
    }

    /// The position with the longest text equal to that of the source, and its length.
    func find(
        _ source: [UInt8], _ from: Int, _ text: borrowing TextBuffer, before end: Int, limit: Int
    ) -> (Int, Int) {
        var best = (0, 0)
        for skip in 0..<4 where from + skip + 12 <= source.count {
            let slot = Self.slot(
                Self.word(source, from + skip), Self.word(source, from + skip + 4))
            let start = Int(slots[slot]) - skip
            guard start >= TextLayout.padding else { continue }
            var length = 0
            let most = min(limit, end - start, 4096)
            while length < most, source[from + length] == text[start + length] { length += 1 }
            if length > best.1 { best = (start, length) }
        }
        return best
    }

    /// Eight bytes of the encoder's text, the first one lowest.
    @inline(__always)
    static func word(_ source: [UInt8], _ position: Int) -> UInt64 {
        UInt64(
            littleEndian: unsafe source.span.bytes.unsafeLoadUnaligned(
                fromByteOffset: position, as: UInt64.self))
    }
}
