/// Requests of jQuery.
extension JavaScriptReferenceCollector {
    /// Whether a token is `$` or `jQuery`.
    private func isJQuery(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        at(offset, "$", source) || at(offset, "jQuery", source)
    }

    /// Whether the current name is a member of `$(…)`.
    private func isOfSelection(_ source: Span<UInt8>) -> Bool {
        guard at(-1, ".", source), at(-2, ")", source),
            let call = opening(from: -3, limit: 24, source)
        else { return false }
        return isJQuery(call - 1, source)
    }

    /// `$.ajax("…")`, `$.ajax({url: "…"})`.
    mutating func jQueryAjax(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(-1, ".", source), at(1, "(", source) else { return }
        guard isAddress(2, source) else {
            return options(.ajax, from: token.start, object: 2, source)
        }
        let options = argument(2, ofCallAt: 1, source)
        let reach = requestReach(callAt: 1, options: options, source)
        note(
            .ajax, from: token.start, argument: 2, source,
            detail: options.flatMap { method(ofObjectAt: $0, source) } ?? "GET",
            isSynchronous: options.flatMap { member("async", ofObjectAt: $0, source) }
                .map { isFalse($0, source) } ?? false,
            isGuarded: reach == .guarded, isTried: reach == .tried)
    }

    /// `$.get("…")`, `$.post("…")`, `$.getJSON("…")`, `$.getScript("…")`.
    ///
    /// `$(…).get(0)` is an element, and other libraries have a `$(…).get("…")`.
    mutating func jQueryShorthand(_ token: JavaScriptToken, _ source: Span<UInt8>, _ method: String)
    {
        guard at(1, "(", source), at(-1, ".", source), isJQuery(-2, source) else { return }
        guard isAddress(2, source) else {
            return options(.ajax, from: token.start, object: 2, source)
        }
        let reach = reach(callAt: 1, source)
        note(
            .ajax, from: token.start, argument: 2, source, detail: method,
            isGuarded: reach == .guarded || isWord(window[2], source), isTried: reach == .tried)
    }

    /// Whether a literal is a single word.
    ///
    /// Minifiers use `$` for any name, and `$.get("title")` is more often a map lookup than a
    /// request.
    private func isWord(_ literal: JavaScriptToken, _ source: Span<UInt8>) -> Bool {
        guard literal.kind == .string else { return false }
        return literal.content(in: source).allSatisfy {
            let byte = source[$0]
            return byte != UInt8(ascii: "/") && byte != UInt8(ascii: ".")
                && byte != UInt8(ascii: "?")
        }
    }

    /// `$("#x").load("page.html #part")`: the selector after the address is not requested.
    mutating func jQueryLoad(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        let literal = window[2]
        guard at(1, "(", source), literal.kind == .string, isOfSelection(source),
            extent(at: 2, source) == .whole
        else { return }
        claim(to: literal.end)
        let content = literal.content(in: source)
        var end = content.lowerBound
        while end < content.upperBound, source[end] > 0x20 { end &+= 1 }
        guard end > content.lowerBound, !literal.traits.contains(.escaped) else { return }
        note(
            JavaScriptReference(
                .ajax, range: content.lowerBound..<end, expression: token.start..<literal.end,
                value: (content.lowerBound..<end).map { source[$0] }, extent: .whole, detail: "GET")
        )
    }
}
