/// Renames: tokens, content hashes and numbers with an expected replacement.
extension AlignedCoder where Coder: ~Copyable {
    enum SuspectKind: UInt32 {
        case rename = 0
        case shift = 1
        case seed = 2
        case number = 3

        /// Whether it is a token of the language, so that the replacement must end at a token's
        /// end.
        var isToken: Bool { self == .rename || self == .shift }
    }

    /// An old token with an expected replacement.
    struct Suspect {
        var kind: SuspectKind
        var length: Int
        var new: Int
        var newLength: Int
        var hash: UInt32
        var confidence: UInt32
    }

    mutating func tokenLength(_ start: Int, limit: Int = 64) -> Int {
        text.tokenLength(start, before: min(start &+ limit, i))
    }

    @inline(__always)
    func limitOfOld(_ position: Int) -> Int {
        position < layout.output.lowerBound ? layout.output.lowerBound : i
    }

    /// The expected replacement of a content hash at a position after a separator, if any.
    @inline(__always)
    mutating func suspectSeed(_ position: Int) -> Suspect? {
        guard let seed = seeds.at(position, text, limit: limitOfOld(position)) else { return nil }
        return Suspect(
            kind: .seed, length: seed.oldLength, new: seed.new, newLength: seed.newLength,
            hash: UInt32(truncatingIfNeeded: seed.new) | 1, confidence: 0)
    }

    /// The expected replacement of a token of the old text, if any.
    mutating func suspectToken(_ position: Int, _ length: Int) -> Suspect? {
        if length == 0 { return nil }
        let hash = RenameDictionary.hash(text, position, length)
        if let entry = renames.entry(hash, length) {
            if entry.isSame { return nil }
            let new = Int(entry.position)
            return Suspect(
                kind: .rename, length: length, new: new, newLength: Int(entry.length), hash: hash,
                confidence: UInt32(entry.confidence))
        }
        guard let name = shift.predict(text, position, length) else { return nil }
        writeScratch(name.bytes)
        if name.length == length, text.isEqual(layout.scratch, position, length) { return nil }
        return Suspect(
            kind: .shift, length: length, new: layout.scratch, newLength: name.length, hash: hash,
            confidence: 0)
    }

    mutating func writeScratch(_ bytes: UInt64) {
        for offset in 0..<8 {
            text[layout.scratch &+ offset] = UInt8(truncatingIfNeeded: bytes >> UInt64(8 &* offset))
        }
    }

    /// Codes whether a suspect became the expected replacement, or is unchanged.
    ///
    /// - Returns: `false` if it became something else: nothing was copied, and the token is in
    ///   progress.
    mutating func codeSuspect(_ suspect: Suspect) -> Bool {
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
    mutating func isTokenEnd(_ suspect: Suspect, _ length: Int) -> Bool {
        if !suspect.kind.isToken { return true }
        let next = i &- layout.output.lowerBound &+ length
        return next >= source.count || i &+ length >= fileEnd || !bytes.isToken(source[next])
    }

    mutating func take(_ suspect: Suspect, _ length: Int, _ start: Int) {
        if isMap {
            noteNumbers(length, aligned: suspect.kind == .number ? p : 0)
            if suspect.kind == .number { mapNames.noteNumberEnd(p &+ suspect.length, text) }
        }
        i &+= length
        if suspect.kind.isToken {
            renames.note(suspect.hash, p, suspect.length, became: start, length, text)
            shift.note(text, old: p, suspect.length, new: start, length)
        }
        p &+= suspect.length
        run &+= 1
    }

    mutating func codeRenameFlag(_ bit: UInt32, _ suspect: Suspect, salt: UInt32) -> UInt32 {
        let origin = suspect.kind.rawValue &* 8 &+ suspect.confidence
        let last = UInt32(text[i &- 1])
        let lengths =
            UInt32(truncatingIfNeeded: min(suspect.length, 7)) &* 8
            &+ UInt32(truncatingIfNeeded: min(suspect.newLength, 7))
        let pair = last << 8 | UInt32(text[i &- 2])
        let next = UInt32(text[p &+ suspect.length])
        let history = history(i)
        unsafe flags.hashes[0] = LiteralModel.hash(salt, origin, lengths)
        unsafe flags.hashes[1] = LiteralModel.hash(salt &+ 2, suspect.hash, pair)
        unsafe flags.hashes[2] = LiteralModel.hash(salt &+ 4, last << 8 | next, origin)
        unsafe flags.hashes[3] = LiteralModel.hash(
            salt &+ 5, suspect.hash, UInt32(truncatingIfNeeded: suspect.new))
        unsafe flags.hashes[4] = LiteralModel.hash(
            salt &+ 6, renameHistory & 3, lengths << 8 | origin)
        unsafe flags.hashes[5] = LiteralModel.hash(salt &+ 7, history, next)
        let set = 48 &+ Int(suspect.kind.rawValue) &* 2 &+ (salt == 21 ? 0 : 1)
        return flags.code(bit, set, logistic, &coder)
    }

    enum Origin { case dictionary, itself, neither }

    mutating func beginToken(old: Int, new: Int, origin: Origin) {
        let length = tokenLength(old)
        let hash = RenameDictionary.hash(text, old, length)
        token = TokenState(
            isActive: true, follows: true, isSeed: false, origin: origin == .neither ? 6 : 0,
            oldStart: old, oldEnd: old &+ length, newStart: new, hash: hash, predicted: old,
            predictedLength: length)
        guard origin == .dictionary, let suspect = suspectToken(old, length) else { return }
        token.predicted = suspect.new
        token.predictedLength = suspect.newLength
        token.origin = suspect.kind == .shift ? 7 : 1 &+ min(4, suspect.confidence)
    }
}
