/// Parses the function of a chunk map into an expression; `nil` for unsupported syntax.
struct WebpackExpressionReader {
    private let tokens: [JavaScriptToken]
    private var index = 0
    private var parameter: [UInt8] = []
    private var depth = 0
    /// Every number or name in a table or a condition, in script order.
    private(set) var identifiers: [[UInt8]] = []
    private var known: Set<[UInt8]> = []

    private static let deepest = 64
    /// The largest number of consecutive operators that wrap the value before them: `a || b || c`,
    /// `a[b][c]`.
    ///
    /// Such a value is as deep as its number of operators, and its deallocation needs stack in
    /// proportion.
    private static let longestChain = 500

    init(tokens: [JavaScriptToken]) { self.tokens = tokens }

    private func at(_ text: StaticString, _ source: Span<UInt8>, _ offset: Int = 0) -> Bool {
        index + offset < tokens.count && tokens[index + offset].is(text, in: source)
    }

    private mutating func take(_ text: StaticString, _ source: Span<UInt8>) -> Bool {
        guard at(text, source) else { return false }
        index += 1
        return true
    }

    private func bytes(_ token: JavaScriptToken, _ source: Span<UInt8>) -> [UInt8] {
        token.range.map { source[$0] }
    }

    private mutating func takeName(_ source: Span<UInt8>) -> [UInt8]? {
        guard index < tokens.count, tokens[index].kind == .identifier else { return nil }
        index += 1
        return bytes(tokens[index - 1], source)
    }

    private mutating func note(_ id: [UInt8]) {
        if known.insert(id).inserted { identifiers.append(id) }
    }

    // MARK: - Functions

    /// `e => …`, `(e) => …`, `function (e) { … }`, followed by nothing else.
    mutating func function(_ source: Span<UInt8>) -> ChunkExpression? {
        if take("function", source) {
            _ = takeName(source)
            guard take("(", source), let name = takeName(source), take(")", source) else {
                return nil
            }
            parameter = name
        } else {
            let hasParentheses = take("(", source)
            guard let name = takeName(source) else { return nil }
            if hasParentheses, !take(")", source) { return nil }
            guard take("=>", source) else { return nil }
            parameter = name
        }
        let body = at("{", source) ? block(source) : choice(source)
        return index == tokens.count ? body : nil
    }

    /// `{ if (…) return …; return … }`.
    private mutating func block(_ source: Span<UInt8>) -> ChunkExpression? {
        guard take("{", source) else { return nil }
        var cases: [(condition: ChunkExpression, value: ChunkExpression)] = []
        while take("if", source) {
            guard take("(", source), let condition = choice(source), take(")", source) else {
                return nil
            }
            let hasBraces = take("{", source)
            guard take("return", source), let value = choice(source) else { return nil }
            while take(";", source) {}
            if hasBraces, !take("}", source) { return nil }
            cases.append((condition, value))
        }
        guard take("return", source), let last = choice(source) else { return nil }
        while take(";", source) {}
        guard take("}", source) else { return nil }
        return cases.isEmpty ? last : .choice(cases, last)
    }

    /// An expression of a chunk's number, followed by nothing else.
    mutating func expression(of parameter: [UInt8], _ source: Span<UInt8>) -> ChunkExpression? {
        self.parameter = parameter
        let value = choice(source)
        return index == tokens.count ? value : nil
    }

    // MARK: - Expressions

    /// Chained conditions, read without recursion, because Next.js writes hundreds.
    private mutating func choice(_ source: Span<UInt8>) -> ChunkExpression? {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.deepest else { return nil }
        var cases: [(condition: ChunkExpression, value: ChunkExpression)] = []
        while true {
            guard let first = either(source) else { return nil }
            guard take("?", source) else {
                return cases.isEmpty ? first : .choice(cases, first)
            }
            guard let value = either(source), take(":", source) else { return nil }
            cases.append((first, value))
        }
    }

    private mutating func either(_ source: Span<UInt8>) -> ChunkExpression? {
        guard var left = equality(source) else { return nil }
        var count = 0
        while take("||", source) || take("??", source) {
            count += 1
            guard count < Self.longestChain, let right = equality(source) else { return nil }
            left = .either(left, right)
        }
        return left
    }

    private mutating func equality(_ source: Span<UInt8>) -> ChunkExpression? {
        guard let left = sum(source) else { return nil }
        guard take("===", source) || take("==", source) else { return left }
        guard let right = sum(source) else { return nil }
        for side in [left, right] {
            if case .text(let id) = side { note(id) }
        }
        return .equal(left, right)
    }

    private mutating func sum(_ source: Span<UInt8>) -> ChunkExpression? {
        guard let first = lookup(source) else { return nil }
        var parts = [first]
        while take("+", source) {
            guard let next = lookup(source) else { return nil }
            parts.append(next)
        }
        return parts.count == 1 ? first : .sum(parts)
    }

    private mutating func lookup(_ source: Span<UInt8>) -> ChunkExpression? {
        guard var value = primary(source) else { return nil }
        for _ in 0..<Self.longestChain {
            if take("[", source) {
                guard let key = choice(source), take("]", source) else { return nil }
                value = .lookup(value, key)
            } else if at(".", source), at("concat", source, 1), at("(", source, 2) {
                index += 3
                var parts = [value]
                while !take(")", source) {
                    guard let part = choice(source) else { return nil }
                    parts.append(part)
                    _ = take(",", source)
                }
                value = .sum(parts)
            } else {
                return value
            }
        }
        return nil
    }

    private mutating func primary(_ source: Span<UInt8>) -> ChunkExpression? {
        guard index < tokens.count else { return nil }
        let token = tokens[index]
        switch token.kind {
        case .string:
            index += 1
            return .text(JavaScriptString.decode(source, token.content(in: source)))
        case .templateStart: return template(source)
        case .number:
            index += 1
            return Self.number(token, source).map { .text($0) }
        case .keyword:
            depth += 1
            defer { depth -= 1 }
            guard depth < Self.deepest, take("void", source), primary(source) != nil else {
                return nil
            }
            return .undefined
        case .identifier:
            if take("undefined", source) { return .undefined }
            guard bytes(token, source) == parameter else {
                // The hash of the whole build: `n.h()`.
                if at(".", source, 1), at("h", source, 2), at("(", source, 3), at(")", source, 4),
                    let hash = Self.buildHash(source)
                {
                    index += 5
                    return .text(hash)
                }
                // The public path, which webpack 4 writes before the name.
                guard at(".", source, 1), at("p", source, 2) else { return nil }
                index += 3
                return .text([])
            }
            index += 1
            return .parameter
        case .punctuator:
            if at("{", source) { return table(source) }
            guard take("(", source), let inner = choice(source), take(")", source) else {
                return nil
            }
            return inner
        default: return nil
        }
    }

    /// The text in `n.h = () => "…"`.
    private static func buildHash(_ source: Span<UInt8>) -> [UInt8]? {
        for start in 0..<max(0, source.count - 8) where source[start] == UInt8(ascii: ".") {
            guard source.holds(".h", at: start) else { continue }
            var tokenizer = JavaScriptTokenizer(
                source, in: start + 1..<min(source.count, start + 120))
            var tokens: [JavaScriptToken] = []
            while tokens.count < 8 {
                let token = tokenizer.next(in: source).asString
                if token.kind == .end || token.kind == .string {
                    tokens.append(token)
                    break
                }
                tokens.append(token)
            }
            guard let text = tokens.last, text.kind == .string, tokens.count > 4,
                tokens[0].is("h", in: source), tokens[1].is("=", in: source),
                tokens[2].is("(", in: source) && tokens[3].is(")", in: source)
                    || tokens[2].is("function", in: source)
            else { continue }
            return JavaScriptString.decode(source, text.content(in: source))
        }
        return nil
    }

    private mutating func template(_ source: Span<UInt8>) -> ChunkExpression? {
        var parts: [ChunkExpression] = []
        while index < tokens.count {
            let token = tokens[index]
            let isPart = token.kind == .templateStart || token.kind == .templateContinuation
            guard isPart else { return nil }
            index += 1
            let text = JavaScriptString.decode(
                source, token.content(in: source), isTemplate: true)
            parts.append(.text(text))
            if token.traits.contains(.endsTemplate) { return .sum(parts) }
            guard let inner = choice(source) else { return nil }
            parts.append(inner)
        }
        return nil
    }

    /// A number in JavaScript syntax: `1e3` is the key `1000`.
    static func number(_ token: JavaScriptToken, _ source: Span<UInt8>) -> [UInt8]? {
        guard token.kind == .number else { return nil }
        let text = String(decoding: token.range.map { source[$0] }, as: UTF8.self)
        if Int(text) != nil { return Array(text.utf8) }
        guard let value = Double(text), let whole = Int(exactly: value) else { return nil }
        return Array(String(whole).utf8)
    }

    private mutating func table(_ source: Span<UInt8>) -> ChunkExpression? {
        guard take("{", source) else { return nil }
        var entries: [[UInt8]: [UInt8]] = [:]
        while !take("}", source) {
            guard index < tokens.count else { return nil }
            let token = tokens[index]
            index += 1
            let key: [UInt8]? =
                switch token.kind {
                case .number: Self.number(token, source)
                case .string: JavaScriptString.decode(source, token.content(in: source))
                case .identifier, .keyword: bytes(token, source)
                default: nil
                }
            guard let key, take(":", source), index < tokens.count else { return nil }
            let entry = tokens[index]
            index += 1
            switch entry.kind {
            case .string:
                entries[key] = JavaScriptString.decode(source, entry.content(in: source))
            case .number:
                guard let value = Self.number(entry, source) else { return nil }
                entries[key] = value
            default: return nil
            }
            note(key)
            _ = take(",", source)
        }
        return .table(entries)
    }
}
