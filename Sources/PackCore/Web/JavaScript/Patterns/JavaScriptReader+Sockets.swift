/// Addresses of WebSockets, composed from the page's own.
extension JavaScriptReader {
    /// Whether the address of `new WebSocket(…)` has the scheme of the page, which is neither http nor
    /// https: the constructor throws.
    ///
    /// `location.origin.replace("http", "ws")` changes nothing in such a page, nor does the setter
    /// of `protocol` (https://url.spec.whatwg.org/#dom-url-protocol). `"https:" ===
    /// location.protocol ? "wss:" : "ws:"` is an address of the page's host.
    mutating func hasPageScheme(_ id: ID, _ source: Span<UInt8>) -> Bool {
        guard let scheme = surroundings.scheme, !scheme.starts(with: "http".utf8) else {
            return false
        }
        return isOfPage(tree.argument(id, 0), depth: 0, source)
    }

    private mutating func isOfPage(_ id: ID, depth: Int, _ source: Span<UInt8>) -> Bool {
        guard depth < 4 else { return false }
        switch value(of: id, source) {
        case .page(let page): return Self.hasScheme(page)
        case .composed(let parts):
            if case .page(let page)? = parts.first { return Self.hasScheme(page) }
            guard parts.first == .hole else { return false }
        case .undefined: return tree.kind(id) == .index
        case .unknown: break
        default: return false
        }
        switch tree.kind(id) {
        case .new where tree.name(tree.first(id)) == .URL:
            return isPageURL(id, depth: depth, source)
        case .identifier:
            return lastValue(of: id).map { isOfPage($0, depth: depth + 1, source) } ?? false
        case .member where tree.memberName(id) == .href:
            return isOfPage(tree.first(id), depth: depth + 1, source)
        case .call where tree.memberName(tree.first(id)) == .toString:
            return isOfPage(object(ofCall: id), depth: depth + 1, source)
        case .call where tree.memberName(tree.first(id)) == .concat:
            let text = object(ofCall: id)
            let first = isString(text, "", source) ? tree.argument(id, 0) : text
            return isOfPage(first, depth: depth + 1, source)
        case .binary where tree.symbol(id) == .add:
            return isOfPage(tree.first(id), depth: depth, source)
        case .template:
            let text = tree.first(id)
            return tree.range(text).isEmpty && isOfPage(tree.next(text), depth: depth + 1, source)
        default: return false
        }
    }

    private static func hasScheme(_ page: JavaScriptValue.Page) -> Bool {
        switch page {
        case .href, .origin, .protocol, .base: true
        default: false
        }
    }

    /// Whether a `new URL(…)` is relative to the page.
    private mutating func isPageURL(_ id: ID, depth: Int, _ source: Span<UInt8>) -> Bool {
        let address = tree.argument(id, 0)
        let base = tree.next(address)
        guard base != 0 else { return isPage(address, depth: depth, source) }
        if let text = written(address, source)?.values.first, text.contains(UInt8(ascii: ":")) {
            return false
        }
        return isPage(base, depth: depth, source)
    }

    private mutating func isPage(_ id: ID, depth: Int, _ source: Span<UInt8>) -> Bool {
        if case .object(.location) = value(of: id, source) { return true }
        if tree.kind(id) == .call, tree.memberName(tree.first(id)) == .toString {
            return isPage(object(ofCall: id), depth: depth + 1, source)
        }
        return isOfPage(id, depth: depth, source)
    }

    /// The last value assigned to a variable before a use.
    mutating func lastValue(of name: ID) -> ID? {
        let binding = evaluator.scopes.binding(of: name)
        var candidates: [ID] = []
        if let binding {
            let declared = tree.parent(evaluator.scopes.bindings[binding].name)
            if tree.kind(declared) == .declarator { candidates.append(tree.second(declared)) }
            candidates += evaluator.scopes.uses(of: binding).compactMap {
                tree.plainValue(writtenTo: $0)
            }
        } else {
            let range = tree.range(tree.functionScope(of: name))
            for use in evaluator.scopes.occurrences(of: tree.nameID(name), in: range) {
                if let value = tree.plainValue(writtenTo: use) { candidates.append(value) }
            }
        }
        return candidates.last { tree.end($0) <= tree.start(name) && tree.kind($0) != .absent }
    }

    /// `u.protocol = … ? "wss:" : "ws:"` of a URL with the page's scheme, which stays.
    mutating func socketProtocol(_ id: ID, _ source: Span<UInt8>) {
        let object = tree.first(tree.first(id))
        let value = tree.second(id)
        guard tree.kind(tree.first(id)) == .member, tree.symbol(id) == .assign,
            tree.kind(object) == .identifier, written(value, source) == nil,
            let scheme = surroundings.scheme, !scheme.starts(with: "http".utf8)
        else { return }
        let start = tree[value].start
        var literal: ID = 0
        var node = value
        while node > 0, tree[node].start >= start {
            if tree.kind(node) == .string {
                let text = tree.text(node, source)
                if text.starts(with: "ws".utf8), text.count < 6 { literal = node }
            }
            node -= 1
        }
        guard literal != 0, let last = lastValue(of: object), isOfPage(last, depth: 1, source)
        else {
            return
        }
        note(
            .protocolAssignment, from: tree.start(object), addressAt: literal, source,
            detail: JavaScriptReference.pageScheme)
    }
}
