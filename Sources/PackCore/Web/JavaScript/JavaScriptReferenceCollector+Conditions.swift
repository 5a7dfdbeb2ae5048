/// Conditions with a known result in the page, by its address and the features of web views.
///
/// `&&`, `||`, `!`, comparisons, `typeof`, `in`, and tests of texts are evaluated; everything else
/// is unknown.
extension JavaScriptReferenceCollector {
    /// A position among the tokens of a condition.
    struct Cursor {
        var offset: Int
        let end: Int
        var depth: Int
    }

    static let deepestCondition = 12
    /// Longer conditions are unknown.
    private static let longestCondition = 200

    /// The value of the expression between two offsets.
    func condition(_ offsets: Range<Int>, depth: Int = 0, _ source: Span<UInt8>) -> JavaScriptValue
    {
        guard depth < Self.deepestCondition, !offsets.isEmpty,
            offsets.count <= Self.longestCondition
        else { return .unknown }
        // `a || b`, then `a && b`.
        for (text, decides) in [("||", true), ("&&", false)] as [(StaticString, Bool)] {
            let parts = split(offsets, at: text, source)
            guard parts.count > 1 else { continue }
            var result = JavaScriptValue.boolean(!decides)
            for part in parts {
                let value = condition(part, depth: depth + 1, source).truth
                if value == .boolean(decides) { return value }
                switch value {
                case .boolean: continue
                case .withheld where !decides: return .withheld
                case .unlikely where !decides: result = .unlikely
                // A value that is not true does not change the result of `||`.
                case .withheld, .unlikely: if result == .boolean(false) { result = value }
                default: if result != .unlikely || decides { result = .unknown }
                }
            }
            return result
        }
        var cursor = Cursor(offset: offsets.lowerBound, end: offsets.upperBound, depth: depth)
        let value = comparison(&cursor, source)
        return cursor.offset == cursor.end ? value : .unknown
    }

    /// The parts of an expression around an operator outside brackets.
    private func split(
        _ offsets: Range<Int>, at text: StaticString, _ source: Span<UInt8>
    ) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = offsets.lowerBound
        var depth = 0
        for offset in offsets where window[offset].kind == .punctuator {
            switch source[window[offset].start] {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default:
                guard depth == 0, at(offset, text, source) else { continue }
                parts.append(start..<offset)
                start = offset + 1
            }
        }
        return parts + [start..<offsets.upperBound]
    }

    func comparison(_ cursor: inout Cursor, _ source: Span<UInt8>) -> JavaScriptValue {
        let left = unary(&cursor, source)
        guard cursor.offset < cursor.end else { return left }
        let place = cursor.offset
        cursor.offset += 1
        let right = unary(&cursor, source)
        if at(place, "in", source) {
            // The object must be a known one: the members of elements are unknown.
            guard case .text(let name, true) = left, right == .object else { return .unknown }
            return Self.value(of: JavaScriptSurroundings.presence(of: name.span)).truth
        }
        if let value = Self.presence(
            left, right, at(place, "!==", source) || at(place, "!=", source))
        {
            return isComparison(place, source) ? value : .unknown
        }
        if at(place, "===", source) || at(place, "==", source) { return Self.equal(left, right) }
        if at(place, "!==", source) || at(place, "!=", source) {
            return Self.equal(left, right).negated
        }
        if at(place, ">", source) { return Self.isGreater(left, right) }
        if at(place, "<", source) { return Self.isGreater(right, left) }
        if at(place, ">=", source) { return Self.isGreater(right, left).negated }
        if at(place, "<=", source) { return Self.isGreater(left, right).negated }
        return .unknown
    }

    /// A comparison of a name that probably does not exist: `typeof x !== "undefined"`.
    private static func presence(
        _ left: JavaScriptValue, _ right: JavaScriptValue, _ isNegated: Bool
    ) -> JavaScriptValue? {
        let (value, other) = left == .withheld || left == .unlikely ? (left, right) : (right, left)
        guard value == .withheld || value == .unlikely else { return nil }
        switch other {
        case .undefined: return isNegated ? value : .unknown
        case .text(let text, true):
            let isUndefined = text.elementsEqual("undefined".utf8)
            return isUndefined == isNegated ? value : .unknown
        case .boolean(true): return isNegated ? .unknown : value
        default: return .unknown
        }
    }

    private static func equal(_ left: JavaScriptValue, _ right: JavaScriptValue) -> JavaScriptValue
    {
        switch (left, right) {
        case (.text(let text, true), let other), (let other, .text(let text, true)):
            return other.equals(text)
        case (.number(let one), .number(let other)): return .boolean(one == other)
        case (.boolean(let one), .boolean(let other)): return .boolean(one == other)
        case (.undefined, .undefined): return .boolean(true)
        case (.undefined, .object), (.object, .undefined): return .boolean(false)
        default: return .unknown
        }
    }

    /// `"undefined" > "u"`, the minified form of `typeof x === "undefined"`; `indexOf(x) > -1`.
    private static func isGreater(
        _ left: JavaScriptValue, _ right: JavaScriptValue
    ) -> JavaScriptValue {
        switch (left, right) {
        case (.text(let one, true), .text(let other, true)):
            return .boolean(other.lexicographicallyPrecedes(one))
        case (.type, .text(let other, true)) where other == [UInt8(ascii: "u")]:
            return .boolean(false)
        case (.text(let one, true), .type) where one == [UInt8(ascii: "u")]:
            return .boolean(true)
        case (.number(let one), .number(let other)): return .boolean(one > other)
        default: return .unknown
        }
    }

    func unary(_ cursor: inout Cursor, _ source: Span<UInt8>) -> JavaScriptValue {
        guard cursor.offset < cursor.end, cursor.depth < Self.deepestCondition else {
            return .unknown
        }
        cursor.depth += 1
        defer { cursor.depth -= 1 }
        if at(cursor.offset, "!", source) {
            cursor.offset += 1
            return unary(&cursor, source).negated
        }
        if at(cursor.offset, "-", source) {
            cursor.offset += 1
            guard case .number(let number) = unary(&cursor, source), number < 1 << 30 else {
                return .unknown
            }
            return .number(-number)
        }
        if at(cursor.offset, "~", source) {
            // `~text.indexOf(x)`
            cursor.offset += 1
            guard case .number(let number) = unary(&cursor, source) else { return .unknown }
            return .boolean(number != -1)
        }
        if at(cursor.offset, "void", source) {
            cursor.offset += 1
            _ = unary(&cursor, source)
            return .undefined
        }
        if at(cursor.offset, "typeof", source) {
            cursor.offset += 1
            switch unary(&cursor, source) {
            case .undefined: return .text(Array("undefined".utf8), isWhole: true)
            case .object, .agent: return .type
            case .withheld: return .withheld
            case .unlikely: return .unlikely
            default: return .unknown
            }
        }
        return chain(&cursor, source)
    }

    static func value(of presence: JavaScriptSurroundings.Presence) -> JavaScriptValue {
        switch presence {
        case .present: .object
        case .absent: .undefined
        case .withheld: .withheld
        case .unlikely: .unlikely
        case .unknown: .unknown
        }
    }
}
