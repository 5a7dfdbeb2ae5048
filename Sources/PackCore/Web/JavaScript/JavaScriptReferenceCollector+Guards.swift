/// Conditions and `try` around a place, found by walking back from it.
///
/// The walk knows brackets, `if`, `else`, `&&`, `||`, `?:`, early returns and functions. It is done
/// only where something is noted, and a script has a budget for all of them.
extension JavaScriptReferenceCollector {
    /// The steps back that one script may take.
    static let guardBudget = 400_000
    /// The steps back from one place.
    private static let longestWalk = 900

    /// Whether a condition on the page's protocol or security decides whether the place is reached.
    mutating func isSecurityGuarded(_ source: Span<UInt8>) -> Bool {
        isGuarded(by: ["protocol", "isSecureContext"], source)
    }

    /// Whether the page works without the asset that the place loads: an old browser's, or the
    /// replacement of one that failed.
    mutating func isAssetGuarded(_ source: Span<UInt8>) -> Bool {
        isGuarded(
            by: ["protocol", "isSecureContext", "documentMode", "attachEvent", "onerror"], source)
    }

    /// Whether one of some words decides whether the current place is reached.
    ///
    /// - Parameters:
    ///   - words: Names and the contents of strings, as in `"serviceWorker" in navigator`.
    ///   - start: The offset of the first token before the place.
    ///   - triesCount: Whether `try` around the place counts, in the same function.
    mutating func isGuarded(
        by words: [StaticString], from start: Int = -1, triesCount: Bool = false,
        _ source: Span<UInt8>
    ) -> Bool {
        var walk = GuardWalk(words: words, triesCount: triesCount, offset: start)
        let last = start - Self.longestWalk
        while walk.offset > last, guardSteps > 0 {
            if window[walk.offset].kind == .end { return false }
            let before = walk.offset
            if step(&walk, source) { return true }
            guardSteps -= max(1, before - walk.offset)
        }
        return false
    }

    private struct GuardWalk {
        let words: [StaticString]
        let triesCount: Bool
        var offset: Int
        /// Whether `&&`, `||` or `?` stands between the place and what is walked through.
        var isConditional = false
        /// Whether a statement ended between.
        var hasEnded = false
        /// Whether the statement that is walked through leaves the function.
        var leaves = false
        /// Whether the walk left a function.
        var isOutside = false
    }

    /// Walks over one token or one pair of brackets.
    ///
    /// - Returns: Whether it is a guard.
    private func step(_ walk: inout GuardWalk, _ source: Span<UInt8>) -> Bool {
        let token = window[walk.offset]
        defer { walk.offset -= 1 }
        switch token.kind {
        case .punctuator:
            switch source[token.start] {
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                return group(&walk, source)
            case UInt8(ascii: "{"): return block(&walk, source)
            case UInt8(ascii: "("):
                if at(walk.offset - 1, "if", source) {
                    walk.isConditional = false
                    walk.hasEnded = false
                }
            case UInt8(ascii: ";"):
                walk.hasEnded = true
                walk.leaves = false
                walk.isConditional = false
            case UInt8(ascii: ","): walk.isConditional = false
            case UInt8(ascii: "?"):
                if !token.is("?.", in: source) { walk.isConditional = true }
            case UInt8(ascii: "&"), UInt8(ascii: "|"):
                if token.is("&&", in: source) || token.is("||", in: source) {
                    walk.isConditional = true
                }
            case UInt8(ascii: "="):
                if token.is("=>", in: source) {
                    walk.isOutside = true
                    walk.isConditional = false
                }
            default: break
            }
        case .keyword:
            if token.is("return", in: source) || token.is("throw", in: source) {
                walk.leaves = true
            } else if token.is("else", in: source) {
                return alternative(&walk, source)
            }
        case .identifier, .string:
            return walk.isConditional && isWord(token, walk.words, source)
        default: break
        }
        return false
    }

    /// A pair of brackets that ends before the place.
    private func group(_ walk: inout GuardWalk, _ source: Span<UInt8>) -> Bool {
        let close = walk.offset
        guard let open = opening(from: close - 1, limit: 600, source) else {
            walk.offset -= 600
            return false
        }
        walk.offset = open
        if walk.isConditional { return mentions(walk.words, open..<close, source) }
        if at(close, "}", source) {
            // A block, unless an object or a function's value: then no `if` precedes it.
            walk.hasEnded = true
            walk.leaves = exits(open..<close, source)
        } else if at(open - 1, "if", source), !walk.hasEnded || walk.leaves {
            walk.leaves = false
            return mentions(walk.words, open..<close, source)
                || !walk.hasEnded && isNever(open..<close, source)
        }
        return false
    }

    /// The start of a block around the place.
    private func block(_ walk: inout GuardWalk, _ source: Span<UInt8>) -> Bool {
        walk.isConditional = false
        walk.hasEnded = false
        walk.leaves = false
        let before = window[walk.offset - 1]
        if before.is("try", in: source) { return walk.triesCount && !walk.isOutside }
        if before.is("=>", in: source) {
            walk.isOutside = true
        } else if before.is("else", in: source) {
            walk.offset -= 1
            return alternative(&walk, source)
        } else if before.is(")", in: source),
            let open = opening(from: walk.offset - 2, limit: 300, source)
        {
            let close = walk.offset - 1
            let head = window[open - 1]
            if head.is("if", in: source) || head.is("while", in: source) {
                walk.offset = open
                return mentions(walk.words, open..<close, source)
                    || isNever(open..<close, source)
            }
            let isStatement =
                head.is("for", in: source) || head.is("switch", in: source)
                || head.is("catch", in: source) || head.is("with", in: source)
            if !isStatement { walk.isOutside = true }
            walk.offset = open
            // `image.onerror = function () { … }`
            let assigned = head.is("function", in: source) ? open - 3 : open - 4
            return isWord(window[assigned], walk.words, source)
                && window[assigned].is("onerror", in: source)
        }
        return false
    }

    /// The condition of the `if` whose `else` is walked through.
    private func alternative(_ walk: inout GuardWalk, _ source: Span<UInt8>) -> Bool {
        var close = walk.offset - 1
        if at(close, ";", source) { close -= 1 }
        if at(close, "}", source), let open = opening(from: close - 1, limit: 600, source) {
            close = open - 1
            if at(close, ")", source), let open = opening(from: close - 1, limit: 300, source),
                at(open - 1, "if", source)
            {
                walk.offset = open
                return mentions(walk.words, open..<close, source)
            }
            walk.offset = close + 1
            return false
        }
        // `if (a) b(); else …`: the `if` comes up as that of a statement that leaves.
        walk.offset = close + 1
        walk.hasEnded = true
        walk.leaves = true
        return false
    }

    private func isWord(
        _ token: JavaScriptToken, _ words: [StaticString], _ source: Span<UInt8>
    ) -> Bool {
        if token.kind == .string {
            let content = source.extracting(token.content(in: source))
            for word in words
            where content.count == word.utf8CodeUnitCount && content.holds(word, at: 0) {
                return true
            }
            return false
        }
        return Self.isAny(token, words, source)
    }

    private func mentions(
        _ words: [StaticString], _ offsets: Range<Int>, _ source: Span<UInt8>
    ) -> Bool {
        for offset in offsets where isWord(window[offset], words, source) { return true }
        return false
    }

    private func exits(_ offsets: Range<Int>, _ source: Span<UInt8>) -> Bool {
        for offset in offsets
        where at(offset, "return", source) || at(offset, "throw", source) {
            return true
        }
        return false
    }

    /// Whether a condition that a build replaced is never true: `false`, `"a" === "b"`.
    private func isNever(_ offsets: Range<Int>, _ source: Span<UInt8>) -> Bool {
        let first = offsets.lowerBound + 1
        if offsets.count == 2 { return at(first, "false", source) }
        guard offsets.count == 4, window[first].kind == .string, window[first + 2].kind == .string
        else { return false }
        let areEqual = value(window[first], source) == value(window[first + 2], source)
        if at(first + 1, "===", source) || at(first + 1, "==", source) { return !areEqual }
        if at(first + 1, "!==", source) || at(first + 1, "!=", source) { return areEqual }
        return false
    }

    /// Whether the handler of the `try` around the current place changes the page's address.
    func catchNavigates(_ source: Span<UInt8>) -> Bool {
        var depth = 0
        for offset in 1..<400 {
            let token = window[offset]
            if token.kind == .end { return false }
            guard token.kind == .punctuator else { continue }
            switch source[token.start] {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "}"):
                depth -= 1
                guard depth < 0, at(offset + 1, "catch", source) else { continue }
                for inner in offset + 2..<offset + 60 {
                    if at(inner, "}", source) { return false }
                    if Self.isAny(window[inner], ["location", "assign", "href"], source) {
                        return true
                    }
                    if window[inner].kind == .string,
                        isWord(window[inner], ["assign", "replace"], source)
                    {
                        return true
                    }
                }
                return false
            default: break
            }
        }
        return false
    }
}
