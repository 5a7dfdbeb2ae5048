/// Single bytes: text not predicted in runs is coded byte by byte.
extension AlignedCoder where Coder: ~Copyable {
    /// The four bytes before a position, the last one lowest.
    @inline(__always)
    func history(_ position: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: text.word(at: position &- 8) >> 32).byteSwapped
    }

    /// Hash of the token bytes just before a position, at most 16, and the byte before them.
    @inline(__always)
    mutating func wordBefore(_ position: Int) -> (UInt32, UInt32) {
        let last = text.word(at: position &- 8)
        let (value, before) = Self.tokenEnd(last)
        if let before { return (Self.wordHash(value), before) }
        let (rest, beforeRest) = Self.tokenEnd(text.word(at: position &- 16))
        return (
            Self.wordHash(last ^ rest &* 0xD6E8_FEB8_6659_FD93),
            beforeRest ?? UInt32(text[position &- 17])
        )
    }

    @inline(__always)
    private static func wordHash(_ value: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: (value &* 0x9E37_79B9_7F4A_7C15) >> 32)
    }

    /// The token bytes at the end of eight, the first of them lowest, and the byte before them;
    /// `nil` if all eight are token bytes.
    @inline(__always)
    private static func tokenEnd(_ word: UInt64) -> (UInt64, UInt32?) {
        let others = ~ByteClass.tokens(in: word) & ByteClass.highBits
        if others == 0 { return (word, nil) }
        let unused = UInt64(truncatingIfNeeded: 56 &- others.leadingZeroBitCount & ~7)
        let rest = word &>> unused
        return (rest >> 8, UInt32(truncatingIfNeeded: rest & 0xFF))
    }

    /// Records positions of old text around the aligned position.
    @inline(__always)
    mutating func recordPositions() {
        let block = p >> Self.blockBits
        if p > 0, block != lastBlock, p < layout.output.lowerBound { recordBlocks(around: block) }
    }

    /// Records the positions of a block and of its neighbours.
    private mutating func recordBlocks(around block: Int) {
        lastBlock = block
        for block in max(0, block &- 1)...(block &+ 1)
        where block < recorded.count && !recorded[block] {
            recorded[block] = true
            let start = block << Self.blockBits
            let first = max(start, TextLayout.padding &+ 24)
            let end = min(layout.output.lowerBound, start &+ 1 << Self.blockBits &- 1)
            if first <= end { index.insert(first...end, step: 2, text) }
        }
    }

    mutating func codeByte(isRefused: Bool) {
        recordPositions()
        if !isRefused, !token.isActive, p > 0 {
            if isMap, mapNames.range.contains(p) { beginNumberHere() } else { beginTokenHere() }
        }
        let k = token.isActive ? i &- token.newStart : 0
        let expected: Int =
            token.isActive
            ? (token.follows && k < token.predictedLength ? token.predicted &+ k : token.oldEnd) : p
        let prediction: UInt32 =
            token.isActive || p > 0 ? UInt32(text[expected]) : 256
        let (word, beforeWord) = wordBefore(i)
        let history = history(i)
        if prediction < 256, !isRefused {
            prepareHitFlag(prediction, k, word, beforeWord, history)
        }
        findMatches()
        let after6 = match6.length > 0 ? UInt32(text[match6.position]) : 256
        let after4 = match4.length > 0 ? UInt32(text[match4.position]) : 256
        let known: UInt8 = Coder.isDecoding ? 0 : source[i &- layout.output.lowerBound]
        var isHit = false
        var byte: UInt8 = 0
        if prediction < 256, !isRefused {
            isHit =
                codeHitFlag(
                    UInt32(known) == prediction ? 1 : 0, prediction, k, after6, after4) == 1
            byte = UInt8(truncatingIfNeeded: prediction)
        }
        var isCandidate = false
        if !isHit {
            let candidate = match6.length > 0 ? after6 : after4
            if candidate < 256, candidate != prediction {
                isCandidate =
                    codeCandidateFlag(
                        UInt32(known) == candidate ? 1 : 0, candidate, prediction, k,
                        agrees: after6 == after4, word, history) == 1
                if isCandidate { byte = UInt8(truncatingIfNeeded: candidate) }
                candidateHistory = candidateHistory << 1 | (isCandidate ? 1 : 0)
            }
        }
        if !isHit, !isCandidate {
            var context = LiteralContext()
            context.refused = prediction
            context.tokenState = token.isActive ? (token.follows ? 3 : 1) : 0
            let last = history & 0xFF
            context.token =
                token.isActive
                ? LiteralModel.hash(8, token.hash, word &+ UInt32(truncatingIfNeeded: k))
                : LiteralModel.hash(
                    88, p > 0 ? UInt32(text[p]) | UInt32(text[p &+ 1]) << 8 : 0, last)
            byte = literals.code(
                known, context,
                TextBefore(history: history, word: word, beforeWord: beforeWord),
                lastKind: bytes.kind(UInt8(truncatingIfNeeded: last)), logistic, &coder)
        }
        text[i] = byte
        if isMap {
            noteNumbers(
                1, aligned: token.isActive ? (k == 0 ? token.oldStart : 0) : p)
        }
        // More entries would evict old text from the small tables.
        if i & 3 == 0 { index.insert(i, text) }
        match6.follow(byte, text)
        match4.follow(byte, text)
        i &+= 1
        trainedTo = i
        missHistory = missHistory << 1 | (isHit ? 0 : 1)
        if isLost { missesSinceLost &+= isHit ? 0 : 1 } else { missesSinceLost = 0 }
        advance(byte, isHit, k)
        if p >= i { p = 0 }
        if p == 0 { run = 0 }
        resynchronize()
    }

    /// Begins the number of a source map if both texts are at the start of one.
    mutating func beginNumberHere() {
        guard mapNames.isField(p), let suspect = suspectNumber() else { return }
        token = TokenState(
            isActive: true, follows: true, isSeed: true, origin: 5, oldStart: p,
            oldEnd: p &+ suspect.length, newStart: i, hash: suspect.hash,
            predicted: suspect.new, predictedLength: suspect.newLength)
    }

    /// Begins the token or content hash if both texts are at the start of one.
    mutating func beginTokenHere() {
        let oldBefore = text[p &- 1]
        let newBefore = text[i &- 1]
        if NameSeeds.isSeparator(oldBefore), NameSeeds.isSeparator(newBefore),
            let seed = seeds.at(p, text, limit: limitOfOld(p))
        {
            token = TokenState(
                isActive: true, follows: true, isSeed: true, origin: 4, oldStart: p,
                oldEnd: p &+ seed.oldLength, newStart: i,
                hash: UInt32(truncatingIfNeeded: seed.new) | 1, predicted: seed.new,
                predictedLength: seed.newLength)
            return
        }
        if bytes.isToken(text[p]), !bytes.isToken(oldBefore), !bytes.isToken(newBefore) {
            beginToken(old: p, new: i, origin: .dictionary)
        }
    }

    mutating func findMatches() {
        // Reads both entries before using either, and the text at both before comparing either, so
        // that memory loads them in parallel.
        let place6 = match6.length == 0 ? index.last6(i, text) : 0
        let place4 = match4.length == 0 ? index.last4(i, text) : 0
        fetched ^= text.word(at: max(TextLayout.padding, place4) &- 8)
        if match6.length == 0 {
            let length = place6 > 0 ? text.agreement(before: place6, i, limit: 16) : 0
            match6 = length < 4 ? Match() : Match(position: place6, length: length)
        }
        if match4.length == 0 {
            let length = place4 > 0 ? text.agreement(before: place4, i, limit: 16) : 0
            match4 = length < 3 ? Match() : Match(position: place4, length: length)
        }
    }

    /// The token's state and whether the prediction is its end.
    @inline(__always)
    func stateOfToken(_ k: Int) -> (state: UInt32, atEnd: UInt32) {
        guard token.isActive else { return (0, 0) }
        return (
            (token.follows ? 1 : 2) &+ (token.origin > 0 ? 2 : 0),
            !token.follows || k >= token.predictedLength ? 1 : 0
        )
    }

    /// Computes the contexts of a hit flag except those of the matches.
    ///
    /// Memory loads their counters while the matches are found.
    mutating func prepareHitFlag(
        _ prediction: UInt32, _ k: Int, _ word: UInt32, _ beforeWord: UInt32, _ last4: UInt32
    ) {
        let (state, atEnd) = stateOfToken(k)
        unsafe flags.hashes[2] = LiteralModel.hash(5, missHistory & 255, state &* 16 &+ atEnd)
        unsafe flags.hashes[3] = LiteralModel.hash(
            6, prediction &* 256 &+ last4 & 0xFF, state &* 2 &+ atEnd)
        unsafe flags.hashes[5] = LiteralModel.hash(prediction, word, beforeWord &+ 0x7900)
        flags.fetch(3)
        flags.fetch(5)
    }

    mutating func codeHitFlag(
        _ bit: UInt32, _ prediction: UInt32, _ k: Int, _ after6: UInt32, _ after4: UInt32
    ) -> UInt32 {
        let runClass = UInt32(truncatingIfNeeded: p > 0 ? min(15, run) : 0)
        let agrees6: UInt32 = match6.length > 0 ? (after6 == prediction ? 1 : 2) : 0
        let agrees4: UInt32 = match4.length > 0 ? (after4 == prediction ? 1 : 2) : 0
        let (state, atEnd) = stateOfToken(k)
        let kClass = UInt32(truncatingIfNeeded: min(7, max(0, k)))
        let follows: UInt32 = token.isActive && token.follows ? 1 : 0
        let origin = token.isActive ? min(7, token.origin) : 0
        let oldLength = token.isActive ? min(7, token.oldEnd &- token.oldStart) : 9
        let lengths =
            UInt32(truncatingIfNeeded: min(15, match6.length)) &* 16
            &+ UInt32(truncatingIfNeeded: min(15, match4.length))
        unsafe flags.hashes[0] = LiteralModel.hash(
            1, runClass, state &* 8 &+ kClass &+ agrees6 &* 1024 &+ atEnd &* 4096)
        unsafe flags.hashes[1] = LiteralModel.hash(4, agrees6 &* 4 &+ agrees4, lengths)
        unsafe flags.hashes[4] = LiteralModel.hash(
            7, origin &* 8 &+ UInt32(truncatingIfNeeded: min(7, token.predictedLength)),
            UInt32(truncatingIfNeeded: oldLength) &* 256 &+ kClass &* 4 &+ follows
                &+ agrees6 &* 16384)
        return flags.code(bit, Int(state &* 2 &+ atEnd &+ 16 &* agrees6), logistic, &coder)
    }

    mutating func codeCandidateFlag(
        _ bit: UInt32, _ candidate: UInt32, _ prediction: UInt32, _ k: Int, agrees: Bool,
        _ word: UInt32, _ last4: UInt32
    ) -> UInt32 {
        let six = UInt32(truncatingIfNeeded: min(15, match6.length))
        let four = UInt32(truncatingIfNeeded: min(15, match4.length))
        let lengths = six << 5 | four << 1 | (agrees ? 1 : 0)
        let state: UInt32 =
            prediction == 256 ? 0 : token.isActive ? (token.follows ? 1 : 2) : 3
        let last = last4 & 0xFF
        unsafe flags.hashes[0] = LiteralModel.hash(62, candidate, last << 8 | prediction)
        unsafe flags.hashes[1] = LiteralModel.hash(63, candidate, last4 & 0xFFFF)
        unsafe flags.hashes[2] = LiteralModel.hash(64, candidate, last4 & 0xFF_FFFF)
        unsafe flags.hashes[3] = LiteralModel.hash(67, candidateHistory & 255, lengths)
        unsafe flags.hashes[4] = LiteralModel.hash(68, candidate, word)
        unsafe flags.hashes[5] = LiteralModel.hash(70, token.isActive ? token.hash : 0, candidate)
        return flags.code(
            bit, 56 &+ Int(state) &* 2 &+ (agrees ? 1 : 0), logistic, &coder)
    }
}
