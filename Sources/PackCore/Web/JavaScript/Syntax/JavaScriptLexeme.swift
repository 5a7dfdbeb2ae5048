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
    private(set) var features = JavaScriptFeatures()

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
                if token.kind == .hashbang { features.note(.hashbang, at: 0) }
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
        case .number: noteNumber(token, source)
        case .regularExpression:
            JavaScriptRegularExpression.note(token, source, in: &features)
        default: break
        }
        noteSymbol(symbol, token)
        tokens.append(
            JavaScriptLexeme(
                start: UInt32(truncatingIfNeeded: token.start),
                end: UInt32(truncatingIfNeeded: token.end), name: name, kind: token.kind,
                symbol: symbol, traits: token.traits))
    }

    /// Records what a punctuator alone shows.
    @inline(__always)
    private mutating func noteSymbol(_ symbol: JavaScriptSymbol, _ token: JavaScriptToken) {
        let feature: JavaScriptFeature
        switch symbol {
        case .openBrace, .remainder, .remainderAssign: return noteTemplateMark(symbol, token)
        case .optionalDot: feature = .optionalChaining
        case .missing: feature = .nullishCoalescing
        case .bothAssign, .eitherAssign, .missingAssign: feature = .logicalAssignment
        case .power, .powerAssign: feature = .exponentiation
        default: return
        }
        features.note(feature, at: UInt32(truncatingIfNeeded: token.start))
    }

    private mutating func noteNumber(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard token.end &- token.start > 1 else { return }
        let offset = UInt32(truncatingIfNeeded: token.start)
        if source[token.end &- 1] == UInt8(ascii: "n") { features.note(.bigInt, at: offset) }
        for index in token.range where source[index] == UInt8(ascii: "_") {
            return features.note(.numericSeparators, at: offset)
        }
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
