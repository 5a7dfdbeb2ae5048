/// Addresses that are written as literals, or composed of known values.
extension JavaScriptReader {
    /// The addresses that an expression may have.
    struct Address {
        var values: [[UInt8]]
        var extent: JavaScriptReference.Extent = .whole
        /// The literal to show; of a name, the name.
        var range: Range<Int>
        /// The token with the literal.
        var start: Int
        var end: Int
        /// Whether the value is that of several literals or of a name.
        var isJoined = false
        /// Whether the value may be another one.
        var isLikely = false
        var literals: [ID] = []
        /// See ``JavaScriptReference/pattern``.
        var pattern: [[UInt8]] = []
    }

    /// The literal at the start of an expression, which may be the whole expression.
    ///
    /// - Returns: `nil` if the expression starts with something else.
    func written(_ id: ID, _ source: Span<UInt8>) -> Address? {
        var node = id
        var extent = JavaScriptReference.Extent.whole
        while true {
            switch tree.kind(node) {
            case .string:
                return Address(
                    values: [tree.text(node, source)], extent: extent, range: tree.content(node),
                    start: tree.start(node), end: tree.end(node), literals: [node])
            case .template:
                let text = tree.first(node)
                let isWhole = tree.next(text) == 0
                return Address(
                    values: [tree.text(text, source)], extent: isWhole ? extent : .prefix,
                    range: tree.range(text), start: tree.start(node),
                    end: min(tree.end(node), tree.end(text) &+ (isWhole ? 1 : 2)), literals: [node])
            case .binary:
                node = tree.first(node)
                let symbol = tree.symbol(tree.parent(node))
                // A condition is not the value.
                if symbol.precedence != 1 && symbol != .add { return nil }
                if symbol == .add { extent = .prefix }
            case .member, .call:
                node = tree.first(node)
                extent = .prefix
            default: return nil
            }
        }
    }

    /// The address of an expression by its value, or else by the literal at its start.
    mutating func address(of id: ID, _ source: Span<UInt8>) -> Address? {
        guard id != 0, tree.kind(id) != .string else { return written(id, source) }
        let (values, extent): ([[UInt8]], JavaScriptReference.Extent)
        var pattern: [[UInt8]] = []
        switch value(of: id, source) {
        case .texts(let texts): (values, extent) = (texts, .whole)
        case .composed(let parts):
            guard let known = Self.start(of: parts) else { return written(id, source) }
            (values, extent) = ([known.text], known.isWhole ? .whole : .prefix)
            if !known.isWhole { pattern = Self.pattern(of: parts) }
        default: return written(id, source)
        }
        let isLikely = evaluator.isLikely
        let literals = literals(of: id)
        let first = literals.first { !tree.content($0).isEmpty }
        if extent == .prefix, var written = written(id, source) {
            written.pattern = pattern
            guard values[0] != written.values[0] else { return written }
            // A template that starts with a name.
            let range = written.range.isEmpty ? tree.range(shownName(in: id)) : written.range
            return Address(
                values: values, extent: extent, range: range, start: written.start,
                end: max(written.end, range.upperBound), isJoined: true, isLikely: isLikely,
                literals: literals, pattern: pattern)
        }
        let shown = first ?? shownName(in: id)
        let isText = tree.kind(shown) == .templateText
        return Address(
            values: values, extent: extent, range: tree.content(shown),
            start: isText ? tree.start(tree.parent(shown)) : tree.start(shown),
            end: isText
                ? min(tree.end(tree.parent(shown)), tree.end(shown) &+ 2) : tree.end(shown),
            isJoined: true, isLikely: isLikely, literals: literals, pattern: pattern)
    }

    /// The pattern of an expression that is composed of known and unknown texts.
    mutating func pattern(of id: ID, _ source: Span<UInt8>) -> [[UInt8]] {
        guard id != 0, case .composed(let parts) = value(of: id, source) else { return [] }
        return Self.pattern(of: parts)
    }

    private static func pattern(of parts: [JavaScriptValue.Part]) -> [[UInt8]] {
        var texts: [[UInt8]] = [[]]
        for (index, part) in parts.enumerated() {
            switch part {
            case .text(let text): texts[texts.count - 1] += text
            case .page(.base) where index == 0, .page(.origin) where index == 0: break
            case .page, .hole: texts.append([])
            }
        }
        return texts
    }

    /// The name at the start of an expression without literals.
    private func shownName(in id: ID) -> ID {
        var node = id
        while tree.kind(node) == .binary || tree.kind(node) == .call { node = tree.first(node) }
        if tree.kind(node) == .template { node = tree.second(node) }
        return tree.kind(node) == .member ? tree.second(node) : node
    }

    /// The text at the start of an address; one below the page's address has that of its path.
    private static func start(
        of parts: [JavaScriptValue.Part]
    ) -> (text: [UInt8], isWhole: Bool)? {
        var rest = parts[...]
        if case .page(let page)? = rest.first {
            rest = rest.dropFirst()
            guard case .text(let text)? = rest.first,
                page == .base || page == .origin && text.first == UInt8(ascii: "/")
            else { return nil }
        }
        guard case .text(let text)? = rest.first, !text.isEmpty else { return nil }
        return (text, rest.count == 1)
    }

    /// The strings and texts that a joined address consists of.
    private func literals(of id: ID) -> [ID] {
        var found: [ID] = []
        var open = [id]
        while let node = open.popLast(), found.count < 40 {
            switch tree.kind(node) {
            case .string, .templateText: found.append(node)
            case .template:
                found.append(node)
                open.append(contentsOf: Array(tree.children(node)).reversed())
            case .binary: open.append(contentsOf: [tree.second(node), tree.first(node)])
            case .call:
                open.append(
                    contentsOf: Array(tree.arguments(node)).reversed() + [object(ofCall: node)])
            case .conditional:
                open.append(contentsOf: [tree.third(node), tree.second(node)])
            default: break
            }
        }
        return found.filter { tree.kind($0) != .template }
            + found.filter { tree.kind($0) == .template }
    }

    /// Whether an argument is a literal, or has a known value.
    mutating func isAddress(_ id: ID, _ source: Span<UInt8>) -> Bool {
        id != 0 && address(of: id, source) != nil
    }

    /// Whether the last component of a path has an extension.
    func namesFile(_ bytes: Span<UInt8>) -> Bool {
        var hasEnding = false
        for index in 0..<bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "/"): hasEnding = false
            case UInt8(ascii: "."):
                // A period at the end of a sentence starts no extension.
                hasEnding = index &+ 1 < bytes.count && bytes[index &+ 1].isASCIIAlphanumeric
            case UInt8(ascii: "?"), UInt8(ascii: "#"): return hasEnding
            default: break
            }
        }
        return hasEnding
    }

    /// Whether an argument is the complete address of a file, or an image as `data:` URL.
    mutating func isFile(_ id: ID, _ source: Span<UInt8>) -> Bool {
        guard let address = address(of: id, source), address.extent == .whole else { return false }
        return address.values.allSatisfy {
            namesFile($0.span) || !address.isJoined && $0.starts(with: "data:image/".utf8)
        }
    }

    /// Whether an argument is composed of a directory, unknown parts and an extension.
    mutating func isPartOfFile(_ id: ID, _ source: Span<UInt8>) -> Bool {
        guard let address = address(of: id, source), address.extent == .prefix,
            let first = address.pattern.first, let last = address.pattern.last
        else { return false }
        return first.contains(UInt8(ascii: "/")) && namesFile(last.span)
    }

    /// Whether a path has one of several extensions.
    static func hasEnding(_ path: [UInt8], _ endings: [String]) -> Bool {
        let end = path.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        let name = path[..<(end ?? path.count)]
        return endings.contains {
            name.count > $0.utf8.count + 1
                && name.suffix($0.utf8.count + 1).elementsEqual(".\($0)".utf8)
        }
    }
}
