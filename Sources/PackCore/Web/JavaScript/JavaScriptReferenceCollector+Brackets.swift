/// Walks over the following tokens that count brackets.
extension JavaScriptReferenceCollector {
    /// The offset of the matching closing bracket; `nil` if it is not within `limit` tokens.
    func closing(_ open: Int, limit: Int = 400, _ source: Span<UInt8>) -> Int? {
        var depth = 0
        for offset in open..<open + limit {
            let token = window[offset]
            if token.kind == .end { return nil }
            guard token.kind == .punctuator else { continue }
            switch source[token.start] {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return offset }
            default: break
            }
        }
        return nil
    }

    /// The offset after an expression.
    ///
    /// It is that of the comma, semicolon or bracket that ends it, of the end of the script, or
    /// `limit` tokens from its start.
    ///
    /// - Parameter atLineEnd: Whether the end of a statement without a semicolon also ends it.
    func expressionEnd(
        from start: Int, limit: Int, atLineEnd: Bool = false, _ source: Span<UInt8>
    ) -> Int {
        var depth = 0
        for offset in start..<start + limit {
            let token = window[offset]
            if token.kind == .end { return offset }
            if atLineEnd, depth == 0, offset > start, endsLine(offset - 1, source) { return offset }
            guard token.kind == .punctuator else { continue }
            switch source[token.start] {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth < 0 { return offset }
            case UInt8(ascii: ","), UInt8(ascii: ";"): if depth == 0 { return offset }
            default: break
            }
        }
        return start + limit
    }
}
