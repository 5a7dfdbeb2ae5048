/// The files of webpack's chunks.
extension JavaScriptReader {
    private static let mostSelections = 16
    private static let mostOpenMaps = 16

    // MARK: - Selections

    /// The condition in `n.f.j = (e, t) => { … }` on the chunks that have a script.
    ///
    /// For example `if (!/^(1|2)$/.test(e))`, `if (666 != e)`.
    mutating func selection(_ id: ID, _ source: Span<UInt8>) {
        let target = tree.first(id)
        let owner = tree.first(target)
        let function = tree.second(id)
        guard bundle.selections.count < Self.mostSelections, tree.memberName(owner) == .f,
            tree.kind(function).isFunction
        else { return }
        let parameters =
            tree.kind(function) == .arrowFunction ? tree.first(function) : tree.second(function)
        let parameter = tree.nameID(tree.first(parameters))
        let start = tree[function].start
        var found: (condition: ID, ids: Set<[UInt8]>, isNegated: Bool)?
        var node = function
        while node > 0, parameter != 0, tree[node].start >= start {
            if let ids = selected(by: node, parameter, source) { found = (node, ids.0, ids.1) }
            node -= 1
        }
        guard let found, let isEmpty = loadsNothing(if: found.condition, parameter) else { return }
        var isNegated = found.isNegated
        if tree.symbol(tree.parent(found.condition)) == .not { isNegated.toggle() }
        bundle.selections.append(
            .init(
                object: tree.bytes(tree.first(owner), source), ids: found.ids,
                areLoaded: isNegated == isEmpty))
    }

    /// The numbers that a condition tests the parameter for, and whether it is true for others.
    private func selected(
        by id: ID, _ parameter: JavaScriptNames.ID, _ source: Span<UInt8>
    ) -> (Set<[UInt8]>, Bool)? {
        switch tree.kind(id) {
        case .call:
            let pattern = tree.first(tree.first(id))
            guard tree.memberName(tree.first(id)) == .test,
                tree.kind(pattern) == .regularExpression,
                tree.nameID(tree.argument(id, 0)) == parameter,
                case .pattern(let bytes, _) = regularExpression(pattern, source),
                let ids = FiniteExpression.texts(bytes)
            else { return nil }
            return (ids, false)
        case .binary:
            let symbol = tree.symbol(id)
            let isNegated = symbol == .notSame || symbol == .notEqual
            guard isNegated || symbol == .same || symbol == .equal else { return nil }
            let (left, right) = (tree.first(id), tree.second(id))
            guard tree.nameID(left) == parameter || tree.nameID(right) == parameter,
                let number = chunkNumber(tree.nameID(left) == parameter ? right : left, source)
            else { return nil }
            return ([number], isNegated)
        default: return nil
        }
    }

    private func regularExpression(_ id: ID, _ source: Span<UInt8>) -> JavaScriptValue {
        let bytes = tree.bytes(id, source)
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")), slash > 0 else { return .unknown }
        return .pattern(Array(bytes[1..<slash]), ignoresCase: false)
    }

    /// Whether the code for a true condition is `installed[e] = 0`; `nil` if it decides no code.
    private func loadsNothing(if condition: ID, _ parameter: JavaScriptNames.ID) -> Bool? {
        var node = condition
        while tree.kind(tree.parent(node)) == .unary || tree.kind(tree.parent(node)) == .binary {
            node = tree.parent(node)
        }
        let parent = tree.parent(node)
        guard tree.kind(parent) == .ifStatement || tree.kind(parent) == .conditional,
            tree.first(parent) == node
        else { return nil }
        var then = tree.second(parent)
        while tree.kind(then) == .block || tree.kind(then) == .expressionStatement {
            then = tree.first(then)
        }
        if tree.kind(then) == .sequence { then = tree.first(then) }
        return tree.kind(then) == .assignment && tree.kind(tree.first(then)) == .index
            && tree.nameID(tree.second(tree.first(then))) == parameter
            && tree.kind(tree.second(then)) == .number
    }

    // MARK: - Files

    /// Records every file of the maps.
    ///
    /// Those are the chunks in their tables, and without a table, the chunks that the script itself
    /// requests.
    mutating func finishChunks() {
        // Other scripts have methods of this name.
        if bundle.runtimeObjects.isEmpty, !bundle.sawChunkGlobal {
            result.chunkCalls = []
            result.definedChunks = []
        }
        result.runtimes = bundle.maps.count { !$0.isStyle }
        for entry in bundle.maps {
            let ofObject = bundle.selections.filter { $0.object == entry.object }
            let selection = ofObject.count == 1 ? ofObject[0] : nil
            var ids = entry.map.identifiers
            if !entry.isStyle, entry.map.isOpen, result.openMaps.count < Self.mostOpenMaps {
                ids += result.chunkCalls.subtracting(ids).sorted {
                    $0.lexicographicallyPrecedes($1)
                }
                result.openMaps.append(OpenChunkMap(map: entry.map, selection: selection))
            }
            if entry.isStyle {
                ids += bundle.styleIDs.subtracting(ids).sorted { $0.lexicographicallyPrecedes($1) }
            }
            var seen: Set<[UInt8]> = []
            for id in ids where entry.isStyle || selection?.loads(id) ?? true {
                guard entry.only?.contains(id) ?? true, let name = entry.map.name(of: id),
                    !entry.isStyle || entry.map.pattern == nil || bundle.styleIDs.contains(id),
                    seen.insert(name).inserted
                else { continue }
                note(
                    JavaScriptReference(
                        .chunk, range: entry.map.range, expression: entry.expression, value: name,
                        extent: .whole, form: entry.isStyle ? .webpackStyle : .webpackScript))
            }
        }
    }

    // MARK: - The public path

    /// `n.p = "/static/"`.
    mutating func publicPath(_ id: ID, _ source: Span<UInt8>) {
        let target = tree.first(id)
        let value = tree.second(id)
        guard tree.kind(target) == .member, tree.kind(tree.first(target)) == .identifier,
            tree.symbol(id) == .assign
        else { return }
        let start = tree.start(target)
        if let address = written(value, source), let literal = address.literals.first,
            tree.kind(literal) == .string
        {
            return add(
                JavaScriptReference(
                    .publicPath, range: address.range, expression: start..<address.end,
                    value: address.values[0], extent: address.extent, form: .webpack),
                of: target, source)
        }
        var first = value
        while tree.first(first) != 0, !tree.kind(first).isFunction, tree.kind(first) != .unary {
            first = tree.first(first)
        }
        guard tree.kind(first) == .identifier, tree.start(first) == tree.start(value) else {
            return
        }
        if let literal = webDefault(value, source) {
            return add(
                JavaScriptReference(
                    .publicPath, range: tree.content(literal),
                    expression: start..<tree.end(literal), value: tree.text(literal, source),
                    extent: .prefix, form: .webpack),
                of: target, source)
        }
        // Computed from the script's own address at run time.
        let range = start..<tree.end(first)
        let extension_ = tree.next(first)
        let isExtended =
            tree.symbol(tree.parent(first)) == .add && tree.kind(extension_) == .string
        add(
            JavaScriptReference(
                .publicPath, range: range, expression: range,
                value: isExtended ? tree.text(extension_, source) : [], form: .webpackAuto),
            of: target, source)
    }

    private mutating func add(
        _ publicPath: JavaScriptReference, of target: ID, _ source: Span<UInt8>
    ) {
        bundle.publicPaths.append((tree.bytes(tree.first(target), source), publicPath))
    }

    /// The default web address of a page setting: `window.ASSETS || "https://unpkg.com/" + …`.
    private func webDefault(_ value: ID, _ source: Span<UInt8>) -> ID? {
        guard tree.kind(value) == .binary,
            tree.symbol(value) == .either || tree.symbol(value) == .missing,
            tree.kind(tree.first(value)) == .identifier || tree.kind(tree.first(value)) == .member
        else { return nil }
        guard let address = written(tree.second(value), source),
            let literal = address.literals.first
        else { return nil }
        let text = address.values[0]
        return text.starts(with: "https://".utf8) || text.starts(with: "http://".utf8)
            ? literal : nil
    }

    /// `n.p + "static/media/a.png"`, which is the whole address below the public path.
    mutating func publicAsset(_ id: ID, _ source: Span<UInt8>) {
        guard var address = written(id, source) else { return }
        claim(id)
        let text = address.values[0]
        guard tree.kind(tree.parent(tree.parent(id))) != .member, namesFile(text.span) else {
            address.extent = .part
            return note(
                .literal, from: tree.start(id), address, place: place(of: id, source))
        }
        bundle.sawPublicAsset = true
        note(
            JavaScriptReference(
                .publicAsset, range: address.range, expression: tree.range(id),
                value: text, extent: .whole, isGuarded: isInlineWorker(id, source)))
    }

    /// Whether the public path precedes a literal.
    func isPublicPath(_ literal: ID, _ source: Span<UInt8>) -> Bool { isBelowPublicPath(literal) }

    /// Whether a file is requested only if its content, the first argument of the call, cannot be made
    /// a worker.
    ///
    /// worker-loader writes `inline("…", "Worker", void 0, n.p + "a.worker.js")`, and `inline("…",
    /// n.p + "a.worker.js")` before version 3.
    private func isInlineWorker(_ id: ID, _ source: Span<UInt8>) -> Bool {
        let call = tree.parent(tree.parent(id))
        let code = tree.argument(call, 0)
        guard tree.kind(call) == .call, tree.next(tree.parent(id)) == 0, code != tree.parent(id),
            tree.kind(code) == .string
        else { return false }
        return tree.content(code).contains {
            source[$0] == UInt8(ascii: "(") || source[$0] == UInt8(ascii: "=")
        }
    }

    /// Whether a function that returns the public path is called directly before a literal.
    ///
    /// Next.js writes `(()=>self.__webpack_public_path__||"")()+`.
    func followsPublicPathCall(_ id: ID, _ source: Span<UInt8>) -> Bool {
        let sum = tree.parent(id)
        guard tree.kind(sum) == .binary, tree.symbol(sum) == .add, tree.second(sum) == id else {
            return false
        }
        let call = lastOperand(of: tree.first(sum))
        let function = tree.first(call)
        guard tree.kind(call) == .call, tree.kind(function).isFunction else { return false }
        let start = tree[function].start
        var node = function
        while node > 0, tree[node].start >= start {
            if tree.name(node) == .publicPathGlobal { return true }
            node -= 1
        }
        return false
    }
}
