/// A script's own functions named `fetch` that request nothing.
extension JavaScriptReferenceCollector {
    /// Whether a `fetch` is defined by the script, as `const fetch = async name => …` or `function
    /// fetch(name) {…}`.
    ///
    /// `false` if the definition calls the global function.
    func isOwnFunction(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        let body: Int
        if at(offset - 1, "function", source), at(offset + 1, "(", source) {
            body = offset + 1
        } else if at(offset + 1, "=", source),
            at(offset - 1, "const", source) || at(offset - 1, "let", source)
                || at(offset - 1, "var", source)
        {
            var start = offset + 2
            if at(start, "async", source) { start += 1 }
            if at(start, "function", source) {
                start += 1
                while window[start].kind == .identifier || at(start, "*", source) { start += 1 }
                guard at(start, "(", source) else { return false }
                body = start
            } else if at(start, "(", source), let close = closing(start, source),
                at(close + 1, "=>", source)
            {
                body = start
            } else if window[start].kind == .identifier, at(start + 1, "=>", source) {
                body = start
            } else {
                return false
            }
        } else {
            return false
        }
        // The arguments, and then the body.
        var end = at(body, "(", source) ? closing(body, source) ?? body : body
        if at(end + 1, "=>", source) { end += 1 }
        end =
            at(end + 1, "{", source)
            ? closing(end + 1, source) ?? end + 200
            : expressionEnd(from: end + 1, limit: 200, source)
        for place in body..<max(body, end) {
            // A polyfill for old browsers also makes requests.
            if at(place, "XMLHttpRequest", source) { return false }
            let isGlobal =
                at(place, "fetch", source) && at(place - 1, ".", source)
                && (at(place - 2, "window", source) || at(place - 2, "self", source)
                    || at(place - 2, "globalThis", source))
            if isGlobal { return false }
        }
        return true
    }

    /// Remembers a function `fetch` of the script, until the end of its block.
    ///
    /// It also applies to earlier calls in the block, whose references are removed.
    mutating func ownFetch(_ source: Span<UInt8>) {
        defer { ownFetches.append(brackets.count) }
        // Inside the scope of another one, nothing was recorded.
        guard ownFetches.isEmpty else { return }
        let start = brackets.last ?? 0
        // Only the references of the block are checked, so that many blocks take linear time.
        let before = result.references.lastIndex { $0.expression.lowerBound < start }
        let first = before.map { $0 + 1 } ?? 0
        let kept = result.references[first...].filter {
            let call = $0.expression.lowerBound
            return $0.kind != .fetch || !source.holds("fetch", at: call)
                || call > 0 && source[call &- 1] == UInt8(ascii: ".")
        }
        result.references.replaceSubrange(first..., with: kept)
    }
}
