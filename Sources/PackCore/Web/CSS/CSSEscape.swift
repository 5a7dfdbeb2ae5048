/// Decodes and encodes backslash escapes (docs/sources.md#css-syntax, section 4.3.7).
enum CSSEscape {
    /// The decoded text of a token's content, as UTF-8.
    ///
    /// - Parameter isString: Whether a backslash before a newline continues the line.
    static func decode(_ source: Span<UInt8>, _ range: Range<Int>, isString: Bool) -> [UInt8] {
        let end = min(range.upperBound, source.count)
        var position = range.lowerBound
        var text: [UInt8] = []
        text.reserveCapacity(max(0, end - position))
        while position < end {
            let byte = source[position]
            if byte == UInt8(ascii: "\\") {
                position += 1
                escape(source, &position, end, isString: isString, into: &text)
            } else if byte == 0 {
                text += replacement
                position += 1
            } else {
                text.append(byte)
                position += 1
            }
        }
        guard text.contains(where: { $0 >= 0x80 }) else { return text }
        // Replaces invalid UTF-8.
        return Array(String(decoding: text, as: UTF8.self).utf8)
    }

    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    /// Decodes the text after a backslash.
    private static func escape(
        _ source: Span<UInt8>, _ position: inout Int, _ end: Int, isString: Bool,
        into text: inout [UInt8]
    ) {
        guard position < end else {
            // At the end of the input, a backslash in a string is ignored.
            if !isString { text += replacement }
            return
        }
        if CSSByte.isNewline(source[position]) {
            skipWhitespace(source, &position, end)
            return
        }
        var value: UInt32 = 0
        var digits = 0
        while digits < 6, position < end,
            let digit = CSSByte.hexadecimalValue(source[position])
        {
            value = value << 4 | digit
            digits += 1
            position += 1
        }
        if digits == 0 {
            text += source[position] == 0 ? replacement : [source[position]]
            position += 1
            return
        }
        if position < end, CSSByte.isWhitespace(source[position]) {
            skipWhitespace(source, &position, end)
        }
        let scalar = value == 0 ? nil : Unicode.Scalar(value)
        text += scalar.map { Array(String($0).utf8) } ?? replacement
    }

    /// Moves past one white space character; CR LF is one.
    private static func skipWhitespace(
        _ source: Span<UInt8>, _ position: inout Int, _ end: Int
    ) {
        let isCR = source[position] == 0x0D
        position += 1
        if isCR, position < end, source[position] == 0x0A { position += 1 }
    }

    /// The encoded bytes of `text` between the given quotes, or in an unquoted `url()`.
    ///
    /// Decoding them gives `text`, except that CSS cannot express NUL, which becomes U+FFFD.
    ///
    /// - Parameter quote: `nil` for an unquoted URL.
    static func encode(_ text: [UInt8], quote: UInt8?) -> [UInt8] {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.count)
        for byte in text {
            let isSyntax =
                quote.map { byte == $0 }
                ?? (byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
                    || byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")") || byte == 0x20)
            if isSyntax || byte == UInt8(ascii: "\\") {
                encoded += [UInt8(ascii: "\\"), byte]
            } else if CSSByte.isNewline(byte)
                || quote == nil && (byte == 0x09 || CSSByte.isNonPrintable(byte))
            {
                encoded += "\\\(String(byte, radix: 16)) ".utf8
            } else {
                encoded.append(byte)
            }
        }
        return encoded
    }
}
