/// Addresses of WebSockets, composed from the page's own.
extension JavaScriptReferenceCollector {
    /// Whether the address of the current `new WebSocket(…)` has the scheme of the page, which is
    /// neither http nor https: the constructor throws.
    ///
    /// `location.origin.replace("http", "ws")` changes nothing in such a page, nor does the setter
    /// of `protocol` (https://url.spec.whatwg.org/#dom-url-protocol). `"https:" ===
    /// location.protocol ? "wss:" : "ws:"` is an address of the page's host.
    mutating func hasPageScheme(_ source: Span<UInt8>) -> Bool {
        guard let scheme = surroundings.scheme, !scheme.starts(with: "http".utf8) else {
            return false
        }
        return hasPageScheme(at: 2, depth: 0, source)
    }

    private mutating func hasPageScheme(
        at start: Int, depth: Int, _ source: Span<UInt8>
    ) -> Bool {
        var offset = start
        // `"".concat(…)`, and a template with a substitution first.
        if window[offset].kind == .string, at(offset + 1, ".", source),
            at(offset + 2, "concat", source), at(offset + 3, "(", source)
        {
            guard window[offset].content(in: source).isEmpty else { return false }
            offset += 4
        } else if window[offset].kind == .templateStart {
            guard window[offset].content(in: source).isEmpty,
                !window[offset].traits.contains(.endsTemplate)
            else { return false }
            offset += 1
        }
        if at(offset, "new", source), at(offset + 1, "URL", source) {
            return isPageURL(offset, depth: depth, source)
        }
        if at(offset, "{", source) { return isWebTable(offset, source) }
        guard let end = pageAddress(at: offset, source) else {
            return depth < 2 && variable(at: offset, depth: depth, source)
        }
        guard at(end, ".", source), at(end + 1, "replace", source) else {
            return endsPart(end, source)
        }
        // A replacement without a match.
        guard at(end + 2, "(", source), let close = closing(end + 2, limit: 24, source),
            address(endingAt: end, source).finds(condition(end + 3..<end + 4, source))
                == .boolean(false)
        else { return false }
        return endsPart(close + 1, source)
    }

    /// The known part of the address that ends at an offset.
    private func address(endingAt end: Int, _ source: Span<UInt8>) -> JavaScriptValue {
        let scheme = surroundings.scheme ?? []
        return at(end - 1, "protocol", source)
            ? .text(scheme + [UInt8(ascii: ":")], isWhole: true)
            : .text(scheme + Array("://".utf8) + (surroundings.host ?? []), isWhole: false)
    }

    /// The offset after `location.origin`, `location.href` or `location.protocol`.
    private func pageAddress(at start: Int, _ source: Span<UInt8>) -> Int? {
        var offset = start
        if Self.isAny(window[offset], ["window", "self", "globalThis", "document"], source),
            at(offset + 1, ".", source)
        {
            offset += 2
        }
        if at(offset, "baseURI", source) || at(offset, "URL", source) {
            return at(offset - 2, "document", source) ? offset + 1 : nil
        }
        guard at(offset, "location", source), at(offset + 1, ".", source),
            Self.isAny(window[offset + 2], ["origin", "href", "protocol"], source)
        else { return nil }
        return offset + 3
    }

    /// Whether a part of an address ends at an offset.
    private func endsPart(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        at(offset, "+", source) || at(offset, ".", source) && at(offset + 1, "concat", source)
            || window[offset].kind == .templateContinuation || endsArgument(offset, source)
    }

    /// Whether the `new URL(…)` at an offset is relative to the page.
    private mutating func isPageURL(
        _ start: Int, depth: Int, _ source: Span<UInt8>
    ) -> Bool {
        guard at(start + 2, "(", source) else { return false }
        guard let base = argument(2, ofCallAt: start + 2, source) else {
            return isPage(start + 3, depth: depth, source)
        }
        if isLiteral(start + 3),
            value(window[start + 3], source).contains(UInt8(ascii: ":"))
        {
            return false
        }
        return isPage(base, depth: depth, source)
    }

    private mutating func isPage(_ offset: Int, depth: Int, _ source: Span<UInt8>) -> Bool {
        if let end = pageAddress(at: offset, source) { return endsArgument(end, source) }
        let isBare = at(offset, "location", source) || !at(offset + 1, ".", source)
        let name = isBare ? offset : offset + 2
        if at(name, "location", source) {
            return endsArgument(name + 1, source)
                || at(name + 1, ".", source) && at(name + 2, "toString", source)
        }
        return depth < 2 && variable(at: offset, depth: depth, source)
    }

    /// `u.protocol = … ? "wss:" : "ws:"` of a URL with the page's scheme, which stays.
    mutating func socketProtocol(_ source: Span<UInt8>) {
        guard at(1, "=", source), window[-2].kind == .identifier, !at(-3, ".", source),
            let scheme = surroundings.scheme, !scheme.starts(with: "http".utf8)
        else { return }
        let end = expressionEnd(from: 2, limit: 24, source)
        let literal = (2..<end).first { offset in
            guard isLiteral(offset) else { return false }
            let text = source.extracting(window[offset].content(in: source))
            return text.holds("ws", at: 0) && text.count < 6
        }
        guard let literal, lastValue(of: -2, depth: 0, source) else { return }
        note(
            .protocolAssignment, from: window[-2].start, argument: literal, source,
            detail: JavaScriptReference.pageScheme)
    }

    /// Whether `{"http:": "ws:", "https:": "wss:"}[location.protocol]`, which is undefined, starts
    /// at an offset.
    private func isWebTable(_ open: Int, _ source: Span<UInt8>) -> Bool {
        guard let close = closing(open, limit: 24, source), at(close + 1, "[", source),
            let end = pageAddress(at: close + 2, source), at(end - 1, "protocol", source),
            at(end, "]", source)
        else { return false }
        for offset in open + 1..<close where window[offset].traits.contains(.isMemberName) {
            guard source.extracting(window[offset].content(in: source)).holds("http", at: 0) else {
                return false
            }
        }
        return true
    }

    /// Whether the variable at an offset has such an address by its last assignment before it.
    private mutating func variable(
        at offset: Int, depth: Int, _ source: Span<UInt8>
    ) -> Bool {
        let name = window[offset]
        guard name.kind == .identifier else { return false }
        let isText =
            endsPart(offset + 1, source)
            || at(offset + 1, ".", source)
                && (at(offset + 2, "href", source)
                    || at(offset + 2, "toString", source) && at(offset + 3, "(", source))
        return isText && lastValue(of: offset, depth: depth, source)
    }

    /// Whether the last assignment to the variable at an offset gives it such an address.
    private mutating func lastValue(
        of offset: Int, depth: Int, _ source: Span<UInt8>
    ) -> Bool {
        let name = window[offset]
        for place in stride(from: offset - 1, to: offset - 240, by: -1) {
            if window[place].kind == .end { return false }
            guard window[place].kind == .identifier, isSame(window[place], name, source),
                !at(place - 1, ".", source)
            else { continue }
            if at(place + 1, "=", source) {
                return hasPageScheme(at: place + 2, depth: depth + 1, source)
            }
            // A parameter, or an assignment of another kind.
            guard at(place + 1, ".", source) else { return false }
        }
        return false
    }
}

extension JavaScriptValue {
    /// Whether a text, as far as it is known, contains a text or matches an expression.
    fileprivate func finds(_ wanted: JavaScriptValue) -> JavaScriptValue {
        switch wanted {
        case .text(let text, true):
            let found = passes(.inside, text)
            return found == .withheld ? .boolean(false) : found
        case .pattern(let pattern, let ignoresCase):
            return matches(pattern, ignoresCase: ignoresCase)
        default: return .unknown
        }
    }
}
