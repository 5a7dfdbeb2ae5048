/// The result of a condition for an unknown device.
package enum CSSCondition: Equatable, Sendable {
    /// No phone or tablet meets it.
    case never
    /// Only a user setting or a large window meets it; the page is complete without it.
    case optional
    case sometimes
    case always

    var negated: CSSCondition {
        switch self {
        case .never: .always
        case .optional, .sometimes: .sometimes
        case .always: .never
        }
    }
}

/// A list of media queries: of `@media`, `@import`, or an attribute `media`.
///
/// Only certain cases are decided: media other than screens, features of other engines, and windows
/// of many thousand pixels.
package enum MediaQueries {
    /// The largest width and height, in pixels, of windows on devices that run apps.
    private static let largestWindow = 8000.0
    /// The width, in pixels, above which no window on an upright phone is.
    private static let widestPhone = 600.0

    /// Evaluates a list of media queries.
    package static func condition(_ text: some Sequence<UInt8>) -> CSSCondition {
        let list = text.map(CSSByte.lowercased)
        // Longer than any list that a bundler writes.
        guard list.count <= 4096, !list.contains(UInt8(ascii: "\\")) else { return .sometimes }
        var result = CSSCondition.never
        for query in list.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let words = query.split(whereSeparator: CSSByte.isWhitespace)
            if words.isEmpty {
                // An empty list matches everything; an empty query in a list matches nothing.
                if query.count == list.count { return .always }
                continue
            }
            switch Self.query(words) {
            case .always: return .always
            case .sometimes: result = .sometimes
            case .optional: if result == .never { result = .optional }
            case .never: break
            }
        }
        return result
    }

    private static func query(_ words: [ArraySlice<UInt8>]) -> CSSCondition {
        var rest = words[...]
        var isNegated = false
        if let first = rest.first, first.elementsEqual("not".utf8) {
            isNegated = true
            rest.removeFirst()
        } else if let first = rest.first, first.elementsEqual("only".utf8) {
            rest.removeFirst()
        }
        guard let first = rest.first else { return .never }
        guard first.first != UInt8(ascii: "(") else {
            let result = features(rest)
            // `not (a) and (b)` is not a valid query, and `or` is not split here.
            return isNegated ? (rest.count == 1 ? result.negated : .sometimes) : result
        }
        rest.removeFirst()
        guard first.first.map({ (0x61...0x7A).contains($0) }) == true else { return .sometimes }
        let isScreen = first.elementsEqual("screen".utf8) || first.elementsEqual("all".utf8)
        var result = isScreen ? CSSCondition.always : .never
        if isScreen, !rest.isEmpty { result = features(rest) }
        return isNegated ? result.negated : result
    }

    /// Features in parentheses, with `and` between them.
    private static func features(_ words: ArraySlice<ArraySlice<UInt8>>) -> CSSCondition {
        let text = words.flatMap { $0 }
        // The words were joined without spaces: `(a)and(b)`.
        guard !text.contains(where: { "<>=/".utf8.contains($0) }),
            !words.contains(where: {
                $0.elementsEqual("or".utf8) || $0.elementsEqual("not".utf8)
            })
        else { return .sometimes }
        var result = CSSCondition.sometimes
        var start: Int?
        for (index, byte) in text.enumerated() {
            if byte == UInt8(ascii: "(") {
                start = index + 1
            } else if byte == UInt8(ascii: ")"), let from = start {
                if isNever(text[from..<index]) { return .never }
                if isOptional(text[from..<index]) { result = .optional }
                start = nil
            }
        }
        return result
    }

    /// Whether a feature needs a user setting, a printer, a desktop window, or a rotated phone.
    private static func isOptional(_ feature: ArraySlice<UInt8>) -> Bool {
        let parts = feature.split(separator: UInt8(ascii: ":"))
        guard parts.count == 2 else { return false }
        let value = String(decoding: parts[1], as: UTF8.self)
        switch String(decoding: parts[0], as: UTF8.self) {
        case "min-width", "min-device-width":
            return pixels(parts[1]).map { $0 >= widestPhone } ?? false
        case "prefers-color-scheme": return value == "dark"
        case "prefers-reduced-motion", "prefers-reduced-transparency", "prefers-reduced-data":
            return value == "reduce"
        case "prefers-contrast": return value != "no-preference"
        case "forced-colors", "inverted-colors": return value != "none"
        case "orientation": return value == "landscape"
        case "hover", "any-hover": return value == "hover"
        case "pointer", "any-pointer": return value == "fine"
        default: return false
        }
    }

    private static func isNever(_ feature: ArraySlice<UInt8>) -> Bool {
        if feature.starts(with: "-ms-".utf8) || feature.starts(with: "-moz-".utf8)
            || feature.starts(with: "-o-".utf8)
        {
            return true
        }
        let parts = feature.split(separator: UInt8(ascii: ":"))
        guard parts.count == 2 else { return false }
        switch String(decoding: parts[0], as: UTF8.self) {
        case "min-width", "min-device-width", "min-height", "min-device-height":
            return pixels(parts[1]).map { $0 > largestWindow } ?? false
        case "max-width", "max-device-width", "max-height", "max-device-height":
            return pixels(parts[1]).map { $0 < 1 } ?? false
        case "scripting": return parts[1].elementsEqual("none".utf8)
        default: return false
        }
    }

    /// A length in `px`, `em` or `rem`.
    private static func pixels(_ text: ArraySlice<UInt8>) -> Double? {
        let word = String(decoding: text, as: UTF8.self)
        for (unit, factor) in [("px", 1.0), ("rem", 16.0), ("em", 16.0)] where word.hasSuffix(unit)
        {
            return Double(word.dropLast(unit.utf8.count)).map { $0 * factor }
        }
        return word == "0" ? 0 : nil
    }
}
