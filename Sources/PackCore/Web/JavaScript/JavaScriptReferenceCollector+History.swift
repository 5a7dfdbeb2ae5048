/// Distinguishes the page's history from methods of the same names.
extension JavaScriptReferenceCollector {
    mutating func history(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(-1, ".", source), at(1, "(", source) else { return }
        let name = text(token, source)
        // A call with two arguments keeps the URL, as does the page's own URL.
        guard let url = argument(3, ofCallAt: 1, source), !isOwnAddress(url, source) else { return }
        guard isHistory(source) else { return }
        note(
            .history, from: token.start, argument: url, source, detail: name,
            isGuarded: isHistoryCaught(source))
    }

    /// Whether the error of `pushState` is caught, and not handled by opening the address.
    mutating func isHistoryCaught(_ source: Span<UInt8>) -> Bool {
        isGuarded(by: [], triesCount: true, source) && !catchNavigates(source)
    }

    /// Whether `pushState` belongs to the page's history, and not to a parser's method of the same
    /// name.
    ///
    /// The object has such a name, or the second argument can be a title.
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

    /// Whether the expression at an offset is the page's own address, except for its fragment.
    ///
    /// A map control stores its position in the fragment and first assigns the address to a
    /// variable: `const e = location.href.replace(/(#.+)?$/, hash); history.replaceState(state,
    /// null, e)`.
    private func isOwnAddress(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        if let end = ownAddress(offset, source) { return endsExpression(end, source) }
        let name = window[offset]
        guard name.kind == .identifier, endsExpression(offset + 1, source) else { return false }
        // The nearest assignment, in the same function.
        var depth = 0
        for place in stride(from: -1, to: -Self.farthestAssignment, by: -1) {
            let token = window[place]
            if token.kind == .end { return false }
            if token.is("}", in: source) { depth += 1 }
            if token.is("{", in: source) {
                if depth > 0 {
                    depth -= 1
                } else if at(place - 1, ")", source) || at(place - 1, "=>", source) {
                    return false
                }
            }
            if token.kind == .identifier, at(place + 1, "=", source),
                !at(place - 1, ".", source),
                token.range.elementsEqual(name.range, by: { source[$0] == source[$1] })
            {
                // `e = e.replace("&&", "&")` cleans up the fragment.
                if window[place + 2].kind == .identifier,
                    text(window[place + 2], source) == text(name, source),
                    at(place + 3, ".", source), at(place + 4, "replace", source),
                    isLiteral(place + 6)
                {
                    continue
                }
                guard let end = ownAddress(place + 2, source) else { return false }
                return endsExpression(end, source)
            }
        }
        return false
    }

    /// The largest number of tokens back to the assignment of the address.
    private static let farthestAssignment = 60

    private func endsExpression(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        at(offset, ")", source) || at(offset, ",", source) || at(offset, ";", source)
            || at(offset, "}", source)
    }

    /// The end of an expression that is the page's own address.
    ///
    /// That is `location.href`, also with another fragment, or `location.pathname +
    /// location.search` with or without a fragment.
    private func ownAddress(_ offset: Int, _ source: Span<UInt8>) -> Int? {
        guard let (member, end) = locationMember(offset, source) else {
            return composedAddress(offset, source)
        }
        guard window[member].is("href", in: source) else {
            return composedAddress(offset, source)
        }
        if at(end, ".", source), at(end + 1, "split", source), at(end + 2, "(", source),
            isLiteral(end + 3), value(window[end + 3], source) == [UInt8(ascii: "#")],
            at(end + 4, ")", source), at(end + 5, "[", source), at(end + 6, "0", source),
            at(end + 7, "]", source)
        {
            return end + 8
        }
        guard at(end, ".", source), at(end + 1, "replace", source), at(end + 2, "(", source) else {
            return end
        }
        // Only a pattern for the fragment up to the end: `/(#.+)?$/`, `/#.*$/`.
        let pattern = window[end + 3]
        guard pattern.kind == .regularExpression else { return nil }
        let content = source.extracting(pattern.content(in: source))
        guard content.count > 2, content[content.count - 1] == UInt8(ascii: "$"),
            content.holds("#", at: 0) || content.holds("(#", at: 0) || content.holds("(?:#", at: 0),
            let close = closing(end + 2, limit: 100, source)
        else { return nil }
        return close + 1
    }

    /// The end of `location.pathname + location.search`, or of an equivalent template.
    ///
    /// The host before it and the fragment after it are optional.
    private func composedAddress(_ offset: Int, _ source: Span<UInt8>) -> Int? {
        let isTemplate = window[offset].kind == .templateStart
        guard !isTemplate || window[offset].content(in: source).isEmpty else { return nil }
        var place = isTemplate ? offset + 1 : offset
        var names: [String] = []
        while names.count < 4, let (member, end) = locationMember(place, source) {
            names.append(text(window[member], source))
            place = end
            if isTemplate {
                guard window[end].kind == .templateContinuation else { return nil }
                let between = source.extracting(window[end].content(in: source))
                if window[end].traits.contains(.endsTemplate) {
                    guard between.count == 0 || between[0] == UInt8(ascii: "#") else { return nil }
                    place = end + 1
                    break
                }
                guard between.count == 0 else { return nil }
                place = end + 1
            } else if at(end, "+", source) {
                if isLiteral(end + 1) {
                    guard value(window[end + 1], source).first == UInt8(ascii: "#") else {
                        return nil
                    }
                    // The rest is part of the fragment.
                    var last = end + 2
                    while last < end + 40, !endsExpression(last, source) {
                        last =
                            at(last, "(", source)
                            ? (closing(last, limit: 100, source) ?? last) + 1 : last + 1
                    }
                    place = last
                    break
                }
                place = end + 1
            } else {
                break
            }
        }
        if names.first == "origin" { names.removeFirst() }
        if names.last == "hash" { names.removeLast() }
        return names == ["pathname", "search"] ? place : nil
    }

    /// `location.href`, also as a member of a window: the offsets of the member and of the token
    /// after it.
    private func locationMember(
        _ offset: Int, _ source: Span<UInt8>
    ) -> (member: Int, end: Int)? {
        var start = offset
        for _ in 0..<2
        where window[start].kind == .identifier && !at(start, "location", source)
            && at(start + 1, ".", source)
        {
            start += 2
        }
        guard at(start, "location", source), at(start + 1, ".", source) else { return nil }
        return (start + 2, start + 3)
    }
}
