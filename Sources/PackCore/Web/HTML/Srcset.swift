/// The image candidates of a `srcset` or `imagesrcset` attribute (HTML 4.8.4.2.2, "parse a srcset
/// attribute").
///
/// Splitting at commas is not enough: URLs may contain them, and parentheses protect them.
package struct SrcsetCandidate: Equatable, Sendable {
    /// The URL, as a range of the decoded value; never empty.
    package let url: Range<Int>
    /// The descriptors after it, with the white space between them; empty if there are none.
    package let descriptors: Range<Int>
    /// Whether a browser considers it; it silently drops a candidate with an invalid descriptor.
    package let isValid: Bool

    /// Reads a decoded attribute value.
    package static func parse(_ value: [UInt8]) -> [SrcsetCandidate] {
        var parser = SrcsetParser(bytes: value)
        var candidates: [SrcsetCandidate] = []
        while let candidate = parser.next() { candidates.append(candidate) }
        return candidates
    }
}

private struct SrcsetParser {
    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Splitting loop.
    mutating func next() -> SrcsetCandidate? {
        while position < bytes.count,
            bytes[position].isHTMLSpace || bytes[position] == UInt8(ascii: ",")
        {
            position += 1
        }
        guard position < bytes.count else { return nil }
        let start = position
        while position < bytes.count, !bytes[position].isHTMLSpace { position += 1 }
        var end = position
        // The first byte is not a comma, so the URL does not become empty.
        while bytes[end - 1] == UInt8(ascii: ",") { end -= 1 }
        guard end == position else {
            return SrcsetCandidate(url: start..<end, descriptors: end..<end, isValid: true)
        }
        let descriptors = tokenizeDescriptors()
        let whole =
            (descriptors.first?.lowerBound ?? end)..<(descriptors.last?.upperBound ?? end)
        return SrcsetCandidate(
            url: start..<end, descriptors: whole, isValid: areValid(descriptors))
    }

    /// Descriptor tokenizer: in descriptor, in parens and after descriptor states.
    private mutating func tokenizeDescriptors() -> [Range<Int>] {
        var descriptors: [Range<Int>] = []
        var start: Int?
        var isInParentheses = false
        while position < bytes.count {
            let byte = bytes[position]
            if isInParentheses {
                isInParentheses = byte != UInt8(ascii: ")")
            } else if byte.isHTMLSpace || byte == UInt8(ascii: ",") {
                if let first = start { descriptors.append(first..<position) }
                start = nil
                if byte == UInt8(ascii: ",") {
                    position += 1
                    return descriptors
                }
            } else {
                start = start ?? position
                isInParentheses = byte == UInt8(ascii: "(")
            }
            position += 1
        }
        if let first = start { descriptors.append(first..<position) }
        return descriptors
    }

    /// Descriptor parser.
    private func areValid(_ descriptors: [Range<Int>]) -> Bool {
        var hasWidth = false
        var hasDensity = false
        var hasHeight = false
        for descriptor in descriptors {
            let number = bytes[descriptor.dropLast()]
            switch bytes[descriptor.upperBound - 1] {
            case UInt8(ascii: "w"):
                guard number.isPositiveInteger, !hasWidth, !hasDensity else { return false }
                hasWidth = true
            case UInt8(ascii: "x"):
                guard number.isNonNegativeFloat, !hasWidth, !hasDensity, !hasHeight else {
                    return false
                }
                hasDensity = true
            case UInt8(ascii: "h"):
                guard number.isPositiveInteger, !hasHeight, !hasDensity else { return false }
                hasHeight = true
            default: return false
            }
        }
        return !hasHeight || hasWidth
    }
}

extension ArraySlice<UInt8> {
    /// A valid non-negative integer (HTML 2.3.4.2) above zero.
    fileprivate var isPositiveInteger: Bool {
        !isEmpty && allSatisfy(\.isASCIIDigit) && contains { $0 != UInt8(ascii: "0") }
    }

    /// A valid floating-point number (HTML 2.3.4.3) that is not negative; `-0` is not.
    fileprivate var isNonNegativeFloat: Bool {
        var rest = self
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        let whole = rest.prefix(while: \.isASCIIDigit)
        rest = rest.dropFirst(whole.count)
        var fraction: ArraySlice<UInt8> = []
        if rest.first == UInt8(ascii: ".") {
            fraction = rest.dropFirst().prefix(while: \.isASCIIDigit)
            guard !fraction.isEmpty else { return false }
            rest = rest.dropFirst(fraction.count + 1)
        }
        guard !whole.isEmpty || !fraction.isEmpty else { return false }
        if let mark = rest.first {
            guard mark | 0x20 == UInt8(ascii: "e") else { return false }
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") {
                rest = rest.dropFirst()
            }
            guard !rest.isEmpty, rest.allSatisfy(\.isASCIIDigit) else { return false }
        }
        let isZero = (whole + fraction).allSatisfy { $0 == UInt8(ascii: "0") }
        return !isNegative || isZero
    }
}
