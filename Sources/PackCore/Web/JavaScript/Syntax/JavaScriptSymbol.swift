/// A punctuator, or a word that the grammar knows.
enum JavaScriptSymbol: UInt8, Sendable {
    /// Any other token.
    case none
    case openParen, closeParen, openBracket, closeBracket, openBrace, closeBrace
    case semicolon, comma, dot, optionalDot, ellipsis, question, colon, arrow, at

    // Assignments.
    case assign, addAssign, subtractAssign, multiplyAssign, divideAssign, remainderAssign
    case powerAssign, shiftLeftAssign, shiftRightAssign, shiftZeroAssign
    case andAssign, orAssign, exclusiveAssign, bothAssign, eitherAssign, missingAssign

    // Operators between operands, by rising precedence.
    case missing, either, both, or, exclusive, and
    case equal, notEqual, same, notSame
    case less, greater, lessOrEqual, greaterOrEqual, instanceof, `in`
    case shiftLeft, shiftRight, shiftZero, add, subtract, multiply, divide, remainder, power

    // Other operators.
    case not, complement, increment, decrement, typeof, void, delete, await

    // Words.
    case `break`, `case`, `catch`, `class`, const, `continue`, debugger, `default`, `do`, `else`
    case export, extends, `false`, finally, `for`, function, `if`, `import`, `let`, new, null
    case `return`, `super`, `switch`, this, `throw`, `true`, `try`, `var`, `while`, with, yield

    // Words that are names elsewhere.
    case `as`, assert, async, from, get, of, set, `static`, target, meta, using

    var isAssignment: Bool {
        rawValue >= Self.assign.rawValue && rawValue <= Self.missingAssign.rawValue
    }

    /// The precedence of an operator between operands; 0 of anything else.
    var precedence: UInt8 {
        switch self {
        case .missing, .either: 1
        case .both: 2
        case .or: 3
        case .exclusive: 4
        case .and: 5
        case .equal, .notEqual, .same, .notSame: 6
        case .less, .greater, .lessOrEqual, .greaterOrEqual, .instanceof, .in: 7
        case .shiftLeft, .shiftRight, .shiftZero: 8
        case .add, .subtract: 9
        case .multiply, .divide, .remainder: 10
        case .power: 11
        default: 0
        }
    }

    /// Whether it stands before its operand: `!x`, `++x`.
    var isPrefix: Bool {
        switch self {
        case .not, .complement, .increment, .decrement, .typeof, .void, .delete, .add, .subtract,
            .await:
            true
        default: false
        }
    }

    /// Whether a value, not a statement, follows.
    var precedesValue: Bool {
        switch self {
        case .openParen, .openBracket, .comma, .return, .assign, .equal, .same, .add, .addAssign,
            .increment:
            true
        default: false
        }
    }

    var isClosing: Bool { self == .closeParen || self == .closeBracket || self == .closeBrace }
    var isOpening: Bool { self == .openParen || self == .openBracket || self == .openBrace }

    /// Whether a statement starts with the word, so that no expression contains it.
    var startsStatement: Bool {
        switch self {
        case .break, .case, .catch, .const, .continue, .debugger, .default, .do, .else, .export,
            .finally, .for, .if, .return, .switch, .throw, .try, .var, .while, .with:
            true
        default: false
        }
    }

    /// The word with these characters.
    private static let words: [String: JavaScriptSymbol] = [
        "instanceof": .instanceof, "in": .in, "typeof": .typeof, "void": .void, "delete": .delete,
        "await": .await, "break": .break, "case": .case, "catch": .catch, "class": .class,
        "const": .const, "continue": .continue, "debugger": .debugger, "default": .default,
        "do": .do, "else": .else, "export": .export, "extends": .extends, "false": .false,
        "finally": .finally, "for": .for, "function": .function, "if": .if, "import": .import,
        "let": .let, "new": .new, "null": .null, "return": .return, "super": .super,
        "switch": .switch, "this": .this, "throw": .throw, "true": .true, "try": .try, "var": .var,
        "while": .while, "with": .with, "yield": .yield, "as": .as, "async": .async, "from": .from,
        "assert": .assert, "using": .using,
        "get": .get, "of": .of, "set": .set, "static": .static, "target": .target, "meta": .meta,
    ]

    /// The symbols of the words that ``JavaScriptNames`` holds, by their number there.
    static func word(_ text: String) -> JavaScriptSymbol { words[text] ?? .none }

    /// All words of the grammar.
    static var allWords: [String] { words.keys.sorted() }

    /// The symbol of a punctuator.
    static func punctuator(_ source: Span<UInt8>, _ start: Int, _ length: Int) -> JavaScriptSymbol {
        let first = source[start]
        guard length > 1 else { return single(first) }
        let second = source[start &+ 1]
        switch first {
        case UInt8(ascii: "."): return .ellipsis
        case UInt8(ascii: "="):
            return second == UInt8(ascii: ">") ? .arrow : length == 2 ? .equal : .same
        case UInt8(ascii: "!"): return length == 2 ? .notEqual : .notSame
        case UInt8(ascii: "?"):
            return second == UInt8(ascii: ".")
                ? .optionalDot : length == 2 ? .missing : .missingAssign
        case UInt8(ascii: "&"):
            return second != first ? .andAssign : length == 2 ? .both : .bothAssign
        case UInt8(ascii: "|"):
            return second != first ? .orAssign : length == 2 ? .either : .eitherAssign
        case UInt8(ascii: "+"): return second == first ? .increment : .addAssign
        case UInt8(ascii: "-"): return second == first ? .decrement : .subtractAssign
        case UInt8(ascii: "*"):
            return second != first ? .multiplyAssign : length == 2 ? .power : .powerAssign
        case UInt8(ascii: "/"): return .divideAssign
        case UInt8(ascii: "%"): return .remainderAssign
        case UInt8(ascii: "^"): return .exclusiveAssign
        case UInt8(ascii: "<"):
            return second != first ? .lessOrEqual : length == 2 ? .shiftLeft : .shiftLeftAssign
        case UInt8(ascii: ">"):
            guard second == first else { return .greaterOrEqual }
            let isZero = length > 2 && source[start &+ 2] == first
            if isZero { return length == 3 ? .shiftZero : .shiftZeroAssign }
            return length == 2 ? .shiftRight : .shiftRightAssign
        default: return .none
        }
    }

    private static func single(_ byte: UInt8) -> JavaScriptSymbol {
        switch byte {
        case UInt8(ascii: "("): .openParen
        case UInt8(ascii: ")"): .closeParen
        case UInt8(ascii: "["): .openBracket
        case UInt8(ascii: "]"): .closeBracket
        case UInt8(ascii: "{"): .openBrace
        case UInt8(ascii: "}"): .closeBrace
        case UInt8(ascii: ";"): .semicolon
        case UInt8(ascii: ","): .comma
        case UInt8(ascii: "."): .dot
        case UInt8(ascii: "?"): .question
        case UInt8(ascii: ":"): .colon
        case UInt8(ascii: "@"): .at
        case UInt8(ascii: "="): .assign
        case UInt8(ascii: "<"): .less
        case UInt8(ascii: ">"): .greater
        case UInt8(ascii: "+"): .add
        case UInt8(ascii: "-"): .subtract
        case UInt8(ascii: "*"): .multiply
        case UInt8(ascii: "/"): .divide
        case UInt8(ascii: "%"): .remainder
        case UInt8(ascii: "!"): .not
        case UInt8(ascii: "~"): .complement
        case UInt8(ascii: "&"): .and
        case UInt8(ascii: "|"): .or
        case UInt8(ascii: "^"): .exclusive
        default: .none
        }
    }
}
