/// The syntax tree of a script: nodes in one array, each after its children.
struct JavaScriptTree: Sendable {
    typealias ID = JavaScriptNode.ID
    typealias Kind = JavaScriptNode.Kind

    /// The node at 0 is absent, so that the relatives of any node exist.
    private(set) var nodes: [JavaScriptNode] = [JavaScriptNode(.absent, 0, 0)]
    var names: JavaScriptNames
    /// All identifiers; all strings, templates and regular expressions; and nodes of further kinds.
    private(set) var identifiers: [ID] = []
    private(set) var literals: [ID] = []
    private(set) var watched: [ID] = []
    /// The node of the whole script.
    var root: ID = 0
    /// Comments outside of other tokens, in the order of the script.
    var comments: [JavaScriptToken] = []
    /// Marks of server templates.
    var templateMarks: [Range<Int>] = []
    /// Whether the script ends inside a bracket, a string or a template.
    var endsOpen = false
    /// Whether the grammar does not allow the script; false if unknown.
    var hasErrors = false
    var isModule = false
    /// The syntax unknown to older engines.
    var features = JavaScriptFeatures()

    init(names: JavaScriptNames) { self.names = names }

    mutating func reserve(_ count: Int) { nodes.reserveCapacity(count) }

    @inline(__always)
    subscript(id: ID) -> JavaScriptNode {
        get { nodes[Int(id)] }
        set { nodes[Int(id)] = newValue }
    }

    /// The children of a node, collected while it is parsed.
    struct List {
        var first: ID = 0
        var last: ID = 0
    }

    @inline(__always)
    mutating func append(_ child: ID, to list: inout List) {
        guard child != 0 else { return }
        if list.first == 0 { list.first = child } else { nodes[Int(list.last)].next = child }
        list.last = child
    }

    @inline(__always)
    mutating func add(_ node: JavaScriptNode) -> ID {
        nodes.append(node)
        return ID(truncatingIfNeeded: nodes.count &- 1)
    }

    /// Adds a node with children.
    mutating func add(_ node: JavaScriptNode, _ children: List) -> ID {
        var node = node
        node.first = children.first
        return add(node)
    }

    /// Adds a node with up to three children, each present.
    mutating func add(_ node: JavaScriptNode, _ one: ID, _ two: ID = 0, _ three: ID = 0) -> ID {
        var list = List()
        append(one, to: &list)
        append(two, to: &list)
        append(three, to: &list)
        return add(node, list)
    }

    /// Sets the parents of all nodes, and collects those that are looked for.
    mutating func finish() {
        var identifiers: [ID] = []
        var literals: [ID] = []
        var watched: [ID] = []
        identifiers.reserveCapacity(nodes.count / 3)
        // Moved, because a span of a member would exclude the other members.
        var all = nodes
        nodes = []
        var nodes = all.mutableSpan
        for index in nodes.indices {
            let node = nodes[index]
            let id = ID(truncatingIfNeeded: index)
            switch node.kind {
            case .identifier:
                identifiers.append(id)
                continue
            case .privateName: continue
            case .string, .regularExpression, .template: literals.append(id)
            case .member, .exportSpecifier:
                let second = nodes[Int(node.first)].next
                nodes[Int(second)].flags.insert(.isKey)
            case .property, .method, .field:
                if !node.flags.contains(.computed) { nodes[Int(node.first)].flags.insert(.isKey) }
            case .labeled, .breakStatement, .continueStatement, .importSpecifier:
                nodes[Int(node.first)].flags.insert(.isKey)
            case .metaProperty:
                let second = nodes[Int(node.first)].next
                nodes[Int(node.first)].flags.insert(.isKey)
                nodes[Int(second)].flags.insert(.isKey)
            default: break
            }
            if node.kind.isWatched { watched.append(id) }
            var child = node.first
            while child != 0 {
                nodes[Int(child)].parent = id
                child = nodes[Int(child)].next
            }
        }
        self.nodes = all
        (self.identifiers, self.literals, self.watched) = (identifiers, literals, watched)
    }
}

// MARK: - Access

extension JavaScriptTree {
    @inline(__always)
    func kind(_ id: ID) -> Kind { nodes[Int(id)].kind }

    @inline(__always)
    func symbol(_ id: ID) -> JavaScriptSymbol { nodes[Int(id)].symbol }

    @inline(__always)
    func parent(_ id: ID) -> ID { nodes[Int(id)].parent }

    @inline(__always)
    func next(_ id: ID) -> ID { nodes[Int(id)].next }

    func range(_ id: ID) -> Range<Int> {
        let node = nodes[Int(id)]
        return Int(node.start)..<Int(max(node.start, node.end))
    }

    func start(_ id: ID) -> Int { Int(nodes[Int(id)].start) }
    func end(_ id: ID) -> Int { Int(nodes[Int(id)].end) }

    /// The first child; 0 of a name.
    @inline(__always)
    func first(_ id: ID) -> ID {
        let node = nodes[Int(id)]
        return node.kind.isName ? 0 : node.first
    }

    func second(_ id: ID) -> ID { next(first(id)) }
    func third(_ id: ID) -> ID { next(second(id)) }

    func last(_ id: ID) -> ID {
        var child = first(id)
        while next(child) != 0 { child = next(child) }
        return child
    }

    func children(_ id: ID) -> Children { Children(nodes: nodes, from: first(id)) }

    /// The arguments of a call.
    func arguments(_ id: ID) -> Children {
        Children(nodes: nodes, from: kind(id) == .importCall ? first(id) : second(id))
    }

    func argument(_ id: ID, _ index: Int) -> ID {
        var child = kind(id) == .importCall ? first(id) : second(id)
        for _ in 0..<index { child = next(child) }
        return child
    }

    /// The number of a name; 0 of another node.
    @inline(__always)
    func nameID(_ id: ID) -> JavaScriptNames.ID {
        let node = nodes[Int(id)]
        return node.kind.isName ? node.first : 0
    }

    /// A name of those that patterns look for.
    @inline(__always)
    func name(_ id: ID) -> JavaScriptName? {
        let node = nodes[Int(id)]
        return node.kind == .identifier ? JavaScriptNames.known(node.first) : nil
    }

    /// The name after the dot of a member.
    func memberName(_ id: ID) -> JavaScriptName? { kind(id) == .member ? name(second(id)) : nil }

    /// The bytes between the delimiters of a string, or of a part of a template.
    func content(_ id: ID) -> Range<Int> {
        let node = nodes[Int(id)]
        guard node.kind == .string || node.kind == .regularExpression else { return range(id) }
        let start = min(Int(node.start) &+ 1, Int(node.end))
        let end = Int(node.end) &- (node.flags.contains(.unterminated) ? 0 : 1)
        return start..<max(start, end)
    }

    /// The value of a string, or of a part of a template.
    func text(_ id: ID, _ source: Span<UInt8>) -> [UInt8] {
        let node = nodes[Int(id)]
        let content = content(id)
        guard node.flags.contains(.escaped) else {
            return content.clamped(to: 0..<source.count).map { source[$0] }
        }
        let isTemplate = node.kind == .templateText || node.flags.contains(.isTemplate)
        return JavaScriptString.decode(source, content, isTemplate: isTemplate)
    }

    /// The bytes of a node.
    func bytes(_ id: ID, _ source: Span<UInt8>) -> [UInt8] {
        range(id).clamped(to: 0..<source.count).map { source[$0] }
    }

    /// The innermost function around a node, or the root.
    func function(around id: ID) -> ID {
        var node = parent(id)
        while node != 0, !kind(node).isFunction, node != root { node = parent(node) }
        return node
    }

    struct Children: Sequence, IteratorProtocol {
        let nodes: [JavaScriptNode]
        var from: ID

        mutating func next() -> ID? {
            guard from != 0 else { return nil }
            let id = from
            from = nodes[Int(id)].next
            return id
        }
    }
}
