/// Strings, URLs and numbers.
extension CSSTokenizer {
    /// Section 4.3.5.
    mutating func string(_ source: Span<UInt8>, quote: UInt8) -> CSSToken {
        let start = position
        var traits: CSSToken.Traits = []
        position += 1
        while position < limit {
            let byte = source[position]
            if byte == quote {
                position += 1
                return CSSToken(
                    .string, start..<position, content: start + 1..<position - 1, traits)
            }
            if byte == 0x5C {
                traits.insert(.escaped)
                if position + 1 < limit, CSSByte.isNewline(source[position + 1]) {
                    position += 1
                    skipNewline(source)
                } else {
                    skipEscape(source)
                }
                continue
            }
            if CSSByte.isNewline(byte) {
                return CSSToken(.badString, start..<position, content: start + 1..<position, traits)
            }
            if byte == 0 { traits.insert(.replaced) }
            position += 1
        }
        traits.insert(.unterminated)
        return CSSToken(.string, start..<position, content: start + 1..<position, traits)
    }

    /// Section 4.3.6; the position is after `url(` and white space.
    mutating func url(_ source: Span<UInt8>, start: Int) -> CSSToken {
        let contentStart = position
        var traits: CSSToken.Traits = []
        while position < limit {
            let byte = source[position]
            switch byte {
            case UInt8(ascii: ")"): return endOfURL(source, start, contentStart..<position, traits)
            case 0x20, 0x09, 0x0A, 0x0C, 0x0D:
                let contentEnd = position
                skipWhitespace(source)
                guard position == limit || source[position] == UInt8(ascii: ")") else {
                    return badURL(source, start)
                }
                return endOfURL(source, start, contentStart..<contentEnd, traits)
            case UInt8(ascii: "\\"):
                guard startsEscape(source, at: position) else { return badURL(source, start) }
                traits.insert(.escaped)
                skipEscape(source)
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "("):
                return badURL(source, start)
            default:
                if CSSByte.isNonPrintable(byte) { return badURL(source, start) }
                if byte == 0 { traits.insert(.replaced) }
                position += 1
            }
        }
        return endOfURL(source, start, contentStart..<position, traits)
    }

    /// The position is at the closing parenthesis or the end.
    private mutating func endOfURL(
        _ source: Span<UInt8>, _ start: Int, _ content: Range<Int>, _ traits: CSSToken.Traits
    ) -> CSSToken {
        if position < limit {
            position += 1
            return CSSToken(.url, start..<position, content: content, traits)
        }
        return CSSToken(
            .url, start..<position, content: content, traits.union(.unterminated))
    }

    /// Section 4.3.14.
    private mutating func badURL(_ source: Span<UInt8>, _ start: Int) -> CSSToken {
        while position < limit {
            if source[position] == UInt8(ascii: ")") {
                position += 1
                break
            }
            if startsEscape(source, at: position) { skipEscape(source) } else { position += 1 }
        }
        return CSSToken(.badURL, start..<position)
    }

    /// Sections 4.3.3 and 4.3.12.
    mutating func numeric(_ source: Span<UInt8>) -> CSSToken {
        let start = position
        var traits: CSSToken.Traits = []
        let sign = source[position]
        if sign == 0x2B || sign == 0x2D { position += 1 }
        skipDigits(source)
        if code(source, position) == 0x2E, isDigit(source, at: position + 1) {
            traits.insert(.isFractional)
            position += 1
            skipDigits(source)
        }
        if code(source, position) | 0x20 == 0x65 {
            let sign = code(source, position + 1)
            let digits = position + (sign == 0x2B || sign == 0x2D ? 2 : 1)
            if isDigit(source, at: digits) {
                traits.insert(.isFractional)
                position = digits
                skipDigits(source)
            }
        }
        let unit = position
        if startsIdent(source, at: unit) {
            traits.formUnion(identSequence(source))
            return CSSToken(.dimension, start..<position, content: unit..<position, traits)
        }
        if code(source, unit) == 0x25 {
            position += 1
            return CSSToken(.percentage, start..<position, traits)
        }
        return CSSToken(.number, start..<position, traits)
    }

    @inline(__always)
    private mutating func skipDigits(_ source: Span<UInt8>) {
        while position < limit, CSSByte.isDigit(source[position]) { position += 1 }
    }
}
