/// The words that determine the possible next tokens.
enum JavaScriptWord: UInt8, Sendable {
    /// An operand: any name, `this`, `null`.
    case name
    /// An operand that is a reserved word: `this`, `super`, `null`, `true`, `false`.
    case operand
    case function, `class`, extends
    /// `if`, `while`, `with`, `switch`, `catch`: a statement follows their parentheses.
    case control
    case `for`
    /// `else`, `do`, `try`, `finally`: a statement follows.
    case statement
    /// `typeof`, `in`, `new`, `throw` …: an operand follows.
    case `operator`
    case `return`
    /// `break` and `continue`, optionally followed by a label.
    case jump
    case debugger
    case `default`, export, `import`
    /// `var`, `let`, `const`.
    case declaration
    case async, await, of, `static`, accessor

    /// Whether the word is reserved, or behaves like a reserved word.
    var isReserved: Bool {
        switch self {
        case .name, .async, .of, .static, .accessor: false
        default: true
        }
    }

    /// The meaning of a name without escapes.
    @inline(__always)
    static func of(_ source: Span<UInt8>, _ start: Int, _ end: Int) -> JavaScriptWord {
        let length = end &- start
        guard length >= 2, length <= 10 else { return .name }
        let first = source[start]
        guard first >= UInt8(ascii: "a"), first <= UInt8(ascii: "y") else { return .name }
        return look(up: source, start, length, first)
    }

    private static func look(
        up source: Span<UInt8>, _ start: Int, _ length: Int, _ first: UInt8
    ) -> JavaScriptWord {
        func has(_ rest: StaticString) -> Bool {
            guard rest.utf8CodeUnitCount &+ 1 == length else { return false }
            return rest.withUTF8Buffer { expected in
                for index in 0..<expected.count
                where unsafe expected[index] != source[start &+ 1 &+ index] {
                    return false
                }
                return true
            }
        }
        switch first {
        case UInt8(ascii: "a"): return has("wait") ? .await : has("sync") ? .async : .name
        case UInt8(ascii: "b"): return has("reak") ? .jump : .name
        case UInt8(ascii: "c"):
            return has("onst")
                ? .declaration
                : has("ase")
                    ? .operator
                    : has("lass")
                        ? .class : has("atch") ? .control : has("ontinue") ? .jump : .name
        case UInt8(ascii: "d"):
            return has("o")
                ? .statement
                : has("elete")
                    ? .operator : has("efault") ? .default : has("ebugger") ? .debugger : .name
        case UInt8(ascii: "e"):
            return has("lse")
                ? .statement : has("xport") ? .export : has("xtends") ? .extends : .name
        case UInt8(ascii: "f"):
            return has("unction")
                ? .function
                : has("or") ? .for : has("alse") ? .operand : has("inally") ? .statement : .name
        case UInt8(ascii: "g"): return has("et") ? .accessor : .name
        case UInt8(ascii: "i"):
            return has("f")
                ? .control
                : has("n")
                    ? .operator : has("mport") ? .import : has("nstanceof") ? .operator : .name
        case UInt8(ascii: "l"): return has("et") ? .declaration : .name
        case UInt8(ascii: "n"): return has("ew") ? .operator : has("ull") ? .operand : .name
        case UInt8(ascii: "o"): return has("f") ? .of : .name
        case UInt8(ascii: "r"): return has("eturn") ? .return : .name
        case UInt8(ascii: "s"):
            return has("witch")
                ? .control
                : has("tatic")
                    ? .static : has("uper") ? .operand : has("et") ? .accessor : .name
        case UInt8(ascii: "t"):
            return has("his")
                ? .operand
                : has("rue")
                    ? .operand
                    : has("hrow") || has("ypeof") ? .operator : has("ry") ? .statement : .name
        case UInt8(ascii: "v"): return has("ar") ? .declaration : has("oid") ? .operator : .name
        case UInt8(ascii: "w"): return has("hile") || has("ith") ? .control : .name
        case UInt8(ascii: "y"): return has("ield") ? .operator : .name
        default: return .name
        }
    }
}
