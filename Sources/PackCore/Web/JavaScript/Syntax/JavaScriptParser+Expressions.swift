extension JavaScriptParser {
    /// Expressions separated by commas.
    mutating func expression(allowsIn: Bool = true) -> ID {
        let start = start
        let first = assignment(allowsIn: allowsIn)
        guard symbol == .comma else { return first }
        var list = List()
        tree.append(first, to: &list)
        while take(.comma) { tree.append(assignment(allowsIn: allowsIn), to: &list) }
        return tree.add(node(.sequence, from: start), list)
    }

    /// What precedes the right part of an assignment or a conditional.
    private enum Pending {
        case assignment(JavaScriptSymbol, target: ID, start: UInt32)
        case conditional(test: ID, then: ID, start: UInt32)
    }

    /// An expression without a comma; chains of `=` and of `? :` are read by a loop.
    mutating func assignment(allowsIn: Bool = true) -> ID {
        if let operand = singleOperand() { return operand }
        guard enter() else { return delay(isStatement: false) }
        defer { leave() }
        var pending: [Pending] = []
        var value: ID
        while true {
            let start = start
            if symbol == .yield, startsYield() {
                value = yield()
                break
            }
            value = operation(allowsIn: allowsIn)
            if arrowEnd == position { break }
            if symbol.isAssignment {
                let symbol = symbol
                advance()
                pending.append(.assignment(symbol, target: value, start: start))
            } else if take(.question) {
                let then = assignment()
                expect(.colon)
                pending.append(.conditional(test: value, then: then, start: start))
            } else {
                break
            }
        }
        while let last = pending.popLast() {
            switch last {
            case .assignment(let symbol, let target, let start):
                value = tree.add(node(.assignment, from: start, symbol: symbol), target, value)
            case .conditional(let test, let then, let start):
                value = tree.add(node(.conditional, from: start), test, then, value)
            }
        }
        return value
    }

    /// A name, a number or a string that is the whole expression, which most are.
    @inline(__always)
    private mutating func singleOperand() -> ID? {
        switch symbol(after: 1) {
        case .comma, .closeParen, .closeBracket, .closeBrace, .semicolon: break
        default: return nil
        }
        switch kind {
        case .identifier: return leaf(.identifier)
        case .number: return leaf(.number)
        case .string: return stringOperand()
        default: return nil
        }
    }

    private func startsYield() -> Bool {
        switch symbol(after: 1) {
        case .assign, .dot, .arrow, .colon: false
        default: true
        }
    }

    private mutating func yield() -> ID {
        let start = start
        advance()
        let isDelegate = !isAfterNewline && take(.multiply)
        let isBare =
            !isDelegate
            && (isAfterNewline || symbol.isClosing || symbol == .comma || symbol == .semicolon
                || symbol == .in || symbol == .of || kind == .templateContinuation)
        let value = isBare ? absent() : assignment()
        return tree.add(
            node(.yield, from: start, flags: isDelegate ? .isGenerator : []), value)
    }

    /// Operators between operands, by precedence and without recursion.
    private mutating func operation(allowsIn: Bool) -> ID {
        let base = operators.count
        var start = start
        var value = unary()
        while arrowEnd != position {
            let symbol = symbol
            let precedence = symbol.precedence
            guard precedence > 0, allowsIn || symbol != .in else { break }
            if symbol == .in, tree.kind(value) == .privateName { note(.privateIn, at: start) }
            fold(&value, from: base, &start, above: symbol == .power ? precedence : precedence &- 1)
            operators.append((symbol, value, start))
            advance()
            start = self.start
            value = unary()
        }
        fold(&value, from: base, &start, above: 0)
        return value
    }

    /// Makes nodes of the pending operators whose precedence is above a limit.
    private mutating func fold(
        _ value: inout ID, from base: Int, _ start: inout UInt32, above limit: UInt8
    ) {
        while operators.count > base, let last = operators.last, last.symbol.precedence > limit {
            operators.removeLast()
            value = tree.add(
                node(.binary, from: last.start, symbol: last.symbol), last.left, value)
            start = last.start
        }
    }

    /// Operators before and after one operand, without recursion.
    private mutating func unary() -> ID {
        let base = operators.count
        while symbol.isPrefix {
            if symbol == .await {
                guard startsOperand(after: 1) else { break }
                if functions == 0 { note(.topLevelAwait) }
            }
            operators.append((symbol, 0, start))
            advance()
        }
        let start = start
        var value = subscripts()
        if symbol == .increment || symbol == .decrement, !isAfterNewline, arrowEnd != position {
            let symbol = symbol
            advance()
            value = tree.add(
                node(.update, from: start, symbol: symbol, flags: .isPostfix), value)
        }
        while operators.count > base, let last = operators.popLast() {
            let isUpdate = last.symbol == .increment || last.symbol == .decrement
            value = tree.add(
                node(isUpdate ? .update : .unary, from: last.start, symbol: last.symbol), value)
        }
        return value
    }

    /// Whether `await` is an operator: an operand follows.
    private func startsOperand(after count: Int) -> Bool {
        switch kind(after: count) {
        case .identifier: symbol(after: count) != .of
        case .privateName, .number, .string, .templateStart, .regularExpression: true
        case .keyword:
            !symbol(after: count).startsStatement && symbol(after: count).precedence == 0
        case .punctuator:
            switch symbol(after: count) {
            case .openParen, .openBracket, .openBrace, .not, .complement, .increment, .decrement,
                .add, .subtract:
                true
            default: false
            }
        default: false
        }
    }

    /// Members, calls and templates after an operand.
    private mutating func subscripts() -> ID {
        let start = start
        let isPlainAsync = symbol == .async && !isNewline(after: 1)
        let value = primary()
        if arrowEnd == position, tree.kind(value) == .arrowFunction { return value }
        return subscripts(of: value, from: start, isAsync: isPlainAsync)
    }

    /// - Parameter isCallee: Whether the operand belongs to `new`, which takes the first arguments.
    mutating func subscripts(
        of operand: ID, from start: UInt32, isAsync: Bool = false, isCallee: Bool = false
    ) -> ID {
        var value = operand
        while true {
            switch symbol {
            case .dot, .optionalDot:
                let flags: JavaScriptNode.Flags = symbol == .optionalDot ? .optional : []
                if isCallee, symbol == .optionalDot { return value }
                advance()
                if symbol == .openParen, flags == .optional {
                    value = call(value, start, flags)
                } else if symbol == .openBracket, flags == .optional {
                    value = index(value, start, flags)
                } else {
                    let name = memberName()
                    value = tree.add(node(.member, from: start, flags: flags), value, name)
                }
            case .openBracket: value = index(value, start, [])
            case .openParen:
                if isCallee { return value }
                if isAsync, value == operand, let arrow = asyncArrow(start) {
                    return arrow
                }
                value = call(value, start, [])
            default:
                guard kind == .templateStart else { return value }
                let template = template(isTagged: true)
                value = tree.add(node(.taggedTemplate, from: start), value, template)
            }
        }
    }

    private mutating func memberName() -> ID {
        switch kind {
        case .identifier, .keyword: leaf(.identifier)
        case .privateName: leaf(.privateName)
        default: error(consuming: false)
        }
    }

    private mutating func index(_ object: ID, _ start: UInt32, _ flags: JavaScriptNode.Flags) -> ID
    {
        advance()
        let index = expression()
        expect(.closeBracket)
        return tree.add(node(.index, from: start, flags: flags), object, index)
    }

    private mutating func call(_ callee: ID, _ start: UInt32, _ flags: JavaScriptNode.Flags) -> ID {
        var list = List()
        tree.append(callee, to: &list)
        arguments(&list)
        return tree.add(node(.call, from: start, flags: flags), list)
    }

    /// `(a, ...b)`.
    mutating func arguments(_ list: inout List) {
        advance()
        elements(until: .closeParen, &list)
    }

    /// Expressions up to a bracket, which is passed over.
    mutating func elements(until end: JavaScriptSymbol, _ list: inout List) {
        while !isAtEnd, symbol != end {
            if symbol == .comma {
                // A hole.
                if end == .closeBracket { tree.append(absent(), to: &list) }
                advance()
                continue
            }
            let before = position
            tree.append(symbol == .ellipsis ? spread() : assignment(), to: &list)
            if take(.comma) {
                if symbol == .closeParen, end == symbol {
                    note(.trailingCommas, at: lastEnd &- 1)
                }
                continue
            }
            if symbol != end {
                tree.hasErrors = true
                // Brackets that do not match: the outer ones may.
                if position == before || symbol.isClosing || symbol.startsStatement { break }
            }
        }
        expect(end)
    }

    mutating func spread() -> ID {
        let start = start
        advance()
        let value = assignment()
        return tree.add(node(.spread, from: start), value)
    }

    /// `async (a) => …`; `nil` if it is a call.
    private mutating func asyncArrow(_ start: UInt32) -> ID? {
        guard closesBeforeArrow() else { return nil }
        let from = self.start
        var list = List()
        arguments(&list)
        let parameters = tree.add(node(.parameters, from: from), list)
        return arrowBody(parameters, start, .isAsync)
    }

    /// Whether `=>` follows the parenthesis that closes the current one.
    private mutating func closesBeforeArrow() -> Bool {
        var open = 0
        var index = position
        while index < limit, skipBudget > 0 {
            let symbol = tokens[index].symbol
            skipBudget &-= 1
            if symbol.isOpening { open &+= 1 }
            if symbol.isClosing { open &-= 1 }
            index &+= 1
            if open == 0 { break }
        }
        return index < limit && tokens[index].symbol == .arrow
    }
}
