/// Splits JavaScript into tokens, one at a time, each with its bytes.
///
/// Follows docs/sources.md#ecma-262, section 12, over UTF-8. One pass without recursion, so neither
/// line length nor nesting depth is limited; `JavaScriptContext` distinguishes regular expressions
/// from divisions. Comments are tokens. Nothing is rejected: invalid input is skipped or ends a
/// token early.
package struct JavaScriptTokenizer: Sendable {
    /// The kind of source: HTML comments exist only in scripts, not in modules.
    package enum Goal: Sendable {
        case script, module
        /// A module from its first `import` or `export` declaration on.
        case unknown
    }

    /// The start of the next token, or of white space before it.
    var position: Int
    let limit: Int
    private let start: Int
    var allowsHTMLComments: Bool
    private let guessesGoal: Bool
    var context = JavaScriptContext()

    /// A tokenizer for a part of a source; the part is clamped to the source.
    package init(_ source: Span<UInt8>, in range: Range<Int>? = nil, goal: Goal = .unknown) {
        limit = max(0, min(range?.upperBound ?? source.count, source.count))
        position = max(0, min(range?.lowerBound ?? 0, limit))
        start = position
        allowsHTMLComments = goal != .module
        guessesGoal = goal == .unknown
    }

    /// Whether an `import` or `export` declaration has been seen, or a module was expected.
    var isModule: Bool { !allowsHTMLComments }

    /// The byte at a position; 0 past the end, which no token starts or continues with.
    @inline(__always)
    func byte(_ source: Span<UInt8>, _ index: Int) -> UInt8 { index < limit ? source[index] : 0 }

    /// The next token; after the last one, always one of kind ``JavaScriptToken/Kind/end``.
    ///
    /// - Parameter source: The span used to create the tokenizer.
    package mutating func next(in source: Span<UInt8>) -> JavaScriptToken {
        guard limit <= source.count else { return JavaScriptToken(.end, position, position) }
        let isFirst = position == start
        var traits: JavaScriptToken.Traits =
            pendingNewline || isFirst ? [.afterNewline] : []
        pendingNewline = false
        if skipSpace(source) { traits.insert(.afterNewline) }
        guard position < limit else { return JavaScriptToken(.end, limit, limit, traits) }
        if context.startsStatement { traits.insert(.startsStatement) }
        let byte = source[position]
        if JavaScriptByte.isName(byte) {
            return JavaScriptByte.isDigit(byte) ? number(source, traits) : word(source, traits)
        }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return string(source, byte, traits)
        case UInt8(ascii: "`"):
            if context.expectsOperand { traits.insert(.isUntagged) }
            return template(source, .templateStart, traits)
        case UInt8(ascii: "/"): return slash(source, traits)
        case UInt8(ascii: "\\"), 0x80...0xFF: return word(source, traits)
        case UInt8(ascii: "#"): return hash(source, traits, isFirst: isFirst)
        case UInt8(ascii: "."):
            if JavaScriptByte.isDigit(self.byte(source, position &+ 1)) {
                return number(source, traits)
            }
            return punctuator(source, byte, traits)
        case UInt8(ascii: "}"):
            if context.closeBrace() {
                return template(source, .templateContinuation, traits)
            }
            return token(.punctuator, 1, traits)
        default: return punctuator(source, byte, traits)
        }
    }

    /// Whether a comment with a line break precedes the next token.
    private var pendingNewline = false

    func made(_ kind: JavaScriptToken.Kind, from start: Int, _ traits: JavaScriptToken.Traits)
        -> JavaScriptToken
    {
        JavaScriptToken(kind, start, position, traits)
    }

    @inline(__always)
    mutating func token(
        _ kind: JavaScriptToken.Kind, _ length: Int, _ traits: JavaScriptToken.Traits
    ) -> JavaScriptToken {
        let start = position
        position = min(position &+ length, limit)
        return JavaScriptToken(kind, start, position, traits)
    }

    /// Skips white space.
    ///
    /// - Returns: Whether a line ended.
    @inline(__always)
    private mutating func skipSpace(_ source: Span<UInt8>) -> Bool {
        var hasNewline = false
        while position < limit {
            let byte = source[position]
            switch byte {
            case 0x20, 0x09, 0x0B, 0x0C: position &+= 1
            case 0x0A, 0x0D:
                hasNewline = true
                position &+= 1
            case 0x80...0xFF:
                guard
                    let space = JavaScriptByte.wideSpace(source, at: position, limit: limit)
                else { return hasNewline }
                if space.isNewline { hasNewline = true }
                position &+= space.length
            default: return hasNewline
            }
        }
        return hasNewline
    }

    // MARK: - Names

    private mutating func word(
        _ source: Span<UInt8>, _ given: JavaScriptToken.Traits
    ) -> JavaScriptToken {
        var traits = given
        let start = position
        skipName(source, &traits)
        if position == start {
            // A backslash that does not start an escape.
            position &+= 1
            return made(.unknown, from: start, traits)
        }
        // A keyword with an escape in it is an error or a name.
        let word =
            traits.contains(.escaped) ? .name : JavaScriptWord.of(source, start, position)
        if word == .name {
            if context.startsMember { traits.insert(.isMemberName) }
            context.word(.name, afterNewline: traits.contains(.afterNewline))
            return made(.identifier, from: start, traits)
        }
        let isName = context.takesAnyName
        if context.startsMember { traits.insert(.isMemberName) }
        if guessesGoal, allowsHTMLComments, !isName { noteModule(word, source) }
        context.word(word, afterNewline: traits.contains(.afterNewline))
        return made(word.isReserved && !isName ? .keyword : .identifier, from: start, traits)
    }

    /// `export` occurs only in modules, and so does `import` unless `(` or `.` follows.
    private mutating func noteModule(_ word: JavaScriptWord, _ source: Span<UInt8>) {
        guard context.startsStatement, context.depth == 0 else { return }
        if word == .export { allowsHTMLComments = false }
        if word == .import {
            let next = byte(source, position)
            if next != UInt8(ascii: "("), next != UInt8(ascii: ".") { allowsHTMLComments = false }
        }
    }

    @inline(__always)
    func skipName(
        _ source: Span<UInt8>, from start: Int, _ traits: inout JavaScriptToken.Traits
    ) -> Int {
        var index = start
        while index < limit {
            let byte = source[index]
            if JavaScriptByte.isName(byte) {
                index &+= 1
            } else if byte >= 0x80 {
                guard JavaScriptByte.wideSpace(source, at: index, limit: limit) == nil else {
                    break
                }
                index &+= 1
            } else if byte == UInt8(ascii: "\\"), self.byte(source, index &+ 1) == UInt8(ascii: "u")
            {
                traits.insert(.escaped)
                index = afterNameEscape(source, index)
            } else {
                break
            }
        }
        return index
    }

    @inline(__always)
    private mutating func skipName(_ source: Span<UInt8>, _ traits: inout JavaScriptToken.Traits) {
        position = skipName(source, from: position, &traits)
    }

    /// The end of `\u{…}` or `\uXXXX` at a position.
    private func afterNameEscape(_ source: Span<UInt8>, _ start: Int) -> Int {
        var index = start &+ 2
        if byte(source, index) == UInt8(ascii: "{") {
            index &+= 1
            while index < limit, JavaScriptByte.hexadecimalValue(source[index]) != nil {
                index &+= 1
            }
            return byte(source, index) == UInt8(ascii: "}") ? index &+ 1 : index
        }
        let last = min(index &+ 4, limit)
        while index < last, JavaScriptByte.hexadecimalValue(source[index]) != nil { index &+= 1 }
        return index
    }

    private mutating func hash(
        _ source: Span<UInt8>, _ given: JavaScriptToken.Traits, isFirst: Bool
    ) -> JavaScriptToken {
        if isFirst, position == start, byte(source, position &+ 1) == UInt8(ascii: "!") {
            return lineComment(source, .hashbang, given)
        }
        var traits = given
        let start = position
        position &+= 1
        skipName(source, &traits)
        context.operand()
        return made(position == start &+ 1 ? .unknown : .privateName, from: start, traits)
    }

    // MARK: - Slashes and comments

    private mutating func slash(
        _ source: Span<UInt8>, _ traits: JavaScriptToken.Traits
    ) -> JavaScriptToken {
        switch byte(source, position &+ 1) {
        case UInt8(ascii: "/"): return lineComment(source, .lineComment, traits)
        case UInt8(ascii: "*"): return blockComment(source, traits)
        default: break
        }
        if context.expectsOperand { return regularExpression(source, traits) }
        let isAssignment = byte(source, position &+ 1) == UInt8(ascii: "=")
        context.otherOperator()
        return token(.punctuator, isAssignment ? 2 : 1, traits)
    }

    mutating func lineComment(
        _ source: Span<UInt8>, _ kind: JavaScriptToken.Kind, _ traits: JavaScriptToken.Traits
    ) -> JavaScriptToken {
        let start = position
        skipLine(source)
        pendingNewline = traits.contains(.afterNewline)
        return made(kind, from: start, traits)
    }

    private mutating func skipLine(_ source: Span<UInt8>) {
        while position < limit {
            let byte = source[position]
            if byte == 0x0A || byte == 0x0D { return }
            if byte == 0xE2,
                JavaScriptByte.wideSpace(source, at: position, limit: limit)?.isNewline == true
            {
                return
            }
            position &+= 1
        }
    }

    private mutating func blockComment(
        _ source: Span<UInt8>, _ given: JavaScriptToken.Traits
    ) -> JavaScriptToken {
        let start = position
        pendingNewline = given.contains(.afterNewline)
        position &+= 2
        while position < limit {
            let byte = source[position]
            if byte == UInt8(ascii: "*"), self.byte(source, position &+ 1) == UInt8(ascii: "/") {
                position &+= 2
                return made(.blockComment, from: start, given)
            }
            if byte == 0x0A || byte == 0x0D
                || byte == 0xE2
                    && JavaScriptByte.wideSpace(source, at: position, limit: limit)?.isNewline
                        == true
            {
                pendingNewline = true
            }
            position &+= 1
        }
        return made(.blockComment, from: start, given.union(.unterminated))
    }
}
