/// Addresses composed of literals and of names with known values: a counter, the elements of an
/// array, a word.
extension JavaScriptReferenceCollector {
    /// The possible addresses of an argument, at most ``mostComposed``, and the literal to show.
    struct Composed {
        var values: [[UInt8]]
        var literal: JavaScriptToken
    }

    static let mostComposed = 128

    /// The addresses composed at an offset: `"img/" + i + ".png"`, `` `/i18n/${lang}.json` ``.
    ///
    /// - Returns: `nil` if a part is unknown, or if it contains no name.
    mutating func composed(_ offset: Int, _ source: Span<UInt8>) -> Composed? {
        switch window[offset].kind {
        case .identifier where endsArgument(offset + 1, source):
            return composedConstant(offset, source)
        case .string, .identifier:
            guard at(offset + 1, "+", source) || at(offset + 1, "[", source) else { return nil }
        case .templateStart:
            guard !window[offset].traits.contains(.endsTemplate) else { return nil }
        default: return nil
        }
        guard composeSteps > 0 else { return nil }
        var parts = ComposedParts()
        var place = offset
        while place < offset + 40 {
            let token = window[place]
            switch token.kind {
            case .string:
                parts.add([value(token, source)], literal: token)
                place += 1
            case .templateStart, .templateContinuation:
                parts.add([value(token, source)], literal: token)
                place += 1
                if !token.traits.contains(.endsTemplate) {
                    guard let next = name(at: place, &parts, source),
                        window[next].kind == .templateContinuation
                    else { return nil }
                    place = next
                    continue
                }
            case .identifier:
                guard let next = name(at: place, &parts, source) else { return nil }
                place = next
            default: return nil
            }
            if at(place, "+", source) {
                place += 1
            } else {
                return endsArgument(place, source) ? parts.composed : nil
            }
        }
        return nil
    }

    /// `const file = dir + "/a.data"`, if the name at an offset is that constant.
    private mutating func composedConstant(
        _ offset: Int, _ source: Span<UInt8>
    ) -> Composed? {
        guard composeSteps > 0,
            case .composed(let values) = binding(of: window[offset], before: offset, source)
        else { return nil }
        return Composed(values: values, literal: window[offset])
    }

    private struct ComposedParts {
        private var values: [[UInt8]] = [[]]
        private var literal: JavaScriptToken?
        private var names = 0
        private var isUsable = true

        mutating func add(_ more: [[UInt8]], literal: JavaScriptToken? = nil) {
            if let literal, self.literal == nil || self.literal?.range.count ?? 0 < 3 {
                self.literal = literal
            }
            if literal == nil { names += 1 }
            guard values.count == 1 || more.count == 1,
                values[0].count + (more.first?.count ?? 0) < 1_024
            else { return isUsable = false }
            values = values.flatMap { value in more.map { value + $0 } }
        }

        var composed: Composed? {
            guard isUsable, names > 0, let literal else { return nil }
            return Composed(values: values, literal: literal)
        }
    }

    /// Appends the values of the name at an offset, or of an element of a list: `names[i]`.
    ///
    /// - Returns: The offset after it.
    private mutating func name(
        at offset: Int, _ parts: inout ComposedParts, _ source: Span<UInt8>
    ) -> Int? {
        let name = window[offset]
        guard name.kind == .identifier, !at(offset - 1, ".", source) else { return nil }
        if at(offset + 1, "[", source) {
            guard window[offset + 2].kind == .identifier, at(offset + 3, "]", source),
                let list = list(at: offset, source)
            else { return nil }
            parts.add(list)
            return offset + 4
        }
        switch binding(of: name, before: offset, source) {
        case .values(let values), .composed(let values): parts.add(values)
        case .unknown: return nil
        case .none:
            guard let known = constants[name.range.map { source[$0] }] else { return nil }
            parts.add([known])
        }
        return offset + 1
    }

    /// Whether an argument or a value ends at an offset.
    func endsArgument(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        at(offset, ")", source) || at(offset, ",", source) || at(offset, ";", source)
            || at(offset, "}", source) || at(offset, "]", source) || window[offset].kind == .end
            || window[offset].traits.contains(.afterNewline) && !at(offset, ".", source)
    }
}
