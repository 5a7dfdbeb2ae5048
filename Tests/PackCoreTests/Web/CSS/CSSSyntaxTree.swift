@testable import PackWeb

// @testable: the tree is built from the steps and tokens of the walker, which CSSReferences hides.

/// The structure of a style sheet as a list of nodes, each before its descendants: the walker's
/// events in the form of the oracles.
///
/// CSS Syntax Level 3, section 5: rules, declarations, functions, simple blocks and tokens. A flat
/// list, so that no nesting depth can exhaust the stack, neither here nor when the tree is
/// deallocated.
struct CSSSyntaxTree: Sendable {
    struct Node: Equatable, Sendable {
        enum Kind: UInt8, Sendable {
            /// A token that is a component value by itself.
            case token
            case function
            /// `()`, `[]` or `{}` as a component value.
            case simpleBlock
            case declaration
            /// Its children are the prelude and finally ``contents``.
            case qualifiedRule
            /// Its children are the at-keyword, the prelude and, if it has a block, ``contents``.
            case atRule
            /// The block of a rule; its children are items.
            case contents
            /// Dropped by the standard: neither a declaration nor a rule, for lack of a block.
            case invalid
        }

        fileprivate(set) var kind: Kind
        /// The token itself, the opening one, or an item's first.
        let token: CSSToken
        /// The index after the last descendant.
        fileprivate(set) var end: Int
        /// The end offset of the node in the source.
        fileprivate(set) var sourceEnd: Int
    }

    /// The kind of content to parse.
    enum Root: CaseIterable {
        case rules, declarations, values

        fileprivate var walked: CSSWalker.Root {
            switch self {
            case .rules: .rules
            case .declarations: .declarations
            case .values: .values
            }
        }
    }

    /// The parts of a declaration.
    struct Declaration: Equatable, Sendable {
        let name: CSSToken
        /// The nodes of the value without surrounding white space and `!important`.
        let value: Range<Int>
        let isImportant: Bool
    }

    private(set) var nodes: [Node] = []
    /// The open nodes, outermost first.
    private var open: [Int] = []

    init(_ source: Span<UInt8>, in range: Range<Int>? = nil, root: Root) {
        var walker = CSSWalker(source, in: range, root: root.walked)
        while true {
            let event = walker.next(in: source)
            let token = event.token
            switch event.kind {
            case .end: return
            case .comment, .separator: continue
            case .token:
                openItem(token, root)
                append(.token, token)
            case .open:
                openItem(token, root)
                push(token.kind == .function ? .function : .simpleBlock, token)
            case .close: pop(token.end)
            case .blockStart:
                openItem(token, root)
                if let item = open.last {
                    nodes[item].kind = walker.item == .atRule ? .atRule : .qualifiedRule
                }
                push(.contents, token)
            case .blockEnd:
                pop(token.end)
                pop(token.end)
            case .itemEnd:
                if let item = open.last { nodes[item].kind = Self.kind(of: walker.item) }
                pop(token.start)
            }
        }
    }

    private static func kind(of item: CSSWalker.Item) -> Node.Kind {
        switch item {
        case .declaration, .customProperty: .declaration
        case .atRule: .atRule
        case .none, .name, .qualifiedRule: .invalid
        }
    }

    /// Opens a node for the item started by a token, if any.
    private mutating func openItem(_ token: CSSToken, _ root: Root) {
        if let last = open.last {
            if nodes[last].kind == .contents { push(.invalid, token) }
        } else if root != .values {
            push(.invalid, token)
        }
    }

    private mutating func append(_ kind: Node.Kind, _ token: CSSToken) {
        nodes.append(
            Node(kind: kind, token: token, end: nodes.count + 1, sourceEnd: token.end))
    }

    private mutating func push(_ kind: Node.Kind, _ token: CSSToken) {
        open.append(nodes.count)
        append(kind, token)
    }

    private mutating func pop(_ sourceEnd: Int) {
        guard let index = open.popLast() else { return }
        nodes[index].end = nodes.count
        nodes[index].sourceEnd = sourceEnd
    }

    // MARK: Reading

    /// The range of a node in the source.
    func range(of index: Int) -> Range<Int> { nodes[index].token.start..<nodes[index].sourceEnd }

    /// The name of a declaration or an at-rule.
    func name(of index: Int, in source: Span<UInt8>) -> String {
        String(decoding: nodes[index].token.text(in: source), as: UTF8.self)
    }

    /// The outermost nodes.
    var roots: [Int] { siblings(in: 0..<nodes.count) }

    func children(of index: Int) -> [Int] { siblings(in: index + 1..<nodes[index].end) }

    /// The outermost nodes of a range.
    func siblings(in range: Range<Int>) -> [Int] {
        var siblings: [Int] = []
        var index = range.lowerBound
        while index < range.upperBound {
            siblings.append(index)
            index = nodes[index].end
        }
        return siblings
    }

    /// Splits a declaration into its parts (CSS Syntax Level 3, "consume a declaration"); `nil` for
    /// other nodes.
    func declaration(at index: Int, in source: Span<UInt8>) -> Declaration? {
        guard nodes[index].kind == .declaration else { return nil }
        var values = children(of: index)[...]
        guard let name = values.popFirst(),
            let colon = values.firstIndex(where: { nodes[$0].token.kind == .colon })
        else { return nil }
        values = values[(colon + 1)...].drop(while: isSpace)
        trimEnd(&values)
        let isImportant = removeImportant(&values, in: source)
        guard let first = values.first, let last = values.last else {
            return Declaration(
                name: nodes[name].token, value: index..<index, isImportant: isImportant)
        }
        return Declaration(
            name: nodes[name].token, value: first..<nodes[last].end, isImportant: isImportant)
    }

    private func isSpace(_ index: Int) -> Bool { nodes[index].token.kind == .whitespace }

    private func trimEnd(_ values: inout ArraySlice<Int>) {
        while let last = values.last, isSpace(last) { values.removeLast() }
    }

    private func removeImportant(_ values: inout ArraySlice<Int>, in source: Span<UInt8>) -> Bool {
        guard let word = values.last.map({ nodes[$0].token }), word.kind == .ident,
            word.isNamed("important", in: source)
        else { return false }
        var rest = values.dropLast()
        trimEnd(&rest)
        guard let mark = rest.last.map({ nodes[$0].token }), mark.kind == .delim,
            source[mark.start] == UInt8(ascii: "!")
        else { return false }
        rest.removeLast()
        trimEnd(&rest)
        values = rest
        return true
    }
}
