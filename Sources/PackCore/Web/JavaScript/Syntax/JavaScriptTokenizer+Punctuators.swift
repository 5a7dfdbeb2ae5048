/// Punctuators, and the comments of HTML, which start like operators.
extension JavaScriptTokenizer {
    mutating func punctuator(
        _ source: Span<UInt8>, _ byte: UInt8, _ traits: JavaScriptToken.Traits
    ) -> JavaScriptToken {
        let next = self.byte(source, position &+ 1)
        let isAfterNewline = traits.contains(.afterNewline)
        switch byte {
        case UInt8(ascii: "("): context.openParen()
        case UInt8(ascii: ")"): context.closeParen()
        case UInt8(ascii: "["): context.openBracket()
        case UInt8(ascii: "]"): context.closeBracket()
        case UInt8(ascii: "{"): context.openBrace(afterNewline: isAfterNewline)
        case UInt8(ascii: ";"): context.semicolon()
        case UInt8(ascii: ","): context.comma()
        case UInt8(ascii: ":"): context.colon()
        case UInt8(ascii: "~"), UInt8(ascii: "@"): context.otherOperator()
        case UInt8(ascii: "."):
            if next == UInt8(ascii: "."), self.byte(source, position &+ 2) == UInt8(ascii: ".") {
                context.otherOperator()
                return token(.punctuator, 3, traits)
            }
            context.dot()
        case UInt8(ascii: "?"): return questionMark(source, next, traits)
        case UInt8(ascii: "="):
            if next == UInt8(ascii: ">") {
                context.arrow()
                return token(.punctuator, 2, traits)
            }
            return longestOperator(source, byte, traits)
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            if next == byte {
                if byte == UInt8(ascii: "-"), isAfterNewline, allowsHTMLComments,
                    self.byte(source, position &+ 2) == UInt8(ascii: ">")
                {
                    return lineComment(source, .htmlComment, traits)
                }
                context.increment(afterNewline: isAfterNewline)
                return token(.punctuator, 2, traits)
            }
            return longestOperator(source, byte, traits)
        case UInt8(ascii: "<"):
            if next == UInt8(ascii: "!"), allowsHTMLComments,
                self.byte(source, position &+ 2) == UInt8(ascii: "-"),
                self.byte(source, position &+ 3) == UInt8(ascii: "-")
            {
                return lineComment(source, .htmlComment, traits)
            }
            return longestOperator(source, byte, traits)
        case UInt8(ascii: "*"):
            if next != byte, next != UInt8(ascii: "=") {
                context.star()
                break
            }
            return longestOperator(source, byte, traits)
        case UInt8(ascii: ">"), UInt8(ascii: "!"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "|"), UInt8(ascii: "^"):
            return longestOperator(source, byte, traits)
        default: return token(.unknown, 1, traits)
        }
        return token(.punctuator, 1, traits)
    }

    private mutating func questionMark(
        _ source: Span<UInt8>, _ next: UInt8, _ traits: JavaScriptToken.Traits
    ) -> JavaScriptToken {
        if next == UInt8(ascii: ".") {
            // `a?.5:b` is a conditional.
            if JavaScriptByte.isDigit(byte(source, position &+ 2)) {
                context.question()
                return token(.punctuator, 1, traits)
            }
            context.dot()
            return token(.punctuator, 2, traits)
        }
        if next == UInt8(ascii: "?") {
            context.otherOperator()
            let isAssignment = byte(source, position &+ 2) == UInt8(ascii: "=")
            return token(.punctuator, isAssignment ? 3 : 2, traits)
        }
        context.question()
        return token(.punctuator, 1, traits)
    }

    /// An operator of one character, repeated up to three times, and `=` up to twice.
    private mutating func longestOperator(
        _ source: Span<UInt8>, _ first: UInt8, _ traits: JavaScriptToken.Traits
    ) -> JavaScriptToken {
        var length = 1
        let most =
            switch first {
            case UInt8(ascii: ">"): 3
            case UInt8(ascii: "*"), UInt8(ascii: "<"), UInt8(ascii: "&"), UInt8(ascii: "|"): 2
            default: 1
            }
        while length < most, byte(source, position &+ length) == first { length &+= 1 }
        let isEquality = first == UInt8(ascii: "=") || first == UInt8(ascii: "!")
        var equals = isEquality ? 2 : 1
        while equals > 0, byte(source, position &+ length) == UInt8(ascii: "=") {
            length &+= 1
            equals &-= 1
        }
        context.otherOperator()
        return token(.punctuator, length, traits)
    }
}
