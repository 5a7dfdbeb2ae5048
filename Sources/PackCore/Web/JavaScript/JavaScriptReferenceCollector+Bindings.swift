/// The values of names at a position: words, elements of lists, loop counters.
extension JavaScriptReferenceCollector {

    enum Binding {
        case values([[UInt8]])
        /// A word, and the text appended to it.
        case composed([[UInt8]])
        /// A parameter, or a variable whose value changes.
        case unknown
        /// The name is not declared in the preceding code that is read.
        case none
    }

    private static let bindingReach = 300

    /// The value of a name by its nearest declaration before an offset.
    mutating func binding(
        of name: JavaScriptToken, before start: Int, _ source: Span<UInt8>
    ) -> Binding {
        var depth = 0
        var offset = start - 1
        defer { composeSteps -= start - offset }
        while offset > start - Self.bindingReach, composeSteps > 0 {
            let token = window[offset]
            if token.kind == .end { return .none }
            if token.kind == .punctuator {
                switch source[token.start] {
                case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth += 1
                case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                    depth = max(0, depth - 1)
                default: break
                }
            } else if token.kind == .identifier, isSame(token, name, source),
                !at(offset - 1, ".", source)
            {
                composeSteps -= 100
                if isInPattern(offset, source) { return .unknown }
                if let found = declaration(at: offset, before: start, isOuter: depth == 0, source) {
                    return found
                }
            }
            offset -= 1
        }
        return .none
    }

    /// The value of the name at an offset, if that position declares or changes it.
    private mutating func declaration(
        at offset: Int, before start: Int, isOuter: Bool, _ source: Span<UInt8>
    ) -> Binding? {
        if window[offset].traits.contains(.isMemberName) { return nil }
        let open = opening(from: offset - 1, limit: 24, source)
        if let open, at(open, "(", source), at(open - 1, "for", source) {
            guard encloses(header: open, start, source) else { return nil }
            guard let close = closing(open, limit: 64, source),
                isPlain(from: close + 1, around: start, source)
            else { return .unknown }
            return loop(open, window[offset], source).map { .values($0) } ?? .unknown
        }
        if at(offset + 1, "=>", source) || open.map({ isParameterList($0, source) }) == true {
            return parameter(at: offset, before: start, source)
        }
        let isDeclared =
            at(offset - 1, "const", source) || at(offset - 1, "let", source)
            || at(offset - 1, "var", source)
            || at(offset - 1, ",", source) && at(offset + 1, "=", source)
        guard at(offset + 1, "=", source) else {
            let changes =
                isDeclared || at(offset + 1, "++", source) || at(offset + 1, "+=", source)
                || at(offset - 1, "++", source) || at(offset + 1, "--", source)
                || at(offset - 1, "--", source)
            return changes && isOuter ? .unknown : nil
        }
        guard isDeclared else { return .unknown }
        guard isOuter else { return nil }
        return given(offset + 2, source)
    }

    /// The value at an offset in a declaration: a literal, or a word and a literal.
    private mutating func given(_ offset: Int, _ source: Span<UInt8>) -> Binding {
        if isPageBase(offset, source) { return .values([[]]) }
        func ends(_ offset: Int) -> Bool {
            at(offset, ";", source) || at(offset, ",", source)
                || window[offset].traits.contains(.afterNewline) && !at(offset, "+", source)
                    && !at(offset, ".", source)
        }
        if window[offset].kind == .string, ends(offset + 1) {
            return .values([value(window[offset], source)])
        }
        guard window[offset].kind == .identifier, at(offset + 1, "+", source),
            window[offset + 2].kind == .string, ends(offset + 3),
            let word = word(window[offset], before: offset, source)
        else { return .unknown }
        return .composed([word + value(window[offset + 2], source)])
    }

    /// The literal value of a name by its nearest declaration before an offset.
    private mutating func word(
        _ name: JavaScriptToken, before start: Int, _ source: Span<UInt8>
    ) -> [UInt8]? {
        composeSteps -= 60
        for offset in stride(from: start - 1, to: start - 60, by: -1)
        where window[offset].kind == .identifier && isSame(window[offset], name, source)
            && !at(offset - 1, ".", source)
        {
            guard at(offset + 1, "=", source), window[offset + 2].kind == .string,
                !at(offset + 3, "+", source), !at(offset + 3, ".", source)
            else { return nil }
            return value(window[offset + 2], source)
        }
        return nil
    }

    /// `document.querySelector("base")…`: an address appended to it is relative to the page's base.
    private func isPageBase(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        guard at(offset, "document", source), at(offset + 2, "querySelector", source),
            window[offset + 4].kind == .string
        else { return false }
        return value(window[offset + 4], source).elementsEqual("base".utf8)
    }

    private func isParameterList(_ open: Int, _ source: Span<UInt8>) -> Bool {
        guard at(open, "(", source), let close = closing(open, limit: 24, source) else {
            return false
        }
        return at(close + 1, "=>", source) || at(close + 1, "{", source)
    }

    /// The value of a function's parameter: known only for a callback over a list.
    private func parameter(
        at offset: Int, before start: Int, _ source: Span<UInt8>
    ) -> Binding? {
        // `x => …`, `(x) => …`, `function (x) {…}`
        var first = offset
        if at(first - 1, "(", source), !at(offset + 1, "=>", source) { first -= 1 }
        let isFunction = at(first - 1, "function", source)
        if isFunction { first -= 1 }
        guard at(first - 1, "(", source), at(first - 3, ".", source) || at(first - 3, "?.", source),
            at(first - 2, "forEach", source) || at(first - 2, "map", source)
        else { return isClosedFunction(offset, start, source) ? nil : .unknown }
        guard let close = closing(first - 1, source) else { return .unknown }
        if close < start { return nil }
        guard isPlain(from: offset + 1, around: start, source) else { return .unknown }
        return list(endingAt: first - 4, source).map { .values($0) } ?? .unknown
    }

    /// Whether the function whose parameter is at an offset ends before another offset.
    private func isClosedFunction(
        _ parameter: Int, _ start: Int, _ source: Span<UInt8>
    ) -> Bool {
        var brace = parameter + 1
        while brace < parameter + 24, !at(brace, "{", source) { brace += 1 }
        guard at(brace, "{", source), let close = closing(brace, source) else { return false }
        return close < start
    }

    /// Whether the name at an offset is bound to a part of a value: `const {x} = …`, `({x}) => …`,
    /// `[x] = …`.
    private func isInPattern(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        guard let open = opening(from: offset - 1, limit: 24, source),
            at(open, "{", source) || at(open, "[", source),
            let close = closing(open, limit: 48, source)
        else { return false }
        if at(open, "[", source), window[open - 1].kind == .identifier { return false }
        return at(close + 1, "=", source) || at(close + 1, "of", source)
            || at(close + 1, ")", source)
                && (at(close + 2, "=>", source) || at(close + 2, "{", source))
    }

    /// Whether the code from the start of a loop's body to shortly after an offset runs for each
    /// value.
    ///
    /// That is, it has no condition and skips nothing.
    private func isPlain(
        from first: Int, around place: Int, _ source: Span<UInt8>
    ) -> Bool {
        let words: [StaticString] = [
            "if", "switch", "break", "continue", "return", "&&", "||", "?", "??",
        ]
        func decides(_ offset: Int) -> Bool {
            let kind = window[offset].kind
            return (kind == .keyword || kind == .punctuator)
                && Self.isAny(window[offset], words, source)
        }
        // Brackets that are closed before the position are irrelevant.
        var depth = 0
        for offset in stride(from: place - 1, through: first, by: -1) {
            if window[offset].kind == .punctuator {
                switch source[window[offset].start] {
                case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth += 1
                case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                    depth = max(0, depth - 1)
                default: break
                }
            }
            if depth == 0, decides(offset) { return false }
        }
        depth = 0
        for offset in place..<place + 120 {
            let token = window[offset]
            if token.kind == .end { return true }
            if at(offset, "break", source) { return false }
            guard token.kind == .punctuator else { continue }
            if at(offset, "{", source) { depth += 1 }
            if at(offset, "}", source) {
                depth -= 1
                if depth < 0 { return true }
            }
        }
        return true
    }

    func isSame(
        _ one: JavaScriptToken, _ other: JavaScriptToken, _ source: Span<UInt8>
    ) -> Bool {
        one.range.count == other.range.count
            && zip(one.range, other.range).allSatisfy { source[$0] == source[$1] }
    }

    // MARK: - Loops and lists

    /// Whether the body of the loop whose header opens at an offset contains another offset.
    private func encloses(header open: Int, _ place: Int, _ source: Span<UInt8>) -> Bool {
        guard let close = closing(open, limit: 64, source), close < place else { return false }
        if at(close + 1, "{", source) {
            return closing(close + 1, source).map { $0 > place } ?? true
        }
        return expressionEnd(from: close + 1, limit: 200, source) >= place
    }

    /// The values of the variable of a loop: `for (var i = 1; i < 4; i++)`, `for (const x of ["a"])`.
    private func loop(
        _ open: Int, _ name: JavaScriptToken, _ source: Span<UInt8>
    ) -> [[UInt8]]? {
        var place = open + 1
        if !isSame(window[place], name, source) { place += 1 }
        guard isSame(window[place], name, source) else { return nil }
        if at(place + 1, "of", source) { return list(at: place + 2, source) }
        let step = place + 8
        guard at(place + 1, "=", source), let first = number(place + 2, source),
            at(place + 3, ";", source), isSame(window[place + 4], name, source),
            let last = number(place + 6, source), at(place + 7, ";", source),
            at(step, "++", source) && isSame(window[step + 1], name, source)
                || at(step + 1, "++", source) && isSame(window[step], name, source),
            at(step + 2, ")", source)
        else { return nil }
        let end = at(place + 5, "<=", source) ? last + 1 : last
        guard at(place + 5, "<", source) || at(place + 5, "<=", source), first < end,
            end - first <= Self.mostComposed
        else { return nil }
        return (first..<end).map { Array(String($0).utf8) }
    }

    private func number(_ offset: Int, _ source: Span<UInt8>) -> Int? {
        let token = window[offset]
        guard token.kind == .number, token.range.count < 6 else { return nil }
        return Int(text(token, source))
    }

    // MARK: - Lists

    /// The strings of the array at an offset, or of the array assigned to the name there.
    func list(at offset: Int, _ source: Span<UInt8>) -> [[UInt8]]? {
        guard at(offset, "[", source) else { return namedList(offset, source) }
        var found: [[UInt8]] = []
        var place = offset + 1
        while found.count < Self.mostComposed, window[place].kind == .string {
            found.append(value(window[place], source))
            if at(place + 1, "]", source) { return found }
            guard at(place + 1, ",", source) else { return nil }
            place += 2
        }
        return nil
    }

    private func list(endingAt offset: Int, _ source: Span<UInt8>) -> [[UInt8]]? {
        guard at(offset, "]", source) else { return list(at: offset, source) }
        return opening(from: offset - 1, limit: 260, source).flatMap { list(at: $0, source) }
    }

    /// The strings of `const names = ["a", "b"]`.
    private func namedList(_ offset: Int, _ source: Span<UInt8>) -> [[UInt8]]? {
        let name = window[offset]
        guard name.kind == .identifier, !at(offset - 1, ".", source) else { return nil }
        for place in stride(from: offset - 1, to: offset - Self.bindingReach, by: -1) {
            guard window[place].kind == .identifier, isSame(window[place], name, source),
                !at(place - 1, ".", source), at(place + 1, "=", source)
            else { continue }
            guard at(place + 2, "[", source),
                !(place + 3..<offset).contains(where: { changes(name, at: $0, source) })
            else { return nil }
            return list(at: place + 2, source)
        }
        return nil
    }

    /// Whether the code at a position changes a list: `names.push(…)`, `names.length = 0`,
    /// `names[1] = …`.
    private func changes(
        _ list: JavaScriptToken, at offset: Int, _ source: Span<UInt8>
    ) -> Bool {
        guard window[offset].kind == .identifier, isSame(window[offset], list, source) else {
            return false
        }
        if at(offset + 1, "[", source) {
            return closing(offset + 1, limit: 24, source).map { at($0 + 1, "=", source) } ?? true
        }
        return at(offset + 1, ".", source)
            && (at(offset + 3, "=", source)
                || Self.isAny(
                    window[offset + 2], ["push", "pop", "shift", "unshift", "splice", "fill"],
                    source))
    }
}
