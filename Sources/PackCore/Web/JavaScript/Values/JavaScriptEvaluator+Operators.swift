/// Operators, with the states of knowledge of conditions.
extension JavaScriptEvaluator {
    mutating func binary(_ id: ID, _ source: Span<UInt8>) -> JavaScriptValue {
        switch tree.symbol(id) {
        case .add: return sum(id, source)
        case .either, .both, .missing: return choice(id, source)
        case .same, .equal, .notSame, .notEqual, .less, .greater, .lessOrEqual, .greaterOrEqual,
            .in:
            return comparison(id, source)
        default: return .unknown
        }
    }

    /// A chain of operators is nested to the left, so that a loop reads it.
    private func operands(_ id: ID) -> [ID] {
        let symbol = tree.symbol(id)
        var operands: [ID] = []
        var node = id
        while tree.kind(node) == .binary, tree.symbol(node) == symbol, operands.count < 400 {
            operands.append(tree.second(node))
            node = tree.first(node)
        }
        return (operands + [node]).reversed()
    }

    private mutating func sum(_ id: ID, _ source: Span<UInt8>) -> JavaScriptValue {
        let operands = operands(id)
        guard operands.count <= 400 else { return .unknown }
        var result: JavaScriptValue?
        for operand in operands {
            let next = value(of: operand, source)
            if case .number(let one)? = result, case .number(let two) = next {
                result = .number(one &+ two)
            } else if let result, Self.isSum(result, next) {
                return .unknown
            } else {
                result = result?.joined(next) ?? next
            }
        }
        return result ?? .unknown
    }

    /// Whether the operands may be numbers, of which one has several values, as a counter has.
    private static func isSum(_ one: JavaScriptValue, _ other: JavaScriptValue) -> Bool {
        func isNumber(_ value: JavaScriptValue) -> Bool {
            switch value {
            case .number: true
            case .texts(let texts):
                texts.count > 1 && texts.allSatisfy { $0.allSatisfy { JavaScriptByte.isDigit($0) } }
            default: false
            }
        }
        return isNumber(one) && isNumber(other)
    }

    /// `a || b`, `a && b`, `a ?? b`.
    private mutating func choice(_ id: ID, _ source: Span<UInt8>) -> JavaScriptValue {
        let symbol = tree.symbol(id)
        var result: JavaScriptValue?
        for operand in operands(id) {
            let next = value(of: operand, source)
            guard let before = result else {
                result = next
                continue
            }
            if symbol == .missing {
                switch before {
                case .unknown, .withheld, .unlikely: return .unknown
                case .undefined: result = next
                default: return before
                }
                continue
            }
            let decides = symbol == .either
            switch resolved(before).truth {
            case .boolean(let isTrue): if isTrue == decides { return before } else { result = next }
            case .withheld where !decides: return .withheld
            default:
                result = Self.joined(
                    resolved(before).truth, resolved(next).truth, decides)
            }
        }
        return result ?? .unknown
    }

    /// The state of knowledge after another operand.
    ///
    /// - Parameter decides: The value that decides the result: that of `||` is `true`.
    private static func joined(
        _ before: JavaScriptValue, _ next: JavaScriptValue, _ decides: Bool
    ) -> JavaScriptValue {
        switch next {
        case .boolean(let value): return value == decides ? next : before
        case .withheld, .unlikely: return decides ? before : next
        default: return before == .unlikely && !decides ? before : .unknown
        }
    }

    mutating func unary(_ id: ID, _ source: Span<UInt8>) -> JavaScriptValue {
        let operand = tree.first(id)
        switch tree.symbol(id) {
        case .not: return resolved(value(of: operand, source)).negated
        case .void: return .undefined
        case .subtract:
            guard case .number(let number) = value(of: operand, source) else { return .unknown }
            return .number(0 &- number)
        case .add:
            let value = value(of: operand, source)
            if case .number = value { return value }
            return .unknown
        case .complement:
            // `~text.indexOf(x)`
            guard case .number(let number) = value(of: operand, source) else { return .unknown }
            return .boolean(number != -1)
        case .typeof:
            switch value(of: operand, source) {
            case .undefined: return .text("undefined")
            case .object(.window), .object(.document), .object(.navigator), .object(.location):
                return .text("object")
            case .object, .agent, .page: return .type
            case .withheld: return .withheld
            case .unlikely: return .unlikely
            default: return .unknown
            }
        default: return .unknown
        }
    }

    private mutating func comparison(_ id: ID, _ source: Span<UInt8>) -> JavaScriptValue {
        let symbol = tree.symbol(id)
        let left = resolved(value(of: tree.first(id), source))
        let right = resolved(value(of: tree.second(id), source))
        if symbol == .in {
            // The object must be a known one: the members of elements are unknown.
            guard let name = left.text, case .object = right else { return .unknown }
            return Self.value(of: surroundings.presence(of: name.span)).truth
        }
        let isNegated = symbol == .notSame || symbol == .notEqual
        let isEquality = isNegated || symbol == .same || symbol == .equal
        // Bundlers write the numbers of chunks as numbers or as texts.
        if chunk != nil, isEquality, let one = left.text, let two = right.text {
            return .boolean((one == two) != isNegated)
        }
        if let value = Self.presence(left, right, isNegated) {
            return isEquality ? value : .unknown
        }
        switch symbol {
        case .same, .equal: return Self.equal(left, right)
        case .notSame, .notEqual: return Self.equal(left, right).negated
        case .greater: return Self.isGreater(left, right)
        case .less: return Self.isGreater(right, left)
        case .greaterOrEqual: return Self.isGreater(right, left).negated
        default: return Self.isGreater(left, right).negated
        }
    }

    /// A comparison of a name that probably does not exist: `typeof x !== "undefined"`.
    private static func presence(
        _ left: JavaScriptValue, _ right: JavaScriptValue, _ isNegated: Bool
    ) -> JavaScriptValue? {
        let (value, other) = left == .withheld || left == .unlikely ? (left, right) : (right, left)
        guard value == .withheld || value == .unlikely else { return nil }
        switch other {
        case .undefined: return isNegated ? value : .unknown
        case .texts(let texts):
            guard texts.count == 1 else { return .unknown }
            return texts[0].elementsEqual("undefined".utf8) == isNegated ? value : .unknown
        case .boolean(true): return isNegated ? .unknown : value
        default: return .unknown
        }
    }

    private static func equal(_ left: JavaScriptValue, _ right: JavaScriptValue) -> JavaScriptValue
    {
        switch (left, right) {
        case (.number(let one), .number(let other)): return .boolean(one == other)
        case (.boolean(let one), .boolean(let other)): return .boolean(one == other)
        case (.undefined, .undefined): return .boolean(true)
        case (.undefined, .object), (.object, .undefined): return .boolean(false)
        default:
            if case .texts = left, let text = left.text { return right.equals(text) }
            if case .texts = right, let text = right.text { return left.equals(text) }
            return .unknown
        }
    }

    /// `"undefined" > "u"`, the minified form of `typeof x === "undefined"`; `indexOf(x) > -1`.
    private static func isGreater(
        _ left: JavaScriptValue, _ right: JavaScriptValue
    ) -> JavaScriptValue {
        switch (left, right) {
        case (.number(let one), .number(let other)): return .boolean(one > other)
        case (.type, _) where right.text == [UInt8(ascii: "u")]: return .boolean(false)
        case (_, .type) where left.text == [UInt8(ascii: "u")]: return .boolean(true)
        default:
            guard case .texts = left, case .texts = right, let one = left.text,
                let other = right.text
            else { return .unknown }
            return .boolean(other.lexicographicallyPrecedes(one))
        }
    }

    /// A part of the page's address as far as it is known.
    func resolved(_ value: JavaScriptValue) -> JavaScriptValue {
        guard case .page(let page) = value else { return value }
        let scheme = surroundings.scheme
        switch page {
        case .protocol: return scheme.map { .texts([$0 + [UInt8(ascii: ":")]]) } ?? .unknown
        case .port: return scheme == nil ? .unknown : .texts([[]])
        case .host, .hostname: return surroundings.host.map { .texts([$0]) } ?? .unknown
        case .href, .origin:
            guard let scheme else { return .unknown }
            return .start(scheme + Array("://".utf8) + (surroundings.host ?? []))
        default: return value
        }
    }
}
