/// Declarations of modules.
extension JavaScriptParser {
    private mutating func string() -> ID {
        guard kind == .string else { return error(consuming: false) }
        return primary()
    }

    /// A name in a list of imports or exports: any word, or a string.
    private mutating func moduleName() -> ID {
        switch kind {
        case .string: stringName()
        case .identifier, .keyword: leaf(.identifier)
        default: error(consuming: false)
        }
    }

    private mutating func stringName() -> ID {
        note(.stringNames)
        return primary()
    }

    /// `with {type: "json"}`, and its older form with `assert` in the same line.
    private mutating func attributes(_ list: inout List) {
        guard symbol(after: 1) == .openBrace else { return }
        if symbol == .with {
            note(.importAttributes)
        } else {
            guard symbol == .assert, !isAfterNewline else { return }
            note(.importAssertions)
        }
        advance()
        tree.append(primary(), to: &list)
    }

    mutating func importDeclaration() -> ID {
        let start = start
        advance()
        var list = List()
        // `import defer * as x`, `import source x from`
        if kind == .identifier, symbol != .from,
            symbol(after: 1) == .multiply
                || kind(after: 1) == .identifier && symbol(after: 1) != .from
        {
            advance()
        }
        if isName(after: 0) {
            let from = self.start
            let name = leaf(.identifier)
            tree.append(tree.add(node(.importDefault, from: from), name), to: &list)
            _ = take(.comma)
        }
        if symbol == .multiply {
            let from = self.start
            advance()
            expect(.as)
            let name = moduleName()
            tree.append(tree.add(node(.importNamespace, from: from), name), to: &list)
        } else if symbol == .openBrace {
            specifiers(.importSpecifier, &list)
        }
        if list.first != 0 || symbol == .from { expect(.from) }
        tree.append(string(), to: &list)
        attributes(&list)
        endStatement()
        return tree.add(node(.importDeclaration, from: start), list)
    }

    /// `{a as b, c}`.
    private mutating func specifiers(_ kind: JavaScriptNode.Kind, _ list: inout List) {
        advance()
        while !isAtEnd, symbol != .closeBrace {
            let before = position
            let from = start
            let name = moduleName()
            let other: ID
            if take(.as) {
                other = moduleName()
            } else {
                var copy = tree[name]
                copy.next = 0
                other = tree.add(copy)
            }
            tree.append(tree.add(node(kind, from: from), name, other), to: &list)
            _ = take(.comma)
            if position == before { break }
        }
        expect(.closeBrace)
    }

    mutating func exportDeclaration() -> ID {
        let start = start
        advance()
        var list = List()
        switch symbol {
        case .default:
            advance()
            let value: ID
            if symbol == .function || symbol == .async && symbol(after: 1) == .function {
                value = function(.functionDeclaration)
            } else if symbol == .class {
                value = classNode(.classDeclaration)
            } else {
                value = assignment()
                endStatement()
            }
            return tree.add(node(.exportDefault, from: start), value)
        case .multiply:
            advance()
            if symbol == .as { note(.exportNamespace, at: start) }
            tree.append(take(.as) ? moduleName() : absent(), to: &list)
            expect(.from)
            tree.append(string(), to: &list)
            attributes(&list)
            endStatement()
            return tree.add(node(.exportAll, from: start), list)
        case .openBrace:
            specifiers(.exportSpecifier, &list)
            if take(.from) {
                tree.append(string(), to: &list)
                attributes(&list)
            }
            endStatement()
        default:
            let before = position
            let declaration = statement()
            if position == before { tree.hasErrors = true }
            tree.append(declaration, to: &list)
        }
        return tree.add(node(.exportNamed, from: start), list)
    }
}
