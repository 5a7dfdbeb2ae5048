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
        let end = expressionEnd(from: start, limit: 80, atLineEnd: true, source)
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
