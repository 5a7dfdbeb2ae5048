/// The backward steps from a position: operators, brackets, statements and functions.
extension JavaScriptReferenceCollector {
    /// Steps over one token or one pair of brackets.
    ///
    /// - Returns: Whether it is a guard.
    mutating func step(_ walk: inout GuardWalk, _ source: Span<UInt8>) -> Bool {
        let token = window[walk.offset]
        defer { walk.offset -= 1 }
        if endsLine(walk.offset, source) {
            walk.hasEnded = true
            walk.leaves = false
        }
        let isOperator = !walk.hasEnded && !walk.isSeparate
        switch token.kind {
        case .punctuator:
            switch source[token.start] {
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                return group(&walk, source)
            case UInt8(ascii: "{"): return block(&walk, source)
            case UInt8(ascii: "("), UInt8(ascii: "["):
                walk.alternatives = 0
                walk.isSeparate = false
                if at(walk.offset - 1, "if", source) { walk.hasEnded = false }
            case UInt8(ascii: ";"):
                walk.hasEnded = true
                walk.leaves = false
            case UInt8(ascii: ","): walk.isSeparate = true
            case UInt8(ascii: ":"): if isOperator { walk.alternatives += 1 }
            case UInt8(ascii: "?"):
                guard isOperator, token.end &- token.start == 1 else { break }
                let isAlternative = walk.alternatives > 0
                if isAlternative { walk.alternatives -= 1 }
                return operand(&walk, stops: isAlternative, isAnd: false, source)
            case UInt8(ascii: "&"):
                if isOperator, token.is("&&", in: source) {
                    return operand(&walk, stops: false, isAnd: true, source)
                }
            case UInt8(ascii: "|"):
                if isOperator, token.is("||", in: source) {
                    return operand(&walk, stops: true, isAnd: false, source)
                }
            case UInt8(ascii: "="):
                if token.is("=>", in: source) {
                    walk.isOutside = true
                    arrow(walk.offset, &walk, source)
                }
            default: break
            }
        case .keyword, .identifier:
            if token.is("return", in: source) || token.is("throw", in: source) {
                walk.leaves = true
            } else if token.is("else", in: source) {
                return alternative(&walk, source)
            } else if token.is("function", in: source) {
                walk.leaves = false
            } else if !walk.hasEnded, !walk.isOutside, token.is("await", in: source) {
                walk.isAwaited = true
            }
        default: break
        }
        return false
    }

    /// Whether a statement without a semicolon ends with the token at an offset.
    func endsLine(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        let next = window[offset + 1]
        guard next.traits.contains(.afterNewline),
            next.kind == .identifier || next.kind == .keyword,
            !next.is("in", in: source), !next.is("instanceof", in: source)
        else { return false }
        let token = window[offset]
        switch token.kind {
        case .identifier, .string, .number: return true
        case .punctuator:
            if token.is("]", in: source) { return true }
            guard token.is(")", in: source),
                let open = opening(from: offset - 1, limit: 200, source)
            else { return false }
            return !Self.isAny(window[open - 1], ["if", "while", "for", "with"], source)
        default: return false
        }
    }

    /// Steps over a pair of brackets that ends before the position.
    private mutating func group(_ walk: inout GuardWalk, _ source: Span<UInt8>) -> Bool {
        let close = walk.offset
        guard let open = opening(from: close - 1, limit: Self.longestWalk, source) else {
            // Beyond the limit. If the walk continued inside the brackets, every statement there
            // would seem to be around the position.
            walk.offset -= Self.longestWalk
            return false
        }
        walk.offset = open
        if at(close, "}", source) {
            // A block, or an object or a function's value, which no `if` precedes.
            walk.hasEnded = true
            walk.leaves = exits(open..<close, source)
        } else if at(open - 1, "if", source), !walk.hasEnded || walk.leaves {
            let stops = walk.hasEnded
            walk.leaves = false
            return decides(open + 1..<close, stops: stops, &walk, source)
        }
        return false
    }

    /// Steps out of a block around the position.
    private mutating func block(_ walk: inout GuardWalk, _ source: Span<UInt8>) -> Bool {
        walk.hasEnded = false
        walk.leaves = false
        walk.isSeparate = false
        walk.alternatives = 0
        let before = window[walk.offset - 1]
        if before.is("try", in: source) {
            guard walk.triesCount, !walk.isOutside, !walk.needsAwait || walk.isAwaited else {
                return false
            }
            walk.tryOffset = walk.offset
            return true
        }
        if before.is("=>", in: source) {
            walk.isOutside = true
            arrow(walk.offset - 1, &walk, source)
            walk.offset -= 1
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
                return decides(open + 1..<close, stops: false, &walk, source)
            }
            let isStatement =
                head.is("for", in: source) || head.is("switch", in: source)
                || head.is("catch", in: source) || head.is("with", in: source)
            if !isStatement {
                walk.isOutside = true
                let start = head.is("function", in: source) ? open - 1 : open - 2
                if isListener(start, source) { walk.isOnDemand = true }
            }
            walk.offset = open
            // `image.onerror = function () { … }`
            let assigned = head.is("function", in: source) ? open - 3 : open - 4
            return isWord(window[assigned], walk.words, source)
                && window[assigned].is("onerror", in: source)
        }
        return false
    }

    /// The parameters before the `=>` at an offset.
    private mutating func arrow(
        _ offset: Int, _ walk: inout GuardWalk, _ source: Span<UInt8>
    ) {
        var start = offset - 1
        if at(start, ")", source) {
            start = opening(from: start - 1, limit: 60, source) ?? start
        }
        if at(start - 1, "async", source) { start -= 1 }
        if isListener(start, source) { walk.isOnDemand = true }
    }

    /// Whether the function at an offset runs on a user action: `addEventListener("click", …)`,
    /// `x.onclick = …`, `$(x).click(…)`.
    private func isListener(_ start: Int, _ source: Span<UInt8>) -> Bool {
        if at(start - 1, ",", source), window[start - 2].kind == .string,
            at(start - 3, "(", source),
            Self.isAny(window[start - 4], ["addEventListener", "on", "once", "one"], source)
        {
            return isWord(window[start - 2], Self.actions, source)
        }
        if at(start - 1, "=", source) {
            return Self.isAny(
                window[start - 2], ["onclick", "onsubmit", "ontouchend", "onpointerup"], source)
        }
        return at(start - 1, "(", source) && at(start - 3, ".", source)
            && Self.isAny(window[start - 2], ["click", "submit"], source)
    }

    private static let actions: [StaticString] = [
        "click", "submit", "touchstart", "touchend", "pointerdown", "pointerup", "mousedown",
        "mouseup", "keydown", "keyup", "dblclick", "contextmenu",
    ]

    /// Evaluates the condition of the `if` whose `else` the walk is in.
    private mutating func alternative(_ walk: inout GuardWalk, _ source: Span<UInt8>) -> Bool {
        var close = walk.offset - 1
        if at(close, ";", source) { close -= 1 }
        if at(close, "}", source), let open = opening(from: close - 1, limit: 600, source) {
            close = open - 1
            if at(close, ")", source), let open = opening(from: close - 1, limit: 300, source),
                at(open - 1, "if", source)
            {
                walk.offset = open
                return decides(open + 1..<close, stops: true, &walk, source)
            }
            walk.offset = close + 1
            return false
        }
        // `if (a) b(); else …`: the walk then reaches the `if` as that of a statement that leaves.
        walk.offset = close + 1
        walk.hasEnded = true
        walk.leaves = true
        return false
    }
}
