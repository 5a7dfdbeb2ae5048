extension HTMLTokenizer {
    // MARK: - Comments and CDATA

    /// Markup declaration open state; `start` is the `<` of `<!`.
    mutating func declaration(_ bytes: Span<UInt8>, at start: Int) -> HTMLToken {
        let content = start &+ 2
        if bytes.matches("--", at: content) { return comment(bytes, at: start) }
        if bytes.matches("doctype", at: content) { return doctype(bytes, at: start) }
        if isCDATAStart(bytes, at: content) {
            if allowsCDATA {
                return cdataSection(bytes, from: start, contentStart: content &+ 7)
            }
            report(.cdataInHTMLContent, at: content &+ 6)
        } else {
            report(.incorrectlyOpenedComment, at: content)
        }
        return bogusComment(bytes, at: start, contentStart: content)
    }

    /// `[CDATA[`, the only word of the tokenizer that must be in upper case.
    private func isCDATAStart(_ bytes: Span<UInt8>, at position: Int) -> Bool {
        guard bytes.matches("[cdata[", at: position) else { return false }
        for offset in 1...5 where bytes[position &+ offset] > UInt8(ascii: "Z") { return false }
        return true
    }

    /// Bogus comment state.
    mutating func bogusComment(
        _ bytes: Span<UInt8>, at start: Int, contentStart: Int
    ) -> HTMLToken {
        let close = bytes.position(of: UInt8(ascii: ">"), from: contentStart)
        let end = Swift.min(close &+ 1, bytes.count)
        steps &+= end &- start
        reportNulls(bytes, contentStart..<close)
        return HTMLToken(kind: .comment, range: start..<end, content: contentStart..<close)
    }

    /// CDATA section states.
    mutating func cdataSection(
        _ bytes: Span<UInt8>, from start: Int, contentStart: Int
    ) -> HTMLToken {
        let count = bytes.count
        state = .data
        var close = bytes.position(of: UInt8(ascii: "]"), from: contentStart)
        while close < count, !bytes.matches("]]>", at: close) {
            close = bytes.position(of: UInt8(ascii: "]"), from: close &+ 1)
        }
        let isClosed = close < count
        if !isClosed { report(.eofInCDATA, at: count) }
        let end = isClosed ? close &+ 3 : count
        steps &+= end &- start
        return HTMLToken(
            kind: .cdata, decoding: .cdata, range: start..<end, content: contentStart..<close)
    }

    /// Comment states; `start` is the `<` of `<!--`.
    private mutating func comment(_ bytes: Span<UInt8>, at start: Int) -> HTMLToken {
        let contentStart = start &+ 4
        let (contentEnd, end) = commentEnd(bytes, from: contentStart)
        steps &+= end &- start
        reportNulls(bytes, contentStart..<contentEnd)
        return HTMLToken(
            kind: .comment, range: start..<end, content: contentStart..<contentEnd)
    }

    private mutating func commentEnd(
        _ bytes: Span<UInt8>, from start: Int
    ) -> (content: Int, end: Int) {
        let count = bytes.count
        // Comment start and comment start dash states: `<!-->` and `<!--->`.
        for dashes in 0...1 where bytes.matches(dashes == 0 ? ">" : "->", at: start) {
            report(.abruptClosingOfEmptyComment, at: start &+ dashes)
            return (start, start &+ dashes &+ 1)
        }
        var position = start
        while true {
            position = bytes.position(of: UInt8(ascii: "-"), from: position)
            guard position &+ 1 < count else { break }
            guard bytes[position &+ 1] == UInt8(ascii: "-") else {
                position &+= 2
                continue
            }
            reportNesting(bytes, at: position, contentStart: start)
            // Comment end state: any number of dashes, the last two of which belong to the end.
            var next = position &+ 2
            while next < count, bytes[next] == UInt8(ascii: "-") { next &+= 1 }
            guard next < count else { break }
            if bytes[next] == UInt8(ascii: ">") { return (next &- 2, next &+ 1) }
            if bytes.matches("!>", at: next) {
                report(.incorrectlyClosedComment, at: next &+ 1)
                return (next &- 2, next &+ 2)
            }
            position = next
        }
        report(.eofInComment, at: count)
        return (count &- unfinishedEnd(bytes, contentStart: start), count)
    }

    /// Comment less-than sign bang dash dash state: `<!--` in a comment, unless its end follows.
    private mutating func reportNesting(
        _ bytes: Span<UInt8>, at dashes: Int, contentStart: Int
    ) {
        guard reports, dashes &- 2 >= contentStart, bytes.matches("<!--", at: dashes &- 2),
            dashes &+ 2 < bytes.count, bytes[dashes &+ 2] != UInt8(ascii: ">")
        else { return }
        report(.nestedComment, at: dashes &+ 2)
    }

    /// The number of bytes at the end of the page that start a comment end, and are not content.
    private func unfinishedEnd(_ bytes: Span<UInt8>, contentStart: Int) -> Int {
        let length = bytes.count &- contentStart
        if length >= 3, bytes.matches("--!", at: bytes.count &- 3) { return 3 }
        if length >= 2, bytes.matches("--", at: bytes.count &- 2) { return 2 }
        if length >= 1, bytes[bytes.count &- 1] == UInt8(ascii: "-") { return 1 }
        return 0
    }
}
