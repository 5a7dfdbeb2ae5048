/// One step through the structure of a style sheet.
struct CSSEvent: Equatable, Sendable {
    enum Kind: UInt8, Sendable {
        /// A comment, anywhere.
        case comment
        /// A separator of items: white space, `;`, and `<!--` `-->` at the top of a style sheet.
        case separator
        /// A token of an item (or value), except brackets.
        case token
        /// A function, `(`, `[` or `{` inside an item.
        case open
        /// The end of a bracket reported by ``open``; the token has kind `end` if the input ends
        /// first.
        case close
        /// The `{` after the prelude of a rule: items follow.
        case blockStart
        /// The end of such a block, and of its rule.
        case blockEnd
        /// The end of an item without a block. The token, `;`, `}` or the end, is not part of it.
        case itemEnd
        /// The end of the input, after all brackets have been closed.
        case end
    }

    let kind: Kind
    let token: CSSToken
}

/// Walks through CSS and assigns each token to a declaration, rule, function or bracket.
///
/// Follows docs/sources.md#css-syntax, section 5, as far as possible without a list of properties.
/// The standard first parses an item of a block as a declaration and starts over if it is a rule,
/// which is quadratic in nested rules. Here an item stays undecided until `;`, `{` or `}`, which
/// gives the same result in one pass: only a custom property may contain `{}` with other tokens.
/// (`a:{}` is a rule with the selector `a:`, since no property has a block as its value.)
///
/// There is no recursion: memory is one byte for each open bracket.
struct CSSWalker: Sendable {
    /// The kind of content at the outermost level.
    enum Root: UInt8, Sendable {
        /// Rules; a style sheet.
        case rules
        /// Declarations and nested rules; a `style` attribute.
        case declarations
        /// Component values; one property's value.
        case values
    }

    /// The kind of the current item, as far as known.
    enum Item: UInt8, Sendable {
        case none
        /// An identifier that may be the name of a property.
        case name
        /// A property and its colon. A `{` can still turn it into a rule.
        case declaration
        /// `--name` and its colon. A `{` is part of its value.
        case customProperty
        /// A rule with a selector, or text that is discarded unless a `{` follows.
        case qualifiedRule
        case atRule
    }

    private enum Bracket: UInt8 {
        case paren, square, curly
        /// The block of a rule.
        case block
    }

    private let root: Root
    private var tokenizer: CSSTokenizer
    private var brackets: [Bracket] = []
    private var held: CSSToken?
    /// Whether the last event ended the item, so that the next token starts another.
    private var isSettled = false

    private(set) var item = Item.none
    /// The name of the current item: an at-keyword, or the identifier before the colon.
    private(set) var name: CSSToken?

    init(_ source: Span<UInt8>, in range: Range<Int>? = nil, root: Root) {
        tokenizer = CSSTokenizer(source, in: range)
        self.root = root
    }

    /// The next event; after the last one, always one of kind ``CSSEvent/Kind/end``.
    ///
    /// ``item`` and ``name`` belong to the event's token; at the end of an item or the start of a
    /// block, they still belong to that item.
    mutating func next(in source: Span<UInt8>) -> CSSEvent {
        if isSettled { startItem() }
        let token: CSSToken
        if let held {
            token = held
            self.held = nil
        } else {
            token = tokenizer.next(in: source)
        }
        if token.kind == .comment { return CSSEvent(kind: .comment, token: token) }
        if token.kind == .end { return end(token) }
        if let bracket = brackets.last, bracket != .block { return inside(bracket, token) }
        if root == .values, brackets.isEmpty { return component(token) }
        return itemLevel(token, source)
    }

    private mutating func startItem() {
        isSettled = false
        item = .none
        name = nil
    }

    private mutating func settle(_ kind: CSSEvent.Kind, _ token: CSSToken) -> CSSEvent {
        isSettled = true
        return CSSEvent(kind: kind, token: token)
    }

    /// The end of the input closes all brackets, innermost first.
    private mutating func end(_ token: CSSToken) -> CSSEvent {
        held = token
        if let bracket = brackets.last, bracket != .block {
            brackets.removeLast()
            return CSSEvent(kind: .close, token: token)
        }
        if item != .none { return settle(.itemEnd, token) }
        if brackets.popLast() != nil { return settle(.blockEnd, token) }
        return CSSEvent(kind: .end, token: token)
    }

    /// A token in a bracket that is not a rule's block: only the matching bracket ends it.
    private mutating func inside(_ bracket: Bracket, _ token: CSSToken) -> CSSEvent {
        let closing: CSSToken.Kind =
            switch bracket {
            case .paren: .closeParen
            case .square: .closeSquare
            case .curly, .block: .closeCurly
            }
        if token.kind == closing {
            brackets.removeLast()
            return CSSEvent(kind: .close, token: token)
        }
        return component(token)
    }

    private mutating func component(_ token: CSSToken) -> CSSEvent {
        switch token.kind {
        case .function, .openParen: brackets.append(.paren)
        case .openSquare: brackets.append(.square)
        case .openCurly: brackets.append(.curly)
        default: return CSSEvent(kind: .token, token: token)
        }
        return CSSEvent(kind: .open, token: token)
    }

    private mutating func itemLevel(_ token: CSSToken, _ source: Span<UInt8>) -> CSSEvent {
        let isTop = root == .rules && brackets.isEmpty
        switch token.kind {
        case .openCurly where item != .customProperty:
            if item != .atRule { item = .qualifiedRule }
            brackets.append(.block)
            return settle(.blockStart, token)
        case .closeCurly where !brackets.isEmpty:
            if item != .none {
                held = token
                return settle(.itemEnd, token)
            }
            brackets.removeLast()
            return settle(.blockEnd, token)
        case .semicolon where item == .atRule || !isTop:
            return settle(item == .none ? .separator : .itemEnd, token)
        case .whitespace where item == .none:
            return CSSEvent(kind: .separator, token: token)
        case .cdo where item == .none && isTop, .cdc where item == .none && isTop:
            return CSSEvent(kind: .separator, token: token)
        default:
            advance(token, isTop: isTop, source)
            return component(token)
        }
    }

    /// Narrows the kind of the item after another token.
    private mutating func advance(_ token: CSSToken, isTop: Bool, _ source: Span<UInt8>) {
        switch item {
        case .none:
            switch token.kind {
            case .atKeyword:
                item = .atRule
                name = token
            case .ident where !isTop:
                item = .name
                name = token
            default: item = .qualifiedRule
            }
        case .name:
            if token.kind == .colon {
                item = isCustomProperty(source) ? .customProperty : .declaration
            } else if token.kind != .whitespace {
                item = .qualifiedRule
            }
        case .declaration, .customProperty, .qualifiedRule, .atRule: break
        }
    }

    private func isCustomProperty(_ source: Span<UInt8>) -> Bool {
        guard let name else { return false }
        if name.traits.contains(.escaped) { return name.text(in: source).starts(with: "--".utf8) }
        return name.content.count >= 2 && source[name.contentStart] == UInt8(ascii: "-")
            && source[name.contentStart + 1] == UInt8(ascii: "-")
    }
}
