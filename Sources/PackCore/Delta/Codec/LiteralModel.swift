/// The context that predicts a literal byte.
struct LiteralContext {
    /// The byte of the failed prediction; 256 for none.
    var refused: UInt32 = 256
    /// The token state: 0 for none, 1 for a token that left its prediction, 3 for one that follows
    /// it.
    var tokenState: UInt32 = 0
    /// Hash of the old token and of the known part of the new one; otherwise of the bytes at the
    /// aligned position.
    var token: UInt32 = 0
    /// The byte at the aligned position; 256 for none.
    var aligned: UInt32 = 256
}

/// The text before a byte, in the form used by the contexts.
struct TextBefore {
    /// The last four bytes, the last one lowest.
    let history: UInt32
    /// Hash of the token bytes just before.
    let word: UInt32
    /// The byte before the word.
    let beforeWord: UInt32
}

/// Codes literal bytes bit by bit from the predictions of eight contexts.
///
/// Two sets of weights mix the predictions, and their results are averaged. A context's counters
/// are in slots of sixteen, one for each half of a byte: a check, then the fifteen nodes of the
/// half's binary tree. If a slot belongs to another context, it is replaced.
@safe struct LiteralModel: ~Copyable {
    static var contexts: Int { 8 }
    /// The size of a slot in bytes.
    static var slotSize: Int { 32 }
    /// The contexts that also learn from a copied byte.
    ///
    /// They hash only the preceding text.
    private static let plain = 2..<5
    private static let limit: UInt16 = 10
    private static let rate: Int32 = 9
    /// The number of weight sets for the nodes of a byte's tree.
    ///
    /// The sets for the kind of the previous byte and the position in this byte follow them.
    private static let nodeSets = 256
    private static let placeSets = 128

    private let slots: UnsafeMutablePointer<UInt16>
    private let slotMask: UInt32
    /// Prevents the compiler from removing the reads of ``fetch(_:_:)``.
    private var fetched: UInt16 = 0
    /// The slots of the empty context, by the node at which a half begins: 1, then 16 to 31.
    private let order0: UnsafeMutablePointer<UInt16>
    private let weights = WeightTable(count: nodeSets + placeSets, weight: 1300)
    private let lanes = LaneMemory()
    private let hashes: UnsafeMutablePointer<UInt32>
    /// The slot of each context for the current half of the byte.
    private let current: UnsafeMutablePointer<UnsafeMutablePointer<UInt16>>

    /// Allocates the slots.
    ///
    /// - Parameter bits: The binary logarithm of the number of slots of each context.
    init(bits: Int) {
        let count = Self.contexts << (bits + 4)
        slotMask = (1 << UInt32(bits)) - 1
        // Two slots fill one cache line; a hash may be in either of them.
        unsafe slots = UnsafeMutableRawPointer.allocate(byteCount: count &* 2, alignment: 128)
            .bindMemory(to: UInt16.self, capacity: count)
        unsafe slots.initialize(repeating: 0, count: count)
        unsafe order0 = .allocate(capacity: 512)
        unsafe order0.initialize(repeating: ShortCounter.unseen, count: 512)
        unsafe hashes = .allocate(capacity: Self.contexts)
        unsafe hashes.initialize(repeating: 0, count: Self.contexts)
        unsafe current = .allocate(capacity: Self.contexts)
        unsafe current.initialize(repeating: slots, count: Self.contexts)
    }

    deinit {
        unsafe UnsafeMutableRawPointer(slots).deallocate()
        unsafe order0.deallocate()
        unsafe hashes.deallocate()
        unsafe current.deallocate()
    }

    @inline(__always)
    static func hash(_ a: UInt32, _ b: UInt32, _ c: UInt32) -> UInt32 {
        var h = a &* 0x2F0B_4A27 &+ b &* 0x9E37_79B1 &+ c &* 0x85EB_CA6B
        h ^= h >> 15
        h = h &* 0xC2B2_AE35
        return h ^ h >> 13
    }

    /// Hashes the contexts that depend only on the preceding text.
    @inline(__always)
    private func hashPlain(_ text: TextBefore) {
        unsafe hashes[1] = Self.hash(1, text.history & 0xFF, 0)
        unsafe hashes[2] = Self.hash(2, text.history & 0xFFFF, 0)
        unsafe hashes[3] = Self.hash(3, text.history & 0xFF_FFFF, 0)
        unsafe hashes[4] = Self.hash(4, text.word, text.beforeWord)
    }

    /// The slot of a context, which may replace another context's.
    @inline(__always)
    @unsafe private func slot(_ context: Int, _ hash: UInt32) -> UnsafeMutablePointer<UInt16> {
        let check = UInt16(truncatingIfNeeded: hash >> 16) | 1
        let first = hash & slotMask
        let table = unsafe table(context)
        let a = unsafe table + Int(first) << 4
        if unsafe a[0] == check { return unsafe a }
        let b = unsafe table + Int(first ^ 1) << 4
        if unsafe b[0] == check { return unsafe b }
        // The slot with the lower count is replaced; an empty one has count 0.
        let victim = unsafe ShortCounter.isSeenLess(a[1], b[1]) ? a : b
        unsafe victim[0] = check
        for index in 1..<16 { unsafe victim[index] = ShortCounter.unseen }
        return unsafe victim
    }

    /// The hash of a byte's second half.
    ///
    /// Its slot is one of the 128 around that of the first half, in the same memory page.
    @inline(__always)
    private static func second(_ hash: UInt32, _ half: UInt32) -> UInt32 {
        var h = (hash ^ half &* 0x9E37_79B1) &* 0x85EB_CA6B
        h ^= h >> 14
        return hash & 0xFF80 | h & 0xFFFF_007F
    }

    /// Codes a byte.
    ///
    /// - Parameter lastKind: The kind of the previous byte.
    mutating func code<Coder: BitCoder & ~Copyable>(
        _ byte: UInt8, _ context: LiteralContext, _ text: TextBefore, lastKind: UInt32,
        _ logistic: borrowing Logistic, _ coder: inout Coder
    ) -> UInt8 {
        hashPlain(text)
        unsafe hashes[5] = Self.hash(5, context.refused, context.tokenState)
        unsafe hashes[6] = Self.hash(6, context.token, text.word)
        unsafe hashes[7] = Self.hash(7, context.aligned, context.refused << 8 | text.history & 0xFF)
        var node: UInt32 = 1
        for half in 0..<2 {
            if half == 1 {
                for index in 1..<Self.contexts {
                    unsafe hashes[index] = Self.second(hashes[index], node)
                }
            }
            for index in 1..<Self.contexts { unsafe fetch(index, hashes[index]) }
            for index in 1..<Self.contexts {
                let hash = unsafe hashes[index]
                unsafe current[index] = slot(index, hash)
            }
            unsafe current[0] = order0 + (half == 0 ? 0 : Int(node) << 4)
            var inHalf = 1
            for step in 0..<4 {
                let position = half &* 4 &+ step
                let bit = codeBit(
                    UInt32(byte >> UInt8(7 &- position)) & 1, inHalf,
                    (Int(node), Self.nodeSets &+ Int(lastKind &* 8) &+ position), logistic, &coder)
                node = node << 1 | bit
                inHalf = inHalf << 1 | Int(bit)
            }
        }
        return UInt8(truncatingIfNeeded: node)
    }

    /// Codes a bit with the counters at a node of the current slots.
    ///
    /// - Parameter sets: The two sets of weights.
    @inline(__always)
    private func codeBit<Coder: BitCoder & ~Copyable>(
        _ known: UInt32, _ node: Int, _ sets: (Int, Int), _ logistic: borrowing Logistic,
        _ coder: inout Coder
    ) -> UInt32 {
        let inputs = lanes.set({ unsafe current[$0][node] }, logistic)
        // The mean of both sets; both learn from its error.
        let value = WeightTable.rounded(
            weights.sum(inputs, sets.0) &+ weights.sum(inputs, sets.1), bits: 14)
        let bit = coder.code(known, logistic.squash(value))
        let change = WeightTable.change(
            inputs, by: WeightTable.step(value, bit, rate: Self.rate, logistic))
        weights.add(change, sets.0)
        weights.add(change, sets.1)
        lanes.update(bit, limit: Self.limit)
        for index in 0..<Self.contexts { unsafe current[index][node] = lanes[index] }
        return bit
    }

    /// Reads the check of a slot before it is needed, so that all memory accesses overlap.
    @inline(__always)
    private mutating func fetch(_ context: Int, _ hash: UInt32) {
        unsafe fetched ^= table(context)[Int(hash & slotMask) << 4]
    }

    @inline(__always)
    @unsafe private func table(_ context: Int) -> UnsafeMutablePointer<UInt16> {
        unsafe slots + (context << 4) &* Int(slotMask &+ 1)
    }

    /// Learns from a copied byte.
    mutating func learn(_ byte: UInt8, _ text: TextBefore, _ logistic: borrowing Logistic) {
        hashPlain(text)
        let node = UInt32(byte >> 4) | 16
        for index in Self.plain {
            unsafe fetch(index, hashes[index])
            fetch(index, unsafe Self.second(hashes[index], node))
        }
        for index in Self.plain {
            let hash = unsafe hashes[index]
            unsafe learn(UInt32(byte >> 4), slot(index, hash), logistic)
            unsafe learn(UInt32(byte & 15), slot(index, Self.second(hash, node)), logistic)
        }
    }

    /// Learns half a byte in its slot.
    @inline(__always)
    @unsafe private func learn(
        _ half: UInt32, _ slot: UnsafeMutablePointer<UInt16>, _ logistic: borrowing Logistic
    ) {
        unsafe learn(half >> 3, &slot[1], logistic)
        unsafe learn(half >> 2 & 1, &slot[Int(2 | half >> 3)], logistic)
        unsafe learn(half >> 1 & 1, &slot[Int(4 | half >> 2)], logistic)
        unsafe learn(half & 1, &slot[Int(8 | half >> 1)], logistic)
    }

    @inline(__always)
    private func learn(_ bit: UInt32, _ counter: inout UInt16, _ logistic: borrowing Logistic) {
        counter = ShortCounter.updated(counter, logistic.pace(counter), bit, limit: Self.limit)
    }
}
