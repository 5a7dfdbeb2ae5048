/// The tokens around a position: some hundreds after and a thousand before it, of a script of any
/// length.
struct JavaScriptTokenWindow {
    /// The number of tokens after the current one that are always available, unless the script
    /// ends.
    static let ahead = 512
    private static let behind = 1024
    private static let block = 8192

    private var tokenizer: JavaScriptTokenizer
    private var tokens: [JavaScriptToken] = []
    private var index = -1
    private var isComplete = false
    /// The end of the last token of the window.
    ///
    /// A separate value, because the compiler copies the window for a function that reads its
    /// tokens.
    private var end = 0
    /// Comments with a source map URL.
    private(set) var sourceMapComments: [JavaScriptToken] = []

    init(_ source: Span<UInt8>, in range: Range<Int>?, goal: JavaScriptTokenizer.Goal) {
        tokenizer = JavaScriptTokenizer(source, in: range, goal: goal)
    }

    private var endsInToken = false
    /// Whether the script ends inside a bracket, a string or a template; known after the last token.
    var endsOpen: Bool { isComplete && (tokenizer.context.depth > 0 || endsInToken) }

    /// The current token, or one at an offset from it.
    ///
    /// Positions before the first or after the last token return empty tokens in order with the
    /// others, so that a range from one token to another never ends before it starts.
    @inline(__always)
    subscript(offset: Int) -> JavaScriptToken {
        let place = index &+ offset
        guard place >= 0, place < tokens.count else {
            let position = place < 0 ? 0 : end
            return JavaScriptToken(.end, position, position)
        }
        return tokens[place]
    }

    /// Moves to the next token; `false` after the last.
    @inline(__always)
    mutating func advance(_ source: Span<UInt8>) -> Bool {
        index &+= 1
        if !isComplete, index &+ Self.ahead >= tokens.count { fill(source) }
        return index < tokens.count
    }

    private mutating func fill(_ source: Span<UInt8>) {
        let dropped = max(0, index &- Self.behind)
        tokens.removeFirst(min(dropped, tokens.count))
        index &-= dropped
        while tokens.count < Self.block {
            let token = tokenizer.next(in: source)
            if token.kind == .end {
                isComplete = true
                endsInToken = tokens.last?.traits.contains(.unterminated) ?? false
                return
            }
            guard token.isComment else {
                tokens.append(token.asString)
                end = token.end
                continue
            }
            if Self.namesSourceMap(token, source) { sourceMapComments.append(token) }
        }
    }

    /// `//# sourceMappingURL=` and its older and block forms.
    private static func namesSourceMap(_ token: JavaScriptToken, _ source: Span<UInt8>) -> Bool {
        let content = token.content(in: source)
        guard content.count > 18 else { return false }
        let sign = source[content.lowerBound]
        guard sign == UInt8(ascii: "#") || sign == UInt8(ascii: "@") else { return false }
        return source.extracting(content).holds("sourceMappingURL=", at: 2)
    }
}

extension Span<UInt8> {
    /// Whether a position has these bytes.
    func holds(_ text: StaticString, at start: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard start >= 0, start &+ length <= count else { return false }
        return text.withUTF8Buffer { expected in
            for index in 0..<length where unsafe expected[index] != self[start &+ index] {
                return false
            }
            return true
        }
    }
}
