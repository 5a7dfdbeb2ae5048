extension JavaScriptParser {
    /// An operand without what follows it.
    ///
    /// - Returns: An error node without characters if none starts here.
    mutating func primary() -> ID {
        switch kind {
        case .identifier:
            if symbol == .async, !isNewline(after: 1) {
                if symbol(after: 1) == .function { return function(.functionExpression) }
                if isName(after: 1), symbol(after: 2) == .arrow {
                    let start = start
                    advance()
                    return arrow(from: start, .isAsync)
                }
            }
            return symbol(after: 1) == .arrow && !isNewline(after: 1)
                ? arrow(from: start) : leaf(.identifier)
        case .privateName: return leaf(.privateName)
        case .number: return leaf(.number)
        case .regularExpression: return regularExpression()
        case .string: return stringOperand()
        case .templateStart:
            if tokens[position].traits.contains(.endsTemplate) { return stringOperand() }
            return template()
        case .keyword, .punctuator: break
        case .templateContinuation, .unknown:
            // The first belongs to a template whose expression ends here.
            return error(consuming: kind == .unknown)
        default: return error(consuming: false)
        }
        switch symbol {
        case .openParen: return parenthesized()
        case .openBracket:
            let start = start
            var list = List()
            advance()
            elements(until: .closeBracket, &list)
            return tree.add(node(.array, from: start), list)
        case .openBrace: return object()
        case .function: return function(.functionExpression)
        case .class: return classNode(.classExpression)
        case .new: return newExpression()
        case .import: return importExpression()
        case .this: return leaf(.this)
        case .super: return leaf(.super)
        case .null: return leaf(.null)
        case .true: return leaf(.true)
        case .false: return leaf(.false)
        case .let, .await, .yield:
            return symbol(after: 1) == .arrow ? arrow(from: start) : leaf(.identifier)
        case .at: return decorator()
        default: return error(consuming: false)
        }
    }

    private func flags(_ token: JavaScriptLexeme) -> JavaScriptNode.Flags {
        var flags: JavaScriptNode.Flags = []
        if token.traits.contains(.escaped) { flags.insert(.escaped) }
        if token.traits.contains(.unterminated) { flags.insert(.unterminated) }
        if token.kind == .templateStart { flags.insert(.isTemplate) }
        return flags
    }

    /// A string, or a template without substitutions.
    mutating func stringOperand() -> ID { leaf(.string, flags: flags(tokens[position])) }

    private mutating func regularExpression() -> ID {
        leaf(.regularExpression, flags: flags(tokens[position]))
    }

    mutating func template(isTagged: Bool = false) -> ID {
        let start = start
        var list = List()
        while position < limit {
            let token = tokens[position]
            let ends = token.traits.contains(.endsTemplate)
            if isTagged, token.traits.contains(.hasFreeEscape) {
                note(.templateEscapes, at: token.start)
            }
            let isOpen = token.traits.contains(.unterminated)
            let from = min(token.start &+ 1, token.end)
            let to = isOpen ? token.end : max(from, token.end &- (ends ? 1 : 2))
            var flags = flags(token)
            flags.remove(.isTemplate)
            tree.append(
                tree.add(JavaScriptNode(.templateText, from, to, flags: flags)), to: &list)
            advance()
            if ends { break }
            tree.append(expression(), to: &list)
            // Tokens that do not belong to the expression stay in the template.
            while !isAtEnd, kind != .templateContinuation {
                let before = position
                tree.append(expression(), to: &list)
                if position == before { tree.append(error(consuming: true), to: &list) }
            }
        }
        return tree.add(node(.template, from: start), list)
    }

    /// `(a, b)`, or the parameters of an arrow function.
    private mutating func parenthesized() -> ID {
        let start = start
        advance()
        let inner = self.start
        var list = List()
        elements(until: .closeParen, &list)
        if symbol == .arrow, !isAfterNewline {
            let parameters = tree.add(node(.parameters, from: start), list)
            return arrowBody(parameters, start)
        }
        guard list.first != 0 else { return tree.add(node(.error, from: start)) }
        var value = list.first
        if list.first != list.last {
            let end = tree[list.last].end
            value = tree.add(JavaScriptNode(.sequence, inner, max(inner, end)), list)
        }
        let kind = tree.kind(value)
        // The flag's bit has no other meaning for these kinds.
        if !kind.isName { tree[value].flags.insert(.parenthesized) }
        return value
    }

    /// `a => …`.
    private mutating func arrow(from start: UInt32, _ flags: JavaScriptNode.Flags = []) -> ID {
        let from = self.start
        let name = leaf(.identifier)
        let parameters = tree.add(node(.parameters, from: from), name)
        return arrowBody(parameters, start, flags)
    }

    mutating func arrowBody(
        _ parameters: ID, _ start: UInt32, _ flags: JavaScriptNode.Flags = []
    ) -> ID {
        noteAsync(flags, at: start)
        advance()
        functions &+= 1
        let body = symbol == .openBrace ? block() : assignment()
        functions &-= 1
        arrowEnd = position
        return tree.add(node(.arrowFunction, from: start, flags: flags), parameters, body)
    }

    /// `new a.b(c)`.
    private mutating func newExpression() -> ID {
        guard enter() else { return delay(isStatement: false) }
        defer { leave() }
        let start = start
        let word = leaf(.identifier)
        if take(.dot) {
            let property = leaf(.identifier)
            return tree.add(node(.metaProperty, from: start), word, property)
        }
        let from = self.start
        let callee = subscripts(of: primary(), from: from, isCallee: true)
        var list = List()
        tree.append(callee, to: &list)
        if symbol == .openParen { arguments(&list) }
        return tree.add(node(.new, from: start), list)
    }

    /// `import("…")`, `import.meta`.
    private mutating func importExpression() -> ID {
        let start = start
        let word = leaf(.identifier)
        if take(.dot) {
            if symbol == .meta { note(.importMeta, at: start) }
            let property = leaf(.identifier)
            // `import.source("…")`, `import.defer("…")`
            guard symbol == .openParen, tree.symbol(property) != .meta else {
                return tree.add(node(.metaProperty, from: start), word, property)
            }
        }
        guard symbol == .openParen else { return word }
        note(.dynamicImport, at: start)
        var list = List()
        arguments(&list)
        let hasTrailingComma = tokens[max(position &- 2, 0)].symbol == .comma
        if list.first != list.last || hasTrailingComma { note(.importOptions, at: start) }
        return tree.add(node(.importCall, from: start), list)
    }

    mutating func decorator() -> ID {
        guard enter() else { return delay(isStatement: false) }
        defer { leave() }
        let start = start
        advance()
        let from = self.start
        let value = subscripts(of: primary(), from: from)
        return tree.add(node(.decorator, from: start), value)
    }
}
