/// The condition of `@supports`.
///
/// Only certain cases are decided: properties of other engines, and values of `display`.
enum SupportsCondition {
    static func condition(_ text: some Sequence<UInt8>) -> CSSCondition {
        let bytes = text.map(CSSByte.lowercased)
        guard bytes.count <= 4096, !bytes.contains(where: { "\\\"'/".utf8.contains($0) }) else {
            return .sometimes
        }
        return condition(bytes[...], depth: 0)
    }

    /// Conditions nested more deeply are not decided.
    private static let mostNested = 8

    private static func condition(_ text: ArraySlice<UInt8>, depth: Int) -> CSSCondition {
        guard depth < mostNested else { return .sometimes }
        let parts = split(text)
        var result: CSSCondition?
        var isNegated = false
        var isOr = false
        for part in parts {
            if part.elementsEqual("not".utf8) {
                isNegated = true
                continue
            }
            if part.elementsEqual("and".utf8) || part.elementsEqual("or".utf8) {
                isOr = part.elementsEqual("or".utf8)
                continue
            }
            guard part.first == UInt8(ascii: "("), part.last == UInt8(ascii: ")") else {
                return .sometimes
            }
            let inside = part.dropFirst().dropLast()
            var value = declaration(inside) ?? condition(inside, depth: depth + 1)
            if isNegated { value = value.negated }
            isNegated = false
            guard let before = result else {
                result = value
                continue
            }
            result = isOr ? either(before, value) : both(before, value)
        }
        return result ?? .sometimes
    }

    private static func both(_ one: CSSCondition, _ other: CSSCondition) -> CSSCondition {
        if one == .never || other == .never { return .never }
        return one == .always && other == .always ? .always : .sometimes
    }

    private static func either(_ one: CSSCondition, _ other: CSSCondition) -> CSSCondition {
        both(one.negated, other.negated).negated
    }

    /// Splits a condition into words and whole parentheses.
    private static func split(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var depth = 0
        var start: Int?
        for (index, byte) in zip(text.indices, text) {
            if depth == 0, CSSByte.isWhitespace(byte) {
                if let from = start { parts.append(text[from..<index]) }
                start = nil
                continue
            }
            if byte == UInt8(ascii: "("), depth == 0, let from = start {
                // `not(` is a function, not a negation.
                parts.append(text[from..<index])
                start = nil
            }
            if start == nil { start = index }
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") {
                depth -= 1
                if depth == 0, let from = start {
                    parts.append(text[from...index])
                    start = nil
                }
            }
        }
        if let from = start { parts.append(text[from...]) }
        return parts
    }

    /// Parses `property: value`; `nil` if the text is itself in parentheses.
    private static func declaration(_ text: ArraySlice<UInt8>) -> CSSCondition? {
        let trimmed = text.drop(while: CSSByte.isWhitespace)
        guard let first = trimmed.first, first != UInt8(ascii: "("),
            !trimmed.starts(with: "not".utf8)
        else { return nil }
        guard let colon = trimmed.firstIndex(of: UInt8(ascii: ":")) else { return .sometimes }
        let name = String(
            decoding: trimmed[..<colon].filter { !CSSByte.isWhitespace($0) }, as: UTF8.self)
        let words = trimmed[trimmed.index(after: colon)...]
            .split(whereSeparator: CSSByte.isWhitespace)
        let value = String(decoding: Array(words.joined(separator: [0x20])), as: UTF8.self)
        if name.hasPrefix("--") { return .always }
        if ["-ms-", "-moz-", "-o-"].contains(where: { name.hasPrefix($0) }) { return .never }
        switch name {
        case "display":
            if displays.contains(value) { return .always }
            return newDisplays.contains(value) || value.contains(" ") || value.contains("(")
                ? .sometimes : .never
        case "position":
            return value == "sticky" || value == "-webkit-sticky" ? .always : .sometimes
        case "gap", "row-gap", "column-gap", "object-fit", "flex-basis": return .always
        default: return .sometimes
        }
    }

    /// The values of `display` supported by the web views of iOS 13.
    private static let displays: Set<String> = [
        "block", "inline", "inline-block", "none", "flex", "inline-flex", "-webkit-flex",
        "-webkit-box", "grid", "inline-grid", "contents", "table", "inline-table", "table-cell",
        "table-row", "list-item", "flow-root",
    ]
    /// The values supported by some web views, and keywords of all properties.
    private static let newDisplays: Set<String> = [
        "ruby", "ruby-base", "ruby-text", "math", "run-in", "grid-lanes", "inline-grid-lanes",
        "masonry", "-webkit-inline-box", "-webkit-inline-flex", "table-caption", "table-column",
        "table-column-group", "table-footer-group", "table-header-group", "table-row-group",
        "inherit", "initial", "unset", "revert", "revert-layer",
    ]
}
