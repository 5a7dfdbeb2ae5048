/// Distinguishes the page's history from methods of the same names.
extension JavaScriptReader {
    /// `history.pushState(state, "", "/about")`.
    mutating func history(_ id: ID, _ source: Span<UInt8>) {
        let url = tree.argument(id, 2)
        // A call with two arguments keeps the URL, as does the page's own URL.
        guard url != 0, !isOwnAddress(url, at: id, source), isHistory(id, source) else { return }
        note(
            .history, from: nameStart(ofCall: id), addressAt: url, source,
            detail: text(tree.second(tree.first(id)), source),
            isGuarded: isHistoryCaught(id, source))
    }

    /// Whether the error of `pushState` is caught, and not handled by opening the address.
    mutating func isHistoryCaught(_ id: ID, _ source: Span<UInt8>) -> Bool {
        isGuarded(id, by: [], triesCount: true, source) && !catchNavigates(id, source)
    }

    /// Whether the handler of the innermost `try` around a node changes the page's address.
    private func catchNavigates(_ id: ID, _ source: Span<UInt8>) -> Bool {
        var node = id
        while node != 0 {
            let parent = tree.parent(node)
            let handler = tree.second(parent)
            if tree.kind(parent) == .tryStatement, tree.first(parent) == node,
                tree.kind(handler) == .catchClause
            {
                return [.location, .assign, .href].contains { contains($0, in: handler) }
                    || containsText(["assign", "replace"], in: handler, source)
            }
            node = parent
        }
        return false
    }

    private func containsText(_ texts: [StaticString], in id: ID, _ source: Span<UInt8>) -> Bool {
        let start = tree[id].start
        var node = id
        while node > 0, tree[node].start >= start {
            if tree.kind(node) == .string, texts.contains(where: { isString(node, $0, source) }) {
                return true
            }
            node -= 1
        }
        return false
    }

    /// Whether `pushState` belongs to the page's history, and not to a parser's method of the same
    /// name.
    ///
    /// The object has such a name, or the second argument can be a title.
    private func isHistory(_ id: ID, _ source: Span<UInt8>) -> Bool {
        let object = object(ofCall: id)
        let name = tree.kind(object) == .member ? tree.second(object) : object
        if tree.kind(name) == .identifier,
            text(name, source).lowercased().hasSuffix("history")
        {
            return true
        }
        let title = tree.argument(id, 1)
        switch tree.kind(title) {
        case .string, .template, .null: return true
        case .unary: return tree.symbol(title) == .void
        case .member: return tree.name(firstObject(of: title)) == .document
        default: return tree.name(title) == .undefined
        }
    }

    private func firstObject(of id: ID) -> ID {
        var node = id
        while tree.kind(node) == .member { node = tree.first(node) }
        return node
    }

    // MARK: - The page's own address

    /// Whether an expression is the page's own address, except for its fragment.
    ///
    /// A map control stores its position in the fragment and first assigns the address to a
    /// variable: `const e = location.href.replace(/(#.+)?$/, hash); history.replaceState(state,
    /// null, e)`.
    private mutating func isOwnAddress(_ url: ID, at use: ID, _ source: Span<UInt8>) -> Bool {
        if isOwnAddress(url, source) { return true }
        guard tree.kind(url) == .identifier, let binding = evaluator.scopes.binding(of: url) else {
            return false
        }
        let declared = evaluator.scopes.bindings[binding]
        guard declared.kind == .variable else { return false }
        let declarator = tree.parent(declared.name)
        var values =
            tree.kind(declarator) == .declarator && tree.kind(tree.second(declarator)) != .absent
            ? [tree.second(declarator)] : []
        for write in evaluator.scopes.uses(of: binding) where tree.isWritten(write) {
            guard let value = tree.plainValue(writtenTo: write) else { return false }
            // `e = e.replace("&&", "&")` cleans up the fragment.
            let isCleaned =
                tree.kind(value) == .call && tree.memberName(tree.first(value)) == .replace
                && tree.nameID(object(ofCall: value)) == tree.nameID(url)
                && isLiteral(tree.argument(value, 0))
            if !isCleaned { values.append(value) }
        }
        return !values.isEmpty && values.allSatisfy { isOwnAddress($0, source) }
    }

    /// `location.href`, also with another fragment, or `location.pathname + location.search` with or
    /// without a fragment.
    private func isOwnAddress(_ id: ID, _ source: Span<UInt8>) -> Bool {
        switch tree.kind(id) {
        case .member: return locationMember(id) == .href
        case .index:
            // `location.href.split("#")[0]`
            let call = tree.first(id)
            return tree.kind(call) == .call && tree.memberName(tree.first(call)) == .split
                && locationMember(object(ofCall: call)) == .href
                && isString(tree.argument(call, 0), "#", source)
                && tree.bytes(tree.second(id), source) == [UInt8(ascii: "0")]
        case .call:
            guard tree.memberName(tree.first(id)) == .replace,
                locationMember(object(ofCall: id)) == .href
            else { return false }
            return isFragmentPattern(tree.argument(id, 0), source)
        case .binary, .template: return isComposedAddress(id, source)
        default: return false
        }
    }

    /// A pattern for the fragment up to the end: `/(#.+)?$/`, `/#.*$/`.
    private func isFragmentPattern(_ id: ID, _ source: Span<UInt8>) -> Bool {
        guard tree.kind(id) == .regularExpression else { return false }
        let literal = tree.bytes(id, source)
        guard let slash = literal.lastIndex(of: UInt8(ascii: "/")), slash > 3 else { return false }
        let pattern = literal[1..<slash]
        return pattern.last == UInt8(ascii: "$")
            && ["#", "(#", "(?:#"].contains { pattern.starts(with: $0.utf8) }
    }

    /// `location.pathname + location.search`, or an equivalent template; the host before it and the
    /// fragment after it are optional.
    private func isComposedAddress(_ id: ID, _ source: Span<UInt8>) -> Bool {
        var parts: [ID] = []
        if tree.kind(id) == .template {
            parts = tree.children(id).filter {
                tree.kind($0) != .templateText || !tree.content($0).isEmpty
            }
        } else {
            var node = id
            while tree.kind(node) == .binary, tree.symbol(node) == .add, parts.count < 12 {
                parts.append(tree.second(node))
                node = tree.first(node)
            }
            parts.append(node)
            parts.reverse()
        }
        var names: [JavaScriptName] = []
        for part in parts {
            if tree.kind(part) == .string || tree.kind(part) == .templateText {
                // The rest is part of the fragment.
                guard tree.text(part, source).first == UInt8(ascii: "#") else { return false }
                break
            }
            guard let name = locationMember(part) else { return false }
            names.append(name)
        }
        if names.first == .origin { names.removeFirst() }
        if names.last == .hash { names.removeLast() }
        return names == [.pathname, .search]
    }

    /// The member in `location.href`, also of a window.
    private func locationMember(_ id: ID) -> JavaScriptName? {
        tree.kind(id) == .member && isNamed(tree.first(id), .location) ? tree.memberName(id) : nil
    }
}
