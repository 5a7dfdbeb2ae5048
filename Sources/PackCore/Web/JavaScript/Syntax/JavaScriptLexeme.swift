/// A token as the parser needs it.
struct JavaScriptLexeme: Sendable {
    let start: UInt32
    let end: UInt32
    /// The number of an identifier's or a keyword's characters.
    let name: JavaScriptNames.ID
    let kind: JavaScriptToken.Kind
    let symbol: JavaScriptSymbol
    let traits: JavaScriptToken.Traits
}

/// The tokens of a script without its comments.
struct JavaScriptLexemes {
    private(set) var tokens: [JavaScriptLexeme] = []
    private(set) var names = JavaScriptNames()
    private(set) var comments: [JavaScriptToken] = []
    private(set) var endsOpen = false
    /// Marks of server templates: `{%`, `<%` and `= {{`.
    private(set) var templateMarks: [Range<Int>] = []
    private(set) var isModule = false

    init(_ source: Span<UInt8>, in range: Range<Int>?, goal: JavaScriptTokenizer.Goal) {
        // Positions have 32 bits.
        guard source.count < Int(UInt32.max) else { return }
        var tokenizer = JavaScriptTokenizer(source, in: range, goal: goal)
        tokens.reserveCapacity((range?.count ?? source.count) / 2)
        var isOpen = false
        while true {
            let token = tokenizer.next(in: source)
            if token.isComment {
                comments.append(token)
                continue
            }
            if token.kind == .end { break }
            isOpen = token.traits.contains(.unterminated)
            add(token, source)
        }
        endsOpen = isOpen || tokenizer.context.depth > 0
        isModule = tokenizer.isModule
    }

    private mutating func add(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        // Of a name with escapes, 0.
        var name: JavaScriptNames.ID = 0
        var symbol = JavaScriptSymbol.none
        switch token.kind {
        case .punctuator:
            symbol = .punctuator(source, token.start, token.end &- token.start)
        case .identifier, .keyword, .privateName:
            guard !token.traits.contains(.escaped) else { break }
            name = names.number(of: source, token.start, token.end)
            if token.kind != .privateName { symbol = JavaScriptNames.symbol(of: name) }
        default: break
        }
        if symbol == .openBrace || symbol == .remainder || symbol == .remainderAssign {
            noteTemplateMark(symbol, token)
        }
        tokens.append(
            JavaScriptLexeme(
                start: UInt32(truncatingIfNeeded: token.start),
                end: UInt32(truncatingIfNeeded: token.end), name: name, kind: token.kind,
                symbol: symbol, traits: token.traits))
    }

    /// Notes a mark of a server template that ends with a token.
    private mutating func noteTemplateMark(_ symbol: JavaScriptSymbol, _ token: JavaScriptToken) {
        guard templateMarks.count < 64, let before = tokens.last,
            before.symbol == .openBrace || before.symbol == .less,
            Int(before.end) == token.start
        else { return }
        if symbol == .openBrace {
            // The second brace would be a key of an object.
            guard before.symbol == .openBrace, tokens.count > 1,
                tokens[tokens.count &- 2].symbol.precedesValue
            else { return }
        }
        templateMarks.append(Int(before.start)..<token.end)
    }
}
