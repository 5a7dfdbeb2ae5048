/// Functions, object literals and classes.
extension JavaScriptParser {
    /// `function`, `async function`, with a name or without.
    mutating func function(_ kind: JavaScriptNode.Kind) -> ID {
        let start = start
        var flags: JavaScriptNode.Flags = take(.async) ? .isAsync : []
        expect(.function)
        if take(.multiply) { flags.insert(.isGenerator) }
        noteAsync(flags, at: start)
        let name = isName(after: 0) ? leaf(.identifier) : absent()
        return functionRest(kind, start, flags, name)
    }

    /// The parameters and the body.
    private mutating func functionRest(
        _ kind: JavaScriptNode.Kind, _ start: UInt32, _ flags: JavaScriptNode.Flags, _ name: ID
    ) -> ID {
        let from = self.start
        var list = List()
        if symbol == .openParen { arguments(&list) } else { tree.hasErrors = true }
        let parameters = tree.add(node(.parameters, from: from), list)
        functions &+= 1
        let body = block()
        functions &-= 1
        return tree.add(node(kind, from: start, flags: flags), name, parameters, body)
    }

    mutating func noteAsync(_ flags: JavaScriptNode.Flags, at offset: UInt32) {
        guard flags.contains(.isAsync) else { return }
        note(flags.contains(.isGenerator) ? .asyncGenerators : .asyncFunctions, at: offset)
    }

    private mutating func methodFunction(_ flags: JavaScriptNode.Flags) -> ID {
        let start = start
        let name = absent()
        return functionRest(.functionExpression, start, flags, name)
    }

    // MARK: - Objects and classes

    mutating func object() -> ID {
        let start = start
        var list = List()
        advance()
        while !isAtEnd, symbol != .closeBrace {
            let before = position
            if symbol == .ellipsis { note(.objectSpread) }
            tree.append(symbol == .ellipsis ? spread() : property(), to: &list)
            if take(.comma) { continue }
            if symbol != .closeBrace {
                tree.hasErrors = true
                if position == before || symbol.isClosing || symbol.startsStatement { break }
            }
        }
        expect(.closeBrace)
        return tree.add(node(.object, from: start), list)
    }

    /// Whether a name follows `get`, `static` and the like, so that they are modifiers.
    private func isModifier() -> Bool {
        switch kind(after: 1) {
        case .identifier, .keyword, .string, .number, .privateName: true
        default:
            switch symbol(after: 1) {
            case .openBracket, .multiply: true
            case .openBrace: symbol == .static
            default: false
            }
        }
    }

    /// The words before a member's name.
    private mutating func modifiers(
        _ function: inout JavaScriptNode.Flags, _ member: inout JavaScriptNode.Flags
    ) {
        let start = start
        words: while isModifier() {
            if symbol == .async, isNewline(after: 1) { break }
            switch symbol {
            case .async: function.insert(.isAsync)
            case .get, .set: member.insert(.isAccessor)
            case .static: member.insert(.isStatic)
            default: break words
            }
            advance()
        }
        if take(.multiply) { function.insert(.isGenerator) }
        noteAsync(function, at: start)
    }

    private mutating func key(_ flags: inout JavaScriptNode.Flags) -> ID {
        switch kind {
        case .identifier, .keyword: return leaf(.identifier)
        case .privateName: return leaf(.privateName)
        case .number: return leaf(.number)
        case .string: return stringOperand()
        default:
            guard take(.openBracket) else { return error(consuming: false) }
            flags.insert(.computed)
            let key = assignment()
            expect(.closeBracket)
            return key
        }
    }

    private mutating func property() -> ID {
        let start = start
        var function: JavaScriptNode.Flags = []
        var flags: JavaScriptNode.Flags = []
        modifiers(&function, &flags)
        // `*` may stand without any word.
        let key = key(&flags)
        var value: ID
        if take(.colon) {
            value = assignment()
        } else if symbol == .openParen {
            flags.insert(.isMethod)
            value = methodFunction(function)
        } else {
            flags.insert(.shorthand)
            var copy = tree[key]
            copy.next = 0
            // Other keys without a value are errors, and their children have one parent.
            value = copy.kind == .identifier ? tree.add(copy) : absent()
            if take(.assign) {
                let fallback = assignment()
                value = tree.add(
                    node(.assignment, from: start, symbol: .assign), value, fallback)
            }
        }
        return tree.add(node(.property, from: start, flags: flags), key, value)
    }

    mutating func classNode(_ kind: JavaScriptNode.Kind) -> ID {
        guard enter() else { return delay(isStatement: false) }
        defer { leave() }
        let start = start
        advance()
        var list = List()
        tree.append(isName(after: 0) ? leaf(.identifier) : absent(), to: &list)
        if take(.extends) {
            let from = self.start
            tree.append(subscripts(of: primary(), from: from), to: &list)
        } else {
            tree.append(absent(), to: &list)
        }
        expect(.openBrace)
        while !isAtEnd, symbol != .closeBrace {
            if take(.semicolon) { continue }
            let before = position
            tree.append(symbol == .at ? decorator() : classMember(), to: &list)
            if position == before {
                if symbol.isClosing { break }
                tree.append(error(consuming: true), to: &list)
            }
        }
        expect(.closeBrace)
        return tree.add(node(kind, from: start), list)
    }

    private mutating func classMember() -> ID {
        let start = start
        var function: JavaScriptNode.Flags = []
        var flags: JavaScriptNode.Flags = []
        modifiers(&function, &flags)
        if flags == .isStatic, symbol == .openBrace {
            note(.staticBlocks, at: start)
            functions &+= 1
            defer { functions &-= 1 }
            return block(.staticBlock)
        }
        let isPrivate = kind == .privateName
        let key = key(&flags)
        if symbol == .openParen {
            if isPrivate { note(.privateMethods, at: start) }
            flags.insert(.isMethod)
            let value = methodFunction(function)
            return tree.add(node(.method, from: start, flags: flags), key, value)
        }
        if isPrivate { note(.privateFields, at: start) } else { note(.classFields, at: start) }
        if flags.contains(.isStatic) { note(.staticFields, at: start) }
        functions &+= 1
        let value = take(.assign) ? assignment() : absent()
        functions &-= 1
        _ = take(.semicolon)
        return tree.add(node(.field, from: start, flags: flags), key, value)
    }
}
