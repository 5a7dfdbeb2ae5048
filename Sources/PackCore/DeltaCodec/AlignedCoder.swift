/// The aligned coder, both of its sides: it walks the new text along the aligned place in the old one,
/// predicts each token by what that old token became before, and codes bit by bit what is not predicted.
///
/// The encoder runs the same machine over text it already knows and so makes the same predictions.
@safe struct AlignedCoder<Coder: BitCoder & ~Copyable>: ~Copyable {
    /// Hits in a row after which whole stretches are compared at once.
    static var runMinimum: Int { 6 }
    /// How far from the lost place the old text is searched.
    private static var nearby: Int { 400 }
    private static var longestToken: Int { 64 }

    let text: TextBuffer
    private let layout: TextLayout
    private let parameters: AlignedParameters
    /// The text that an encoder codes, one byte for each of the output's.
    private let source: [UInt8]
    private let logistic = Logistic()
    private let bytes = ByteTables()
    private var literals: LiteralModel
    private var flags: FlagModel
    private var index: MatchIndex
    private var isIndexed = false
    private var renames = RenameDictionary()
    private var shift = NameShift()
    private var mapNames = SourceMapNames()
    private var isMap = false
    private let seeds: NameSeeds
    var coder: Coder

    // Where the walk is.
    private var i: Int
    private var fileEnd = 0
    /// The aligned place: its byte is expected next.
    ///
    /// 0 for none.
    private var p = 0
    /// Hits in a row.
    private var run = 0
    private var isLost = false
    private var missesSinceLost = 0
    private var anchor = 0
    private var missHistory: UInt32 = 0
    private var renameHistory: UInt32 = 0
    private var candidateHistory: UInt32 = 0
    private var trainedTo = 0
    private var token = TokenState()
    /// The last occurrences of the last six and four bytes, followed as long as they predict well.
    private var match6 = Match()
    private var match4 = Match()
    /// How many bytes were coded one by one.
    private(set) var codedBytes = 0

    /// Counters of the flags in runs: of stretches from 0, of pieces from 512, of single bytes by their
    /// classes from 2^16, by the bytes themselves from 2^17.
    private let runFlags = Cells<UInt32>(bits: 18, repeating: 0xF000_0002)

    private struct Match {
        var position = 0
        var length = 0

        /// Goes on where the byte that came is the one that followed, and ends elsewhere.
        @inline(__always)
        mutating func follow(_ byte: UInt8, _ text: borrowing TextBuffer) {
            guard length > 0 else { return }
            if text[position] == byte {
                position &+= 1
                length = min(16, length &+ 1)
            } else {
                self = Match()
            }
        }
    }

    /// A token that is under way in both texts.
    private struct TokenState {
        var isActive = false
        /// Whether the new token still follows its prediction.
        var follows = false
        /// Whether it is the rename of a content hash, which may be more than one token.
        var isSeed = false
        /// Where the prediction comes from: 0 the old token itself, 1 to 5 a rename by its confidence,
        /// 6 neither of those, 7 the shift of names.
        var origin: UInt32 = 0
        var oldStart = 0
        var oldEnd = 0
        var newStart = 0
        var hash: UInt32 = 0
        var predicted = 0
        var predictedLength = 0
    }

    init(
        _ text: consuming TextBuffer, _ layout: TextLayout, _ parameters: AlignedParameters,
        seeds: [NameSeeds.Seed], source: [UInt8], coder: consuming Coder
    ) {
        self.layout = layout
        self.parameters = parameters
        self.source = source
        literals = LiteralModel(bits: parameters.literalBits, logistic)
        flags = FlagModel(logistic)
        index = MatchIndex(bits: parameters.indexBits)
        self.seeds = NameSeeds(seeds, text)
        self.text = text
        self.coder = coder
        i = layout.output.lowerBound
    }

    // MARK: Files

    /// Codes a file of `length` bytes whose old one lies at `base` in the text, empty for none.
    ///
    /// - Parameter isSourceMap: whether the file's name says that it is a source map.
    /// - Returns: `false` where more bytes had to be coded one by one than the parameters allow.
    mutating func codeFile(length: Int, base: Range<Int>, isSourceMap: Bool) -> Bool {
        fileEnd = i &+ length
        mapNames.beginFile(isSourceMap ? base : 0..<0, text)
        isMap = !mapNames.range.isEmpty
        renames.beginFile()
        shift.beginFile(base)
        token = TokenState()
        isLost = false
        missesSinceLost = 0
        missHistory = 0
        renameHistory = 0
        anchor = 0
        match6 = Match()
        match4 = Match()
        p = base.isEmpty ? 0 : base.lowerBound
        run = base.isEmpty ? 0 : Self.runMinimum
        while i < fileEnd {
            var isRefused = false
            if run >= Self.runMinimum, p > 0, !token.isActive {
                switch codeRun() {
                case .copied: continue
                case .missed: isRefused = true
                case .stopped: break
                }
            }
            codedBytes &+= 1
            if codedBytes > parameters.codedLimit { return false }
            codeByte(isRefused: isRefused)
        }
        return true
    }

    // MARK: Runs

    private enum RunEnd { case copied, missed, stopped }

    /// Compares the text with the aligned one up to the next place that a rename is known for.
    private mutating func codeRun() -> RunEnd {
        let available = p < layout.output.lowerBound ? layout.output.lowerBound &- p : i &- p
        let cap = run >= 8192 ? 4096 : run >= 512 ? 256 : 32
        let limit = min(cap, min(fileEnd &- i, available))
        var length = 0
        var suspect: Suspect?
        while length < limit {
            if isMap, mapNames.range.contains(p &+ length) {
                // What a number becomes depends on all before it: the run ends in front of it.
                if mapNames.isField(p &+ length) {
                    if length > 0 { break }
                    suspect = suspectNumber()
                    if suspect != nil { break }
                }
            } else if let found = self.suspect(p &+ length) {
                suspect = found
                break
            }
            length &+= 1
        }
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

    private func sourceMatches(_ place: Int, _ length: Int) -> Bool {
        firstMiss(place, length) == length
    }

    /// How many bytes of the encoder's text equal those from a place on, at most `length`.
    private func firstMiss(_ place: Int, _ length: Int) -> Int {
        let from = i &- layout.output.lowerBound
        var offset = 0
        while offset < length, source[from &+ offset] == text[place &+ offset] { offset &+= 1 }
        return offset
    }

    /// How many of the next bytes equal the aligned ones, at most `length`.
    private mutating func codeStretch(_ length: Int) -> Int {
        let miss = Coder.isDecoding ? 0 : firstMiss(p, length)
        if codeRunFlag(miss == length ? 1 : 0, length) == 1 { return length }
        // Which piece of the stretch has the first miss, large pieces first.
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

    private mutating func codeRunFlag(_ bit: UInt32, _ length: Int) -> UInt32 {
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

    private mutating func codePieceFlag(_ bit: UInt32, _ size: Int) -> UInt32 {
        codeRunFlag(bit, at: 512 &+ size)
    }

    private mutating func codeRunFlag(_ bit: UInt32, at place: Int) -> UInt32 {
        let counter = runFlags[place]
        let result = coder.code(bit, max(1, counter >> 16))
        runFlags[place] = logistic.updated(counter, result, limit: 255)
        return result
    }

    /// Which of the next bytes, of which one is wrong, is the first that is.
    private mutating func codeMissPlace(_ start: Int, _ length: Int) -> Int {
        let from = i &- layout.output.lowerBound
        var offset = 0
        while offset < length &- 1 {
            let place = p &+ start &+ offset
            let byte = text[place]
            let before = text[place &- 1]
            let isStart = bytes.isToken(byte) && !bytes.isToken(before)
            let tokenLength = isStart ? min(tokenLength(place, limit: 9), 9) : 0
            let kinds = Int(bytes.kind(byte) &* 16 &+ bytes.kind(before))
            let first = 1 << 16 &+ kinds &* 16 &+ tokenLength
            let pair = LiteralModel.hash(UInt32(byte), UInt32(text[place &+ 1]), isStart ? 1 : 0)
            let second = 1 << 17 &+ Int(pair & 0xFFFF)
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

    /// Takes over bytes from the aligned place.
    private mutating func copy(_ length: Int) {
        for offset in 0..<length { text[i &+ offset] = text[p &+ offset] }
        if isMap { noteNumbers(length, aligned: p) }
        i &+= length
        p &+= length
        run &+= length
    }

    /// Counts bytes of a source map that were written at `i`.
    private mutating func noteNumbers(_ length: Int, aligned place: Int) {
        for offset in 0..<length {
            mapNames.note(
                text[i &+ offset], endingAt: i &+ offset &+ 1,
                aligned: place > 0 ? place &+ offset : 0, text)
        }
    }

    /// The expected change of the number at the aligned place of a source map.
    private mutating func suspectNumber() -> Suspect? {
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

    /// After a run has ended with a wrong byte: learn from the text before it, and find the token that
    /// the byte is part of.
    private mutating func beginMiss() {
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

    private mutating func learnBefore() {
        var place = max(i &- 32, max(trainedTo, layout.output.lowerBound))
        while place < i {
            learn(place)
            place &+= 1
        }
        trainedTo = i
        match6 = Match()
        match4 = Match()
    }

    private mutating func learn(_ place: Int) {
        let (word, before) = wordBefore(place)
        literals.learn(
            text[place], history: history(place), word: word, beforeWord: before, logistic)
    }

    // MARK: Renames

    private enum SuspectKind: UInt32 {
        case rename = 0
        case shift = 1
        case seed = 2
        case number = 3

        /// Whether it is a token of the language, which ends where the token ends.
        var isToken: Bool { self == .rename || self == .shift }
    }

    /// An old token that is expected to become another one.
    private struct Suspect {
        var kind: SuspectKind
        var length: Int
        var new: Int
        var newLength: Int
        var hash: UInt32
        var confidence: UInt32
    }

    private func tokenLength(_ start: Int, limit: Int = 64) -> Int {
        let end = min(start &+ limit, i)
        var place = start
        while place < end, bytes.isToken(text[place]) { place &+= 1 }
        return place &- start
    }

    @inline(__always)
    private func limitOfOld(_ place: Int) -> Int {
        place < layout.output.lowerBound ? layout.output.lowerBound : i
    }

    /// What the old text at a place is expected to become, where that is something else.
    @inline(__always)
    private func suspect(_ place: Int) -> Suspect? {
        let before = text[place &- 1]
        if NameSeeds.isSeparator(before),
            let seed = seeds.at(place, text, limit: limitOfOld(place))
        {
            return Suspect(
                kind: .seed, length: seed.oldLength, new: seed.new, newLength: seed.newLength,
                hash: UInt32(truncatingIfNeeded: seed.new) | 1, confidence: 0)
        }
        guard bytes.isToken(text[place]), !bytes.isToken(before) else { return nil }
        return suspectToken(place)
    }

    private func suspectToken(_ place: Int) -> Suspect? {
        let length = tokenLength(place)
        if length == 0 { return nil }
        let hash = RenameDictionary.hash(text, place, length)
        if let entry = renames.entry(hash) {
            let new = Int(entry.position)
            if Int(entry.length) == length, text.isEqual(new, place, length) { return nil }
            return Suspect(
                kind: .rename, length: length, new: new, newLength: Int(entry.length), hash: hash,
                confidence: UInt32(entry.confidence))
        }
        guard let name = shift.predict(text, place, length) else { return nil }
        writeScratch(name.bytes)
        if name.length == length, text.isEqual(layout.scratch, place, length) { return nil }
        return Suspect(
            kind: .shift, length: length, new: layout.scratch, newLength: name.length, hash: hash,
            confidence: 0)
    }

    private func writeScratch(_ bytes: UInt64) {
        for offset in 0..<8 {
            text[layout.scratch &+ offset] = UInt8(truncatingIfNeeded: bytes >> UInt64(8 &* offset))
        }
    }

    /// Codes whether a suspect became what is expected, or stayed.
    ///
    /// - Returns: `false` where it became something else: nothing was copied, the token is under way.
    private mutating func codeSuspect(_ suspect: Suspect) -> Bool {
        let left = fileEnd &- i
        var isExpected = false
        if suspect.newLength <= left {
            let bit: UInt32 =
                !Coder.isDecoding && sourceMatches(suspect.new, suspect.newLength)
                    && isTokenEnd(suspect, suspect.newLength) ? 1 : 0
            isExpected = codeRenameFlag(bit, suspect, salt: 21) == 1
            renameHistory = renameHistory << 1 | (isExpected ? 1 : 0)
        }
        let start = i
        if isExpected {
            for offset in 0..<suspect.newLength {
                text[i &+ offset] = text[suspect.new &+ offset]
            }
            take(suspect, suspect.newLength, start)
            return true
        }
        if suspect.length <= left {
            let bit: UInt32 =
                !Coder.isDecoding && sourceMatches(p, suspect.length)
                    && isTokenEnd(suspect, suspect.length) ? 1 : 0
            if codeRenameFlag(bit, suspect, salt: 41) == 1 {
                for offset in 0..<suspect.length { text[i &+ offset] = text[p &+ offset] }
                take(suspect, suspect.length, start)
                return true
            }
        }
        run = 0
        learnBefore()
        if !suspect.kind.isToken {
            isLost = true
            anchor = p
        } else {
            beginToken(old: p, new: i, origin: .neither)
        }
        return false
    }

    /// Whether a token of the encoder's text ends after `length` bytes; a content hash may end anywhere.
    private func isTokenEnd(_ suspect: Suspect, _ length: Int) -> Bool {
        if !suspect.kind.isToken { return true }
        let next = i &- layout.output.lowerBound &+ length
        return next >= source.count || i &+ length >= fileEnd || !bytes.isToken(source[next])
    }

    private mutating func take(_ suspect: Suspect, _ length: Int, _ start: Int) {
        if isMap { noteNumbers(length, aligned: suspect.kind == .number ? p : 0) }
        i &+= length
        if suspect.kind.isToken {
            renames.note(suspect.hash, became: start, length, text)
            shift.note(text, old: p, suspect.length, new: start, length)
        }
        p &+= suspect.length
        run &+= 1
    }

    private mutating func codeRenameFlag(_ bit: UInt32, _ suspect: Suspect, salt: UInt32) -> UInt32
    {
        let origin = suspect.kind.rawValue &* 8 &+ suspect.confidence
        let last = UInt32(text[i &- 1])
        let lengths =
            UInt32(truncatingIfNeeded: min(suspect.length, 7)) &* 8
            &+ UInt32(truncatingIfNeeded: min(suspect.newLength, 7))
        let pair = last << 8 | UInt32(text[i &- 2])
        let next = UInt32(text[p &+ suspect.length])
        let runClass = UInt32(truncatingIfNeeded: run.bitWidth &- run.leadingZeroBitCount)
        let history = history(i)
        unsafe flags.hashes[0] = LiteralModel.hash(salt, origin, lengths)
        unsafe flags.hashes[1] = LiteralModel.hash(salt &+ 1, suspect.hash, 0)
        unsafe flags.hashes[2] = LiteralModel.hash(salt &+ 2, suspect.hash, pair)
        unsafe flags.hashes[3] = LiteralModel.hash(salt &+ 4, last << 8 | next, origin)
        unsafe flags.hashes[4] = LiteralModel.hash(
            salt &+ 5, suspect.hash, UInt32(truncatingIfNeeded: suspect.new))
        unsafe flags.hashes[5] = LiteralModel.hash(
            salt &+ 6, renameHistory & 3, lengths << 8 | origin)
        unsafe flags.hashes[6] = LiteralModel.hash(salt &+ 7, history, next)
        unsafe flags.hashes[7] = LiteralModel.hash(salt &+ 8, runClass, origin)
        let first = 48 &+ Int(suspect.kind.rawValue) &* 2 &+ (salt == 21 ? 0 : 1)
        return flags.code(
            bit,
            (
                first, Int(renameHistory & 255),
                Int(min(suspect.confidence, 7)) &* 8 &+ Int(lengths & 7)
            ),
            logistic, &coder)
    }

    private enum Origin { case dictionary, itself, neither }

    private mutating func beginToken(old: Int, new: Int, origin: Origin) {
        let length = tokenLength(old)
        let hash = RenameDictionary.hash(text, old, length)
        token = TokenState(
            isActive: true, follows: true, isSeed: false, origin: origin == .neither ? 6 : 0,
            oldStart: old, oldEnd: old &+ length, newStart: new, hash: hash, predicted: old,
            predictedLength: length)
        guard origin == .dictionary, length > 0, let suspect = suspectToken(old) else { return }
        token.predicted = suspect.new
        token.predictedLength = suspect.newLength
        token.origin = suspect.kind == .shift ? 7 : 1 &+ min(4, suspect.confidence)
    }

    // MARK: Single bytes

    /// The last four bytes before a place, the last one lowest.
    @inline(__always)
    private func history(_ place: Int) -> UInt32 {
        UInt32(text[place &- 1]) | UInt32(text[place &- 2]) << 8 | UInt32(text[place &- 3]) << 16
            | UInt32(text[place &- 4]) << 24
    }

    /// Hash of the token bytes just before a place, at most 32, and the byte before them.
    private func wordBefore(_ place: Int) -> (UInt32, UInt32) {
        var start = place
        while start > place &- 32, bytes.isToken(text[start &- 1]) { start &-= 1 }
        var hash: UInt32 = 0
        for index in start..<place { hash = (hash &+ UInt32(text[index]) &+ 1) &* 0x2F0B_4A27 }
        return (hash, UInt32(text[start &- 1]))
    }

    private mutating func buildIndex() {
        isIndexed = true
        guard parameters.sampling > 0 else { return }
        var place = TextLayout.padding &+ 24
        while place <= layout.output.lowerBound {
            index.insert(place, text)
            place &+= parameters.sampling
        }
    }

    private mutating func codeByte(isRefused: Bool) {
        if !isIndexed { buildIndex() }
        if !isRefused, !token.isActive, p > 0 {
            if isMap, mapNames.range.contains(p) { beginNumberHere() } else { beginTokenHere() }
        }
        let k = token.isActive ? i &- token.newStart : 0
        let expected: Int =
            token.isActive
            ? (token.follows && k < token.predictedLength ? token.predicted &+ k : token.oldEnd) : p
        let prediction: UInt32 =
            token.isActive || p > 0 ? UInt32(text[expected]) : 256
        findMatches()
        let after6 = match6.length > 0 ? UInt32(text[match6.position]) : 256
        let after4 = match4.length > 0 ? UInt32(text[match4.position]) : 256
        let (word, beforeWord) = wordBefore(i)
        let history = history(i)
        let known: UInt8 = Coder.isDecoding ? 0 : source[i &- layout.output.lowerBound]
        var isHit = false
        var byte: UInt8 = 0
        if prediction < 256, !isRefused {
            isHit =
                codeHitFlag(
                    UInt32(known) == prediction ? 1 : 0, prediction, k, after6, after4, word,
                    beforeWord, history) == 1
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
        if isHit || isCandidate {
            literals.learn(byte, history: history, word: word, beforeWord: beforeWord, logistic)
        } else {
            var context = LiteralContext()
            context.refused = prediction
            context.tokenState = token.isActive ? (token.follows ? 3 : 1) : 0
            let last = history & 0xFF
            context.token =
                token.isActive
                ? LiteralModel.hash(8, token.hash, word &+ UInt32(truncatingIfNeeded: k))
                : LiteralModel.hash(
                    88, p > 0 ? UInt32(text[p]) | UInt32(text[p &+ 1]) << 8 : 0, last)
            context.aligned = p > 0 ? UInt32(text[p]) : 256
            let l6 = match6.length
            let l4 = match4.length
            context.mixerSet =
                (l6 > 11 ? 3 : l6 > 7 ? 2 : l6 > 0 ? 1 : 0) &* 4
                &+ (prediction == 256 ? 0 : token.isActive ? (token.follows ? 1 : 2) : 3)
                &+ (l4 > 7 ? 32 : l4 > 0 ? 16 : 0)
            byte = literals.code(
                known, context, history: history, word: word, beforeWord: beforeWord,
                lastKind: bytes.kind(UInt8(truncatingIfNeeded: last)), logistic, &coder)
        }
        text[i] = byte
        if isMap {
            noteNumbers(
                1, aligned: token.isActive ? (k == 0 ? token.oldStart : 0) : p)
        }
        // More would drive old text out of the tables, whose places are few.
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

    /// Begins the number of a source map that both texts are at the start of.
    private mutating func beginNumberHere() {
        guard mapNames.isField(p), let suspect = suspectNumber() else { return }
        token = TokenState(
            isActive: true, follows: true, isSeed: true, origin: 5, oldStart: p,
            oldEnd: p &+ suspect.length, newStart: i, hash: suspect.hash,
            predicted: suspect.new, predictedLength: suspect.newLength)
    }

    /// Begins the token or content hash that both texts are at the start of.
    private mutating func beginTokenHere() {
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

    private mutating func findMatches() {
        if match6.length == 0 {
            let place = index.last6(i, text)
            let length = place > 0 ? text.agreement(before: place, i, limit: 16) : 0
            match6 = length < 4 ? Match() : Match(position: place, length: length)
        }
        if match4.length == 0 {
            let place = index.last4(i, text)
            let length = place > 0 ? text.agreement(before: place, i, limit: 16) : 0
            match4 = length < 3 ? Match() : Match(position: place, length: length)
        }
    }

    private mutating func codeHitFlag(
        _ bit: UInt32, _ prediction: UInt32, _ k: Int, _ after6: UInt32, _ after4: UInt32,
        _ word: UInt32, _ beforeWord: UInt32, _ last4: UInt32
    ) -> UInt32 {
        let runClass = UInt32(truncatingIfNeeded: p > 0 ? min(15, run) : 0)
        let agrees6: UInt32 = match6.length > 0 ? (after6 == prediction ? 1 : 2) : 0
        let agrees4: UInt32 = match4.length > 0 ? (after4 == prediction ? 1 : 2) : 0
        let state: UInt32 =
            token.isActive ? (token.follows ? 1 : 2) &+ (token.origin > 0 ? 2 : 0) : 0
        let kClass = UInt32(truncatingIfNeeded: min(7, max(0, k)))
        let follows: UInt32 = token.isActive && token.follows ? 1 : 0
        let atEnd: UInt32 =
            token.isActive && (!token.follows || k >= token.predictedLength) ? 1 : 0
        let origin = token.isActive ? min(7, token.origin) : 0
        let last = last4 & 0xFF
        let oldLength = token.isActive ? min(7, token.oldEnd &- token.oldStart) : 9
        let lengths =
            UInt32(truncatingIfNeeded: min(15, match6.length)) &* 16
            &+ UInt32(truncatingIfNeeded: min(15, match4.length))
        unsafe flags.hashes[0] = LiteralModel.hash(
            1, runClass, state &* 8 &+ kClass &+ agrees6 &* 1024 &+ atEnd &* 4096)
        unsafe flags.hashes[1] = LiteralModel.hash(3, prediction, last4 & 0xFFFF)
        unsafe flags.hashes[2] = LiteralModel.hash(4, agrees6 &* 4 &+ agrees4, lengths)
        unsafe flags.hashes[3] = LiteralModel.hash(5, missHistory & 255, state &* 16 &+ atEnd)
        unsafe flags.hashes[4] = LiteralModel.hash(
            6, prediction &* 256 &+ last, state &* 2 &+ atEnd)
        unsafe flags.hashes[5] = LiteralModel.hash(
            7, origin &* 8 &+ UInt32(truncatingIfNeeded: min(7, token.predictedLength)),
            UInt32(truncatingIfNeeded: oldLength) &* 256 &+ kClass &* 4 &+ follows
                &+ agrees6 &* 16384)
        unsafe flags.hashes[6] = LiteralModel.hash(prediction, last4 & 0xFF_FFFF, 77)
        unsafe flags.hashes[7] = LiteralModel.hash(prediction, word, beforeWord &+ 0x7900)
        return flags.code(
            bit,
            (
                Int(state &* 2 &+ atEnd &+ 16 &* agrees6),
                Int((missHistory & 15) &* 16 &+ runClass), Int(origin &* 8 &+ kClass)
            ), logistic, &coder)
    }

    private mutating func codeCandidateFlag(
        _ bit: UInt32, _ candidate: UInt32, _ prediction: UInt32, _ k: Int, agrees: Bool,
        _ word: UInt32, _ last4: UInt32
    ) -> UInt32 {
        let six = UInt32(truncatingIfNeeded: min(15, match6.length))
        let four = UInt32(truncatingIfNeeded: min(15, match4.length))
        let lengths = six << 5 | four << 1 | (agrees ? 1 : 0)
        let state: UInt32 =
            prediction == 256 ? 0 : token.isActive ? (token.follows ? 1 : 2) : 3
        let last = last4 & 0xFF
        unsafe flags.hashes[0] = LiteralModel.hash(61, lengths, state)
        unsafe flags.hashes[1] = LiteralModel.hash(62, candidate, last << 8 | prediction)
        unsafe flags.hashes[2] = LiteralModel.hash(63, candidate, last4 & 0xFFFF)
        unsafe flags.hashes[3] = LiteralModel.hash(64, candidate, last4 & 0xFF_FFFF)
        unsafe flags.hashes[4] = LiteralModel.hash(65, missHistory & 255, candidateHistory & 15)
        unsafe flags.hashes[5] = LiteralModel.hash(67, candidateHistory & 255, six)
        unsafe flags.hashes[6] = LiteralModel.hash(68, candidate, word)
        unsafe flags.hashes[7] = LiteralModel.hash(70, token.isActive ? token.hash : 0, candidate)
        return flags.code(
            bit,
            (
                56 &+ Int(state) &* 2 &+ (agrees ? 1 : 0),
                Int(candidateHistory & 15) << 4 | Int(six),
                Int(state) << 4 | Int(four)
            ), logistic, &coder)
    }

    /// Moves the token and the aligned place on by the byte that came.
    private mutating func advance(_ byte: UInt8, _ isHit: Bool, _ k: Int) {
        if token.isActive, token.isSeed {
            if text[token.predicted &+ k] == byte {
                run &+= isHit ? 1 : 0
                if k &+ 1 == token.predictedLength { endToken(at: token.oldEnd) }
            } else {
                token.isSeed = false
                token.follows = false
                run = 0
                if !bytes.isToken(byte) { loseToken() }
            }
        } else if token.isActive {
            if bytes.isToken(byte) {
                let isFollowed = k < token.predictedLength && text[token.predicted &+ k] == byte
                if token.follows, !isFollowed { token.follows = false }
                run = isHit ? run &+ 1 : 0
                if i &- token.newStart > Self.longestToken {
                    run = 0
                    loseToken()
                }
            } else {
                finishToken(byte, isHit)
            }
        } else if p > 0 {
            if isHit {
                run &+= 1
            } else {
                if !isLost { anchor = p }
                run = 0
                isLost = true
            }
            p &+= 1
        }
    }

    private mutating func endToken(at place: Int) {
        token = TokenState()
        p = place
    }

    private mutating func loseToken() {
        anchor = token.oldEnd
        isLost = true
        endToken(at: token.oldEnd)
    }

    /// A token has ended by a byte that is part of none.
    private mutating func finishToken(_ byte: UInt8, _ isHit: Bool) {
        let length = i &- 1 &- token.newStart
        let isEnd = byte == text[token.oldEnd]
        if isEnd, length > 0, token.oldEnd > token.oldStart {
            renames.note(token.hash, became: token.newStart, length, text)
            shift.note(
                text, old: token.oldStart, token.oldEnd &- token.oldStart, new: token.newStart,
                length)
        }
        anchor = token.oldEnd
        let next = token.oldEnd &+ (isEnd ? 1 : 0)
        token = TokenState()
        p = next
        if isEnd {
            run = isHit ? run &+ 1 : 0
            if run < 4 { isLost = false }
        } else {
            run = 0
            isLost = true
        }
    }

    /// Looks for a better aligned place: near the one that was lost, else where the last bytes stood.
    private mutating func resynchronize() {
        guard !token.isActive, run < Self.runMinimum else { return }
        var length = p > 0 ? text.agreement(before: p, i, limit: 32) : 0
        if isLost, anchor > 0, length < 8 {
            let found = searchNearby()
            if found.length > length {
                p = found.place
                length = found.length
            }
        }
        if length < 24, !isLost || p == 0 || missesSinceLost >= 1 { searchIndex(length) }
        if run >= 8 { isLost = false }
    }

    private mutating func searchIndex(_ current: Int) {
        let length = current
        let far = index.last24(i, text)
        let farLength = far > 0 ? text.agreement(before: far, i, limit: 32) : 0
        if farLength >= 20, farLength > length {
            p = far
            if farLength > run { run = Self.runMinimum / 2 }
            return
        }
        guard length < 12 else { return }
        let middle = index.last12(i, text)
        let middleLength = middle > 0 ? text.agreement(before: middle, i, limit: 32) : 0
        if middleLength >= 11, middleLength > length {
            p = middle
            return
        }
        guard length < 5 else { return }
        let close = index.last6(i, text)
        let closeLength = close > 0 ? text.agreement(before: close, i, limit: 32) : 0
        if closeLength >= 6, closeLength > length, isLost || p == 0 { p = close }
    }

    /// Searches around the anchor for the last two to six bytes: the farther away, the more must agree.
    private func searchNearby() -> (place: Int, length: Int) {
        let start = max(TextLayout.padding, anchor &- Self.nearby)
        let end = min(i &- 1, anchor &+ Self.nearby)
        var best = (place: 0, length: 0)
        var bestScore = Int.min
        var bestStep = 0
        text.forEachPlace(from: start, through: end, after: text[i &- 2], text[i &- 1]) { place in
            let length = text.agreement(before: place, i, limit: 32)
            let distance = abs(place &- anchor)
            let needed =
                distance < 4 ? 2 : distance < 16 ? 3 : distance < 64 ? 4 : distance < 160 ? 5 : 6
            if length < needed { return }
            let score = length &* 4 &- (distance.bitWidth &- distance.leadingZeroBitCount) &* 2
            // Of equals the nearer one, of equally near ones that behind.
            let step = distance &* 2 &- (place < anchor ? 1 : 0)
            if score > bestScore || score == bestScore && step < bestStep {
                bestScore = score
                bestStep = step
                best = (place, length)
            }
        }
        return best
    }
}

extension AlignedCoder where Coder == BitEncoder {
    /// Ends the stream.
    consuming func finishedBytes() -> [UInt8] { coder.finish() }
}
