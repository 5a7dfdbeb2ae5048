/// Runs: stretches equal to the aligned text.
extension AlignedCoder where Coder: ~Copyable {
    enum RunEnd { case copied, missed, stopped }

    /// Compares the text with the aligned text up to the next position with a known rename.
    mutating func codeRun() -> RunEnd {
        let cap = run >= 8192 ? 4096 : run >= 512 ? 256 : 32
        let end = p &+ min(cap, min(fileEnd &- i, limitOfOld(p) &- p))
        let (stop, suspect) = isMap ? numbersAhead(end) : tokensAhead(p, end)
        let length = stop &- p
        if length > 0 {
            let matched = codeStretch(length)
            copy(matched)
            if matched < length {
                beginMiss()
                return .missed
            }
        }
        guard let suspect else { return .copied }
        return codeSuspect(suspect) ? .copied : .stopped
    }

    /// The token bytes, and the bytes after separators, in up to 64 bytes of the old text.
    struct Window {
        var start = 0
        var end = 0
        /// Whether all of its bytes were written when it was read.
        var isFinal = false
        var tokens: UInt64 = 0
        /// The first bytes of tokens.
        var starts: UInt64 = 0
        var afterSeparators: UInt64 = 0
        /// Whether the end of the window may cut a token that starts in it.
        var isCut = false

        /// Marks the positions of a range in the window.
        @inline(__always)
        func range(_ start: Int, _ end: Int) -> UInt64 {
            // The second shift may be by 64.
            UInt64.max &<< UInt64(truncatingIfNeeded: start &- self.start)
                & ~(UInt64.max << UInt64(truncatingIfNeeded: end &- self.start))
        }

        /// The length of the token that starts at a position in the window.
        @inline(__always)
        func tokenLength(_ bit: Int) -> Int {
            (~(tokens &>> UInt64(truncatingIfNeeded: bit))).trailingZeroBitCount
        }
    }

    /// Reads a window from a position of the old text.
    private mutating func readWindow(at start: Int) {
        let marks = text.marks(from: start)
        let before = text[start &- 1]
        window.start = start
        window.isFinal = start &+ 64 <= i
        window.tokens = marks.tokens
        window.starts = marks.tokens & ~(marks.tokens &<< 1 | (bytes.isToken(before) ? 1 : 0))
        window.afterSeparators =
            seeds.isEmpty
            ? 0 : marks.separators &<< 1 | (NameSeeds.isSeparator(before) ? 1 : 0)
        // The next window begins with a token that this one cuts.
        let cut = (~marks.tokens).leadingZeroBitCount
        window.isCut = cut >= 56
        window.end = start &+ 64 &- (window.isCut ? 0 : cut)
    }

    /// The next position from `start` on with an expected rename of a token or content hash; `end`
    /// if there is none before it.
    mutating func tokensAhead(_ start: Int, _ end: Int) -> (position: Int, suspect: Suspect?) {
        // Before the first rename, only content hashes are expected to change.
        if renames.isEmpty, !shift.hasMoves { return seedsAhead(start, end) }
        // Bit n is for a length of n.
        let lengths = (renames.changedLengths | shift.lengths) &<< 1
        var from = start
        if !window.isFinal { window.end = 0 }
        while from < end {
            if from < window.start || from >= window.end { readWindow(at: from) }
            let stop = min(end, window.end)
            var token: Suspect?
            var last = stop
            var starts = window.starts & window.range(from, stop)
            // The end of the new text may also cut a token.
            let isNearEnd = window.start &+ 128 > i
            let mayBeCut = window.isCut || isNearEnd
            while starts != 0 {
                let bit = starts.trailingZeroBitCount
                starts &= starts &- 1
                let position = window.start &+ bit
                var length = window.tokenLength(bit)
                if mayBeCut, isNearEnd || bit &+ length == 64 {
                    length = tokenLength(position)
                } else if lengths &>> UInt64(truncatingIfNeeded: length) & 1 == 0
                    || !mayBeSuspect(position, length)
                {
                    continue
                }
                token = suspectToken(position, length)
                if token != nil {
                    last = position
                    break
                }
            }
            // After the tokens, so that each position is looked up once. A content hash precedes the
            // token at the same position.
            if let seed = seedInWindow(from, min(stop, last &+ 1)) {
                return seed
            }
            if let token { return (last, token) }
            from = stop
        }
        return (end, nil)
    }

    /// The first content hash with an expected replacement between two positions of the window.
    @inline(__always)
    private mutating func seedInWindow(
        _ start: Int, _ end: Int
    ) -> (position: Int, suspect: Suspect)? {
        var positions = window.afterSeparators & window.range(start, end)
        while positions != 0 {
            let position = window.start &+ positions.trailingZeroBitCount
            positions &= positions &- 1
            if seeds.mayBe(at: position, text), let found = suspectSeed(position) {
                return (position, found)
            }
        }
        return nil
    }

    /// Whether the token at a position has an expected replacement; sometimes it has none.
    @inline(__always)
    private func mayBeSuspect(_ position: Int, _ length: Int) -> Bool {
        let word = text.word(at: position)
        let hash =
            length <= 8
            ? RenameDictionary.hash(short: word, length)
            : RenameDictionary.hash(long: word, text.word(at: position &+ length &- 8), length)
        switch renames.state(hash, length) {
        case .changed: return true
        case .same: return false
        case .unknown: return shift.mayPredict(word, length)
        }
    }

    /// The same, if only content hashes are expected to change.
    mutating func seedsAhead(_ start: Int, _ end: Int) -> (position: Int, suspect: Suspect?) {
        if seeds.isEmpty { return (end, nil) }
        var position = start
        while position < end {
            position = text.placeAfterSeparator(position, before: end)
            if position == end { break }
            if let found = suspectSeed(position) { return (position, found) }
            position &+= 1
        }
        return (end, nil)
    }

    /// The same from the aligned position on, if the numbers of a source map are expected to
    /// change.
    mutating func numbersAhead(_ end: Int) -> (position: Int, suspect: Suspect?) {
        let mappings = mapNames.range
        var position = p
        if position < mappings.lowerBound {
            let found = tokensAhead(position, min(end, mappings.lowerBound))
            if found.suspect != nil || found.position == end { return found }
            position = found.position
        }
        if position < mappings.upperBound {
            if position == p, mapNames.isField(p), let number = suspectNumber() {
                return (p, number)
            }
            // The replacement of a number depends on all numbers before it, so the run ends before
            // it.
            let stop = mapNames.nextField(max(position, p &+ 1))
            if stop < mappings.upperBound || stop >= end { return (min(stop, end), nil) }
            position = stop
        }
        return tokensAhead(position, end)
    }

    mutating func sourceMatches(_ position: Int, _ length: Int) -> Bool {
        firstMiss(position, length) == length
    }

    /// The number of bytes of the encoder's text, at most `length`, equal to those at a position.
    mutating func firstMiss(_ position: Int, _ length: Int) -> Int {
        let from = i &- layout.output.lowerBound
        var offset = 0
        while offset &+ 8 <= length {
            let difference =
                text.word(at: position &+ offset) ^ JumpFinder.word(source, from &+ offset)
            if difference != 0 { return offset &+ difference.trailingZeroBitCount >> 3 }
            offset &+= 8
        }
        while offset < length, source[from &+ offset] == text[position &+ offset] { offset &+= 1 }
        return offset
    }

    /// Codes the number of bytes, at most `length`, equal to the aligned ones.
    mutating func codeStretch(_ length: Int) -> Int {
        let miss = Coder.isDecoding ? 0 : firstMiss(p, length)
        if codeRunFlag(miss == length ? 1 : 0, length) == 1 { return length }
        // Finds the piece of the stretch with the first miss, large pieces first.
        var start = 0
        var rest = length
        for size in [256, 32] {
            while rest > size {
                if codePieceFlag(miss >= start &+ size ? 1 : 0, size) == 0 {
                    rest = size
                } else {
                    start &+= size
                    rest &-= size
                }
            }
        }
        return start &+ codeMissPlace(start, rest)
    }

    mutating func codeRunFlag(_ bit: UInt32, _ length: Int) -> UInt32 {
        var runClass = 0
        var value = run
        while value >= 32, runClass < 12 {
            value >>= 1
            runClass &+= 1
        }
        let lengthClass =
            switch length {
            case 4096...: 11
            case 257...: 10
            case 256: 9
            case 33...: 8
            case 32: 7
            case 24...: 6
            case 16...: 5
            case 8...: 4
            case 4...: 3
            default: length - 1
            }
        return codeRunFlag(bit, at: runClass << 4 | lengthClass)
    }

    mutating func codePieceFlag(_ bit: UInt32, _ size: Int) -> UInt32 {
        codeRunFlag(bit, at: 512 &+ size)
    }

    mutating func codeRunFlag(_ bit: UInt32, at position: Int) -> UInt32 {
        let counter = runFlags[position]
        let result = coder.code(bit, max(1, counter >> 16))
        runFlags[position] = logistic.updated(counter, result, limit: 255)
        return result
    }

    /// Codes the position of the first wrong byte among bytes with at least one.
    mutating func codeMissPlace(_ start: Int, _ length: Int) -> Int {
        let from = i &- layout.output.lowerBound
        var offset = 0
        while offset < length &- 1 {
            let position = p &+ start &+ offset
            let byte = text[position]
            let before = text[position &- 1]
            let isStart = bytes.isToken(byte) && !bytes.isToken(before)
            let tokenLength = isStart ? min(tokenLength(position, limit: 9), 9) : 0
            let kinds = Int(bytes.kind(byte) &* 16 &+ bytes.kind(before))
            let first = 1 << 16 &+ kinds &* 16 &+ tokenLength
            let pair = LiteralModel.hash(UInt32(byte), UInt32(text[position &+ 1]), isStart ? 1 : 0)
            let second = 1 << 17 &+ Int(pair >> 16)
            let a = runFlags[first]
            let b = runFlags[second]
            let mixed = (logistic.stretch(a >> 16) &* 2 &+ logistic.stretch(b >> 16)) / 3
            let isHit: UInt32 =
                !Coder.isDecoding && source[from &+ start &+ offset] == byte ? 1 : 0
            let result = coder.code(isHit, max(1, logistic.squash(mixed)))
            runFlags[first] = logistic.updated(a, result, limit: 60)
            runFlags[second] = logistic.updated(b, result, limit: 60)
            if result == 0 { break }
            offset &+= 1
        }
        return offset
    }

    /// Copies bytes from the aligned position.
    mutating func copy(_ length: Int) {
        text.copy(p, to: i, length)
        if isMap { mapNames.noteCopy(length, to: i, from: p, text) }
        i &+= length
        p &+= length
        run &+= length
    }

    /// Updates the source map state with bytes written at `i`.
    mutating func noteNumbers(_ length: Int, aligned position: Int) {
        for offset in 0..<length {
            mapNames.note(
                text[i &+ offset], endingAt: i &+ offset &+ 1,
                aligned: position > 0 ? position &+ offset : 0, text)
        }
    }

    /// The expected change of the number at the aligned position of a source map.
    mutating func suspectNumber() -> Suspect? {
        guard let number = mapNames.predict(p, text) else { return nil }
        writeScratch(number.bytes)
        if number.length == number.oldLength, text.isEqual(layout.scratch, p, number.length) {
            return nil
        }
        return Suspect(
            kind: .number, length: number.oldLength, new: layout.scratch,
            newLength: number.length,
            hash: UInt32(truncatingIfNeeded: number.length &* 8 &+ number.oldLength), confidence: 0)
    }

    /// Starts a miss after a run: learns from the text before it, and finds the token of the wrong
    /// byte.
    mutating func beginMiss() {
        learnBefore()
        if isMap, mapNames.range.contains(p) { return }
        guard bytes.isToken(text[p]) || bytes.isToken(text[p &- 1]) else { return }
        var start = p
        while start > p &- Self.longestToken, start > TextLayout.padding,
            bytes.isToken(text[start &- 1]), text[start &- 1] == text[i &- (p &- start) &- 1]
        {
            start &-= 1
        }
        beginToken(old: start, new: i &- (p &- start), origin: .itself)
    }

    mutating func learnBefore() {
        var position = max(i &- Self.learnedBefore, max(trainedTo, layout.output.lowerBound))
        while position < i {
            literals.learn(text[position], history(position), logistic)
            position &+= 1
        }
        trainedTo = i
        match6 = Match()
        match4 = Match()
    }
}
