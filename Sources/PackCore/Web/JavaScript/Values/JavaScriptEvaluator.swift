/// The values of expressions, as far as the script shows them: for addresses, chunk maps and conditions.
///
/// Nothing is executed. A name has a value if the script gives it only one, or if it is the variable of
/// a loop over known values; a call has one if its function only returns an expression.
struct JavaScriptEvaluator {
    typealias ID = JavaScriptNode.ID

    let tree: JavaScriptTree
    let surroundings: JavaScriptSurroundings
    var scopes: JavaScriptScopes
    /// The values of parameters in the call that is being evaluated, by the number of the binding.
    var assumed: [Int: JavaScriptValue] = [:]
    /// The chunk whose name is being evaluated.
    var chunk: JavaScriptChunkNumber?
    /// Whether other values are possible than those found: of another branch, or of an object or a
    /// list that code elsewhere may change.
    var isLikely = false
    private var known: [Int: JavaScriptValue] = [:]
    /// The bindings in ``known`` whose values are only likely.
    private var likely: Set<Int> = []
    var records: [ID: [[UInt8]: ID]] = [:]
    /// The objects with computed members or those of another object.
    var openRecords: Set<ID> = []
    /// Bindings whose value is being evaluated.
    private var pending: Set<Int> = []
    /// The remaining number of evaluated nodes.
    var budget = 400_000
    var depth = 0

    private static let deepest = 24

    init(_ tree: JavaScriptTree, _ surroundings: JavaScriptSurroundings) {
        self.tree = tree
        self.surroundings = surroundings
        scopes = JavaScriptScopes(tree)
    }

    /// The value of an expression.
    mutating func value(of id: ID, _ source: Span<UInt8>) -> JavaScriptValue {
        guard depth < Self.deepest, budget > 0 else { return .unknown }
        depth += 1
        budget -= 1
        defer { depth -= 1 }
        switch tree.kind(id) {
        case .string: return .texts([tree.text(id, source)])
        case .number: return number(id, source)
        case .true: return .boolean(true)
        case .false: return .boolean(false)
        case .null: return .undefined
        case .identifier: return named(id, source)
        case .template: return template(id, source)
        case .array: return .list(id)
        case .object: return .record(id)
        case .functionExpression, .arrowFunction: return .function(id)
        case .binary: return binary(id, source)
        case .unary: return unary(id, source)
        case .conditional: return conditional(id, source)
        case .sequence: return value(of: tree.last(id), source)
        case .assignment:
            return tree.symbol(id) == .assign ? value(of: tree.second(id), source) : .unknown
        case .member: return member(id, source)
        case .index: return element(id, source)
        case .call: return call(id, source)
        case .regularExpression:
            let literal = tree.bytes(id, source)
            guard let slash = literal.lastIndex(of: UInt8(ascii: "/")), slash > 0, slash <= 400
            else {
                return .unknown
            }
            return .pattern(
                Array(literal[1..<slash]),
                ignoresCase: literal[slash...].contains(UInt8(ascii: "i")))
        default: return .unknown
        }
    }

    func number(_ id: ID, _ source: Span<UInt8>) -> JavaScriptValue {
        let text = tree.bytes(id, source)
        guard text.count < 16 else { return .unknown }
        if let number = Int(String(decoding: text, as: UTF8.self)) { return .number(number) }
        // `1e3`, the minified form of 1000.
        let parts = text.split(separator: UInt8(ascii: "e"))
        guard parts.count == 2, let digits = Int(String(decoding: parts[0], as: UTF8.self)),
            let zeros = Int(String(decoding: parts[1], as: UTF8.self)), (0..<12).contains(zeros),
            digits < 1_000_000
        else { return .unknown }
        return .number((0..<zeros).reduce(digits) { number, _ in number * 10 })
    }

    private mutating func template(_ id: ID, _ source: Span<UInt8>) -> JavaScriptValue {
        var result = JavaScriptValue.texts([[]])
        var child = tree.first(id)
        var count = 0
        while child != 0, count < 130 {
            let isText = tree.kind(child) == .templateText
            result = result.joined(
                isText ? .texts([tree.text(child, source)]) : value(of: child, source))
            child = tree.next(child)
            count += 1
        }
        return child == 0 ? result : .unknown
    }

    /// `a ? b : c ? d : …`; a loop reads the chain, which has hundreds of conditions in chunk maps.
    private mutating func conditional(_ id: ID, _ source: Span<UInt8>) -> JavaScriptValue {
        var node = id
        while tree.kind(node) == .conditional, budget > 0 {
            let then = tree.second(node)
            switch resolved(value(of: tree.first(node), source)).truth {
            case .boolean(true): return value(of: then, source)
            case .boolean(false): node = tree.next(then)
            default:
                isLikely = true
                return value(of: then, source).or(value(of: tree.next(then), source))
            }
        }
        return value(of: node, source)
    }

    // MARK: - Names

    private mutating func named(_ id: ID, _ source: Span<UInt8>) -> JavaScriptValue {
        if let chunk, chunk.name == tree.nameID(id) { return chunk.value }
        guard let binding = scopes.binding(of: id) else { return global(id, source) }
        if let value = assumed[binding] { return value }
        if let value = known[binding] {
            if likely.contains(binding) { isLikely = true }
            return value
        }
        guard pending.insert(binding).inserted else { return .unknown }
        defer { pending.remove(binding) }
        let declared = scopes.bindings[binding]
        let wasLikely = isLikely
        isLikely = false
        defer { isLikely = isLikely || wasLikely }
        var value = JavaScriptValue.unknown
        if let expression = scopes.value(of: binding, at: id) {
            value =
                tree.kind(expression) == .functionDeclaration
                ? .function(expression) : self.value(of: expression, source)
            if case .list = value, isChanged(binding) { value = .unknown }
            if case .record = value, isReplaced(binding) { value = .unknown }
        } else if declared.kind == .variable || declared.kind == .parameter {
            // Depends on the place of the use.
            return looped(declared, at: id, source) ?? module(binding, source)
                ?? object(declared.kind, id)
        }
        // A value that is assigned after the declaration is not that of all uses.
        if assumed.isEmpty, depth < Self.deepest / 2, value != .unknown {
            known[binding] = value
            if isLikely { likely.insert(binding) }
        }
        return value
    }

    /// The object that a parameter usually stands for: `(function (window, document) {…})(this)`.
    private func object(_ kind: JavaScriptScopes.Binding.Kind, _ id: ID) -> JavaScriptValue {
        guard kind == .parameter, let name = tree.name(id), let object = Self.objects[name],
            object != .Object
        else { return .unknown }
        return .object(object)
    }

    private mutating func global(_ id: ID, _ source: Span<UInt8>) -> JavaScriptValue {
        if tree.name(id) == .undefined { return .undefined }
        if let name = tree.name(id), let object = Self.objects[name] { return .object(object) }
        if tree.name(id) == .isSecureContext {
            return surroundings.isSecure.map { .boolean($0) } ?? .unknown
        }
        let isTested =
            tree.kind(tree.parent(id)) == .unary && tree.symbol(tree.parent(id)) == .typeof
        let value = presence(of: tree.bytes(id, source), id)
        guard value == .unlikely, !isTested else { return value }
        if let count = counted(id, source) { return count }
        // A variable of the script or of another one.
        guard let expression = scopes.value(ofGlobal: id) else { return .unknown }
        let given = self.value(of: expression, source)
        if case .list = given,
            isChanged(scopes.occurrences(of: tree.nameID(id), in: tree.range(tree.root)))
        {
            return .unknown
        }
        return given
    }

    /// Objects with known members.
    static let objects: [JavaScriptName: JavaScriptName] = [
        .window: .window, .self: .window, .globalThis: .window, .document: .document,
        .navigator: .navigator, .location: .location, .Object: .Object, .Array: .Object,
        .String: .Object, .Number: .Object, .Promise: .Object, .Symbol: .Object,
    ]

    /// Whether a member of the window exists.
    func presence(of name: [UInt8], _ id: ID) -> JavaScriptValue {
        switch surroundings.framework {
        case .capacitor where tree.name(id) == .Capacitor: return .object(.Capacitor)
        case .cordova where tree.name(id) == .cordova: return .object(nil)
        default: break
        }
        return Self.value(of: surroundings.presence(of: name.span))
    }

    static func value(of presence: JavaScriptSurroundings.Presence) -> JavaScriptValue {
        switch presence {
        case .present: .object(nil)
        case .absent: .undefined
        case .withheld: .withheld
        case .unlikely: .unlikely
        case .unknown: .unknown
        }
    }
}
