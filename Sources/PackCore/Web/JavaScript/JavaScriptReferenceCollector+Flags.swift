/// Names of conditions with a known result.
extension JavaScriptReferenceCollector {
    /// Remembers `const isDev = location.hostname === "localhost"` and `const isDev = () => …`.
    mutating func flag(_ source: Span<UInt8>) {
        guard window[1].kind == .identifier, at(2, "=", source) else { return }
        if at(3, "{", source) { return memberFlags(source) }
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
        // Most texts are not conditions.
        if case .text = value, flags.count > 255 { return }
        setFlag(name, value)
    }

    private mutating func setFlag(_ name: [UInt8], _ value: JavaScriptValue) {
        switch value {
        case .boolean, .withheld, .unlikely, .text(_, true):
            if let known = flags[name], known != value {
                flags[name] = .unknown
            } else if flags.count < 512 {
                flags[name] = value
            }
        default: if flags[name] != nil { flags[name] = .unknown }
        }
    }

    /// `const env = {MODE: "production", DEV: !1}`: the build's settings.
    private mutating func memberFlags(_ source: Span<UInt8>) {
        let owner = window[1].range.map { source[$0] }
        guard constants.takes(owner) else { return }
        var offset = 4
        while offset < 100, window[offset].traits.contains(.isMemberName),
            window[offset].kind == .identifier || window[offset].kind == .keyword,
            at(offset + 1, ":", source)
        {
            let end = expressionEnd(from: offset + 2, limit: 40, source)
            guard end > offset + 2 else { return }
            let isPlain =
                at(offset + 2, "!", source) && window[offset + 3].kind == .number
                || at(offset + 2, "true", source) || at(offset + 2, "false", source)
                || window[offset + 2].kind == .string && end == offset + 3
            if isPlain {
                let name = owner + [UInt8(ascii: ".")] + window[offset].range.map { source[$0] }
                setFlag(name, condition(offset + 2..<end, source))
                sawFlagMembers = true
            }
            guard at(end, ",", source) else { return }
            offset = end + 1
        }
    }
}
