/// The known part of an expression's value in the page.
enum JavaScriptValue: Equatable {
    case unknown
    case boolean(Bool)
    /// Not true in the web view of an app; its negation is unknown.
    case withheld
    /// Most likely not true: no known source defines the name.
    case unlikely
    /// A text; unless it is whole, only a part is known.
    case text([UInt8], isWhole: Bool)
    case texts([[UInt8]])
    /// The user agent.
    case agent
    /// The result of `typeof` for an existing value.
    case type
    case undefined
    case object
    case number(Int)
    /// A regular expression: its bytes, and whether it ignores case.
    case pattern([UInt8], ignoresCase: Bool)

    /// Whether the value is true in a condition: a boolean, or another state of knowledge.
    var truth: JavaScriptValue {
        switch self {
        case .boolean, .withheld, .unlikely, .unknown: self
        case .text(let text, let isWhole):
            !text.isEmpty ? .boolean(true) : isWhole ? .boolean(false) : .unknown
        case .undefined: .boolean(false)
        case .number(let number): .boolean(number != 0)
        case .agent, .type, .object, .texts, .pattern: .boolean(true)
        }
    }

    var negated: JavaScriptValue {
        if case .boolean(let value) = truth { return .boolean(!value) }
        return .unknown
    }

    /// A test of a text, such as `startsWith`, by the position of the tested part.
    enum Test { case start, end, inside }

    func passes(_ test: Test, _ part: [UInt8]) -> JavaScriptValue {
        switch self {
        case .text(let text, let isWhole):
            switch test {
            case .start:
                if text.starts(with: part) { return .boolean(true) }
                return isWhole || !part.starts(with: text) ? .boolean(false) : .unknown
            case .end:
                guard isWhole else { return .unknown }
                return .boolean(text.suffix(part.count).elementsEqual(part))
            case .inside:
                if Self.contains(text, part) { return .boolean(true) }
                return isWhole ? .boolean(false) : .withheld
            }
        case .agent:
            guard test == .inside, let known = Self.ofAgent(part) else { return .unknown }
            return .boolean(known)
        default: return .unknown
        }
    }

    /// Whether the user agent contains a text; `nil` if it may.
    private static func ofAgent(_ part: [UInt8]) -> Bool? {
        let part = lowercased(part)
        if JavaScriptSurroundings.foreignAgents.contains(where: { contains(part, $0) }) {
            return false
        }
        return ["applewebkit", "mozilla", "webkit"].contains { $0.utf8.elementsEqual(part) }
            ? true : nil
    }

    /// Whether a regular expression matches.
    func matches(_ pattern: [UInt8], ignoresCase: Bool) -> JavaScriptValue {
        let fold = ignoresCase || self == .agent
        let body = fold ? Self.lowercased(pattern) : pattern
        var value = self
        if fold, case .text(let text, let isWhole) = self {
            value = .text(Self.lowercased(text), isWhole: isWhole)
        }
        var result = JavaScriptValue.boolean(false)
        for part in FiniteExpression.alternatives(of: body) {
            switch value.matches(alternative: part) {
            case .boolean(true): return .boolean(true)
            case .boolean(false): break
            case .withheld: if result == .boolean(false) { result = .withheld }
            default: result = .unknown
            }
        }
        return result
    }

    private func matches(alternative: ArraySlice<UInt8>) -> JavaScriptValue {
        var body = alternative
        let isAnchored = body.first == UInt8(ascii: "^")
        if isAnchored { body = body.dropFirst() }
        let isClosed =
            body.last == UInt8(ascii: "$") && body.dropLast().last != UInt8(ascii: "\\")
        if isClosed { body = body.dropLast() }
        if case .agent = self, Self.needsForeignAgent(Array(alternative)) { return .boolean(false) }
        guard
            let texts = FiniteExpression.texts(
                [UInt8(ascii: "^")] + body + [UInt8(ascii: "$")]), texts.count <= 64
        else {
            // The start of the pattern may already differ.
            let start = Array(body.prefix { JavaScriptByte.isName($0) || $0 == UInt8(ascii: ":") })
            guard isAnchored, start.count > 1, case .text = self,
                passes(.start, Array(start.dropLast())) == .boolean(false)
            else { return .unknown }
            return .boolean(false)
        }
        var result = JavaScriptValue.boolean(false)
        for text in texts {
            let found: JavaScriptValue
            switch (isAnchored, isClosed) {
            case (true, true): found = equals(text)
            case (true, false): found = passes(.start, text)
            case (false, true): found = passes(.end, text)
            case (false, false): found = passes(.inside, text)
            }
            if found == .boolean(true) { return found }
            if found != .boolean(false), result != .unknown { result = found }
        }
        return result
    }

    /// Whether an alternative has the name of another browser outside groups: `trident.*rv:11`.
    private static func needsForeignAgent(_ text: [UInt8]) -> Bool {
        guard !text.contains(UInt8(ascii: "|")), !text.contains(UInt8(ascii: "(")) else {
            return false
        }
        return JavaScriptSurroundings.foreignAgents.contains { name in
            text.indices.dropLast(max(0, name.count - 1)).contains { start in
                guard text[start...].starts(with: name) else { return false }
                let next = start + name.count
                return next >= text.count || !"?*{".utf8.contains(text[next])
            }
        }
    }

    func equals(_ other: [UInt8]) -> JavaScriptValue {
        switch self {
        case .text(let text, let isWhole):
            if isWhole { return .boolean(text == other) }
            return other.starts(with: text) ? .unknown : .boolean(false)
        case .type: return other.elementsEqual("undefined".utf8) ? .boolean(false) : .unknown
        case .undefined, .number: return .boolean(false)
        default: return .unknown
        }
    }

    static func lowercased(_ text: [UInt8]) -> [UInt8] {
        text.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    }

    static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard part.count <= text.count else { return false }
        if part.isEmpty { return true }
        return text.indices.dropLast(part.count - 1).contains {
            text[$0...].starts(with: part)
        }
    }
}
