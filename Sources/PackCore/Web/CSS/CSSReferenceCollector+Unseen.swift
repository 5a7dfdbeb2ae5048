/// Images that a page does not initially show: of a hidden element, or of an unused animation.
extension CSSReferenceCollector {
    /// A block whose end has not been reached.
    struct OpenBlock {
        /// The number of references before it.
        let first: Int
        /// The name of the animation, if it is one.
        let animation: Range<Int>?
        /// The selectors, if it is the block of a style rule.
        var selectors: Range<Int>?
        /// Whether a page is complete without the images or the font.
        var isOptional = false
    }

    /// The block of an animation.
    struct Keyframes {
        let name: Range<Int>
        let references: Range<Int>
    }

    func openBlock(
        _ walker: CSSWalker, _ brace: CSSToken, _ source: Span<UInt8>
    ) -> OpenBlock {
        guard walker.item == .atRule, let name = walker.name,
            name.isNamed("keyframes", in: source) || name.isNamed("-webkit-keyframes", in: source)
        else {
            let isStyle = walker.item != .atRule && itemStart < brace.start
            return OpenBlock(
                first: references.count, animation: nil,
                selectors: isStyle ? itemStart..<brace.start : nil)
        }
        var start = name.end
        while start < brace.start, !CSSByte.isIdent(source[start]) { start += 1 }
        var end = start
        while end < brace.start, CSSByte.isIdent(source[end]) { end += 1 }
        return OpenBlock(first: references.count, animation: start..<end)
    }

    /// `display: none` hides the images of the block's other declarations until a script changes
    /// it, and a font for other letters than `a` is needed only by texts with them.
    mutating func declarationEnd(_ walker: CSSWalker, _ end: CSSToken, _ source: Span<UInt8>) {
        guard let name = walker.name, !blocks.isEmpty else { return }
        if name.isNamed("display", in: source) {
            var start = name.end
            while start < end.start, !CSSByte.isIdent(source[start]) { start += 1 }
            let word = start..<min(start + 5, end.start)
            blocks[blocks.count - 1].isOptional = word.prefix { CSSByte.isIdent(source[$0]) }
                .map { CSSByte.lowercased(source[$0]) }.elementsEqual("none".utf8)
        } else if name.isNamed("unicode-range", in: source) {
            let value = (name.end..<max(name.end, end.start)).map { CSSByte.lowercased(source[$0]) }
            blocks[blocks.count - 1].isOptional = !Self.hasLetterA(value)
        }
    }

    /// Whether a `unicode-range` includes the letter a, as `U+0-7F, U+1??` does.
    ///
    /// Unknown syntax counts as if.
    private static func hasLetterA(_ value: [UInt8]) -> Bool {
        String(decoding: value.drop { $0 == UInt8(ascii: ":") }, as: UTF8.self)
            .split(separator: ",").contains { part in
                let word = part.drop { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == ":" }
                    .prefix { $0.isHexDigit || $0 == "u" || "+-?".contains($0) }
                let ends = word.dropFirst(2).split(separator: "-", maxSplits: 1)
                guard let first = ends.first, let last = ends.last, word.hasPrefix("u+"),
                    let low = UInt32(first.replacing("?", with: "0"), radix: 16),
                    let high = UInt32(last.replacing("?", with: "f"), radix: 16)
                else { return true }
                return low <= 0x61 && 0x61 <= high
            }
    }

    mutating func blockEnd() {
        guard let block = blocks.popLast(), block.first < references.count else { return }
        if block.isOptional {
            for index in block.first..<references.count { references[index].isOptional = true }
        }
        if let name = block.animation {
            keyframes.append(Keyframes(name: name, references: block.first..<references.count))
        }
    }

    /// An animation that the text does not refer to is not shown unless a script uses it.
    mutating func finishKeyframes(_ source: Span<UInt8>, in range: Range<Int>) {
        // A block closed by the end of the text is not included.
        for one in keyframes.prefix(Self.mostKeyframes)
        where !isNamedElsewhere(one.name, source, in: range) {
            for index in one.references { references[index].isOptional = true }
        }
        keyframes = []
    }

    /// The largest number of animations; the whole text is searched for each.
    private static let mostKeyframes = 64

    /// Whether a word occurs anywhere except in the prelude of a `@keyframes`.
    private func isNamedElsewhere(
        _ name: Range<Int>, _ source: Span<UInt8>, in range: Range<Int>
    ) -> Bool {
        guard !name.isEmpty else { return true }
        let preludes = Set(keyframes.map(\.name.lowerBound))
        let first = source[name.lowerBound]
        var index = range.lowerBound
        while index <= range.upperBound - name.count {
            defer { index += 1 }
            guard source[index] == first, !preludes.contains(index),
                index == range.lowerBound || !CSSByte.isIdent(source[index - 1]),
                index + name.count == range.upperBound
                    || !CSSByte.isIdent(source[index + name.count]),
                zip(index..<index + name.count, name).allSatisfy({ source[$0] == source[$1] })
            else { continue }
            return true
        }
        return false
    }
}
