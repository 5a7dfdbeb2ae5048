/// `new Request(…)`, which requests nothing by itself.
extension JavaScriptReferenceCollector {
    /// Whether the current `new Request(…)` can be passed to `fetch`.
    ///
    /// Libraries create one only to test whether the API exists, or which members it has: `try {
    /// new Request("http://www.example.com") }` (Sentry), `new Request(…).headers` (axios).
    func isRequestUsed(_ source: Span<UInt8>) -> Bool {
        if isLiteral(2), window[2].content(in: source).count < 2 { return false }
        guard let close = closing(1, source) else { return true }
        if at(close + 1, ".", source) { return at(close + 2, "clone", source) }
        let before = (at(-1, "new", source) ? -1 : -3) - 1
        if window[before + 1].traits.contains(.startsStatement) || at(before, "!", source)
            || at(before, "typeof", source)
        {
            return false
        }
        guard at(before, ",", source) || at(before, "(", source) else { return true }
        // An element of a sequence, rather than an argument.
        guard let open = opening(from: before, limit: 64, source) else { return true }
        if at(open, "{", source) { return false }
        let callee = window[open - 1]
        let isCall =
            at(open, "[", source) || callee.kind == .identifier || callee.is(")", in: source)
            || callee.is("]", in: source)
        return isCall || at(close + 1, ")", source)
    }
}
