extension CSSReference.Role {
    /// The role of a URL in a property's value.
    ///
    /// - Parameter property: In lower case.
    static func of(property: String, in rule: CSSRuleKind) -> CSSReference.Role {
        if property.hasPrefix("--") { return .customProperty }
        if rule == .fontFace { return property == "src" ? .fontSource : .otherProperty }
        if rule == .otherAtRule, property == "initial-value" { return .image }
        if rule == .counterStyle, property == "symbols" { return .image }
        if property == "-moz-binding" { return .legacyBehavior }
        // Properties of other engines have no effect.
        let name = property.hasPrefix("-webkit-") ? property.dropFirst(8) : property[...]
        switch name {
        case "background", "background-image", "border-image", "border-image-source", "content",
            "list-style", "list-style-image":
            return .image
        case "cursor": return .cursor
        case "mask", "mask-image", "mask-border", "mask-border-source", "mask-box-image",
            "mask-box-image-source", "shape-outside":
            return .mask
        case "filter", "backdrop-filter", "clip-path", "fill", "stroke", "marker", "marker-start",
            "marker-mid", "marker-end", "offset", "offset-path":
            return .svgResource
        case "behavior": return .legacyBehavior
        default: return .otherProperty
        }
    }
}

/// Font formats, by the keywords of `src` in `@font-face`.
enum FontFormat {
    /// Whether WebKit requests a font of this `format()`.
    static func isSupported(_ word: [UInt8]) -> Bool {
        supported.contains(String(decoding: word.map(CSSByte.lowercased), as: UTF8.self))
    }

    private static let supported: Set<String> = [
        "woff", "woff2", "truetype", "opentype", "collection", "svg", "woff-variations",
        "woff2-variations", "truetype-variations", "opentype-variations",
    ]

    /// Whether a URL without a format ends in `.eot`, which WebKit never requests.
    static func isEmbeddedOpenType(_ url: [UInt8]) -> Bool {
        let path = url.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        return path.suffix(4).map(CSSByte.lowercased) == Array(".eot".utf8)
    }
}
