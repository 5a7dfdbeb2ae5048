/// The features of a regular expression's literal (docs/sources.md#ecma-262, 22.2.1).
struct JavaScriptRegularExpression {
    /// The characters between the slashes.
    private let body: Range<Int>
    private let flags: Range<Int>
    /// The offset of the literal.
    private let offset: UInt32
    private var isUnicode = false
    private var hasSets = false
    private var names: [Range<Int>] = []
    private var features: JavaScriptFeatures

    /// Records the features of a literal.
    static func note(
        _ token: JavaScriptToken, _ source: Span<UInt8>, in features: inout JavaScriptFeatures
    ) {
        guard !token.traits.contains(.unterminated) else { return }
        var expression = JavaScriptRegularExpression(token, source, features)
        expression.readFlags(source)
        expression.readBody(source)
        features = expression.features
    }

    private init(
        _ token: JavaScriptToken, _ source: Span<UInt8>, _ features: JavaScriptFeatures
    ) {
        body = token.content(in: source)
        flags = min(body.upperBound &+ 1, token.end)..<token.end
        offset = UInt32(truncatingIfNeeded: token.start)
        self.features = features
    }

    private mutating func note(_ feature: JavaScriptFeature) { features.note(feature, at: offset) }

    private func byte(_ source: Span<UInt8>, _ index: Int) -> UInt8 {
        index < body.upperBound ? source[index] : 0
    }

    private mutating func readFlags(_ source: Span<UInt8>) {
        for index in flags {
            switch source[index] {
            case UInt8(ascii: "y"): note(.regexpSticky)
            case UInt8(ascii: "s"): note(.regexpDotAll)
            case UInt8(ascii: "d"): note(.regexpIndices)
            case UInt8(ascii: "u"):
                isUnicode = true
                note(.regexpUnicode)
            case UInt8(ascii: "v"):
                (isUnicode, hasSets) = (true, true)
                note(.regexpSets)
            default: break
            }
        }
    }

    private mutating func readBody(_ source: Span<UInt8>) {
        // Only with the flag `v`, a class may contain others.
        var classes = 0
        var index = body.lowerBound
        while index < body.upperBound {
            switch source[index] {
            case UInt8(ascii: "\\"):
                index &+= 1
                if isUnicode, byte(source, index) | 0x20 == UInt8(ascii: "p"),
                    byte(source, index &+ 1) == UInt8(ascii: "{")
                {
                    note(.regexpProperties)
                }
            case UInt8(ascii: "["): classes = hasSets ? classes &+ 1 : 1
            case UInt8(ascii: "]"): classes = max(0, hasSets ? classes &- 1 : 0)
            case UInt8(ascii: "(") where classes == 0:
                if byte(source, index &+ 1) == UInt8(ascii: "?") { group(source, index &+ 2) }
            default: break
            }
            index &+= 1
        }
        if names.count > 1, hasDuplicates(source) { note(.regexpDuplicateNames) }
    }

    /// Reads the characters after `(?`.
    private mutating func group(_ source: Span<UInt8>, _ start: Int) {
        switch byte(source, start) {
        case UInt8(ascii: "<"):
            let next = byte(source, start &+ 1)
            if next == UInt8(ascii: "=") || next == UInt8(ascii: "!") {
                return note(.regexpLookBehind)
            }
            note(.regexpNamedGroups)
            var end = start &+ 1
            while end < body.upperBound, source[end] != UInt8(ascii: ">") { end &+= 1 }
            names.append(start &+ 1..<end)
        case UInt8(ascii: "i"), UInt8(ascii: "m"), UInt8(ascii: "s"), UInt8(ascii: "-"):
            note(.regexpModifiers)
        default: break
        }
    }

    private func hasDuplicates(_ source: Span<UInt8>) -> Bool {
        var seen: Set<[UInt8]> = []
        return names.contains { name in !seen.insert(name.map { source[$0] }).inserted }
    }
}
