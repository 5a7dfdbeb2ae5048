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

/// Codes literal bytes by the decisions of ``LiteralTree``, from the predictions of seven contexts.
///
/// Two sets of weights mix the predictions, and their results are averaged. A context's counters
/// are in slots of sixteen, one for each four decisions of a byte: a check, then the fifteen nodes
/// of these decisions. If a slot belongs to another context, it is replaced.
@safe struct LiteralModel: ~Copyable {
    static var contexts: Int { 7 }
    /// The number of contexts with slots: all but the empty one.
    static var hashed: Int { contexts - 1 }
    /// The size of a slot in bytes.
    static var slotSize: Int { 32 }
    /// The contexts that also learn from a copied byte.
    ///
    /// They hash only the preceding text.
    private static let plain = 2..<4
    private static let limit: UInt16 = 10
    private static let rate: Int32 = 9
    /// The number of weight sets for the nodes of the tree.
    ///
    /// The sets for the kind of the previous byte and the depth in the tree follow them.
    private static let nodeSets = 256
    private static let placeSets = 128

    private let tree = LiteralTree()
    private let slots: UnsafeMutablePointer<UInt16>
    private let slotMask: UInt32
    /// The counters of the empty context, by node.
    private let order0: UnsafeMutablePointer<UInt16>
    private let weights = WeightTable(count: nodeSets + placeSets, weight: 1500)
    private let lanes = LaneMemory()
    private let hashes: UnsafeMutablePointer<UInt32>
    /// The slot of each context for the current decisions of the byte.
    private let current: UnsafeMutablePointer<UnsafeMutablePointer<UInt16>>

    /// Allocates the slots.
    ///
    /// - Parameter bits: The binary logarithm of the number of slots of each context.
    init(bits: Int) {
        let count = Self.hashed << (bits + 4)
        slotMask = (1 << UInt32(bits)) - 1
        // Two slots fill one cache line; a hash may be in either of them.
        unsafe slots = UnsafeMutableRawPointer.allocate(byteCount: count &* 2, alignment: 128)
            .bindMemory(to: UInt16.self, capacity: count)
        unsafe slots.initialize(repeating: 0, count: count)
        unsafe order0 = .allocate(capacity: LiteralTree.nodes)
        unsafe order0.initialize(repeating: ShortCounter.unseen, count: LiteralTree.nodes)
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
        a &* 0x2F0B_4A27 &+ b &* 0x9E37_79B1 &+ c &* 0x85EB_CA6B
    }

    /// Hashes the context of the last one, two or three bytes.
    @inline(__always)
    private static func hash(last count: Int, _ history: UInt32) -> UInt32 {
        let count = UInt32(truncatingIfNeeded: count)
        return hash(count, history & (1 &<< (8 &* count) &- 1), 0)
    }

    /// The slot for a hash in a context's table, which may replace another one's.
    @inline(__always)
    @unsafe private func slot(
        _ table: UnsafeMutablePointer<UInt16>, _ hash: UInt32
    ) -> UnsafeMutablePointer<UInt16> {
        let check = UInt16(truncatingIfNeeded: hash) | 1
        let first = Int(hash >> 16 & slotMask) &<< 4
        let a = unsafe table + first
        if unsafe a[0] == check { return unsafe a }
        let b = unsafe table + (first ^ 16)
        if unsafe b[0] == check { return unsafe b }
        // The slot with the lower count is replaced; an empty one has count 0.
        let victim = unsafe ShortCounter.isSeenLess(a[1], b[1]) ? a : b
        unsafe victim[0] = check
        for index in 1..<16 { unsafe victim[index] = ShortCounter.unseen }
        return unsafe victim
    }

    /// Distinguishes the slots of a byte's later decisions, which begin at a node, from those of its
    /// first four.
    ///
    /// They are among the 128 around the first slot, in the same memory page.
    @inline(__always)
    private static func key(_ node: Int) -> UInt32 {
        (UInt32(truncatingIfNeeded: node) &* 0x9E37_79B1) & 0x7F_FFFF
    }

    /// Codes a byte.
    ///
    /// - Parameter lastKind: The kind of the previous byte.
    func code<Coder: BitCoder & ~Copyable>(
        _ byte: UInt8, _ context: LiteralContext, _ text: TextBefore, lastKind: UInt32,
        _ logistic: borrowing Logistic, _ coder: inout Coder
    ) -> UInt8 {
        unsafe hashes[1] = Self.hash(last: 1, text.history)
        unsafe hashes[2] = Self.hash(last: 2, text.history)
        unsafe hashes[3] = Self.hash(last: 3, text.history)
        unsafe hashes[4] = Self.hash(4, text.word, text.beforeWord)
        unsafe hashes[5] = Self.hash(5, context.refused, context.tokenState)
        unsafe hashes[6] = Self.hash(6, context.token, text.word)
        let path = tree.path(byte)
        var node = 0
        var depth: UInt32 = 0
        var place = Self.nodeSets &+ Int(lastKind &* 8)
        let lastPlace = place &+ 7
        while true {
            let key = Self.key(node)
            var table = unsafe slots
            for index in 1..<Self.contexts {
                unsafe current[index] = slot(table, hashes[index] ^ key)
                unsafe table += tableSize
            }
            var inner = 1
            for _ in 0..<4 {
                let bit = codeBit(
                    path &>> (15 &- depth) & 1, inner, node, place, logistic, &coder)
                node = tree.child(node, bit)
                if node >= 256 { return UInt8(truncatingIfNeeded: node) }
                inner = inner << 1 | Int(bit)
                depth &+= 1
                place &+= place < lastPlace ? 1 : 0
            }
        }
    }

    /// Codes a decision.
    ///
    /// - Parameters:
    ///   - inner: The counter's index in the current slots, 1 to 15.
    ///   - node: The node of the tree, whose set of weights is used.
    ///   - place: The other set of weights.
    @inline(__always)
    private func codeBit<Coder: BitCoder & ~Copyable>(
        _ known: UInt32, _ inner: Int, _ node: Int, _ place: Int, _ logistic: borrowing Logistic,
        _ coder: inout Coder
    ) -> UInt32 {
        let inputs = lanes.set(
            Self.contexts, { unsafe $0 == 0 ? order0[node] : current[$0][inner] }, logistic)
        // The mean of both sets; both learn from its error.
        let value = WeightTable.rounded(
            weights.sum(inputs, node) &+ weights.sum(inputs, place), bits: 14)
        let bit = coder.code(known, logistic.squash(value))
        let change = WeightTable.change(
            inputs, by: WeightTable.step(value, bit, rate: Self.rate, logistic))
        weights.add(change, node)
        weights.add(change, place)
        lanes.update(bit, limit: Self.limit)
        unsafe order0[node] = lanes[0]
        for index in 1..<Self.contexts { unsafe current[index][inner] = lanes[index] }
        return bit
    }

    /// The size of a context's table, in counters.
    @inline(__always)
    private var tableSize: Int { Int(slotMask &+ 1) &<< 4 }

    /// Learns from a copied byte, without weights.
    ///
    /// - Parameter history: The last four bytes before it, the last one lowest.
    func learn(_ byte: UInt8, _ history: UInt32, _ logistic: borrowing Logistic) {
        let path = tree.path(byte)
        let length = tree.length(byte)
        var node = 0
        var depth = 0
        while depth < length {
            let key = Self.key(node)
            let end = min(length, depth &+ 4)
            for index in Self.plain {
                let slot = unsafe slot(
                    slots + (index &- 1) &* tableSize, Self.hash(last: index, history) ^ key)
                var inner = 1
                for step in depth..<end {
                    let bit = path >> UInt32(truncatingIfNeeded: 15 &- step) & 1
                    unsafe learn(bit, &slot[inner], logistic)
                    inner = inner << 1 | Int(bit)
                }
            }
            while depth < end {
                node = tree.child(node, path >> UInt32(truncatingIfNeeded: 15 &- depth) & 1)
                depth &+= 1
            }
        }
    }

    @inline(__always)
    private func learn(_ bit: UInt32, _ counter: inout UInt16, _ logistic: borrowing Logistic) {
        counter = ShortCounter.updated(counter, logistic.pace(counter), bit, limit: Self.limit)
    }
}
