/// Names of conditions whose outcome is known.
extension JavaScriptReferenceCollector {
    /// Remembers `const isDev = location.hostname === "localhost"` and `const isDev = () => …`.
    mutating func flag(_ source: Span<UInt8>) {
        guard window[1].kind == .identifier, at(2, "=", source) else { return }
        var start = 3
        if at(3, "(", source), at(4, ")", source), at(5, "=>", source) { start = 6 }
        let first = window[start]
        switch first.kind {
        case .regularExpression, .string: break
        case .punctuator: guard at(start, "!", source) || at(start, "[", source) else { return }
        case .identifier, .keyword:
            guard
                Self.isAny(
                    first,
                    [
                        "location", "window", "self", "document", "navigator", "typeof", "true",
                        "false", "globalThis", "Boolean",
                    ], source)
            else { return }
        default: return
        }
        var end = start
        var depth = 0
        scan: while end < start + 80 {
            let token = window[end]
            if token.kind == .end { break }
            if depth == 0, end > start, endsLine(end - 1, source) { break }
            if token.kind == .punctuator {
                switch source[token.start] {
                case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                    depth -= 1
                    if depth < 0 { break scan }
                case UInt8(ascii: ","), UInt8(ascii: ";"): if depth == 0 { break scan }
                default: break
                }
            }
            end += 1
        }
        guard end < start + 80, end > start else { return }
        let name = window[1].range.map { source[$0] }
        guard constants.takes(name) else { return }
        let value = condition(start..<end, source)
        switch value {
        case .boolean, .withheld:
            if let known = flags[name], known != value {
                flags[name] = .unknown
            } else if flags.count < 512 {
                flags[name] = value
            }
        default: if flags[name] != nil { flags[name] = .unknown }
        }
    }
}
