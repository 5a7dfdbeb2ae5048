/// The runtime of webpack and Rspack: the chunks and their names.
extension JavaScriptReader {
    static let webpackPatterns: [JavaScriptPattern] = [
        // `n.e(358)`, `import(…).then(…)` after bundling
        JavaScriptPattern(.call, .e) { reader, id, source in
            if reader.tree.kind(reader.tree.first(id)) == .member { reader.chunkCall(id, source) }
        },
        // `new URL(n.p + n.u(790), n.b)`, the chunk of a worker
        JavaScriptPattern(.call, .u) { reader, id, source in
            if reader.isBelowPublicPath(id) { reader.chunkCall(id, source) }
        },
        JavaScriptPattern(.call, .l) { $0.remoteEntry($1, $2) },
        JavaScriptPattern(.call, .push) { $0.definedChunks($1, $2) },
        JavaScriptPattern(.call, .miniCssF) { $0.styleCall($1, $2) },
        JavaScriptPattern(.assignment, .u) { reader, id, source in
            let target = reader.tree.first(id)
            guard reader.tree.kind(reader.tree.first(target)) == .identifier else { return }
            reader.assignedMap(id, isStyle: false, source)
        },
        JavaScriptPattern(.assignment, .miniCssF) { $0.assignedMap($1, isStyle: true, $2) },
        JavaScriptPattern(.assignment, .miniCss) { $0.styleChunks($1, $2) },
        JavaScriptPattern(.assignment, .j) { $0.selection($1, $2) },
        JavaScriptPattern(.assignment, .p) { $0.publicPath($1, $2) },
        JavaScriptPattern(.assignment, .publicPathGlobal) { reader, id, source in
            let target = reader.tree.first(id)
            let name = reader.tree.kind(target) == .member ? reader.tree.second(target) : target
            reader.note(
                .publicPath, from: reader.tree.start(name), addressAt: reader.tree.second(id),
                source, form: .webpack)
        },
        JavaScriptPattern(.name, .requireGlobal) { reader, _, _ in
            reader.bundle.sawChunkGlobal = true
        },
        JavaScriptPattern(.node(.functionDeclaration)) { $0.olderMap($1, $2) },
        JavaScriptPattern(.node(.functionExpression)) { $0.olderMap($1, $2) },
        JavaScriptPattern(.node(.forStatement)) { $0.olderSheetMap($1, $2) },
    ]

    /// A number or a text that names a chunk.
    func chunkNumber(_ id: ID, _ source: Span<UInt8>) -> [UInt8]? {
        guard tree.kind(id) == .number || tree.kind(id) == .string else { return nil }
        let text = evaluator.keyText(id, source)
        return text.isEmpty || text.count > 128 ? nil : text
    }

    private mutating func chunkCall(_ id: ID, _ source: Span<UInt8>) {
        guard result.chunkCalls.count < JavaScriptBundle.mostCalls,
            let number = chunkNumber(tree.argument(id, 0), source)
        else { return }
        result.chunkCalls.insert(number)
    }

    /// `n.miniCssF(358)`.
    private mutating func styleCall(_ id: ID, _ source: Span<UInt8>) {
        guard bundle.styleIDs.count < JavaScriptBundle.mostCalls,
            let number = chunkNumber(tree.argument(id, 0), source), tree.argument(id, 1) == 0
        else { return }
        bundle.styleIDs.insert(number)
    }

    /// Whether the operand before a node is the public path: `n.p + …`.
    func isBelowPublicPath(_ id: ID) -> Bool {
        let sum = tree.parent(id)
        guard tree.kind(sum) == .binary, tree.symbol(sum) == .add, tree.second(sum) == id else {
            return false
        }
        return isPublicPath(lastOperand(of: tree.first(sum)))
    }

    /// The last operand of a sum.
    func lastOperand(of id: ID) -> ID {
        tree.kind(id) == .binary && tree.symbol(id) == .add ? tree.second(id) : id
    }

    /// The first operand of a sum.
    func firstOperand(of id: ID) -> ID {
        var node = id
        while tree.kind(node) == .binary, tree.symbol(node) == .add { node = tree.first(node) }
        return node
    }

    /// `n.p`, `__webpack_public_path__`.
    func isPublicPath(_ id: ID) -> Bool {
        if tree.name(id) == .publicPathGlobal || tree.memberName(id) == .publicPathGlobal {
            return true
        }
        return tree.memberName(id) == .p && tree.kind(tree.first(id)) == .identifier
    }

    /// `(self.webpackChunk = …).push([[502, 7], {…}])`: the modules of these chunks follow.
    private mutating func definedChunks(_ id: ID, _ source: Span<UInt8>) {
        let numbers = tree.first(tree.argument(id, 0))
        guard tree.kind(tree.first(id)) == .member, tree.kind(tree.argument(id, 0)) == .array,
            tree.kind(numbers) == .array
        else { return }
        for number in tree.children(numbers) {
            guard result.definedChunks.count < JavaScriptBundle.mostCalls,
                let text = chunkNumber(number, source)
            else { return }
            result.definedChunks.insert(text)
        }
    }

    /// `n.l("/remotes/shop/remoteEntry.js", …)` of a module federation.
    private mutating func remoteEntry(_ id: ID, _ source: Span<UInt8>) {
        let address = tree.argument(id, 0)
        guard tree.kind(tree.first(id)) == .member, tree.kind(address) == .string,
            tree.next(address) != 0, Self.hasEnding(tree.text(address, source), ["js"])
        else { return }
        note(
            .asset, from: nameStart(ofCall: id), addressAt: address, source, detail: "remote",
            isGuarded: isAssetGuarded(id, source))
    }

    // MARK: - Maps

    /// `n.u = e => …`, `n.miniCssF = e => …`.
    private mutating func assignedMap(_ id: ID, isStyle: Bool, _ source: Span<UInt8>) {
        let target = tree.first(id)
        guard tree.kind(target) == .member, tree.symbol(id) == .assign,
            let map = chunkMap(ofFunction: tree.second(id), source)
        else { return }
        add(map, of: tree.first(target), from: tree.start(target), tree.second(id), isStyle, source)
    }

    private mutating func add(
        _ map: WebpackChunkMap, of object: ID, from start: Int, _ node: ID, _ isStyle: Bool,
        _ source: Span<UInt8>
    ) {
        claim(below: node)
        let object = tree.bytes(object, source)
        bundle.runtimeObjects.insert(object)
        bundle.maps.append(
            .init(
                object: object, map: map, expression: start..<map.range.upperBound,
                isStyle: isStyle))
    }

    /// `function (e) { return n.p + "js/" + {…}[e] + ".js" }` of webpack 4.
    private mutating func olderMap(_ id: ID, _ source: Span<UInt8>) {
        guard let value = evaluator.returned(by: id) else { return }
        let path = firstOperand(of: value)
        guard path != value, tree.memberName(path) == .p, isPublicPath(path),
            let map = chunkMap(ofFunction: id, source)
        else { return }
        add(map, of: tree.first(path), from: tree.start(id), id, false, source)
    }

    /// `x.src = "/js/" + ({1: "about"}[e] || e) + "." + {1: "a1b2"}[e] + ".js"`, optionally after
    /// `n.p +`.
    ///
    /// - Returns: `false` for any other code.
    mutating func scriptAddress(_ id: ID, _ source: Span<UInt8>) -> Bool {
        let value = tree.second(id)
        let first = firstOperand(of: value)
        let isBelow = tree.memberName(first) == .p && isPublicPath(first)
        guard first != value, isBelow || tree.kind(first) == .string,
            let parameter = tableIndex(in: value),
            let map = chunkMap(of: value, parameter: parameter, source)
        else { return false }
        let names = map.identifiers.compactMap { map.names[$0] }.filter {
            map.pattern == nil && $0.suffix(3).elementsEqual(".js".utf8)
        }
        guard !names.isEmpty else { return false }
        if isBelow {
            add(map, of: tree.first(first), from: map.range.lowerBound, value, false, source)
            return true
        }
        claim(below: value)
        for name in Set(names).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            note(
                JavaScriptReference(
                    .chunk, range: map.range, expression: map.range, value: name, extent: .whole,
                    form: .address))
        }
        return true
    }

    /// The name in the first `{…}[e]` of an expression.
    private func tableIndex(in id: ID) -> JavaScriptNames.ID? {
        let start = tree[id].start
        var found: JavaScriptNames.ID?
        var node = id
        while node > 0, tree[node].start >= start {
            if tree.kind(node) == .index, tree.kind(tree.first(node)) == .object,
                tree.kind(tree.second(node)) == .identifier
            {
                found = tree.nameID(tree.second(node))
            }
            node -= 1
        }
        return found
    }

    // MARK: - Style sheets

    /// The chunks that have a style sheet: `n.f.miniCss = (e, t) => { … {358: 1}[e] && … }`.
    private mutating func styleChunks(_ id: ID, _ source: Span<UInt8>) {
        let start = tree[id].start
        var found: [[UInt8]]?
        var node = id
        while node > 0, tree[node].start >= start {
            if tree.kind(node) == .index, let ids = onesTable(node, source) { found = ids }
            node -= 1
        }
        bundle.styleIDs.formUnion(found ?? [])
    }

    /// The keys of `{358: 1, about: 1}[e]`.
    private func onesTable(_ index: ID, _ source: Span<UInt8>) -> [[UInt8]]? {
        guard tree.kind(tree.second(index)) == .identifier,
            tree.kind(tree.first(index)) == .object, tree.first(tree.first(index)) != 0
        else { return nil }
        var ids: [[UInt8]] = []
        for property in tree.children(tree.first(index)) {
            guard tree.kind(property) == .property, tree.kind(tree.second(property)) == .number
            else { return nil }
            ids.append(evaluator.keyText(tree.first(property), source))
        }
        return ids
    }

    /// Records the chunks of webpack 4 that have a style sheet, and their names.
    ///
    /// The code is `{1: 1}[e] && t.push(a[e] = new Promise(function (t, n) { for (var r =
    /// {1: "aa"}[e] + ".css", …`. The table of names also lists chunks without a sheet.
    private mutating func olderSheetMap(_ id: ID, _ source: Span<UInt8>) {
        let declarator = tree.first(tree.first(id))
        let block = tree.parent(id)
        let function = tree.parent(block)
        let promise = tree.parent(function)
        guard tree.kind(declarator) == .declarator, tree.first(block) == id,
            tree.kind(function).isFunction, tree.kind(promise) == .new,
            tree.name(tree.first(promise)) == .Promise
        else { return }
        var value = promise
        while tree.kind(tree.parent(value)) == .member || tree.kind(tree.parent(value)) == .call,
            tree.first(tree.parent(value)) == value
        { value = tree.parent(value) }
        let assignment = tree.parent(value)
        let target = tree.first(assignment)
        let push = tree.parent(assignment)
        let condition = tree.parent(push)
        guard tree.kind(assignment) == .assignment, tree.kind(target) == .index,
            tree.memberName(tree.first(push)) == .push, tree.kind(condition) == .binary,
            tree.symbol(condition) == .both,
            let ids = onesTable(lastConjunct(tree.first(condition)), source),
            let map = chunkMap(
                of: tree.second(declarator), parameter: tree.nameID(tree.second(target)), source)
        else { return }
        claim(below: tree.second(declarator))
        bundle.maps.append(
            .init(
                object: [], map: map,
                expression: tree.start(declarator)..<map.range.upperBound, isStyle: true,
                only: Set(ids)))
    }

    private func lastConjunct(_ id: ID) -> ID {
        tree.kind(id) == .binary && tree.symbol(id) == .both ? tree.second(id) : id
    }
}
