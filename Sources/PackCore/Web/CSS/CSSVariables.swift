/// The custom properties read with `var()`.
package struct CSSVariables: Equatable, Sendable {
    /// The names in the values of properties, which may cause requests.
    package private(set) var used: Set<[UInt8]> = []
    /// Names as the whole value of a shorthand: `background: var(--x)`.
    package private(set) var shorthands: Set<[UInt8]> = []
    /// The names in the values of other custom properties.
    package private(set) var aliases: Set<Alias> = []

    /// A custom property whose value contains another one.
    package struct Alias: Hashable, Sendable {
        package let property: [UInt8]
        package let name: [UInt8]
        /// Whether the other one is the whole value.
        package let isWhole: Bool
    }

    package init() {}

    package var isEmpty: Bool { used.isEmpty && shorthands.isEmpty && aliases.isEmpty }

    /// Adds the name in a `var()`.
    ///
    /// - Parameters:
    ///   - property: The custom property with the `var()` in its value.
    ///   - isWhole: Whether the `var()` is the whole value, of a custom property or a shorthand.
    mutating func add(_ name: [UInt8], in property: [UInt8]?, isWhole: Bool) {
        if let property {
            aliases.insert(Alias(property: property, name: name, isWhole: isWhole))
        } else if isWhole {
            shorthands.insert(name)
        } else {
            used.insert(name)
        }
    }

    /// Adds those of another style sheet.
    package mutating func formUnion(_ other: CSSVariables) {
        used.formUnion(other.used)
        shorthands.formUnion(other.shorthands)
        aliases.formUnion(other.aliases)
    }
}

extension CSSReferenceCollector {
    /// Records the name in a `var()`.
    mutating func variable(_ token: CSSToken, _ walker: CSSWalker, _ source: Span<UInt8>) {
        let owner = walker.item == .customProperty ? walker.name : nil
        let canBeWhole =
            owner != nil
            || walker.item == .declaration && (walker.name.map { isShorthand($0, source) } ?? false)
        variables.add(
            token.text(in: source), in: owner?.text(in: source),
            isWhole: canBeWhole && isWholeValue(token, source))
    }

    private func isShorthand(_ name: CSSToken, _ source: Span<UInt8>) -> Bool {
        let shorthands: [StaticString] = [
            "background", "mask", "list-style", "border-image", "-webkit-mask",
            "-webkit-border-image",
        ]
        return shorthands.contains {
            name.end &- name.start == $0.utf8CodeUnitCount && source.holds($0, at: name.start)
        }
    }

    /// Whether `var(--x)` around a name, without a fallback, is the whole value of a declaration.
    private func isWholeValue(_ name: CSSToken, _ source: Span<UInt8>) -> Bool {
        func skip(from start: Int) -> Int {
            var index = start
            while index < source.count, CSSByte.isWhitespace(source[index]) { index &+= 1 }
            return index
        }
        func skip(before end: Int) -> Int {
            var index = end
            while index > 0, CSSByte.isWhitespace(source[index &- 1]) { index &-= 1 }
            return index
        }
        // The bracket and `var` before it.
        let start = skip(before: skip(before: name.start) &- 4)
        guard start > 0, source[start &- 1] == UInt8(ascii: ":") else { return false }
        let close = skip(from: name.end)
        guard close < source.count, source[close] == UInt8(ascii: ")") else { return false }
        let end = skip(from: close &+ 1)
        return end == source.count || ";}!".utf8.contains(source[end])
    }
}
