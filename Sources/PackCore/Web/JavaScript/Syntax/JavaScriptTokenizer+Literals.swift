extension JavaScriptTokenizer {
    /// A string literal; ends at the end of the line if unterminated, at a browser's error
    /// position.
    mutating func string(
        _ source: Span<UInt8>, _ quote: UInt8, _ given: JavaScriptToken.Traits
    ) -> JavaScriptToken {
        var traits = given
        let start = position
        if context.startsMember { traits.insert(.isMemberName) }
        context.operand()
        var index = start &+ 1
        while index < limit {
            let byte = source[index]
            if byte == quote {
                position = index &+ 1
                return made(.string, from: start, traits)
            }
            if byte == UInt8(ascii: "\\") {
                traits.insert(.escaped)
                index = afterEscape(source, index)
                continue
            }
            if byte == 0x0A || byte == 0x0D { break }
            index &+= 1
        }
        position = min(index, limit)
        return made(.string, from: start, traits.union(.unterminated))
    }

    /// The position after a backslash and the escaped character; CR LF is one line end.
    @inline(__always)
    private func afterEscape(_ source: Span<UInt8>, _ index: Int) -> Int {
        let isCRLF = byte(source, index &+ 1) == 0x0D && byte(source, index &+ 2) == 0x0A
        return min(index &+ (isCRLF ? 3 : 2), limit)
    }

    /// A template's characters from `` ` `` or `}` on; the context has already closed the brace.
    mutating func template(
        _ source: Span<UInt8>, _ kind: JavaScriptToken.Kind, _ given: JavaScriptToken.Traits
    ) -> JavaScriptToken {
        var traits = given
        let start = position
        var index = start &+ 1
        while index < limit {
            let byte = source[index]
            if byte == UInt8(ascii: "`") {
                position = index &+ 1
                context.operand()
                return made(kind, from: start, traits.union(.endsTemplate))
            }
            if byte == UInt8(ascii: "\\") {
                traits.insert(.escaped)
                if isFreeEscape(source, index &+ 1) { traits.insert(.hasFreeEscape) }
                index = min(index &+ 2, limit)
                continue
            }
            // A CR is a LF in the value (ECMA-262 12.9.6).
            if byte == 0x0D { traits.insert(.escaped) }
            if byte == UInt8(ascii: "$"), self.byte(source, index &+ 1) == UInt8(ascii: "{") {
                position = index &+ 2
                context.openSubstitution()
                return made(kind, from: start, traits)
            }
            index &+= 1
        }
        position = limit
        context.operand()
        return made(kind, from: start, traits.union([.unterminated, .endsTemplate]))
    }

    /// Whether the characters after a backslash are no escape of a string in strict mode.
    private func isFreeEscape(_ source: Span<UInt8>, _ start: Int) -> Bool {
        func isHexadecimal(_ index: Int) -> Bool {
            JavaScriptByte.hexadecimalValue(byte(source, index)) != nil
        }
        switch byte(source, start) {
        case UInt8(ascii: "1")...UInt8(ascii: "9"): return true
        case UInt8(ascii: "0"): return JavaScriptByte.isDigit(byte(source, start &+ 1))
        case UInt8(ascii: "x"): return !(1...2).allSatisfy { isHexadecimal(start &+ $0) }
        case UInt8(ascii: "u"):
            guard byte(source, start &+ 1) == UInt8(ascii: "{") else {
                return !(1...4).allSatisfy { isHexadecimal(start &+ $0) }
            }
            var end = start &+ 2
            while isHexadecimal(end) { end &+= 1 }
            return end == start &+ 2 || byte(source, end) != UInt8(ascii: "}")
        default: return false
        }
    }

    /// A regular expression with its flags (ECMA-262 12.9.5).
    mutating func regularExpression(
        _ source: Span<UInt8>, _ given: JavaScriptToken.Traits
    ) -> JavaScriptToken {
        var traits = given
        let start = position
        context.operand()
        var index = start &+ 1
        var isInClass = false
        while index < limit {
            let byte = source[index]
            switch byte {
            case UInt8(ascii: "\\"):
                // A line end cannot be escaped here.
                let next = self.byte(source, index &+ 1)
                index = min(index &+ (next == 0x0A || next == 0x0D ? 1 : 2), limit)
                continue
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            case UInt8(ascii: "/") where !isInClass:
                var flags: JavaScriptToken.Traits = []
                position = skipName(source, from: index &+ 1, &flags)
                return made(.regularExpression, from: start, traits)
            case 0x0A, 0x0D:
                position = index
                return made(.regularExpression, from: start, traits.union(.unterminated))
            default: break
            }
            index &+= 1
        }
        position = limit
        traits.insert(.unterminated)
        return made(.regularExpression, from: start, traits)
    }

    /// A number in any notation (ECMA-262 12.9.3), separators and suffix included.
    mutating func number(
        _ source: Span<UInt8>, _ given: JavaScriptToken.Traits
    ) -> JavaScriptToken {
        var traits = given
        let start = position
        if context.startsMember { traits.insert(.isMemberName) }
        context.operand()
        let second = byte(source, start &+ 1) | 0x20
        let isRadix =
            source[start] == UInt8(ascii: "0")
            && (second == UInt8(ascii: "x") || second == UInt8(ascii: "o")
                || second == UInt8(ascii: "b"))
        if isRadix {
            var index = start &+ 2
            while index < limit, JavaScriptByte.isName(source[index]) { index &+= 1 }
            position = index
            return made(.number, from: start, traits)
        }
        var index = afterDigits(source, start)
        if byte(source, index) == UInt8(ascii: "."), !isLegacyOctal(source, start, index) {
            index = afterDigits(source, index &+ 1)
        }
        if byte(source, index) | 0x20 == UInt8(ascii: "e") {
            let sign = byte(source, index &+ 1)
            let hasSign = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
            let digits = index &+ (hasSign ? 2 : 1)
            if JavaScriptByte.isDigit(byte(source, digits)) { index = afterDigits(source, digits) }
        }
        if byte(source, index) == UInt8(ascii: "n") { index &+= 1 }
        position = index
        return made(.number, from: start, traits)
    }

    private func afterDigits(_ source: Span<UInt8>, _ start: Int) -> Int {
        var index = start
        while index < limit,
            JavaScriptByte.isDigit(source[index]) || source[index] == UInt8(ascii: "_")
        { index &+= 1 }
        return index
    }

    /// `017`, after which a dot is a member access.
    private func isLegacyOctal(_ source: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
        guard end &- start >= 2, source[start] == UInt8(ascii: "0") else { return false }
        for index in start &+ 1..<end where source[index] >= UInt8(ascii: "8") { return false }
        return true
    }
}
