/// Conditions and `try` around a position, found by walking back from it.
///
/// The walk supports brackets, `if`, `else`, `&&`, `||`, `?:`, early returns and functions. It is
/// done only for recorded references, and each script has a budget for all walks.
extension JavaScriptReferenceCollector {
    /// The largest number of backward steps in one script.
    static let guardBudget = 400_000
    /// The largest number of backward steps from one position.
    static let longestWalk = 900

    /// Whether a condition on the page's protocol or security controls the current position.
    mutating func isSecurityGuarded(_ source: Span<UInt8>) -> Bool {
        isGuarded(by: ["protocol", "isSecureContext"], source)
    }

    /// Whether the page works without the asset that is loaded here.
    ///
    /// It may be for old browsers, or replace an asset that failed.
    mutating func isAssetGuarded(_ source: Span<UInt8>) -> Bool {
        isGuarded(
            by: ["protocol", "isSecureContext", "documentMode", "attachEvent", "onerror"], source)
    }

    /// Whether a condition with one of several words controls the current position.
    ///
    /// - Parameters:
    ///   - words: Names and the contents of strings, as in `"serviceWorker" in navigator`.
    ///   - start: The offset of the first token before the position.
    ///   - triesCount: Whether a `try` around the position, in the same function, is a guard.
    mutating func isGuarded(
        by words: [StaticString], from start: Int = -1, triesCount: Bool = false,
        _ source: Span<UInt8>
    ) -> Bool {
        var walk = GuardWalk(words: words, triesCount: triesCount, offset: start)
        return isGuarded(&walk, source) && !walk.isOnlyUnlikely
    }

    mutating func isGuarded(_ walk: inout GuardWalk, _ source: Span<UInt8>) -> Bool {
        let last = walk.offset - Self.longestWalk
        while walk.offset > last, guardSteps > 0 {
            if window[walk.offset].kind == .end { break }
            let before = walk.offset
            if step(&walk, source) {
                walk.isOnlyUnlikely = false
                return true
            }
            guardSteps -= max(1, before - walk.offset)
        }
        walk.isOnlyUnlikely = walk.isOnlyUnlikely || walk.isOnDemand
        return walk.isOnlyUnlikely
    }

    struct GuardWalk {
        let words: [StaticString]
        let triesCount: Bool
        var offset: Int
        /// Whether every condition is a guard, known or not.
        var countsAny = false
        /// Whether a `try` only applies if the position is awaited.
        var needsAwait = false
        /// Whether a statement ended between the position and the current token of the walk.
        var hasEnded = false
        /// Whether the current statement of the walk leaves the function.
        var leaves = false
        /// Whether the walk left a function.
        var isOutside = false
        /// Whether `await` precedes the position in its statement.
        var isAwaited = false
        /// Whether the only guard is a condition that is most likely not true.
        var isOnlyUnlikely = false
        /// Whether only a user action reaches the position.
        var isOnDemand = false
        /// Whether a comma separates the position from the current token of the walk.
        var isSeparate = false
        /// The levels of `? :` between the position and the current `:` of the walk.
        var alternatives = 0
        /// The offset of the `try` found.
        var tryOffset: Int?
    }

    /// Whether a condition prevents the position from being reached.
    ///
    /// - Parameter stops: The value of the condition that prevents it.
    mutating func decides(
        _ offsets: Range<Int>, stops: Bool, _ walk: inout GuardWalk, _ source: Span<UInt8>
    ) -> Bool {
        guardSteps -= offsets.count
        switch condition(offsets, source).truth {
        case .boolean(let value): return value == stops
        case .withheld: if !stops { return true }
        case .unlikely: if !stops { walk.isOnlyUnlikely = true }
        default: break
        }
        return walk.countsAny || mentions(walk.words, offsets, source)
    }

    /// The start of the operand that ends before an offset.
    ///
    /// - Parameter isAnd: Whether it is an operand of `&&`, which ends at `||`.
    func operandStart(
        before end: Int, isAnd: Bool, _ source: Span<UInt8>
    ) -> Int {
        var offset = end - 1
        while offset > end - 200 {
            let token = window[offset]
            switch token.kind {
            case .end: return offset + 1
            case .keyword:
                if token.is("return", in: source) || token.is("throw", in: source)
                    || token.is("else", in: source) || token.is("case", in: source)
                    || token.is("do", in: source) || token.is("await", in: source)
                    || token.is("yield", in: source)
                {
                    return offset + 1
                }
            case .punctuator:
                switch source[token.start] {
                case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                    guard let open = opening(from: offset - 1, limit: 200, source) else {
                        return offset
                    }
                    if at(offset, "}", source), window[offset + 1].traits.contains(.startsStatement)
                    {
                        return offset + 1
                    }
                    offset = open
                case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","),
                    UInt8(ascii: ";"), UInt8(ascii: ":"):
                    return offset + 1
                case UInt8(ascii: "?"): if !token.is("?.", in: source) { return offset + 1 }
                case UInt8(ascii: "="):
                    if !isComparison(offset, source) { return offset + 1 }
                case UInt8(ascii: "|"):
                    if isAnd, token.is("||", in: source) { return offset + 1 }
                    if source[token.end &- 1] == UInt8(ascii: "=") { return offset + 1 }
                case UInt8(ascii: "&"), UInt8(ascii: "+"):
                    if source[token.end &- 1] == UInt8(ascii: "=") { return offset + 1 }
                default: break
                }
            default: break
            }
            if token.traits.contains(.startsStatement) { return offset }
            offset -= 1
        }
        return end
    }

    /// Steps over the operand before `&&`, `||` or `?`, which controls the code after it.
    mutating func operand(
        _ walk: inout GuardWalk, stops: Bool, isAnd: Bool, _ source: Span<UInt8>
    ) -> Bool {
        let start = operandStart(before: walk.offset, isAnd: isAnd, source)
        let offsets = start..<walk.offset
        // The walk continues with the code left of it, because there may be more operands.
        walk.offset = start
        return !offsets.isEmpty && decides(offsets, stops: stops, &walk, source)
    }

    func isWord(
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

    func mentions(
        _ words: [StaticString], _ offsets: Range<Int>, _ source: Span<UInt8>
    ) -> Bool {
        for offset in offsets where isWord(window[offset], words, source) { return true }
        return false
    }

    func exits(_ offsets: Range<Int>, _ source: Span<UInt8>) -> Bool {
        for offset in offsets
        where at(offset, "return", source) || at(offset, "throw", source) {
            return true
        }
        return false
    }

    /// Whether the handler of the `try` around the current position changes the page's address.
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
