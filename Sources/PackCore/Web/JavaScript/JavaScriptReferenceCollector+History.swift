/// Distinguishes the page's history from methods of the same names.
extension JavaScriptReferenceCollector {
    mutating func history(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(-1, ".", source), at(1, "(", source) else { return }
        let name = text(token, source)
        // Two arguments keep the URL, and so does the page's own.
        guard let url = argument(3, ofCallAt: 1, source), !isOwnAddress(url, source) else { return }
        guard isHistory(source) else { return }
        note(
            .history, from: token.start, argument: url, source, detail: name,
            isGuarded: isHistoryCaught(source))
    }

    /// Whether the error of `pushState` is caught, and not by opening the address.
    mutating func isHistoryCaught(_ source: Span<UInt8>) -> Bool {
        isGuarded(by: [], triesCount: true, source) && !catchNavigates(source)
    }

    /// Whether `pushState` is that of the page's history, and not a parser's method of the same
    /// name: the object is named so, or the second argument can be a title.
    private func isHistory(_ source: Span<UInt8>) -> Bool {
        let object = window[-2]
        if object.kind == .identifier || object.traits.contains(.isMemberName),
            text(object, source).lowercased().hasSuffix("history")
        {
            return true
        }
        guard let title = argument(2, ofCallAt: 1, source) else { return false }
        if at(title, "void", source) || at(title, "document", source) { return true }
        guard at(title + 1, ",", source) else { return false }
        return isLiteral(title) || at(title, "null", source) || at(title, "undefined", source)
    }

    /// Whether the expression at an offset is exactly `location.href`.
    private func isOwnAddress(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        var start = offset
        if at(start, "window", source) || at(start, "document", source), at(start + 1, ".", source)
        {
            start += 2
        }
        return at(start, "location", source) && at(start + 1, ".", source)
            && at(start + 2, "href", source) && at(start + 3, ")", source)
    }
}
