/// Tests of texts in conditions.
extension JavaScriptValue {
    /// A test of a text, such as `startsWith`, by the position of the tested part.
    enum Test { case start, end, inside }

    func passes(_ test: Test, _ part: [UInt8]) -> JavaScriptValue {
        switch self {
        case .texts, .start:
            guard let (text, isWhole) = knownStart else { return .unknown }
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
        case .agent(let engine):
            guard test == .inside, let known = Self.ofAgent(part, engine) else { return .unknown }
            return .boolean(known)
        default: return .unknown
        }
    }

    /// Whether it is the user agent.
    var isAgent: Bool {
        guard case .agent = self else { return false }
        return true
    }

    /// Whether the user agent contains a text; `nil` if it may.
    private static func ofAgent(
        _ part: [UInt8], _ engine: JavaScriptSurroundings.Engine
    ) -> Bool? {
        let part = lowercased(part)
        if JavaScriptSurroundings.foreignAgents(in: engine).contains(where: { contains(part, $0) })
        {
            return false
        }
        let own =
            ["applewebkit", "mozilla", "webkit"]
            + (engine == .chromium ? ["android", "chrome", "linux", "safari"] : [])
        return own.contains { $0.utf8.elementsEqual(part) } ? true : nil
    }

    /// Whether a regular expression matches.
    func matches(_ pattern: [UInt8], ignoresCase: Bool) -> JavaScriptValue {
        let fold = ignoresCase || isAgent
        let body = fold ? Self.lowercased(pattern) : pattern
        var value = self
        if fold { value = lowercased }
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
        if case .agent(let engine) = self, Self.needsForeignAgent(Array(alternative), engine) {
            return .boolean(false)
        }
        guard
            let texts = FiniteExpression.texts(
                [UInt8(ascii: "^")] + body + [UInt8(ascii: "$")]), texts.count <= 64
        else {
            // The start of the pattern may already differ.
            let start = Array(body.prefix { JavaScriptByte.isName($0) || $0 == UInt8(ascii: ":") })
            guard isAnchored, start.count > 1, knownStart != nil,
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
    private static func needsForeignAgent(
        _ text: [UInt8], _ engine: JavaScriptSurroundings.Engine
    ) -> Bool {
        guard !text.contains(UInt8(ascii: "|")), !text.contains(UInt8(ascii: "(")) else {
            return false
        }
        return JavaScriptSurroundings.foreignAgents(in: engine).contains { name in
            text.indices.dropLast(max(0, name.count - 1)).contains { start in
                guard text[start...].starts(with: name) else { return false }
                let next = start + name.count
                return next >= text.count || !"?*{".utf8.contains(text[next])
            }
        }
    }

    func equals(_ other: [UInt8]) -> JavaScriptValue {
        switch self {
        case .texts(let texts):
            if !texts.contains(other) { return .boolean(false) }
            return texts.count == 1 ? .boolean(true) : .unknown
        case .start(let text): return other.starts(with: text) ? .unknown : .boolean(false)
        case .type: return other.elementsEqual("undefined".utf8) ? .boolean(false) : .unknown
        case .undefined, .number: return .boolean(false)
        default: return .unknown
        }
    }

    /// The text, and whether it is the whole.
    private var knownStart: (text: [UInt8], isWhole: Bool)? {
        switch self {
        case .texts(let texts): texts.count == 1 ? (texts[0], true) : nil
        case .start(let text): (text, false)
        default: nil
        }
    }

    var lowercased: JavaScriptValue {
        switch self {
        case .texts(let texts): .texts(texts.map(Self.lowercased))
        case .start(let text): .start(Self.lowercased(text))
        default: self
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
