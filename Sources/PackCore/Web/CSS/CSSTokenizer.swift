/// Splits CSS into tokens, one at a time, each with its bytes.
///
/// Follows docs/sources.md#css-syntax, section 4, over bytes; section numbers below refer to it.
/// Preprocessing (section 3.3) is done while reading, so that positions are those of the file: CR,
/// FF and CR LF are newlines, and NUL is U+FFFD. Comments are tokens.
struct CSSTokenizer: Sendable {
    /// The start of the next token.
    var position: Int
    let limit: Int

    /// A tokenizer for a part of a source; the part is clamped to the source.
    init(_ source: Span<UInt8>, in range: Range<Int>? = nil) {
        limit = min(range?.upperBound ?? source.count, source.count)
        position = min(range?.lowerBound ?? 0, limit)
    }

    /// The next token; after the last one, always one of kind ``CSSToken/Kind/end``.
    ///
    /// - Parameter source: The span used to create the tokenizer.
    mutating func next(in source: Span<UInt8>) -> CSSToken {
        let start = position
        guard start < limit else { return CSSToken(.end, start..<start) }
        let byte = source[start]
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0C, 0x0D: return whitespace(source)
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "_"), 0x80...0xFF, 0:
            return identLike(source)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return numeric(source)
        case UInt8(ascii: ":"): return single(.colon)
        case UInt8(ascii: ";"): return single(.semicolon)
        case UInt8(ascii: ","): return single(.comma)
        case UInt8(ascii: "{"): return single(.openCurly)
        case UInt8(ascii: "}"): return single(.closeCurly)
        case UInt8(ascii: "("): return single(.openParen)
        case UInt8(ascii: ")"): return single(.closeParen)
        case UInt8(ascii: "["): return single(.openSquare)
        case UInt8(ascii: "]"): return single(.closeSquare)
        case UInt8(ascii: "."), UInt8(ascii: "+"):
            return startsNumber(source, at: start) ? numeric(source) : single(.delim)
        case UInt8(ascii: "-"): return hyphen(source)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return string(source, quote: byte)
        case UInt8(ascii: "#"): return hash(source)
        case UInt8(ascii: "@"): return atKeyword(source)
        case UInt8(ascii: "/"): return slash(source)
        case UInt8(ascii: "<"): return lessThan(source)
        case UInt8(ascii: "\\"):
            return startsEscape(source, at: start) ? identLike(source) : single(.delim)
        default: return single(.delim)
        }
    }

    // MARK: Looking ahead

    /// The byte at a position; 256 past the end.
    @inline(__always)
    func code(_ source: Span<UInt8>, _ index: Int) -> UInt16 {
        index < limit ? UInt16(source[index]) : 256
    }

    /// Section 4.3.8; a backslash at the end of the input is an escape, of U+FFFD.
    @inline(__always)
    func startsEscape(_ source: Span<UInt8>, at index: Int) -> Bool {
        guard code(source, index) == 0x5C else { return false }
        return index + 1 >= limit || !CSSByte.isNewline(source[index + 1])
    }

    /// Section 4.3.9.
    func startsIdent(_ source: Span<UInt8>, at index: Int) -> Bool {
        guard index < limit else { return false }
        let byte = source[index]
        if byte == UInt8(ascii: "-") {
            guard index + 1 < limit else { return false }
            let second = source[index + 1]
            return second == UInt8(ascii: "-") || CSSByte.isIdentStart(second)
                || startsEscape(source, at: index + 1)
        }
        return CSSByte.isIdentStart(byte) || startsEscape(source, at: index)
    }

    func isDigit(_ source: Span<UInt8>, at index: Int) -> Bool {
        index < limit && CSSByte.isDigit(source[index])
    }

    /// Section 4.3.10.
    private func startsNumber(_ source: Span<UInt8>, at index: Int) -> Bool {
        var index = index
        let first = code(source, index)
        if first == 0x2B || first == 0x2D { index += 1 }
        if code(source, index) == 0x2E { index += 1 }
        return isDigit(source, at: index)
    }

    // MARK: Tokens

    @inline(__always)
    private mutating func single(_ kind: CSSToken.Kind) -> CSSToken {
        position += 1
        return CSSToken(kind, position - 1..<position)
    }

    private mutating func whitespace(_ source: Span<UInt8>) -> CSSToken {
        let start = position
        skipWhitespace(source)
        return CSSToken(.whitespace, start..<position)
    }

    @inline(__always)
    mutating func skipWhitespace(_ source: Span<UInt8>) {
        while position < limit, CSSByte.isWhitespace(source[position]) { position += 1 }
    }

    private mutating func hyphen(_ source: Span<UInt8>) -> CSSToken {
        if startsNumber(source, at: position) { return numeric(source) }
        if code(source, position + 1) == 0x2D, code(source, position + 2) == 0x3E {
            position += 3
            return CSSToken(.cdc, position - 3..<position)
        }
        return startsIdent(source, at: position) ? identLike(source) : single(.delim)
    }

    private mutating func lessThan(_ source: Span<UInt8>) -> CSSToken {
        guard code(source, position + 1) == 0x21, code(source, position + 2) == 0x2D,
            code(source, position + 3) == 0x2D
        else { return single(.delim) }
        position += 4
        return CSSToken(.cdo, position - 4..<position)
    }

    private mutating func slash(_ source: Span<UInt8>) -> CSSToken {
        guard code(source, position + 1) == 0x2A else { return single(.delim) }
        let start = position
        position += 2
        while position < limit {
            if source[position] == 0x2A, code(source, position + 1) == 0x2F {
                position += 2
                return CSSToken(.comment, start..<position, content: start + 2..<position - 2)
            }
            position += 1
        }
        return CSSToken(.comment, start..<position, content: start + 2..<position, .unterminated)
    }

    private mutating func hash(_ source: Span<UInt8>) -> CSSToken {
        let start = position
        let next = start + 1
        guard next < limit,
            CSSByte.isIdent(source[next]) || source[next] == 0
                || startsEscape(source, at: next)
        else { return single(.delim) }
        let isID = startsIdent(source, at: next)
        position = next
        var traits = identSequence(source)
        if isID { traits.insert(.isID) }
        return CSSToken(.hash, start..<position, content: next..<position, traits)
    }

    private mutating func atKeyword(_ source: Span<UInt8>) -> CSSToken {
        let start = position
        guard startsIdent(source, at: start + 1) else { return single(.delim) }
        position = start + 1
        let traits = identSequence(source)
        return CSSToken(.atKeyword, start..<position, content: start + 1..<position, traits)
    }

    /// Section 4.3.4.
    private mutating func identLike(_ source: Span<UInt8>) -> CSSToken {
        let start = position
        let traits = identSequence(source)
        let name = start..<position
        guard code(source, position) == 0x28 else { return CSSToken(.ident, name, traits) }
        position += 1
        let function = CSSToken(.function, start..<position, content: name, traits)
        guard name.count >= 3, function.isNamed("url", in: source) else { return function }
        var next = position
        while next < limit, CSSByte.isWhitespace(source[next]) { next += 1 }
        if code(source, next) == 0x22 || code(source, next) == 0x27 { return function }
        position = next
        return url(source, start: start)
    }

    /// Section 4.3.11; also records whether the text needs decoding.
    @inline(__always)
    mutating func identSequence(_ source: Span<UInt8>) -> CSSToken.Traits {
        var traits: CSSToken.Traits = []
        while position < limit {
            let byte = source[position]
            if CSSByte.isIdent(byte) {
                position += 1
            } else if byte == 0 {
                traits.insert(.replaced)
                position += 1
            } else if byte == 0x5C, startsEscape(source, at: position) {
                traits.insert(.escaped)
                skipEscape(source)
            } else {
                break
            }
        }
        return traits
    }

    /// Moves past an escape; the position is at its backslash (section 4.3.7).
    mutating func skipEscape(_ source: Span<UInt8>) {
        position += 1
        guard position < limit else { return }
        var digits = 0
        while digits < 6, position < limit, CSSByte.hexadecimalValue(source[position]) != nil {
            position += 1
            digits += 1
        }
        if digits == 0 {
            position += 1
        } else if position < limit, CSSByte.isWhitespace(source[position]) {
            skipNewline(source)
        }
    }

    /// Moves past one white space character; CR LF is one.
    mutating func skipNewline(_ source: Span<UInt8>) {
        position += code(source, position) == 0x0D && code(source, position + 1) == 0x0A ? 2 : 1
    }
}
