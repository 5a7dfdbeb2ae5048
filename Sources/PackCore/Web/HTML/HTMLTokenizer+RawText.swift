extension HTMLTokenizer {
    // MARK: - RCDATA and RAWTEXT

    /// RCDATA and RAWTEXT states with their end tag states: text up to the appropriate end tag.
    mutating func rawText(_ bytes: Span<UInt8>, _ decoding: HTMLDecoding) -> HTMLToken {
        let start = position
        var next = bytes.position(of: UInt8(ascii: "<"), from: start)
        while next < bytes.count, !isAppropriateEndTag(bytes, at: next) {
            next = bytes.position(of: UInt8(ascii: "<"), from: next &+ 1)
        }
        steps &+= next &- start &+ 1
        guard next == start else { return text(bytes, start..<next, decoding) }
        return tag(bytes, at: start, isEnd: true)
    }

    /// "An appropriate end tag token": `</`, the last start tag's name, and the end of a name.
    private mutating func isAppropriateEndTag(_ bytes: Span<UInt8>, at lessThan: Int) -> Bool {
        let nameStart = lessThan &+ 2
        let length = lastStartTag.length
        guard length > 0, length < bytes.count &- nameStart,
            bytes[lessThan &+ 1] == UInt8(ascii: "/")
        else { return false }
        let name = nameStart..<(nameStart &+ length)
        guard bytes[name.upperBound].endsTagName else { return false }
        steps &+= length
        // The end tag name states accept letters only.
        for offset in name where !bytes[offset].isASCIILetter { return false }
        return HTMLName(bytes, name) == lastStartTag
    }

    // MARK: - Script data

    /// The nesting of script data in text that looks like a comment.
    private enum Escape { case none, escaped, doubleEscaped }

    /// Script data states, including the escaped and double-escaped ones.
    mutating func scriptData(_ bytes: Span<UInt8>) -> HTMLToken {
        let start = position
        let next = scriptEnd(bytes, from: start)
        steps &+= next &- start &+ 1
        guard next == start else { return text(bytes, start..<next, .raw) }
        return tag(bytes, at: start, isEnd: true)
    }

    /// The start of the script's end tag; the length if there is none.
    private mutating func scriptEnd(_ bytes: Span<UInt8>, from start: Int) -> Int {
        let count = bytes.count
        var escape = Escape.none
        var next = start
        while true {
            // Outside an escape, only "<" is special; inside one, ">" can end it.
            if escape == .none {
                next = bytes.position(of: UInt8(ascii: "<"), from: next)
            } else {
                next = positionOfAngle(bytes, from: next)
            }
            guard next < count else { break }
            if bytes[next] == UInt8(ascii: ">") {
                // Escaped dash dash states. The dashes of "<!--" are included; nothing before them
                // is reachable from here.
                if bytes[next &- 1] == UInt8(ascii: "-"), bytes[next &- 2] == UInt8(ascii: "-") {
                    escape = .none
                }
                next &+= 1
                continue
            }
            switch escape {
            case .none:
                if isAppropriateEndTag(bytes, at: next) { return next }
                if bytes.matches("<!--", at: next) {
                    escape = .escaped
                    next &+= 4
                } else {
                    next &+= 1
                }
            case .escaped:
                if isAppropriateEndTag(bytes, at: next) { return next }
                let (end, isScript) = scriptWord(bytes, at: next &+ 1)
                if isScript { escape = .doubleEscaped }
                next = end
            case .doubleEscaped:
                guard next &+ 1 < count, bytes[next &+ 1] == UInt8(ascii: "/") else {
                    next &+= 1
                    continue
                }
                let (end, isScript) = scriptWord(bytes, at: next &+ 2)
                if isScript { escape = .escaped }
                next = end
            }
        }
        if escape != .none { report(.eofInScriptHTMLCommentLikeText, at: count) }
        return count
    }

    private func positionOfAngle(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var position = start
        while position < bytes.count, bytes[position] != 0x3C, bytes[position] != 0x3E {
            position &+= 1
        }
        return position
    }

    /// Script data double escape start and end states: a word, and whether it is "script".
    ///
    /// The caller checks for the white space, `/` or `>` that must follow.
    private func scriptWord(_ bytes: Span<UInt8>, at start: Int) -> (end: Int, isScript: Bool) {
        var position = start
        while position < bytes.count, bytes[position].isASCIILetter { position &+= 1 }
        guard position < bytes.count, bytes[position].endsTagName, position &- start == 6 else {
            return (position, false)
        }
        return (position, bytes.matches("script", at: start))
    }
}
