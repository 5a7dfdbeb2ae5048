/// Names with several values: variables of loops and parameters.
extension JavaScriptEvaluator {
    /// Methods that change a list.
    private static let changing: Set<JavaScriptName> = [
        .push, .pop, .shift, .unshift, .splice, .fill, .reverse, .sort,
    ]

    mutating func isChanged(_ binding: Int) -> Bool { isChanged(scopes.uses(of: binding)[...]) }

    /// Whether the script changes a list: `names.push(…)`, `names.length = 0`, `names[1] = …`.
    func isChanged(_ uses: ArraySlice<ID>) -> Bool {
        uses.contains { use in
            let parent = tree.parent(use)
            guard tree.first(parent) == use else { return false }
            switch tree.kind(parent) {
            case .member:
                if let name = tree.memberName(parent), Self.changing.contains(name) { return true }
                return tree.isWritten(parent)
            case .index: return tree.isWritten(parent)
            default: return false
            }
        }
    }

    /// Whether the script changes a member of an object.
    mutating func isReplaced(_ binding: Int) -> Bool {
        scopes.uses(of: binding).contains { use in
            let parent = tree.parent(use)
            return tree.first(parent) == use && tree.isWritten(parent)
                && (tree.kind(parent) == .member || tree.kind(parent) == .index)
        }
    }

    /// The module of Emscripten's code, which prepends the directory to its name, unless the page defines
    /// a function for that: `var f = "a.wasm"; f = locateFile(f)`.
    mutating func module(_ binding: Int, _ source: Span<UInt8>) -> JavaScriptValue? {
        let name = scopes.bindings[binding].name
        let value = tree.second(tree.parent(name))
        guard tree.kind(tree.parent(name)) == .declarator, tree.kind(value) == .string else {
            return nil
        }
        let text = tree.text(value, source)
        let isPassedOn = scopes.uses(of: binding).filter { tree.isWritten($0) }.allSatisfy { use in
            guard let call = tree.plainValue(writtenTo: use), tree.kind(call) == .call else {
                return false
            }
            return tree.nameID(tree.argument(call, 0)) == tree.nameID(name)
        }
        return isPassedOn && text.suffix(5).elementsEqual(".wasm".utf8) && !setsLocateFile
            ? .texts([text]) : nil
    }

    /// Whether the script gives Emscripten's code a function for the location of its files.
    private var setsLocateFile: Bool {
        tree.nodes.indices.dropFirst().contains { index in
            let id = ID(truncatingIfNeeded: index)
            guard tree.name(id) == .locateFile else { return false }
            let parent = tree.parent(id)
            return tree.kind(parent) == .property && tree.first(parent) == id
                || tree.kind(parent) == .member && tree.isWritten(parent)
        }
    }

    // MARK: - Loops

    /// The values of the variable of a loop, or of a callback over a list, at a use.
    mutating func looped(
        _ binding: JavaScriptScopes.Binding, at use: ID, _ source: Span<UInt8>
    ) -> JavaScriptValue? {
        let declarator = tree.parent(binding.name)
        if binding.kind == .parameter { return called(binding, at: use, source) }
        let loop = tree.parent(tree.parent(declarator))
        guard tree.kind(loop) == .forOf, tree.first(declarator) == binding.name,
            tree.first(loop) == tree.parent(declarator), runsForEach(tree.last(loop), use),
            case .list(let list) = value(of: tree.second(loop), source)
        else { return counted(use, source) }
        if tree.kind(tree.second(loop)) != .array { isLikely = true }
        return texts(of: list, source)
    }

    /// `for (var i = 1; i < 4; i++)`.
    mutating func counted(_ use: ID, _ source: Span<UInt8>) -> JavaScriptValue? {
        let binding = scopes.binding(of: use)
        let name = tree.nameID(use)
        var loop = tree.parent(use)
        while loop != 0 {
            defer { loop = tree.parent(loop) }
            guard tree.kind(loop) == .forStatement else { continue }
            var start = tree.first(loop)
            if tree.kind(start) == .variables { start = tree.first(start) }
            let target = tree.first(start)
            guard tree.nameID(target) == name, scopes.binding(of: target) == binding else {
                continue
            }
            return counted(loop, target, use, source)
        }
        return nil
    }

    private mutating func counted(
        _ loop: ID, _ name: ID, _ use: ID, _ source: Span<UInt8>
    ) -> JavaScriptValue? {
        let test = tree.second(loop)
        let update = tree.next(test)
        func isName(_ id: ID) -> Bool { tree.nameID(id) == tree.nameID(name) }
        let writes = scopes.occurrences(of: tree.nameID(name), in: tree.range(loop)).filter {
            tree.isWritten($0) && $0 != name
        }
        guard tree.kind(test) == .binary, isName(tree.first(test)), tree.kind(update) == .update,
            tree.symbol(update) == .increment, writes == [tree.first(update)],
            runsForEach(tree.last(loop), use),
            case .number(let first) = value(of: tree.second(tree.parent(name)), source),
            case .number(let last) = value(of: tree.second(test), source)
        else { return nil }
        let symbol = tree.symbol(test)
        guard symbol == .less || symbol == .lessOrEqual else { return nil }
        let end = symbol == .lessOrEqual ? last &+ 1 : last
        guard first >= 0, first < end, end &- first <= JavaScriptValue.mostTexts else { return nil }
        return .texts((first..<end).map { Array(String($0).utf8) })
    }

    /// `["a", "b"].forEach(x => …)`, and `map`.
    private mutating func called(
        _ binding: JavaScriptScopes.Binding, at use: ID, _ source: Span<UInt8>
    ) -> JavaScriptValue? {
        let parameters = tree.parent(binding.name)
        let function = tree.parent(parameters)
        let call = tree.parent(function)
        guard tree.kind(parameters) == .parameters, tree.first(parameters) == binding.name,
            tree.kind(call) == .call, tree.argument(call, 0) == function,
            let name = tree.memberName(tree.first(call)), name == .forEach || name == .map,
            runsForEach(tree.last(function), use),
            case .list(let list) = value(of: tree.first(tree.first(call)), source)
        else { return nil }
        if tree.kind(tree.first(tree.first(call))) != .array { isLikely = true }
        return texts(of: list, source)
    }

    /// Whether code in the body of a loop runs for each value: nothing decides, and nothing skips it.
    private mutating func runsForEach(_ body: ID, _ use: ID) -> Bool {
        var node = use
        while node != body {
            let parent = tree.parent(node)
            guard parent != 0 else { return false }
            switch tree.kind(parent) {
            case .ifStatement, .conditional, .switchCase, .whileStatement:
                if tree.first(parent) != node { return false }
            case .binary:
                if tree.second(parent) == node {
                    switch tree.symbol(parent) {
                    case .both, .either, .missing: return false
                    default: break
                    }
                }
            default: break
            }
            node = parent
        }
        let start = tree[body].start
        let place = tree[use].start
        var id = body
        while id > 0, tree[id].start >= start {
            switch tree.kind(id) {
            case .breakStatement: return false
            case .continueStatement, .returnStatement: if tree[id].end <= place { return false }
            default: break
            }
            id -= 1
            budget -= 1
        }
        return budget > 0
    }

    /// The name of a function: `function f() {}`, `const f = () => …`.
    mutating func binding(ofFunction function: ID) -> Int? {
        if tree.kind(function) == .functionDeclaration {
            return scopes.binding(of: tree.first(function))
        }
        let declarator = tree.parent(function)
        guard tree.kind(declarator) == .declarator, tree.second(declarator) == function else {
            return nil
        }
        return scopes.binding(of: tree.first(declarator))
    }
}
