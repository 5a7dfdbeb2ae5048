extension JavaScriptParser {
    /// A statement; if none starts here, an error node of one token.
    mutating func statementOrError() -> ID {
        let before = position
        let statement = statement()
        guard position == before, position < limit else { return statement }
        return error(consuming: true)
    }

    /// The statements up to a brace, which is passed over.
    private mutating func statements(until end: JavaScriptSymbol = .closeBrace) -> List {
        var list = List()
        while !isAtEnd, symbol != end { tree.append(statementOrError(), to: &list) }
        expect(end)
        return list
    }

    mutating func block(_ kind: JavaScriptNode.Kind = .block) -> ID {
        let start = start
        guard take(.openBrace) else { return error(consuming: false) }
        let list = statements()
        return tree.add(node(kind, from: start), list)
    }

    /// Ends a statement: a missing semicolon is never an error.
    private mutating func end(
        _ kind: JavaScriptNode.Kind, _ start: UInt32, _ one: ID, symbol: JavaScriptSymbol = .none
    ) -> ID {
        endStatement()
        return tree.add(node(kind, from: start, symbol: symbol), one)
    }

    mutating func endStatement() {
        if take(.semicolon) { return }
        if symbol != .closeBrace, !isAfterNewline { tree.hasErrors = true }
    }

    mutating func statement() -> ID {
        guard enter() else { return delay(isStatement: true) }
        defer { leave() }
        let start = start
        switch symbol {
        case .openBrace: return block()
        case .semicolon:
            advance()
            return tree.add(node(.emptyStatement, from: start))
        case .var, .const: return variables()
        case .let where declares(after: 1): return variables()
        case .using where isUsing(after: 0), .await where isUsing(after: 1): return using()
        case .function: return function(.functionDeclaration)
        case .async where symbol(after: 1) == .function && !isNewline(after: 1):
            return function(.functionDeclaration)
        case .class: return classNode(.classDeclaration)
        case .if: return ifStatement()
        case .for: return forStatement()
        case .while:
            advance()
            let test = condition()
            let body = statement()
            return tree.add(node(.whileStatement, from: start), test, body)
        case .do: return doStatement()
        case .return, .throw: return jump()
        case .break, .continue:
            let kind: JavaScriptNode.Kind = symbol == .break ? .breakStatement : .continueStatement
            advance()
            let hasLabel = isName(after: 0) && !isAfterNewline
            return end(kind, start, hasLabel ? leaf(.identifier) : absent())
        case .switch: return switchStatement()
        case .try: return tryStatement()
        case .with:
            advance()
            let object = condition()
            let body = statement()
            return tree.add(node(.withStatement, from: start), object, body)
        case .debugger:
            advance()
            endStatement()
            return tree.add(node(.debugger, from: start))
        case .import where symbol(after: 1) != .openParen && symbol(after: 1) != .dot:
            return importDeclaration()
        case .export: return exportDeclaration()
        case .at: return decorator()
        default: break
        }
        if isName(after: 0), symbol(after: 1) == .colon {
            let label = leaf(.identifier)
            advance()
            let body = statement()
            return tree.add(node(.labeled, from: start), label, body)
        }
        let value = expression()
        return end(.expressionStatement, start, value)
    }

    /// Whether a later token is a name, or a word that may be one.
    func isName(after count: Int) -> Bool {
        let kind = kind(after: count)
        if kind == .identifier { return true }
        guard kind == .keyword else { return false }
        switch symbol(after: count) {
        case .let, .yield, .await: return true
        default: return false
        }
    }

    /// Whether a name or pattern follows `let`.
    private func declares(after count: Int) -> Bool {
        switch symbol(after: count) {
        case .openBracket, .openBrace: true
        case .in, .instanceof: false
        default: isName(after: count)
        }
    }

    /// `var a = 1, b`, without the semicolon in a loop's head.
    private mutating func variables(inHead: Bool = false) -> ID {
        let start = start
        let word = symbol
        advance()
        var list = List()
        repeat {
            let from = self.start
            let target = target()
            let value = take(.assign) ? assignment(allowsIn: !inHead) : absent()
            tree.append(tree.add(node(.declarator, from: from), target, value), to: &list)
        } while take(.comma)
        if !inHead { endStatement() }
        return tree.add(node(.variables, from: start, symbol: word), list)
    }

    /// A name or a pattern.
    mutating func target() -> ID {
        switch symbol {
        case .openBracket, .openBrace: primary()
        default: isName(after: 0) ? leaf(.identifier) : error(consuming: false)
        }
    }

    /// Whether `using` and a name follow in one line.
    private func isUsing(after count: Int) -> Bool {
        guard symbol(after: count) == .using, kind(after: count &+ 1) == .identifier,
            !isNewline(after: count &+ 1), count == 0 || !isNewline(after: count)
        else { return false }
        // `for (using of x)`
        return symbol(after: count &+ 1) != .of || symbol(after: count &+ 2) == .assign
    }

    private mutating func using(inHead: Bool = false) -> ID {
        let isAwait = symbol == .await
        note(isAwait ? .awaitUsing : .using)
        if isAwait {
            if functions == 0 { note(.topLevelAwait) }
            advance()
        }
        return variables(inHead: inHead)
    }

    private mutating func condition() -> ID {
        expect(.openParen)
        let value = expression()
        expect(.closeParen)
        return value
    }

    /// A chain of `else if` is read by a loop.
    private mutating func ifStatement() -> ID {
        var open: [(start: UInt32, test: ID, then: ID)] = []
        var tail: ID = 0
        while true {
            let start = start
            advance()
            let test = condition()
            open.append((start, test, statement()))
            guard take(.else) else {
                tail = absent()
                break
            }
            if symbol != .if {
                tail = statement()
                break
            }
        }
        while let last = open.popLast() {
            tail = tree.add(node(.ifStatement, from: last.start), last.test, last.then, tail)
        }
        return tail
    }

    private mutating func forStatement() -> ID {
        let start = start
        advance()
        let flags: JavaScriptNode.Flags = take(.await) ? .isAwait : []
        if flags == .isAwait {
            note(.forAwait, at: start)
            if functions == 0 { note(.topLevelAwait, at: start) }
        }
        expect(.openParen)
        var head: ID
        switch symbol {
        case .semicolon: head = absent()
        case .var, .const: head = variables(inHead: true)
        case .let where declares(after: 1): head = variables(inHead: true)
        case .using where isUsing(after: 0), .await where isUsing(after: 1):
            head = using(inHead: true)
        default: head = expression(allowsIn: false)
        }
        var list = List()
        tree.append(head, to: &list)
        var kind = JavaScriptNode.Kind.forStatement
        if symbol == .of || symbol == .in {
            kind = symbol == .of ? .forOf : .forIn
            advance()
            tree.append(kind == .forOf ? assignment() : expression(), to: &list)
        } else {
            expect(.semicolon)
            tree.append(symbol == .semicolon ? absent() : expression(), to: &list)
            expect(.semicolon)
            tree.append(symbol == .closeParen ? absent() : expression(), to: &list)
        }
        expect(.closeParen)
        head = statement()
        tree.append(head, to: &list)
        return tree.add(node(kind, from: start, flags: flags), list)
    }

    private mutating func doStatement() -> ID {
        let start = start
        advance()
        let body = statement()
        expect(.while)
        let test = condition()
        _ = take(.semicolon)
        return tree.add(node(.doStatement, from: start), body, test)
    }

    private mutating func jump() -> ID {
        let start = start
        let kind: JavaScriptNode.Kind = symbol == .return ? .returnStatement : .throwStatement
        advance()
        let isBare = symbol == .semicolon || symbol.isClosing || isAfterNewline
        return end(kind, start, isBare ? absent() : expression())
    }

    private mutating func switchStatement() -> ID {
        let start = start
        advance()
        var list = List()
        tree.append(condition(), to: &list)
        expect(.openBrace)
        while !isAtEnd, symbol != .closeBrace {
            let from = self.start
            var parts = List()
            if take(.case) {
                tree.append(expression(), to: &parts)
            } else if take(.default) {
                tree.append(absent(), to: &parts)
            } else {
                tree.append(statementOrError(), to: &list)
                continue
            }
            expect(.colon)
            while !isAtEnd, symbol != .case, symbol != .default, symbol != .closeBrace {
                tree.append(statementOrError(), to: &parts)
            }
            tree.append(tree.add(node(.switchCase, from: from), parts), to: &list)
        }
        expect(.closeBrace)
        return tree.add(node(.switchStatement, from: start), list)
    }

    private mutating func tryStatement() -> ID {
        let start = start
        advance()
        let body = block()
        var handler: ID = 0
        if symbol == .catch {
            let from = self.start
            advance()
            var parameter: ID = 0
            if take(.openParen) {
                parameter = target()
                expect(.closeParen)
            } else {
                note(.optionalCatchBinding, at: from)
                parameter = absent()
            }
            let block = block()
            handler = tree.add(node(.catchClause, from: from), parameter, block)
        } else {
            handler = absent()
        }
        let finally = take(.finally) ? block() : absent()
        return tree.add(node(.tryStatement, from: start), body, handler, finally)
    }
}
