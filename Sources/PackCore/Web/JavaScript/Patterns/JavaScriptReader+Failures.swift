/// The handling of failed requests: `catch`, `.catch(…)`, `onerror`.
extension JavaScriptReader {
    /// Whether a page needs the file of a request.
    enum Reach {
        case needed
        /// Perhaps not: a failure is only logged, or a condition is most likely not true.
        case tried
        /// It is not requested, or the page works without it.
        case guarded
    }

    /// Whether a request is made, and whether its failure is handled.
    ///
    /// - Parameters:
    ///   - id: The call, or the assignment of an address.
    ///   - call: The call whose result may have a handler; 0 if there is none.
    ///   - isAwaited: Whether a `try` only applies if the call is awaited.
    ///   - object: The name of the object with the handler; 0 if unknown.
    ///   - countsAny: Whether every condition is assumed not to be true.
    mutating func reach(
        of id: ID, call: ID, isAwaited: Bool = true, object: ID = 0,
        words: Set<JavaScriptName> = [], countsAny: Bool = false, _ source: Span<UInt8>
    ) -> Reach {
        var walk = GuardWalk(
            words: words.union([
                .protocol, .isSecureContext, .documentMode, .attachEvent, .onerror,
            ]), triesCount: call != 0)
        walk.needsAwait = isAwaited
        walk.countsAny = countsAny
        if isGuarded(id, &walk, source) {
            guard walk.tryStatement != 0 else { return walk.isOnlyUnlikely ? .tried : .guarded }
            let handler = tree.second(walk.tryStatement)
            let caught =
                tree.kind(handler) == .catchClause ? effect(of: tree.last(handler)) : .needed
            if caught != .needed { return caught }
        }
        if call != 0 {
            let handled = chain(after: call)
            if handled != .needed { return handled }
        }
        return object == 0 ? .needed : errorHandler(of: object, source)
    }

    /// The reach of a call.
    mutating func reach(of call: ID, _ source: Span<UInt8>) -> Reach {
        reach(of: call, call: call, source)
    }

    // MARK: - Handlers

    /// The calls chained to a call: `.then(…).catch(…)`.
    private mutating func chain(after call: ID) -> Reach {
        var node = call
        var result = Reach.needed
        for link in 0..<12 {
            let parent = tree.parent(node)
            let outer = tree.parent(parent)
            // One of several requests that are awaited together.
            if tree.kind(parent) == .array, tree.kind(outer) == .call,
                tree.argument(outer, 0) == parent, tree.name(object(ofCall: outer)) == .Promise
            {
                if tree.memberName(tree.first(outer)) == .allSettled { return .guarded }
                node = outer
                continue
            }
            guard tree.kind(parent) == .member, tree.first(parent) == node,
                tree.kind(outer) == .call, tree.first(outer) == parent
            else { return result }
            let first = tree.argument(outer, 0)
            switch tree.memberName(parent) {
            // The result is not used.
            case .finally: if link == 0 { return .tried }
            case .catch, .fail: return handler(first)
            case .then:
                if tree.next(first) != 0 { return handler(tree.next(first)) }
                if acceptsFailure(first) { result = .tried }
            default: break
            }
            node = outer
        }
        return result
    }

    /// Whether a function has a value for a response that failed: `r => r.ok ? r.json() : {}`.
    private func acceptsFailure(_ function: ID) -> Bool {
        let body = tree.last(function)
        guard tree.kind(function) == .arrowFunction, tree.kind(body) == .conditional,
            tree.memberName(tree.first(body)) == .ok,
            tree.nameID(tree.first(tree.first(body)))
                == tree.nameID(tree.first(tree.first(function)))
        else { return false }
        let other = tree.third(body)
        return tree.name(other) != .Promise && !tree[other].flags.contains(.parenthesized)
            && !isOfPromise(other)
    }

    private func isOfPromise(_ id: ID) -> Bool {
        tree.kind(id) == .call && tree.name(object(ofCall: id)) == .Promise
    }

    /// The effect of a function that is called with an error.
    mutating func handler(_ id: ID) -> Reach {
        switch tree.kind(id) {
        case .absent, .null: return .needed
        case .unary: return tree.symbol(id) == .void ? .needed : .tried
        case .identifier:
            // The rejection function of a promise that is returned.
            return tree.name(id) == .reject || tree.name(id) == .undefined ? .needed : .tried
        case .functionExpression, .arrowFunction: return effect(of: tree.last(id))
        default: return .tried
        }
    }

    /// The effect of a handler's statements.
    ///
    /// The failure is handled if they do more than logging the error or passing it on.
    private mutating func effect(of body: ID) -> Reach {
        let start = tree[body].start
        var node = body
        while node > 0, tree[node].start >= start, steps > 0 {
            if tree.kind(node) == .throwStatement { return .needed }
            if tree.kind(node) == .call {
                let callee = tree.first(node)
                if tree.name(tree.kind(callee) == .member ? tree.second(callee) : callee) == .reject
                {
                    return .needed
                }
            }
            node -= 1
            steps -= 1
        }
        guard tree.kind(body) == .block else { return isLog(body) ? .tried : .guarded }
        var logs = false
        var statement = tree.first(body)
        while statement != 0 {
            if tree.kind(statement) != .emptyStatement {
                guard tree.kind(statement) == .expressionStatement, isLog(tree.first(statement))
                else { return .guarded }
                logs = true
            }
            statement = tree.next(statement)
        }
        return logs ? .tried : .guarded
    }

    /// `console.error(e)`, `alert(e)`, or several of them.
    private func isLog(_ id: ID) -> Bool {
        if tree.kind(id) == .sequence { return tree.children(id).allSatisfy { isLog($0) } }
        guard tree.kind(id) == .call else { return false }
        let callee = tree.first(id)
        if tree.kind(callee) == .member { return tree.name(tree.first(callee)) == .console }
        return tree.name(callee) == .alert || tree.name(callee) == .reportError
    }

    /// `x.onerror = …` and `x.addEventListener("error", …)` of an object, in the same function.
    private mutating func errorHandler(of object: ID, _ source: Span<UInt8>) -> Reach {
        guard tree.kind(object) == .identifier, steps > 0 else { return .needed }
        let binding = evaluator.scopes.binding(of: object)
        let scope = binding.map { evaluator.scopes.bindings[$0].scope }
        let uses = evaluator.scopes.occurrences(
            of: tree.nameID(object),
            in: tree.range(scope ?? tree.functionScope(of: object)))
        steps -= uses.count
        for use in uses {
            let member = tree.parent(use)
            guard tree.kind(member) == .member, tree.first(member) == use else { continue }
            let outer = tree.parent(member)
            guard tree.first(outer) == member, evaluator.scopes.binding(of: use) == binding else {
                continue
            }
            switch tree.memberName(member) {
            case .onerror:
                guard tree.kind(outer) == .assignment else { continue }
                let value = tree.second(outer)
                // `c.onerror = c.onload = …` of a bundler's runtime passes the error on.
                let isShared =
                    tree.kind(value) == .assignment && tree.kind(tree.first(value)) == .member
                return isShared ? .needed : handler(value)
            case .addEventListener:
                guard tree.kind(outer) == .call, isString(tree.argument(outer, 0), "error", source)
                else { continue }
                return handler(tree.argument(outer, 1))
            default: continue
            }
        }
        return .needed
    }

    /// The variable to which an expression is assigned: `x` of `const x = …` and `x = …`; 0 if none.
    func assigned(_ id: ID) -> ID {
        let parent = tree.parent(id)
        guard tree.kind(parent) == .assignment || tree.kind(parent) == .declarator,
            tree.second(parent) == id, tree.kind(tree.first(parent)) == .identifier
        else { return 0 }
        return tree.first(parent)
    }
}
