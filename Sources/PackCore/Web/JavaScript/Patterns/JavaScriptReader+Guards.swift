/// Conditions and `try` around a node: a walk to its parents.
extension JavaScriptReader {
    /// A walk from a node to the whole script.
    struct GuardWalk {
        var words: Set<JavaScriptName>
        var triesCount = false
        /// Whether every condition is a guard, known or not.
        var countsAny = false
        /// Whether a `try` only applies if the position is awaited.
        var needsAwait = false
        var isAwaited = false
        /// Whether the walk left a function.
        var isOutside = false
        /// Whether the only guard is a condition that is most likely not true.
        var isOnlyUnlikely = false
        /// Whether only a user action reaches the position.
        var isOnDemand = false
        /// The `try` that was found.
        var tryStatement: ID = 0
    }

    /// Whether a condition on the page's protocol or security controls a node.
    mutating func isSecurityGuarded(_ id: ID, _ source: Span<UInt8>) -> Bool {
        isGuarded(id, by: [.protocol, .isSecureContext], source)
    }

    /// Whether the page works without the asset that is loaded here.
    ///
    /// It may be for old browsers, or replace an asset that failed.
    mutating func isAssetGuarded(_ id: ID, _ source: Span<UInt8>) -> Bool {
        isGuarded(
            id, by: [.protocol, .isSecureContext, .documentMode, .attachEvent, .onerror], source)
    }

    /// Whether a condition with one of several words controls a node.
    ///
    /// - Parameters:
    ///   - words: Names and the contents of strings, as in `"serviceWorker" in navigator`.
    ///   - triesCount: Whether a `try` around the node, in the same function, is a guard.
    mutating func isGuarded(
        _ id: ID, by words: Set<JavaScriptName>, triesCount: Bool = false, _ source: Span<UInt8>
    ) -> Bool {
        var walk = GuardWalk(words: words, triesCount: triesCount)
        return isGuarded(id, &walk, source) && !walk.isOnlyUnlikely
    }

    mutating func isGuarded(_ id: ID, _ walk: inout GuardWalk, _ source: Span<UInt8>) -> Bool {
        var node = id
        while node != 0, steps > 0 {
            let parent = tree.parent(node)
            steps -= 1
            if step(from: node, to: parent, &walk, source) {
                walk.isOnlyUnlikely = false
                return true
            }
            node = parent
        }
        walk.isOnlyUnlikely = walk.isOnlyUnlikely || walk.isOnDemand
        return walk.isOnlyUnlikely
    }

    /// Whether a node is reached whenever the script starts: outside functions, and behind
    /// conditions that are known to be met.
    mutating func runsAtStart(_ id: ID, _ source: Span<UInt8>) -> Bool {
        // Without evaluating anything: most nodes are in a function that nothing calls at once.
        guard mayRunAtStart(id) else { return false }
        var node = id
        while node != 0 {
            guard steps > 0 else { return false }
            steps -= 1
            let parent = tree.parent(node)
            guard continues(from: parent, to: node, source) else { return false }
            node = parent
        }
        return true
    }

    /// Whether no loop, no handler of errors and no function without a call stands around a node.
    private func mayRunAtStart(_ id: ID) -> Bool {
        var node = id
        while node != 0 {
            let parent = tree.parent(node)
            switch tree.kind(parent) {
            case .functionDeclaration, .functionExpression, .arrowFunction:
                guard tree.kind(tree.parent(parent)) == .call else { return false }
            case .tryStatement:
                guard node == tree.first(parent) else { return false }
            case .whileStatement, .forStatement, .switchStatement, .switchCase, .method, .field:
                return false
            default: break
            }
            node = parent
        }
        return true
    }

    /// Whether a node passes control to one of its parts if ``mayRunAtStart(_:)``.
    private mutating func continues(
        from parent: ID, to node: ID, _ source: Span<UInt8>
    ) -> Bool {
        let test = tree.first(parent)
        switch tree.kind(parent) {
        case .conditional, .ifStatement:
            return node == test || isKnown(test, tree.second(parent) == node, source)
        case .binary:
            guard node != test else { return true }
            switch tree.symbol(parent) {
            case .both: return isKnown(test, true, source)
            case .either: return isKnown(test, false, source)
            case .missing: return false
            default: return true
            }
        case .block, .program:
            let start = tree.start(node)
            for statement in exits(of: parent).prefix(while: { tree.start($0) < start }).suffix(32)
            where !isKnown(tree.first(statement), false, source) { return false }
            return tree.kind(parent) == .program || !hasOtherExit(parent, before: start)
        case .functionDeclaration, .functionExpression, .arrowFunction:
            let call = tree.parent(parent)
            return tree.first(call) == parent || isCalledAtStart(parent, by: call, source)
        default: return true
        }
    }

    /// Whether an earlier statement of a block may leave it, other than an `if`.
    private mutating func hasOtherExit(_ block: ID, before start: Int) -> Bool {
        var statement = tree.first(block)
        while statement != 0, tree.start(statement) < start {
            if tree.kind(statement) != .ifStatement, exits(statement) { return true }
            statement = tree.next(statement)
        }
        return false
    }

    /// Whether a condition stands between a node and the whole script.
    func isConditional(_ id: ID) -> Bool {
        var node = id
        while node != 0 {
            let parent = tree.parent(node)
            let kind = tree.kind(parent)
            if kind == .ifStatement || kind == .conditional, tree.first(parent) != node {
                return true
            }
            node = parent
        }
        return false
    }

    /// `setTimeout(function…)`, `addEventListener("load", function…)`.
    private func isCalledAtStart(
        _ function: ID, by call: ID, _ source: Span<UInt8>
    ) -> Bool {
        let callee = tree.first(call)
        let name = tree.kind(callee) == .member ? tree.memberName(callee) : tree.name(callee)
        switch name {
        case .setTimeout: return tree.argument(call, 0) == function
        case .addEventListener:
            let event = tree.argument(call, 0)
            return tree.argument(call, 1) == function && tree.kind(event) == .string
                && ["load", "DOMContentLoaded"].contains(string(tree.text(event, source)))
        default: return false
        }
    }

    /// Whether a condition certainly has a value.
    private mutating func isKnown(
        _ test: ID, _ wanted: Bool, _ source: Span<UInt8>
    ) -> Bool {
        let wasLikely = evaluator.isLikely
        evaluator.isLikely = false
        defer { evaluator.isLikely = wasLikely }
        steps -= 4
        let truth = evaluator.resolved(value(of: test, source)).truth
        return truth == .boolean(wanted) && !evaluator.isLikely
    }

    /// Whether the parent of a node is a guard.
    private mutating func step(
        from node: ID, to parent: ID, _ walk: inout GuardWalk, _ source: Span<UInt8>
    ) -> Bool {
        let test = tree.first(parent)
        switch tree.kind(parent) {
        case .conditional, .ifStatement:
            guard node != test else { return false }
            return decides(test, stops: tree.second(parent) != node, &walk, source)
        case .whileStatement:
            return node != test && decides(test, stops: false, &walk, source)
        case .binary:
            guard node != test else { return false }
            switch tree.symbol(parent) {
            case .both: return decides(test, stops: false, &walk, source)
            case .either: return decides(test, stops: true, &walk, source)
            default: return false
            }
        case .unary:
            if tree.symbol(parent) == .await, !walk.isOutside { walk.isAwaited = true }
        case .block, .program, .switchCase: return returns(before: node, in: parent, &walk, source)
        case .tryStatement:
            guard node == test, walk.triesCount, !walk.isOutside,
                !walk.needsAwait || walk.isAwaited
            else { return false }
            walk.tryStatement = parent
            return true
        case .functionDeclaration, .functionExpression, .arrowFunction:
            walk.isOutside = true
            if isListener(parent, source) { walk.isOnDemand = true }
            // `image.onerror = function () { … }`
            let assignment = tree.parent(parent)
            return walk.words.contains(.onerror) && tree.kind(assignment) == .assignment
                && isNamed(tree.first(assignment), .onerror)
        default: break
        }
        return false
    }

    /// Whether an earlier statement of a block leaves it on a condition: `if (x) return`.
    private mutating func returns(
        before node: ID, in block: ID, _ walk: inout GuardWalk, _ source: Span<UInt8>
    ) -> Bool {
        let start = tree.start(node)
        for statement in exits(of: block).prefix(while: { tree.start($0) < start }).suffix(32)
        where decides(tree.first(statement), stops: true, &walk, source) { return true }
        return false
    }

    /// The statements of a block that leave it on a condition.
    private mutating func exits(of block: ID) -> [ID] {
        if let known = knownExits[block] { return known }
        var found: [ID] = []
        var statement = tree.first(block)
        while statement != 0 {
            if tree.kind(statement) == .ifStatement, exits(tree.second(statement)) {
                found.append(statement)
            }
            statement = tree.next(statement)
        }
        knownExits[block] = found
        return found
    }

    /// Whether a statement contains a `return` or `throw` outside other functions.
    private mutating func exits(_ statement: ID) -> Bool {
        let start = tree[statement].start
        var id = statement
        while id > 0, tree[id].start >= start, steps > 0 {
            let kind = tree.kind(id)
            if kind == .returnStatement || kind == .throwStatement { return true }
            let inner = tree[id].start
            id -= 1
            steps -= 1
            guard kind.isFunction else { continue }
            while id > 0, tree[id].start >= inner { id -= 1 }
        }
        return false
    }

    /// Whether a condition prevents a position from being reached.
    ///
    /// - Parameter stops: The value of the condition that prevents it.
    private mutating func decides(
        _ test: ID, stops: Bool, _ walk: inout GuardWalk, _ source: Span<UInt8>
    ) -> Bool {
        steps -= 4
        let truth = knownTruths[test] ?? evaluator.resolved(value(of: test, source)).truth
        knownTruths[test] = truth
        switch truth {
        case .boolean(let value): return value == stops
        case .withheld: if !stops { return true }
        case .unlikely: if !stops { walk.isOnlyUnlikely = true }
        default: break
        }
        return walk.countsAny || mentions(walk.words, test, source)
    }

    /// Whether an expression contains a name or a string of a set.
    mutating func mentions(_ words: Set<JavaScriptName>, _ id: ID, _ source: Span<UInt8>) -> Bool {
        guard !words.isEmpty else { return false }
        let start = tree[id].start
        var node = id
        var count = 0
        while node > 0, tree[node].start >= start, count < 800 {
            switch tree.kind(node) {
            case .identifier: if let name = tree.name(node), words.contains(name) { return true }
            case .string:
                let content = tree.content(node)
                if content.count < 40,
                    let name = JavaScriptNames.known(source.extracting(content)),
                    words.contains(name)
                {
                    return true
                }
            default: break
            }
            node -= 1
            count += 1
        }
        steps -= count
        return false
    }

    /// Whether a function runs on a user action: `addEventListener("click", …)`, `x.onclick = …`,
    /// `$(x).click(…)`.
    private func isListener(_ function: ID, _ source: Span<UInt8>) -> Bool {
        let parent = tree.parent(function)
        switch tree.kind(parent) {
        case .assignment:
            switch tree.memberName(tree.first(parent)) {
            case .onclick, .onsubmit, .ontouchend, .onpointerup: return true
            default: return false
            }
        case .call:
            let callee = tree.first(parent)
            let name = tree.kind(callee) == .member ? tree.memberName(callee) : tree.name(callee)
            if tree.argument(parent, 1) == function {
                switch name {
                case .addEventListener, .on, .once, .one: break
                default: return false
                }
                let event = tree.argument(parent, 0)
                guard tree.kind(event) == .string else { return false }
                return Self.actions.contains(string(tree.text(event, source)))
            }
            return tree.argument(parent, 0) == function && tree.kind(callee) == .member
                && (name == .click || name == .submit)
        default: return false
        }
    }

    private static let actions: Set<String> = [
        "click", "submit", "touchstart", "touchend", "pointerdown", "pointerup", "mousedown",
        "mouseup", "keydown", "keyup", "dblclick", "contextmenu",
    ]
}
