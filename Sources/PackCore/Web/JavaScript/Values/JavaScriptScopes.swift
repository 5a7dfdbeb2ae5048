/// The declarations of a script, and the uses of each.
///
/// A use is resolved when it is asked for, because most names are of no interest.
struct JavaScriptScopes: Sendable {
    typealias ID = JavaScriptNode.ID

    /// A declared name.
    struct Binding: Sendable {
        let kind: Kind
        /// The name in the declaration.
        let name: ID
        /// The node whose code can use it.
        let scope: ID
        /// Whether the name is declared again in the same scope, with another value.
        var isRepeated = false

        enum Kind: Sendable { case variable, parameter, function, classes, imported, caught }
    }

    let tree: JavaScriptTree
    private(set) var bindings: [Binding] = []
    /// Open addressing: 1 + the number of a binding, 0 in a free place.
    private var slots: [UInt32] = [UInt32](repeating: 0, count: 256)
    /// The uses of names, by the number of the name; empty until they are needed.
    private var starts: [UInt32] = []
    private var ends: [UInt32] = []
    private var occurrences: [ID] = []
    /// The names whose declarations were looked for.
    private var areDeclared: [Bool] = []
    private var knownUses: [Int: [ID]] = [:]
    /// The only assignment to a global; 0 if there are several or none.
    private var globalWrites: [JavaScriptNames.ID: ID] = [:]
    /// The remaining number of steps of all searches.
    private var budget: Int

    init(_ tree: JavaScriptTree) {
        self.tree = tree
        budget = 4_000_000
    }

    // MARK: - Declarations

    /// Finds the declarations of a name, once.
    private mutating func declare(_ name: JavaScriptNames.ID) {
        if starts.isEmpty { collect() }
        guard Int(name) < areDeclared.count, !areDeclared[Int(name)] else { return }
        areDeclared[Int(name)] = true
        for index in Int(starts[Int(name)])..<Int(ends[Int(name)]) {
            declare(at: occurrences[index])
        }
    }

    /// Declares a name if it is in a declaration.
    private mutating func declare(at id: ID) {
        var node = id
        var parent = tree.parent(id)
        // `[a]`, `{b: c}`, `...d` and `e = 1` in a pattern
        while true {
            switch tree.kind(parent) {
            case .array, .object, .spread: break
            case .assignment where tree.first(parent) == node: break
            case .property where tree.second(parent) == node: break
            default: return declare(id, as: node, in: parent)
            }
            node = parent
            parent = tree.parent(node)
        }
    }

    private mutating func declare(_ name: ID, as node: ID, in parent: ID) {
        let isFirst = tree.first(parent) == node
        switch tree.kind(parent) {
        case .declarator where isFirst:
            let word = tree.parent(parent)
            declare(
                name, .variable,
                in: tree.symbol(word) == .var ? tree.functionScope(of: word) : tree.scope(of: word))
        case .parameters: declare(name, .parameter, in: tree.parent(parent))
        case .functionDeclaration where isFirst:
            declare(name, .function, in: tree.scope(of: parent))
        case .functionExpression where isFirst: declare(name, .function, in: parent)
        case .classDeclaration where isFirst: declare(name, .classes, in: tree.scope(of: parent))
        case .classExpression where isFirst: declare(name, .classes, in: parent)
        case .catchClause where isFirst: declare(name, .caught, in: parent)
        case .importDefault, .importNamespace, .importSpecifier:
            declare(name, .imported, in: tree.root)
        default: break
        }
    }

    private mutating func declare(_ name: ID, _ kind: Binding.Kind, in scope: ID) {
        if let known = binding(of: tree.nameID(name), in: scope) {
            // A function's own name is hidden by its parameters.
            if bindings[known].kind == .function, scope == tree.parent(bindings[known].name) {
                bindings[known] = Binding(kind: kind, name: name, scope: scope)
            } else {
                bindings[known].isRepeated = true
            }
            return
        }
        if bindings.count &* 2 >= slots.count { grow() }
        bindings.append(Binding(kind: kind, name: name, scope: scope))
        place(bindings.count &- 1)
    }

    private func slot(of name: JavaScriptNames.ID, in scope: ID) -> Int {
        let mixed = (UInt64(scope) &<< 32 | UInt64(name)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed &>> 33) & (slots.count &- 1)
    }

    private mutating func place(_ index: Int) {
        let binding = bindings[index]
        var slot = slot(of: tree.nameID(binding.name), in: binding.scope)
        while slots[slot] != 0 { slot = (slot &+ 1) & (slots.count &- 1) }
        slots[slot] = UInt32(truncatingIfNeeded: index &+ 1)
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count &* 2)
        for index in bindings.indices { place(index) }
    }

    private func binding(of name: JavaScriptNames.ID, in scope: ID) -> Int? {
        var slot = slot(of: name, in: scope)
        while slots[slot] != 0 {
            let index = Int(slots[slot]) &- 1
            if bindings[index].scope == scope, tree.nameID(bindings[index].name) == name {
                return index
            }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        return nil
    }

    // MARK: - Uses

    /// The binding that a name refers to; `nil` of a global.
    mutating func binding(of name: ID) -> Int? {
        let text = tree.nameID(name)
        guard text != 0 else { return nil }
        declare(text)
        let function = tree.parent(name)
        // The name of a function is declared outside of it.
        let isOwn = tree.kind(function) == .functionDeclaration && tree.first(function) == name
        var node = isOwn ? tree.parent(function) : name
        while node != 0, budget > 0 {
            budget &-= 1
            if tree.kind(node).isScope, let found = binding(of: text, in: node) { return found }
            node = tree.parent(node)
        }
        return nil
    }

    /// The names that refer to a binding, in the order of the script, without its declaration.
    mutating func uses(of binding: Int) -> [ID] {
        if let known = knownUses[binding] { return known }
        let declared = bindings[binding]
        let range = tree.range(declared.scope)
        let found = occurrences(of: tree.nameID(declared.name), in: range).filter {
            $0 != declared.name && self.binding(of: $0) == binding
        }
        knownUses[binding] = found
        return found
    }

    /// The uses of a name in a part of the script, whatever they refer to.
    mutating func occurrences(of name: JavaScriptNames.ID, in range: Range<Int>) -> ArraySlice<ID> {
        if starts.isEmpty { collect() }
        guard Int(name) < starts.count else { return [] }
        let all = Int(starts[Int(name)])..<max(Int(starts[Int(name)]), Int(ends[Int(name)]))
        let first = firstOccurrence(from: range.lowerBound, in: all)
        let last = firstOccurrence(from: range.upperBound, in: first..<all.upperBound)
        budget &-= last &- first
        return budget > 0 ? occurrences[first..<last] : []
    }

    /// The first of some occurrences that starts at an offset or later.
    private func firstOccurrence(from offset: Int, in all: Range<Int>) -> Int {
        var (low, high) = (all.lowerBound, all.upperBound)
        while low < high {
            let middle = (low &+ high) / 2
            if tree.start(occurrences[middle]) < offset { low = middle &+ 1 } else { high = middle }
        }
        return low
    }

    /// Whether a search was cut off, so that its result is not complete.
    var isExhausted: Bool { budget <= 0 }

    private mutating func collect() {
        let tree = tree
        starts = [UInt32](repeating: 0, count: tree.names.count &+ 1)
        for id in tree.identifiers { starts[Int(tree.nodes[Int(id)].first)] &+= 1 }
        var count: UInt32 = 0
        for index in starts.indices { (starts[index], count) = (count, count &+ starts[index]) }
        occurrences = [ID](repeating: 0, count: Int(count))
        ends = starts
        areDeclared = [Bool](repeating: false, count: starts.count)
        for id in tree.identifiers where tree.isReference(id) {
            let name = Int(tree.nodes[Int(id)].first)
            occurrences[Int(ends[name])] = id
            ends[name] &+= 1
        }
    }

    // MARK: - Values

    /// The only expression that gives a binding its value; `nil` if there are several or none.
    ///
    /// - Parameter use: A use of the name; a value that is assigned later does not count.
    mutating func value(of index: Int, at use: ID = 0) -> ID? {
        let binding = bindings[index]
        guard !binding.isRepeated else { return nil }
        let writes = uses(of: index).filter { tree.isWritten($0) }
        guard !isExhausted else { return nil }
        let parent = tree.parent(binding.name)
        switch binding.kind {
        case .function: return writes.isEmpty ? parent : nil
        case .variable:
            guard tree.kind(parent) == .declarator, tree.first(parent) == binding.name else {
                return nil
            }
            let value = tree.second(parent)
            if tree.kind(value) != .absent { return writes.isEmpty ? value : nil }
            guard writes.count == 1, !tree.isLoopVariable(binding.name),
                use == 0 || tree.end(tree.parent(writes[0])) <= tree.start(use),
                tree.functionScope(of: writes[0]) == tree.functionScope(of: binding.name)
            else { return nil }
            return tree.plainValue(writtenTo: writes[0])
        default: return nil
        }
    }

    /// The only value that the script assigns to a global.
    mutating func value(ofGlobal name: ID) -> ID? {
        let text = tree.nameID(name)
        let write: ID
        if let known = globalWrites[text] {
            write = known
        } else {
            let writes = occurrences(of: text, in: tree.range(tree.root)).filter {
                tree.isWritten($0) && binding(of: $0) == nil
            }
            write = writes.count == 1 && !isExhausted ? writes[0] : 0
            globalWrites[text] = write
        }
        guard write != 0, tree.end(tree.parent(write)) <= tree.start(name) else { return nil }
        return tree.plainValue(writtenTo: write)
    }
}

extension JavaScriptNode.Kind {
    /// Whether names can be declared for the code inside.
    var isScope: Bool {
        switch self {
        case .block, .program, .functionDeclaration, .functionExpression, .arrowFunction,
            .forStatement, .forIn, .forOf, .switchStatement, .catchClause, .staticBlock,
            .classExpression:
            true
        default: false
        }
    }
}

extension JavaScriptTree {
    /// The function around a node, or the whole script.
    func functionScope(of id: ID) -> ID {
        var node = parent(id)
        while node != 0, !kind(node).isFunction, kind(node) != .staticBlock, node != root {
            node = parent(node)
        }
        return node == 0 ? root : node
    }

    /// The innermost scope around a declaration; the body of a function is that of the parameters.
    func scope(of id: ID) -> ID {
        var node = parent(id)
        while node != 0, !kind(node).isScope { node = parent(node) }
        if kind(node) == .block, kind(parent(node)).isFunction { node = parent(node) }
        return node == 0 ? root : node
    }

    /// Whether an identifier stands for a value or is declared, and is not the name of a member or a
    /// label.
    @inline(__always)
    func isReference(_ id: ID) -> Bool { !nodes[Int(id)].flags.contains(.isKey) }

    /// Whether a use of a name changes its value.
    func isWritten(_ id: ID) -> Bool {
        var node = id
        while true {
            let parent = parent(node)
            switch kind(parent) {
            case .assignment:
                // The default value of a pattern, or an assignment.
                guard first(parent) == node else { return false }
                if node == id || kind(node) == .array || kind(node) == .object { return true }
            case .update: return true
            case .forIn, .forOf: return first(parent) == node
            case .property: guard next(node) == 0 else { return false }
            case .array, .object, .spread: break
            default: return false
            }
            node = parent
        }
    }

    /// The value of `x = …`, if a written name is in one.
    func plainValue(writtenTo id: ID) -> ID? {
        let parent = parent(id)
        guard kind(parent) == .assignment, symbol(parent) == .assign, first(parent) == id else {
            return nil
        }
        return second(parent)
    }

    /// Whether a declared name is that of `for (const x of …)`.
    func isLoopVariable(_ name: ID) -> Bool {
        let loop = parent(parent(parent(name)))
        return kind(loop) == .forOf || kind(loop) == .forIn
    }
}
