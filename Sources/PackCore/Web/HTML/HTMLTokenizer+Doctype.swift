extension HTMLTokenizer {
    // MARK: - Doctype

    /// DOCTYPE states; `start` is the `<` of `<!doctype`.
    mutating func doctype(_ bytes: Span<UInt8>, at start: Int) -> HTMLToken {
        doctype = HTMLDoctype()
        let end = doctypeEnd(bytes, from: start &+ 9)
        steps &+= end &- start
        return HTMLToken(kind: .doctype, range: start..<end, content: start..<end)
    }

    /// DOCTYPE to after DOCTYPE name states; returns the end of the doctype.
    private mutating func doctypeEnd(_ bytes: Span<UInt8>, from start: Int) -> Int {
        guard start < bytes.count else { return doctypeCutOff(bytes) }
        if !bytes[start].isHTMLSpace, bytes[start] != UInt8(ascii: ">") {
            report(.missingWhitespaceBeforeDoctypeName, at: start)
        }
        let nameStart = bytes.positionAfterSpace(from: start)
        guard nameStart < bytes.count else { return doctypeCutOff(bytes) }
        if bytes[nameStart] == UInt8(ascii: ">") {
            report(.missingDoctypeName, at: nameStart)
            return doctypeInQuirks(nameStart &+ 1)
        }
        var nameEnd = nameStart
        while nameEnd < bytes.count, !bytes[nameEnd].isHTMLSpace,
            bytes[nameEnd] != UInt8(ascii: ">")
        {
            nameEnd &+= 1
        }
        doctype?.name = nameStart..<nameEnd
        reportNulls(bytes, nameStart..<nameEnd)
        let next = bytes.positionAfterSpace(from: nameEnd)
        guard next < bytes.count else { return doctypeCutOff(bytes) }
        if bytes[next] == UInt8(ascii: ">") { return next &+ 1 }
        if bytes.matches("public", at: next) { return publicID(bytes, from: next &+ 6) }
        if bytes.matches("system", at: next) {
            return systemID(
                bytes, from: next &+ 6, unspaced: .missingWhitespaceAfterDoctypeSystemKeyword)
        }
        report(.invalidCharacterSequenceAfterDoctypeName, at: next)
        return bogusDoctype(bytes, from: doctypeInQuirks(next))
    }

    /// After DOCTYPE public keyword to between DOCTYPE public and system identifiers states.
    private mutating func publicID(_ bytes: Span<UInt8>, from start: Int) -> Int {
        let quote = bytes.positionAfterSpace(from: start)
        guard quote < bytes.count else { return doctypeCutOff(bytes) }
        guard bytes[quote].isQuote else {
            if bytes[quote] == UInt8(ascii: ">") {
                report(.missingDoctypePublicIdentifier, at: quote)
                return doctypeInQuirks(quote &+ 1)
            }
            report(.missingQuoteBeforeDoctypePublicIdentifier, at: quote)
            return bogusDoctype(bytes, from: doctypeInQuirks(quote))
        }
        if quote == start { report(.missingWhitespaceAfterDoctypePublicKeyword, at: quote) }
        let identifier = quotedID(bytes, at: quote)
        doctype?.publicID = identifier
        let close = identifier.upperBound
        guard close < bytes.count else { return doctypeCutOff(bytes) }
        if bytes[close] == UInt8(ascii: ">") {
            report(.abruptDoctypePublicIdentifier, at: close)
            return doctypeInQuirks(close &+ 1)
        }
        let next = bytes.positionAfterSpace(from: close &+ 1)
        if next < bytes.count, bytes[next] == UInt8(ascii: ">") { return next &+ 1 }
        return systemID(
            bytes, from: close &+ 1, unspaced: .missingWhitespaceBetweenDoctypeIdentifiers)
    }

    /// The states from the position of a system identifier to the doctype's end.
    private mutating func systemID(
        _ bytes: Span<UInt8>, from start: Int, unspaced: HTMLParseError.Code
    ) -> Int {
        let quote = bytes.positionAfterSpace(from: start)
        guard quote < bytes.count else { return doctypeCutOff(bytes) }
        guard bytes[quote].isQuote else {
            if bytes[quote] == UInt8(ascii: ">") {
                report(.missingDoctypeSystemIdentifier, at: quote)
                return doctypeInQuirks(quote &+ 1)
            }
            report(.missingQuoteBeforeDoctypeSystemIdentifier, at: quote)
            return bogusDoctype(bytes, from: doctypeInQuirks(quote))
        }
        if quote == start { report(unspaced, at: quote) }
        let identifier = quotedID(bytes, at: quote)
        doctype?.systemID = identifier
        let close = identifier.upperBound
        guard close < bytes.count else { return doctypeCutOff(bytes) }
        if bytes[close] == UInt8(ascii: ">") {
            report(.abruptDoctypeSystemIdentifier, at: close)
            return doctypeInQuirks(close &+ 1)
        }
        let next = bytes.positionAfterSpace(from: close &+ 1)
        guard next < bytes.count else { return doctypeCutOff(bytes) }
        if bytes[next] == UInt8(ascii: ">") { return next &+ 1 }
        report(.unexpectedCharacterAfterDoctypeSystemIdentifier, at: next)
        return bogusDoctype(bytes, from: next)
    }

    /// Identifier (double-quoted) and (single-quoted) states; a `>` also ends an identifier.
    private mutating func quotedID(_ bytes: Span<UInt8>, at quote: Int) -> Range<Int> {
        var close = quote &+ 1
        while close < bytes.count, bytes[close] != bytes[quote],
            bytes[close] != UInt8(ascii: ">")
        {
            close &+= 1
        }
        reportNulls(bytes, (quote &+ 1)..<close)
        return (quote &+ 1)..<close
    }

    /// Bogus DOCTYPE state.
    private mutating func bogusDoctype(_ bytes: Span<UInt8>, from start: Int) -> Int {
        let close = bytes.position(of: UInt8(ascii: ">"), from: start)
        reportNulls(bytes, start..<close)
        return Swift.min(close &+ 1, bytes.count)
    }

    private mutating func doctypeInQuirks(_ position: Int) -> Int {
        doctype?.forcesQuirks = true
        return position
    }

    private mutating func doctypeCutOff(_ bytes: Span<UInt8>) -> Int {
        report(.eofInDoctype, at: bytes.count)
        return doctypeInQuirks(bytes.count)
    }
}

extension UInt8 {
    var isQuote: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }
}
