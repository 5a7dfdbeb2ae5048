/// The code around literals: their brackets and the names that take them.
extension JavaScriptReader {
    /// The code around a literal.
    func place(of id: ID, _ source: Span<UInt8>) -> JavaScriptReference.Place {
        let brackets = brackets(around: id, source)
        let isArgument = brackets.first.map { source[$0] == UInt8(ascii: "(") } ?? false
        var word: Range<Int>?
        if isArgument, let open = brackets.first {
            var start = open
            while start > 0, JavaScriptByte.isName(source[start &- 1]) { start &-= 1 }
            if start < open { word = start..<open }
        } else {
            word = target(before: tree.start(id), source)
        }
        return JavaScriptReference.Place(
            bracket: brackets.first, outer: brackets.dropFirst().first, word: word,
            isArgument: isArgument)
    }

    /// The name before `:` or `=` at the end of the code before a position.
    private func target(before position: Int, _ source: Span<UInt8>) -> Range<Int>? {
        func skipSpace(_ index: Int) -> Int {
            var index = index
            while index >= 0, source[index] <= 0x20 { index &-= 1 }
            return index
        }
        var end = skipSpace(position &- 1)
        guard end > 0, source[end] == UInt8(ascii: ":") || source[end] == UInt8(ascii: "=") else {
            return nil
        }
        end = skipSpace(end &- 1)
        guard end >= 0 else { return nil }
        var start = end
        switch source[end] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
            start &-= 1
            while start >= 0, source[start] != source[end] { start &-= 1 }
            guard start >= 0, !source.extracting(start..<end).contains("${") else { return nil }
            return start &+ 1..<end
        default:
            while start >= 0, JavaScriptByte.isName(source[start]) || source[start] >= 0x80 {
                start &-= 1
            }
            return start < end && !JavaScriptByte.isDigit(source[start &+ 1])
                ? start &+ 1..<end &+ 1 : nil
        }
    }

    /// The innermost open brackets around a node, at most two.
    private func brackets(around id: ID, _ source: Span<UInt8>) -> [Int] {
        var found: [Int] = []
        var node = id
        // A chain of calls or conditions has a node for each link.
        var left = 200
        while node != 0, found.count < 2, left > 0 {
            left -= 1
            let parent = tree.parent(node)
            if tree[node].flags.contains(.parenthesized), !tree.kind(node).isName,
                let open = open(before: tree.start(node), source)
            {
                found.append(open)
            }
            if let open = bracket(of: parent, around: node, source) { found.append(open) }
            node = parent
        }
        return Array(found.prefix(2))
    }

    /// The bracket of a node that contains one of its children.
    private func bracket(of parent: ID, around node: ID, _ source: Span<UInt8>) -> Int? {
        let isFirst = tree.first(parent) == node
        func next(_ bracket: UnicodeScalar, from start: Int) -> Int? {
            (start..<max(start, tree.end(parent))).first { source[$0] == UInt8(ascii: bracket) }
        }
        switch tree.kind(parent) {
        case .array, .object, .block, .staticBlock:
            return next(tree.kind(parent) == .array ? "[" : "{", from: tree.start(parent))
        case .parameters: return open(at: tree.start(parent), source)
        case .importCall: return next("(", from: tree.start(parent))
        case .call, .new: return isFirst ? nil : next("(", from: tree.end(tree.first(parent)))
        case .index: return isFirst ? nil : next("[", from: tree.end(tree.first(parent)))
        case .ifStatement, .whileStatement, .withStatement:
            return isFirst ? open(before: tree.start(node), source) : nil
        case .forStatement, .forIn, .forOf:
            return tree.next(node) == 0 ? nil : open(before: tree.start(tree.first(parent)), source)
        case .switchStatement:
            return isFirst
                ? open(before: tree.start(node), source)
                : next("{", from: tree.end(tree.first(parent)))
        case .property, .method, .field:
            let isKey = isFirst && tree[parent].flags.contains(.computed)
            if isKey { return open(before: tree.start(node), source) }
            return nil
        case .classDeclaration, .classExpression:
            return isFirst || tree.second(parent) == node
                ? nil : next("{", from: tree.end(tree.second(parent)))
        default: return nil
        }
    }

    private func open(at position: Int, _ source: Span<UInt8>) -> Int? {
        JavaScriptByte.isBracket(source[position]) ? position : nil
    }

    /// The bracket before a position, after white space.
    private func open(before position: Int, _ source: Span<UInt8>) -> Int? {
        var index = position &- 1
        while index >= 0, source[index] <= 0x20 { index &-= 1 }
        return index >= 0 && JavaScriptByte.isBracket(source[index]) ? index : nil
    }
}

extension JavaScriptByte {
    fileprivate static func isBracket(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
    }
}
