/// Predicts the names of a minifier, which are assigned in sequence.
///
/// A minifier assigns `e, t, n, … ea, ta, na, …`; one more symbol shifts all names after it by one.
/// The order of its letters is learned from the old file, where names appear in the order of their
/// first use. For each suffix, the shift of its names is stored.
@safe struct NameShift: ~Copyable {
    private static let bits = 12
    /// The number of bytes of the old file used to learn the letters.
    static let sample = 256 << 10
    private static let fewestLetters = 20

    private struct Move {
        var key: UInt32 = 0
        /// The bytes of the new suffix, the first one lowest.
        var suffix: UInt32 = 0
        var suffixLength: UInt8 = 0
        var distance: Int16 = 0
    }

    /// The votes for each succession of two letters.
    private struct Votes {
        /// By the first letter's byte times 128 plus the second one's.
        var counts = [UInt32](repeating: 0, count: 128 * 128)
        /// The successions with enough votes.
        var candidates: [Int] = []

        private static let fewest: UInt32 = 4

        mutating func add(_ a: UInt8, _ b: UInt8) {
            if a == b { return }
            let pair = Int(a) << 7 | Int(b)
            counts[pair] += 1
            if counts[pair] == Self.fewest { candidates.append(pair) }
        }
    }

    /// The index of each letter in the minifier's sequence; −1 for none.
    private var order = [Int16](repeating: -1, count: 256)
    private var letters: [UInt8] = []
    private var moves = [Move](repeating: Move(), count: 2 << bits)
    private var base = 0..<0
    private var isLearnt = false
    private(set) var hasMoves = false

    /// Begins a file; `base` is the old file in the text, empty for none.
    mutating func beginFile(_ base: Range<Int>) {
        self.base = base
        isLearnt = false
        hasMoves = false
        letters = []
    }

    private static let keywords: Set<UInt32> = Set(
        [
            "if", "in", "do", "of", "as", "for", "new", "var", "let", "try", "get", "set", "NaN",
            "null", "this", "void", "else", "case", "true", "from", "with",
        ].map { word in word.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) } })

    /// The words that may be keywords, by ``filterPlace(_:)``: only these are looked up in the set.
    private let mayBeKeyword: [Bool] = {
        var filter = [Bool](repeating: false, count: 256)
        for word in keywords { filter[filterPlace(word)] = true }
        return filter
    }()

    private static func filterPlace(_ word: UInt32) -> Int { Int((word &* 2_654_435_761) >> 24) }

    /// Whether an old token could be a minifier's name for a top-level symbol.
    ///
    /// That is two to four bytes, no property, no keyword of the language.
    private func isName(_ text: borrowing TextBuffer, _ start: Int, _ length: Int) -> Bool {
        guard length >= 2, length <= 4 else { return false }
        let before = text[start &- 1]
        if before == 0x2E || before == 0x2D || before == 0x23 { return false }
        if text[start &+ length] == 0x3A, before != 0x3F { return false }
        var word: UInt32 = 0
        for index in 0..<length {
            word |= UInt32(text[start &+ index]) << UInt32(8 &* index)
        }
        return !(mayBeKeyword[Self.filterPlace(word)] && Self.keywords.contains(word))
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte < 0x80 && ByteClass.isTokenByte(byte) && !(byte >= 0x30 && byte <= 0x39)
    }

    /// The length and the bytes after the first of a name of two to four bytes; never 0.
    ///
    /// - Parameter word: The name and the bytes after it, the first one lowest.
    @inline(__always)
    private static func key(_ word: UInt64, _ length: Int) -> UInt32 {
        let suffix = UInt32(truncatingIfNeeded: word) >> 8
        let unused = UInt32(truncatingIfNeeded: 8 &* (5 &- length))
        return (suffix &<< unused) &>> unused | UInt32(truncatingIfNeeded: length) << 24
    }

    private static func key(_ text: borrowing TextBuffer, _ start: Int, _ length: Int) -> UInt32 {
        key(text.word(at: start), length)
    }

    @inline(__always)
    private static func slot(_ key: UInt32) -> Int {
        Int((key &* 2_654_435_761) >> UInt32(32 - bits)) << 1
    }

    /// A bit for the length of each token that may be predicted, the lowest one for 1.
    var lengths: UInt64 { hasMoves ? 0b1110 : 0 }

    /// Whether names with the suffix of a token were replaced.
    ///
    /// - Parameter word: The token and the bytes after it, the first one lowest.
    @inline(__always)
    func mayPredict(_ word: UInt64, _ length: Int) -> Bool {
        guard hasMoves, length >= 2, length <= 4 else { return false }
        let key = Self.key(word, length)
        let slot = Self.slot(key)
        return moves[slot].key == key || moves[slot &+ 1].key == key
    }

    /// A predicted name: its bytes, the first one lowest, and their number.
    struct Prediction {
        var bytes: UInt64
        var length: Int
    }

    /// The predicted replacement of an old token seen for the first time.
    func predict(_ text: borrowing TextBuffer, _ start: Int, _ length: Int) -> Prediction? {
        guard hasMoves, length >= 2, length <= 4, order[Int(text[start])] >= 0,
            isName(text, start, length)
        else { return nil }
        let key = Self.key(text, start, length)
        let slot = Self.slot(key)
        for index in slot..<(slot + 2) where moves[index].key == key {
            let move = moves[index]
            let letter = Int(order[Int(text[start])]) + Int(move.distance)
            guard letter >= 0, letter < letters.count else { continue }
            return Prediction(
                bytes: UInt64(letters[letter]) | UInt64(move.suffix) << 8,
                length: 1 + Int(move.suffixLength))
        }
        return nil
    }

    /// Records the replacement of a token.
    mutating func note(
        _ text: borrowing TextBuffer, old start: Int, _ length: Int, new newStart: Int,
        _ newLength: Int
    ) {
        guard newLength >= 2, newLength <= 4, isName(text, start, length) else { return }
        if !hasMoves {
            // Before the first change of a name, the letters are not needed.
            if length == newLength, text.isEqual(start, newStart, length) { return }
            if !isLearnt { learnLetters(text) }
            if letters.isEmpty { return }
        }
        let from = order[Int(text[start])]
        let to = order[Int(text[newStart])]
        guard from >= 0, to >= 0 else { return }
        let key = Self.key(text, start, length)
        var suffix: UInt32 = 0
        for index in 1..<newLength {
            suffix |= UInt32(text[newStart &+ index]) << UInt32(8 &* (index &- 1))
        }
        let move = Move(
            key: key, suffix: suffix, suffixLength: UInt8(newLength - 1), distance: to - from)
        let slot = Self.slot(key)
        for index in slot..<(slot + 2) {
            let known = moves[index]
            guard known.key == key, known.distance == move.distance, known.suffix == move.suffix,
                known.suffixLength == move.suffixLength
            else { continue }
            moves[index] = moves[slot]
            moves[slot] = move
            return
        }
        moves[slot + 1] = moves[slot]
        moves[slot] = move
    }

    /// Learns the sequence of letters as the longest chain of the strongest successions.
    ///
    /// A succession is a pair of letters that follow each other among names of one suffix, in the
    /// order of their first use.
    private mutating func learnLetters(_ text: borrowing TextBuffer) {
        isLearnt = true
        letters = []
        for index in 0..<256 { order[index] = -1 }
        let end = min(base.upperBound, base.lowerBound &+ Self.sample)
        guard end &- base.lowerBound >= 5000 else { return }
        var votes = Votes()
        countSuccessions(text, base.lowerBound..<end, &votes)
        votes.candidates.sort()
        var next = [UInt8](repeating: 0, count: 128)
        var previous = [UInt8](repeating: 0, count: 128)
        for _ in 0..<64 {
            guard let (a, b) = Self.strongest(votes, next, previous) else { break }
            next[a] = UInt8(b)
            previous[b] = UInt8(a)
        }
        var longest: [UInt8] = []
        for start in 36..<128 where previous[start] == 0 && next[start] != 0 {
            var chain: [UInt8] = []
            var letter = UInt8(start)
            while letter != 0 {
                chain.append(letter)
                letter = next[Int(letter)]
            }
            if chain.count > longest.count { longest = chain }
        }
        guard longest.count >= Self.fewestLetters else { return }
        letters = longest
        for (index, letter) in longest.enumerated() { order[Int(letter)] = Int16(index) }
        for index in moves.indices { moves[index] = Move() }
        hasMoves = true
    }

    /// Counts the successions of first letters among new names of two and three letters with the
    /// same suffix.
    private func countSuccessions(
        _ text: borrowing TextBuffer, _ range: Range<Int>, _ votes: inout Votes
    ) {
        var seen = [UInt32](repeating: 0, count: 1 << 15)
        var last = [UInt8](repeating: 0, count: 1 << 14)
        var isInside = false
        var block = range.lowerBound
        while block < range.upperBound {
            // Only tokens starting in the first 56 bytes are counted, because they are complete in
            // the block.
            var tokens = text.marks(from: block).tokens
            let left = range.upperBound &- block
            if left < 64 { tokens &= 1 &<< UInt64(truncatingIfNeeded: left) &- 1 }
            let starts = tokens & ~(tokens << 1 | (isInside ? 1 : 0))
            var names = starts & tokens >> 1 & ~(tokens >> 2 & tokens >> 3) & (1 << 56 &- 1)
            while names != 0 {
                let offset = UInt64(truncatingIfNeeded: names.trailingZeroBitCount)
                let length = tokens &>> (offset &+ 2) & 1 == 1 ? 3 : 2
                countSuccession(text, block &+ Int(offset), length, &seen, &last, &votes)
                names &= names &- 1
            }
            isInside = tokens >> 55 & 1 == 1
            block &+= 56
        }
    }

    private func countSuccession(
        _ text: borrowing TextBuffer, _ position: Int, _ length: Int, _ seen: inout [UInt32],
        _ last: inout [UInt8], _ votes: inout Votes
    ) {
        let first = text[position]
        guard Self.isLetter(first), isName(text, position, length) else { return }
        var hash: UInt32 = 0
        for index in 0..<length {
            hash = hash &* 257 &+ UInt32(text[position &+ index]) &+ 1
        }
        hash = (hash &* 2_654_435_761) | 1
        guard seen[Int(hash >> 17)] != hash else { return }
        seen[Int(hash >> 17)] = hash
        let suffix = Int((Self.key(text, position, length) &* 2_654_435_761) >> 18)
        if last[suffix] != 0 { votes.add(last[suffix], first) }
        last[suffix] = first
    }

    /// The candidate with the most votes that closes no cycle; on a tie, the first one.
    private static func strongest(
        _ votes: Votes, _ next: [UInt8], _ previous: [UInt8]
    ) -> (Int, Int)? {
        var best: (Int, Int)?
        var most: UInt32 = 0
        for pair in votes.candidates where votes.counts[pair] > most {
            let (a, b) = (pair >> 7, pair & 127)
            guard next[a] == 0, previous[b] == 0 else { continue }
            var end = b
            while next[end] != 0 { end = Int(next[end]) }
            if end == a { continue }
            most = votes.counts[pair]
            best = (a, b)
        }
        return best
    }
}
