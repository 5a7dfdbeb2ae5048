/// The names of a bundler's chunks, from the function that composes them.
///
/// For example `e => "js/" + ({1: "about"}[e] || e) + "." + {1: "a1b2"}[e] + ".js"`, with which webpack,
/// Rspack and Next.js compose them: the evaluator gives the name of each chunk that the function lists.
/// If it does not understand a part, no name is guessed.
struct WebpackChunkMap: Sendable {
    /// The chunks listed in its tables and conditions, in script order.
    let identifiers: [[UInt8]]
    /// The function's bytes.
    let range: Range<Int>
    let names: [[UInt8]: [UInt8]]
    /// The texts around the number of a chunk that is not listed; `nil` if such a chunk has no name.
    let pattern: [[UInt8]]?

    /// The file of a chunk; `nil` if it has none.
    func name(of id: [UInt8]) -> [UInt8]? {
        names[id] ?? pattern.map { Array($0.joined(separator: id)) }
    }

    /// Whether unlisted chunks also have files: `e => e + ".js"`.
    var isOpen: Bool {
        guard let pattern else { return false }
        return pattern.last?.suffix(3).elementsEqual(".js".utf8) == true
            || pattern.contains { $0.contains(UInt8(ascii: "?")) }
    }
}

/// The number of the chunk whose name is being evaluated.
struct JavaScriptChunkNumber {
    /// The name of the parameter.
    let name: JavaScriptNames.ID
    let value: JavaScriptValue
    let buildHash: [UInt8]?

    /// The number of no chunk: no script has this text.
    static let unlisted: [UInt8] = [0]

    init(_ name: JavaScriptNames.ID, _ id: [UInt8], buildHash: [UInt8]?) {
        self.name = name
        self.buildHash = buildHash
        let isNumber =
            id.count < 16 && (id == [0x30] || id.first != 0x30) && !id.isEmpty
            && id.allSatisfy(JavaScriptByte.isDigit)
        value =
            isNumber
            ? Int(String(decoding: id, as: UTF8.self)).map { .number($0) } ?? .texts([id])
            : .texts([id])
    }
}

extension JavaScriptReader {
    /// Reads a function of a chunk's number.
    mutating func chunkMap(ofFunction id: ID, _ source: Span<UInt8>) -> WebpackChunkMap? {
        guard tree.kind(id).isFunction else { return nil }
        let parameters =
            tree.kind(id) == .arrowFunction ? tree.first(id) : tree.second(id)
        let parameter = tree.first(parameters)
        guard tree.kind(parameter) == .identifier, tree.next(parameter) == 0 else { return nil }
        return chunkMap(of: id, parameter: tree.nameID(parameter), source)
    }

    /// Reads an expression of a chunk's number, or a function that returns one.
    mutating func chunkMap(
        of id: ID, parameter: JavaScriptNames.ID, _ source: Span<UInt8>
    ) -> WebpackChunkMap? {
        guard bundle.mapBudget > 0 else { return nil }
        let (ids, usesHash) = chunkNumbers(in: id, source)
        let hash = usesHash ? buildHash(source) : nil
        let budget = evaluator.budget
        evaluator.budget = bundle.mapBudget
        defer {
            bundle.mapBudget = evaluator.budget
            evaluator.budget = budget
        }
        func name(_ number: [UInt8], _ reader: inout JavaScriptReader) -> JavaScriptValue {
            reader.evaluator.chunk = JavaScriptChunkNumber(parameter, number, buildHash: hash)
            defer { reader.evaluator.chunk = nil }
            reader.evaluator.depth = 0
            return reader.tree.kind(id).isFunction
                ? reader.evaluator.result(ofBody: id, source)
                : reader.evaluator.value(of: id, source)
        }
        let unlisted = name(JavaScriptChunkNumber.unlisted, &self)
        var names: [[UInt8]: [UInt8]] = [:]
        for number in ids where names[number] == nil {
            if case .texts(let texts) = name(number, &self), texts.count == 1 {
                names[number] = texts[0]
            }
        }
        var pattern: [[UInt8]]?
        switch unlisted {
        case .texts(let texts) where texts.count == 1:
            pattern = texts[0].split(
                separator: JavaScriptChunkNumber.unlisted[0], omittingEmptySubsequences: false
            ).map { Array($0) }
        case .undefined: break
        default: if names.isEmpty { return nil }
        }
        return WebpackChunkMap(
            identifiers: ids, range: tree.range(id), names: names, pattern: pattern)
    }

    /// The numbers in tables and comparisons, and whether the hash of the build is used.
    private func chunkNumbers(in id: ID, _ source: Span<UInt8>) -> (ids: [[UInt8]], Bool) {
        let start = tree[id].start
        var ids: [[UInt8]] = []
        var usesHash = false
        var node = id
        while node > 0, tree[node].start >= start {
            switch tree.kind(node) {
            case .property: ids.append(evaluator.keyText(tree.first(node), source))
            case .call: if tree.memberName(tree.first(node)) == .h { usesHash = true }
            case .binary where tree.symbol(node) == .same || tree.symbol(node) == .equal:
                for side in [tree.second(node), tree.first(node)]
                where tree.kind(side) == .number || tree.kind(side) == .string {
                    ids.append(evaluator.keyText(side, source))
                }
            default: break
            }
            node -= 1
        }
        var known: Set<[UInt8]> = []
        return (ids.reversed().filter { known.insert($0).inserted }, usesHash)
    }

    /// The text in `n.h = () => "…"`.
    private mutating func buildHash(_ source: Span<UInt8>) -> [UInt8]? {
        if let known = bundle.buildHash { return known }
        var found: [UInt8]?
        for index in tree.nodes.indices where tree.nodes[index].kind == .assignment {
            let id = ID(truncatingIfNeeded: index)
            guard tree.memberName(tree.first(id)) == .h, tree.kind(tree.second(id)).isFunction,
                let value = evaluator.returned(by: tree.second(id)), tree.kind(value) == .string
            else { continue }
            found = tree.text(value, source)
            break
        }
        bundle.buildHash = .some(found)
        return found
    }
}
