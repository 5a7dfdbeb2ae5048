/// The names of webpack's chunks, from the function that composes them.
///
/// Supports `n.u = e => "js/" + ({1: "about"}[e] || e) + "." + {1: "a1b2"}[e] + ".js"` and the
/// other forms of webpack 4 and 5, Rspack and Next.js: concatenations, lookups in object literals,
/// conditions on the chunk's number. Any other syntax makes the whole map unknown: no name is
/// guessed.
struct WebpackChunkMap: Sendable {
    struct Chunk: Equatable, Sendable {
        let name: [UInt8]
        /// Whether each part that depends on the chunk is from a table that lists it.
        let isCertain: Bool
    }

    /// The chunks listed in its tables and conditions, in script order.
    let identifiers: [[UInt8]]
    /// The function's bytes.
    let range: Range<Int>
    private let function: ChunkExpression

    /// The file of a chunk; `nil` if it has none.
    func chunk(_ id: [UInt8]) -> Chunk? {
        var isCertain = true
        guard case .text(let name) = function.value(for: id, &isCertain) else { return nil }
        return Chunk(name: name, isCertain: isCertain)
    }

    /// Whether unlisted chunks also have files: `e => e + ".js"`.
    var isOpen: Bool {
        chunk(Array("any".utf8)).map {
            $0.name.suffix(3).elementsEqual(".js".utf8) || $0.name.contains(UInt8(ascii: "?"))
        } ?? false
    }

    /// Functions with more tokens are not read.
    private static let mostTokens = 400_000

    /// Reads a function.
    ///
    /// - Parameter start: The position after the `=`.
    init?(_ source: Span<UInt8>, from start: Int) {
        guard let tokens = Self.function(source, from: start), let last = tokens.last else {
            return nil
        }
        var reader = WebpackExpressionReader(tokens: tokens)
        guard let function = reader.function(source) else { return nil }
        range = start..<last.end
        identifiers = reader.identifiers
        self.function = function
    }

    /// Reads an expression that ends at a comma.
    ///
    /// - Parameters:
    ///   - start: The start of the expression of a chunk's number.
    ///   - parameter: The name of the number in it.
    init?(_ source: Span<UInt8>, expressionFrom start: Int, parameter: [UInt8]) {
        guard let tokens = Self.tokens(source, from: start, isFunction: false),
            let last = tokens.last
        else { return nil }
        var reader = WebpackExpressionReader(tokens: tokens)
        guard let expression = reader.expression(of: parameter, source) else { return nil }
        range = start..<last.end
        identifiers = reader.identifiers
        function = expression
    }

    /// Reads an expression whose table lookup, `{…}[e]`, shows the name of the number.
    ///
    /// - Parameter start: The start of the expression of a chunk's number.
    init?(_ source: Span<UInt8>, tableExpressionFrom start: Int) {
        guard let tokens = Self.tokens(source, from: start, isFunction: false), tokens.count > 3,
            let table = tokens.indices.dropLast(3).first(where: {
                tokens[$0].is("}", in: source) && tokens[$0 + 1].is("[", in: source)
                    && tokens[$0 + 2].kind == .identifier && tokens[$0 + 3].is("]", in: source)
            })
        else { return nil }
        self.init(
            source, expressionFrom: start,
            parameter: tokens[table + 2].range.map { source[$0] })
    }

    /// The tokens of the function at a position; `nil` if there is none.
    private static func function(_ source: Span<UInt8>, from start: Int) -> [JavaScriptToken]? {
        tokens(source, from: start, isFunction: true)
    }

    private static func tokens(
        _ source: Span<UInt8>, from start: Int, isFunction mustBeFunction: Bool
    ) -> [JavaScriptToken]? {
        var tokenizer = JavaScriptTokenizer(source, in: start..<source.count)
        var tokens: [JavaScriptToken] = []
        var depth = 0
        while tokens.count < mostTokens {
            let token = tokenizer.next(in: source).asString
            if token.isComment { continue }
            if token.kind == .end { return tokens }
            // Nested functions are not read, because they may be maps themselves: the time remains
            // linear.
            if !tokens.isEmpty, token.is("function", in: source) { return nil }
            if token.kind == .punctuator {
                switch source[token.start] {
                case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                    depth -= 1
                    if depth < 0 { return tokens }
                    // A function of the older form ends with its body.
                    if depth == 0, source[token.start] == UInt8(ascii: "}"),
                        tokens.first?.is("function", in: source) == true
                    {
                        tokens.append(token)
                        return tokens
                    }
                case UInt8(ascii: ","), UInt8(ascii: ";"): if depth == 0 { return tokens }
                default: break
                }
            }
            guard isKnown(token, source) else { return nil }
            tokens.append(token)
            if mustBeFunction, tokens.count == 4, !isFunction(tokens, source) { return nil }
        }
        return nil
    }

    /// Whether a token can be part of a chunk map.
    ///
    /// Assignments cannot, so only the innermost of nested maps is read to its end, and the time
    /// remains linear.
    private static func isKnown(_ token: JavaScriptToken, _ source: Span<UInt8>) -> Bool {
        switch token.kind {
        case .identifier, .number, .string, .templateStart, .templateContinuation: return true
        case .keyword:
            return token.is("function", in: source) || token.is("if", in: source)
                || token.is("return", in: source) || token.is("void", in: source)
        case .punctuator:
            switch source[token.start] {
            case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"),
                UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ","), UInt8(ascii: ";"),
                UInt8(ascii: ":"), UInt8(ascii: "?"), UInt8(ascii: "+"), UInt8(ascii: "|"),
                UInt8(ascii: "."):
                return true
            case UInt8(ascii: "="): return token.end &- token.start > 1
            default: return false
            }
        default: return false
        }
    }

    /// `e => …`, `(e) => …`, `function (e`.
    private static func isFunction(_ tokens: [JavaScriptToken], _ source: Span<UInt8>) -> Bool {
        guard tokens.count >= 4 else { return false }
        return tokens[0].is("function", in: source) || tokens[1].is("=>", in: source)
            || tokens[0].is("(", in: source) && tokens[3].is("=>", in: source)
    }
}

/// An expression over a chunk's number.
indirect enum ChunkExpression: Sendable {
    enum Value: Equatable, Sendable {
        case undefined
        case boolean(Bool)
        case text([UInt8])

        var isTrue: Bool {
            switch self {
            case .undefined: false
            case .boolean(let value): value
            case .text(let text): !text.isEmpty
            }
        }
    }

    case undefined
    case text([UInt8])
    case parameter
    case table([[UInt8]: [UInt8]])
    case lookup(ChunkExpression, ChunkExpression)
    case either(ChunkExpression, ChunkExpression)
    case equal(ChunkExpression, ChunkExpression)
    case sum([ChunkExpression])
    /// The first value with a true condition, else the last value.
    case choice([(condition: ChunkExpression, value: ChunkExpression)], ChunkExpression)

    /// The value for one chunk; a sum with an undefined part is undefined, because no chunk has
    /// that name.
    func value(for id: [UInt8], _ isCertain: inout Bool) -> Value {
        switch self {
        case .text(let text): return .text(text)
        case .parameter: return .text(id)
        case .undefined, .table: return .undefined
        case .lookup(let table, let key):
            guard case .table(let entries) = table,
                case .text(let key) = key.value(for: id, &isCertain),
                let entry = entries[key]
            else { return .undefined }
            return .text(entry)
        case .either(let first, let second):
            let value = first.value(for: id, &isCertain)
            return value.isTrue ? value : second.value(for: id, &isCertain)
        case .equal(let left, let right):
            return .boolean(left.value(for: id, &isCertain) == right.value(for: id, &isCertain))
        case .sum(let parts):
            var text: [UInt8] = []
            var hasTable = false
            for part in parts {
                guard case .text(let piece) = part.value(for: id, &isCertain) else {
                    return .undefined
                }
                if case .lookup = part { hasTable = true }
                text += piece
            }
            if !hasTable { isCertain = false }
            return .text(text)
        case .choice(let cases, let last):
            for (condition, value) in cases where condition.value(for: id, &isCertain).isTrue {
                return value.value(for: id, &isCertain)
            }
            return last.value(for: id, &isCertain)
        }
    }
}
