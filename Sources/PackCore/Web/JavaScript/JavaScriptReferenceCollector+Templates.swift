/// Marks of server templates left in a script, which then does not parse, so it never runs.
extension JavaScriptReferenceCollector {
    /// Records `{%`, `<%` and `= {{` at the current token.
    mutating func serverTemplate(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        let next = window[1]
        guard next.start == token.end, next.kind == .punctuator, token.end &- token.start == 1
        else {
            return
        }
        switch source[next.start] {
        // No operand precedes the operator.
        case UInt8(ascii: "%"): break
        case UInt8(ascii: "{"):
            // The second brace would be a key of an object.
            guard source[token.start] == UInt8(ascii: "{"), startsValue(window[-1], source) else {
                return
            }
        default: return
        }
        note(
            JavaScriptReference(
                .serverTemplate, range: token.start..<next.end, expression: token.range))
    }

    /// Whether a value, not a statement, follows a token.
    private func startsValue(_ token: JavaScriptToken, _ source: Span<UInt8>) -> Bool {
        guard token.kind == .punctuator else { return token.is("return", in: source) }
        switch source[token.start] {
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: ","), UInt8(ascii: "+"): return true
        case UInt8(ascii: "="): return !token.is("=>", in: source)
        default: return false
        }
    }
}
