/// Builds the tree of a script.
///
/// Follows docs/sources.md#ecma-262 with these differences: patterns are read as expressions; a missing
/// semicolon, comma or bracket is passed over; tokens that start nothing become error nodes. So every
/// token is in the tree, whatever precedes it. Chains are read by loops. Brackets that are nested too
/// deep for the stack are read after the rest, as often as the budget allows.
struct JavaScriptParser {
    typealias ID = JavaScriptNode.ID
    typealias List = JavaScriptTree.List

    /// The number of nested expressions and statements: those of a thread with 512 KiB of stack.
    static let deepest = 48

    let tokens: [JavaScriptLexeme]
    var tree: JavaScriptTree
    /// The index of the current token.
    var position = 0
    /// The index after the last token of the part that is being read.
    var limit: Int
    /// The current token.
    var symbol = JavaScriptSymbol.none
    var depth = 0
    /// The number of functions around the current token.
    var functions = 0
    /// The end of the previous token.
    var lastEnd: UInt32 = 0
    /// The index of the token after an arrow function without parentheses, which ends its expression.
    var arrowEnd = -1
    /// Operators whose right operand is being read, with their left operand.
    var operators: [(symbol: JavaScriptSymbol, left: ID, start: UInt32)] = []
    /// Parts that are nested too deep, to be read later.
    var delayed: [(node: ID, tokens: Range<Int>, isStatement: Bool)] = []
    /// The number of tokens that may be passed over in search of the end of such a part.
    var skipBudget: Int

    /// The tree of a part of a source.
    static func tree(
        of source: Span<UInt8>, in range: Range<Int>? = nil,
        goal: JavaScriptTokenizer.Goal = .unknown
    ) -> JavaScriptTree {
        var parser = JavaScriptParser(JavaScriptLexemes(source, in: range, goal: goal))
        parser.script()
        return parser.tree
    }

    private init(_ lexemes: JavaScriptLexemes) {
        tokens = lexemes.tokens
        limit = tokens.count
        skipBudget = 16 &* tokens.count
        tree = JavaScriptTree(names: lexemes.names)
        tree.comments = lexemes.comments
        tree.templateMarks = lexemes.templateMarks
        tree.endsOpen = lexemes.endsOpen
        tree.isModule = lexemes.isModule
        tree.features = lexemes.features
        tree.reserve(tokens.count / 8 &* 7 &+ 16)
        symbol = tokens.first?.symbol ?? .none
    }

    private mutating func script() {
        let start = tokens.first?.start ?? 0
        let statements = statementList()
        var index = 0
        while index < delayed.count {
            let part = delayed[index]
            index &+= 1
            (position, limit, depth) = (part.tokens.lowerBound, part.tokens.upperBound, 0)
            // Code that is nested so deep is rarely outside of functions.
            functions = 1
            operators.removeAll(keepingCapacity: true)
            refresh()
            var list = List()
            if !part.isStatement { tree.append(expression(), to: &list) }
            let rest = statementList()
            tree.append(rest.first, to: &list)
            tree[part.node].first = list.first
        }
        // The end of a part nested too deep is a guess.
        if !delayed.isEmpty { tree.hasErrors = false }
        tree.root = tree.add(JavaScriptNode(.program, start, tokens.last?.end ?? start), statements)
        tree.finish()
    }

    private mutating func statementList() -> List {
        var list = List()
        while position < limit { tree.append(statementOrError(), to: &list) }
        return list
    }

    // MARK: - Tokens

    var isAtEnd: Bool { position >= limit }

    /// Where the current token starts; at the end, where the last one ends.
    var start: UInt32 { position < limit ? tokens[position].start : lastEnd }

    var kind: JavaScriptToken.Kind { position < limit ? tokens[position].kind : .end }

    /// Whether a line ends before the current token.
    var isAfterNewline: Bool {
        position >= limit || tokens[position].traits.contains(.afterNewline)
    }

    /// A later token's symbol.
    func symbol(after count: Int) -> JavaScriptSymbol {
        position &+ count < limit ? tokens[position &+ count].symbol : .none
    }

    func kind(after count: Int) -> JavaScriptToken.Kind {
        position &+ count < limit ? tokens[position &+ count].kind : .end
    }

    func isNewline(after count: Int) -> Bool {
        position &+ count >= limit || tokens[position &+ count].traits.contains(.afterNewline)
    }

    @inline(__always)
    private mutating func refresh() {
        symbol = position < limit ? tokens[position].symbol : .none
    }

    @inline(__always)
    mutating func advance() {
        guard position < limit else { return }
        lastEnd = tokens[position].end
        position &+= 1
        symbol = position < limit ? tokens[position].symbol : .none
    }

    /// Passes over a symbol if it is the current one.
    @inline(__always)
    mutating func take(_ expected: JavaScriptSymbol) -> Bool {
        guard symbol == expected else { return false }
        advance()
        return true
    }

    /// Passes over a symbol that the grammar requires.
    mutating func expect(_ expected: JavaScriptSymbol) {
        if symbol == expected { advance() } else { tree.hasErrors = true }
    }

    /// Records a feature at the start of the current token, or of an earlier one.
    mutating func note(_ feature: JavaScriptFeature, at offset: UInt32? = nil) {
        tree.features.note(feature, at: offset ?? start)
    }

    // MARK: - Nodes

    /// The node of a child that is missing.
    mutating func absent() -> ID { tree.add(JavaScriptNode(.absent, start, start)) }

    /// A node that ends with the previous token.
    mutating func node(
        _ kind: JavaScriptNode.Kind, from start: UInt32, symbol: JavaScriptSymbol = .none,
        flags: JavaScriptNode.Flags = []
    ) -> JavaScriptNode {
        JavaScriptNode(kind, start, max(start, lastEnd), symbol: symbol, flags: flags)
    }

    /// A node of the current token alone.
    mutating func leaf(_ kind: JavaScriptNode.Kind, flags: JavaScriptNode.Flags = []) -> ID {
        guard position < limit else { return absent() }
        let token = tokens[position]
        let node = JavaScriptNode(
            kind, token.start, token.end, symbol: token.symbol, flags: flags,
            first: kind.isName ? token.name : 0)
        advance()
        return tree.add(node)
    }

    /// An error node of the current token, or of none if it may end the expression around.
    mutating func error(consuming: Bool) -> ID {
        tree.hasErrors = true
        if consuming { return leaf(.error) }
        return tree.add(JavaScriptNode(.error, start, start))
    }

    // MARK: - Nesting

    mutating func enter() -> Bool {
        guard depth < Self.deepest else { return false }
        depth &+= 1
        return true
    }

    mutating func leave() { depth &-= 1 }

    /// Passes over the tokens up to the end of an expression or a statement, to be read later.
    mutating func delay(isStatement: Bool) -> ID {
        let from = position
        let start = start
        var open = 0
        if skipBudget <= 0 { position = limit }
        scan: while position < limit {
            switch tokens[position].symbol {
            case .openParen, .openBracket, .openBrace: open &+= 1
            case .closeParen, .closeBracket, .closeBrace:
                if open == 0 { break scan }
                open &-= 1
                if open == 0, isStatement, tokens[position].symbol == .closeBrace {
                    position &+= 1
                    break scan
                }
            case .semicolon:
                if open == 0 {
                    if isStatement { position &+= 1 }
                    break scan
                }
            case .comma where open == 0 && !isStatement: break scan
            default:
                // A template's `${` is in its token, and `}` as well.
                let token = tokens[position]
                let ends = token.traits.contains(.endsTemplate)
                if token.kind == .templateStart, !ends { open &+= 1 }
                if token.kind == .templateContinuation {
                    if open == 0 { break scan }
                    if ends { open &-= 1 }
                }
            }
            position &+= 1
        }
        skipBudget &-= position &- from
        if position > from { lastEnd = tokens[position &- 1].end }
        refresh()
        let id = tree.add(node(.error, from: start))
        if skipBudget > 0, position > from { delayed.append((id, from..<position, isStatement)) }
        return id
    }
}
