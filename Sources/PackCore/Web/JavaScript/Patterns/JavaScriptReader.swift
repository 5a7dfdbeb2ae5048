/// Finds the references of a script in its tree.
///
/// Each node is compared with the table of patterns; literals come last, because a pattern may have read
/// them already.
struct JavaScriptReader {
    typealias ID = JavaScriptNode.ID

    let tree: JavaScriptTree
    let surroundings: JavaScriptSurroundings
    var evaluator: JavaScriptEvaluator
    var result = JavaScriptReferences()
    /// The code of bundlers and routers.
    var bundle = JavaScriptBundle()
    private var counts: [JavaScriptReference.Kind: Int] = [:]
    /// Literals that belong to recorded references.
    private var claimed: Set<ID> = []
    /// `axios.defaults.baseURL = "…"`.
    var axiosBase: [UInt8]?
    /// Functions that pass a parameter to `fetch`, which are read once.
    var helpers: Set<Int> = []
    /// The conditions that were evaluated, and the statements of blocks that leave them.
    var knownTruths: [ID: JavaScriptValue] = [:]
    var knownExits: [ID: [ID]] = [:]
    /// The number of recorded addresses that are some of several.
    private var composed = 0
    private static let mostComposed = 20_000
    /// The remaining number of steps of all searches around references.
    var steps = 400_000

    init(
        _ source: Span<UInt8>, in range: Range<Int>?, goal: JavaScriptTokenizer.Goal,
        _ surroundings: JavaScriptSurroundings
    ) {
        tree = JavaScriptParser.tree(of: source, in: range, goal: goal)
        self.surroundings = surroundings
        evaluator = JavaScriptEvaluator(tree, surroundings)
    }

    mutating func read(_ source: Span<UInt8>) -> JavaScriptReferences {
        let table = JavaScriptPatterns.shared
        for candidate in candidates(table, source) {
            if let column = candidate.column {
                table.run(column, candidate.name, candidate.node, &self, source)
            } else {
                table.run(tree.kind(candidate.node), candidate.node, &self, source)
            }
        }
        for mark in tree.templateMarks {
            note(
                JavaScriptReference(
                    .serverTemplate, range: mark,
                    expression: mark.lowerBound..<mark.lowerBound &+ 1))
        }
        let literals = tree.literals
        for id in literals { literal(id, source) }
        finish(source)
        return result
    }

    /// A node that patterns may read: those of a name, or of its kind.
    private struct Candidate {
        let node: ID
        let column: JavaScriptPatterns.Column?
        let name: JavaScriptNames.ID
    }

    /// The nodes that patterns may read, children before parents.
    private func candidates(_ table: JavaScriptPatterns, _ source: Span<UInt8>) -> [Candidate] {
        var found = tree.watched.map { Candidate(node: $0, column: nil, name: 0) }
        let columns = table.columns
        func add(_ node: ID, _ column: JavaScriptPatterns.Column, _ name: JavaScriptNames.ID) {
            guard columns[Int(name)] & column.bit != 0 else { return }
            found.append(Candidate(node: node, column: column, name: name))
        }
        for id in tree.identifiers {
            let name = tree.nodes[Int(id)].first
            guard Int(name) < columns.count, columns[Int(name)] != 0 else { continue }
            add(id, .name, name)
            var node = id
            var parent = tree.parent(id)
            if tree.kind(parent) == .member, tree.second(parent) == id {
                add(parent, .member, name)
                node = parent
                parent = tree.parent(parent)
            }
            guard tree.first(parent) == node else { continue }
            switch tree.kind(parent) {
            case .call: add(parent, .call, name)
            case .new: add(parent, .new, name)
            case .assignment: add(parent, .assignment, name)
            case .property: add(parent, .property, name)
            default: break
            }
        }
        for id in tree.literals where tree.kind(tree.parent(id)) == .property {
            let property = tree.parent(id)
            guard tree.first(property) == id, tree.kind(id) == .string, tree.range(id).count < 32
            else { continue }
            let name = JavaScriptNames.number(ofShared: source.extracting(tree.content(id)))
            if Int(name) < columns.count { add(property, .property, name) }
        }
        found.sort { $0.node < $1.node }
        return found
    }

    private mutating func finish(_ source: Span<UInt8>) {
        result.endsOpen = tree.endsOpen
        if !tree.hasErrors { result.features = tree.features }
        finishBundle(source)
        for comment in tree.comments { sourceMap(comment, source) }
        result.references.sort {
            ($0.expression.lowerBound, $0.range.lowerBound)
                < ($1.expression.lowerBound, $1.range.lowerBound)
        }
    }

    /// `//# sourceMappingURL=` and its older and block forms.
    private mutating func sourceMap(_ comment: JavaScriptToken, _ source: Span<UInt8>) {
        let content = comment.content(in: source)
        guard content.count > 18 else { return }
        let sign = source[content.lowerBound]
        guard sign == UInt8(ascii: "#") || sign == UInt8(ascii: "@"),
            source.holds("sourceMappingURL=", at: content.lowerBound &+ 2)
        else { return }
        let end = content.upperBound
        var start = min(content.lowerBound &+ 19, end)
        while start < end, source[start] <= 0x20 { start &+= 1 }
        var last = start
        while last < end, source[last] > 0x20 { last &+= 1 }
        result.references.append(
            JavaScriptReference(
                .sourceMap, range: start..<last, expression: comment.range,
                value: (start..<last).map { source[$0] }, extent: .whole))
    }

    // MARK: - Recording

    mutating func note(_ reference: JavaScriptReference) {
        if reference.extent == .none {
            let count = counts[reference.kind, default: 0] + 1
            counts[reference.kind] = count
            guard count <= JavaScriptReferences.mostWithoutAddress else {
                result.furtherReferences += 1
                return
            }
        }
        result.references.append(reference)
    }

    /// Records a use of an API.
    mutating func note(
        _ kind: JavaScriptReference.Kind, at range: Range<Int>, detail: String = "",
        isGuarded: Bool = false, pattern: [[UInt8]] = []
    ) {
        note(
            JavaScriptReference(
                kind, range: range, expression: range, detail: detail, isGuarded: isGuarded,
                pattern: pattern))
    }

    /// Records code with an address: all that it may be.
    mutating func note(
        _ kind: JavaScriptReference.Kind, from start: Int, _ address: Address,
        form: JavaScriptReference.BundlerForm? = nil, detail: String = "",
        isSynchronous: Bool = false, isGuarded: Bool = false, isTried: Bool = false,
        place: JavaScriptReference.Place? = nil
    ) {
        // Text written into the page is also read as markup.
        if kind != .documentWrite { for literal in address.literals { claim(literal) } }
        // Loops over many values can repeat.
        if address.values.count > 1 { composed += address.values.count }
        guard composed <= Self.mostComposed else { return }
        for value in address.values {
            note(
                JavaScriptReference(
                    kind, range: address.range,
                    expression: min(start, address.start)..<max(start, address.end), value: value,
                    extent: address.extent, form: form, detail: detail,
                    isSynchronous: isSynchronous, isGuarded: isGuarded, isTried: isTried,
                    isJoined: address.isJoined, isLikely: address.isLikely, place: place,
                    pattern: address.pattern))
        }
    }

    /// Records code with an address at a node, which may be unknown.
    mutating func note(
        _ kind: JavaScriptReference.Kind, from start: Int, addressAt id: ID, _ source: Span<UInt8>,
        form: JavaScriptReference.BundlerForm? = nil, detail: String = "",
        isSynchronous: Bool = false, isGuarded: Bool = false, isTried: Bool = false
    ) {
        let address =
            Self.joinedKinds.contains(kind)
            ? address(of: id, source) : written(id, source)
        guard let address else {
            let end = max(start, id == 0 ? start : tree.start(id))
            return note(
                JavaScriptReference(
                    kind, range: start..<end, expression: start..<end, form: form, detail: detail,
                    isSynchronous: isSynchronous, isGuarded: isGuarded, isTried: isTried,
                    pattern: Self.joinedKinds.contains(kind) ? pattern(of: id, source) : []))
        }
        note(
            kind, from: start, address, form: form, detail: detail, isSynchronous: isSynchronous,
            isGuarded: isGuarded, isTried: isTried)
    }

    /// The same, with the handling of a failure.
    mutating func note(
        _ kind: JavaScriptReference.Kind, from start: Int, addressAt id: ID, _ reach: Reach,
        _ source: Span<UInt8>, detail: String = "", isSynchronous: Bool = false
    ) {
        note(
            kind, from: start, addressAt: id, source, detail: detail, isSynchronous: isSynchronous,
            isGuarded: reach == .guarded, isTried: reach == .tried)
    }

    /// The kinds whose address may be composed of constants and literals.
    private static let joinedKinds: Set<JavaScriptReference.Kind> = [
        .asset, .fetch, .request, .ajax, .eventSource, .worker, .dynamicImport, .navigation,
    ]

    /// Marks a literal that a pattern has read.
    mutating func claim(_ literal: ID) { claimed.insert(literal) }

    /// Marks all literals of an expression.
    mutating func claim(below id: ID) {
        let start = tree[id].start
        var node = id
        while node > 0, tree[node].start >= start {
            let kind = tree.kind(node)
            if kind == .string || kind == .template || kind == .templateText { claim(node) }
            node -= 1
        }
    }

    func isClaimed(_ literal: ID) -> Bool { claimed.contains(literal) }

    // MARK: - Values

    mutating func value(of id: ID, _ source: Span<UInt8>) -> JavaScriptValue {
        evaluator.depth = 0
        evaluator.isLikely = false
        return evaluator.value(of: id, source)
    }

    func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// The characters of a name.
    func text(_ id: ID, _ source: Span<UInt8>) -> String { string(tree.bytes(id, source)) }

    /// Whether a string has this content.
    func isString(_ id: ID, _ text: StaticString, _ source: Span<UInt8>) -> Bool {
        guard tree.kind(id) == .string else { return false }
        let content = tree.content(id)
        return content.count == text.utf8CodeUnitCount && source.holds(text, at: content.lowerBound)
    }

    /// A string, or a template.
    func isLiteral(_ id: ID) -> Bool { tree.kind(id) == .string || tree.kind(id) == .template }

    /// The value of a property of an object literal; 0 if it has none.
    func property(_ name: JavaScriptName, of object: ID) -> ID {
        guard tree.kind(object) == .object else { return 0 }
        var child = tree.first(object)
        while child != 0 {
            if tree.kind(child) == .property, tree.name(tree.first(child)) == name,
                !tree[child].flags.contains(.computed), !tree[child].flags.contains(.isAccessor)
            {
                return tree.second(child)
            }
            child = tree.next(child)
        }
        return 0
    }

    /// The start of the name that is called: `b` of `a.b(…)`; of `new a.b(…)`, that of `new`.
    func nameStart(ofCall id: ID) -> Int {
        guard tree.kind(id) == .call else { return tree.start(id) }
        let callee = tree.first(id)
        return tree.start(tree.kind(callee) == .member ? tree.second(callee) : callee)
    }

    /// The object whose member is called; 0 of a plain name.
    func object(ofCall id: ID) -> ID {
        let callee = tree.first(id)
        return tree.kind(callee) == .member ? tree.first(callee) : 0
    }

    /// Whether a name alone, or a member of the window, is meant.
    func isGlobal(_ callee: ID) -> Bool {
        guard tree.kind(callee) == .member else { return tree.kind(callee) == .identifier }
        let object = tree.first(callee)
        return isNamed(object, .window) || isNamed(object, .self) || isNamed(object, .globalThis)
    }

    /// Whether an object is named: `navigator` alone, or as a member: `window.navigator`.
    func isNamed(_ object: ID, _ name: JavaScriptName) -> Bool {
        tree.name(object) == name || tree.memberName(object) == name
    }

    /// Whether an expression is `false` or `!1`.
    mutating func isFalse(_ id: ID, _ source: Span<UInt8>) -> Bool {
        switch tree.kind(id) {
        case .false: return true
        case .unary: return tree.symbol(id) == .not && value(of: id, source) == .boolean(false)
        default: return false
        }
    }
}
