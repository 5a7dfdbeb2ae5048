/// The walk: moves the token and the aligned position along with the coded bytes.
extension AlignedCoder where Coder: ~Copyable {
    /// Moves the token and the aligned position by a coded byte.
    mutating func advance(_ byte: UInt8, _ isHit: Bool, _ k: Int) {
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

    mutating func endToken(at position: Int) {
        token = TokenState()
        p = position
    }

    mutating func loseToken() {
        anchor = token.oldEnd
        isLost = true
        endToken(at: token.oldEnd)
    }

    /// Finishes a token, after a byte that is not part of one.
    mutating func finishToken(_ byte: UInt8, _ isHit: Bool) {
        let length = i &- 1 &- token.newStart
        let isEnd = byte == text[token.oldEnd]
        if isEnd, length > 0, token.oldEnd > token.oldStart {
            renames.note(
                token.hash, token.oldStart, token.oldEnd &- token.oldStart,
                became: token.newStart, length, text)
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

    /// Moves to a better aligned position: near the lost one, where the last bytes occurred, or where
    /// the encoder says.
    mutating func resynchronize() {
        guard !token.isActive, run < Self.runMinimum else { return }
        if run > 0 {
            returnFar()
            return
        }
        var length = p > 0 ? text.agreement(before: p, i, limit: 32) : 0
        if isLost, anchor > 0, length < 8 {
            var found = searchNearby()
            if found.position == 0 { found = lastNearby() }
            if found.length > length {
                p = found.position
                length = found.length
            }
        }
        if length < 24, !isLost || p == 0 || missesSinceLost >= 1 {
            let far = index.last6(i, text)
            let found = far > 0 ? text.agreement(before: far, i, limit: 32) : 0
            if found >= 20, found > length {
                p = far
                run = Self.runMinimum
                return
            }
        }
        if isLost || p == 0, length < 16, i < fileEnd { codeJump(length) }
    }

    /// Moves to a distant position only if it has exactly the same text after a series of hits.
    ///
    /// In renamed code, the last bytes also agree with much unrelated text.
    mutating func returnFar() {
        guard !isLost || missesSinceLost >= 1, text.agreement(before: p, i, limit: 8) < 8 else {
            return
        }
        let far = index.last6(i, text)
        if far > 0, text.agreement(before: far, i, limit: 32) == 32 {
            p = far
            run = Self.runMinimum
        }
    }

    /// The last occurrence of the last four bytes, if it is not too far from the anchor.
    mutating func lastNearby() -> (position: Int, length: Int) {
        let position = index.last4(i, text)
        guard position > 0, abs(position &- anchor) <= Self.lastNearby else { return (0, 0) }
        let length = text.agreement(before: position, i, limit: 32)
        return length < 4 ? (0, 0) : (position, length)
    }

    /// Searches around the anchor for the last two to five bytes; farther positions must agree in
    /// more bytes.
    mutating func searchNearby() -> (position: Int, length: Int) {
        let start = max(TextLayout.padding, anchor &- Self.nearby)
        let end = min(i &- 1, anchor &+ Self.nearby)
        var best = (position: 0, length: 0)
        var bestScore = Int.min
        var bestStep = 0
        text.forEachPosition(from: start, through: end, after: text[i &- 2], text[i &- 1]) {
            position in
            let length = text.agreement(before: position, i, limit: 32)
            let distance = abs(position &- anchor)
            let needed = distance < 4 ? 2 : distance < 16 ? 3 : distance < 64 ? 4 : 5
            if length < needed { return true }
            let score = length &* 4 &- (distance.bitWidth &- distance.leadingZeroBitCount) &* 2
            // Of equal matches, prefer the nearer one; of equally near ones, the later one.
            let step = distance &* 2 &- (position < anchor ? 1 : 0)
            if score > bestScore || score == bestScore && step < bestStep {
                bestScore = score
                bestStep = step
                best = (position, length)
            }
            return true
        }
        return best
    }
}
