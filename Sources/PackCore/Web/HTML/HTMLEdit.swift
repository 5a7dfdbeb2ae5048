/// A change to a page that touches only the bytes of one value.
package struct HTMLEdit: Sendable {
    package enum Target: Sendable {
        /// Part of an attribute's decoded value, or all of it (`nil`).
        case attribute(HTMLAttribute, Range<Int>?)
        /// The content of an element; the name is that of its end tag.
        case content(Range<Int>, HTMLDecoding, HTMLName)
    }

    let target: Target
    /// The new characters, not encoded.
    let value: [UInt8]

    package init(_ target: Target, value: [UInt8]) {
        self.target = target
        self.value = value
    }

    /// Another URL in the place of a reference.
    package init(_ reference: HTMLReference, value: [UInt8]) {
        self.init(.attribute(reference.attribute, reference.decodedRange), value: value)
    }

    /// Another text in the place of a fragment.
    init(_ fragment: HTMLFragment, of element: HTMLElement, value: [UInt8]) {
        if let attribute = fragment.attribute {
            self.init(.attribute(attribute, nil), value: value)
        } else {
            self.init(.content(fragment.range, fragment.decoding, element.name), value: value)
        }
    }

    /// The page with all edits applied; all other bytes stay the same.
    ///
    /// Only the part of a value that differs is replaced, so the rest keeps its encoding.
    /// New text is encoded as its quotes require, `&` only where it would start a reference; a
    /// value without quotes gets them if necessary.
    ///
    /// - Throws: ``HTMLEditError`` if edits overlap or a text cannot be written at its place.
    static func apply(
        _ edits: [HTMLEdit], to page: Span<UInt8>
    ) throws(HTMLEditError) -> [UInt8] {
        try patched(page, patches(edits, page))
    }

    /// The source bytes that the edits change, with their replacements; in no order.
    package static func patches(
        _ edits: [HTMLEdit], _ page: Span<UInt8>
    ) throws(HTMLEditError) -> [Patch] {
        var patches: [Patch] = []
        var byAttribute: [Int: (HTMLAttribute, [HTMLValueEncoder.Change])] = [:]
        for edit in edits {
            switch edit.target {
            case .attribute(let attribute, let range):
                byAttribute[attribute.name.lowerBound, default: (attribute, [])].1
                    .append(.init(range: range, value: edit.value))
            case .content(let range, let decoding, let name):
                patches.append(
                    try contentPatch(range, decoding, name, edit.value, page))
            }
        }
        for (_, (attribute, changes)) in byAttribute.sorted(by: { $0.key < $1.key }) {
            guard attribute.range.upperBound <= page.count else {
                throw .outOfBounds(attribute.range)
            }
            let encoder = HTMLValueEncoder(attribute: attribute, page: page)
            patches.append(try encoder.patch(changes, page))
        }
        return patches
    }

    /// Source bytes and their replacement.
    package struct Patch {
        package let range: Range<Int>
        package let bytes: [UInt8]
    }

    private static func patched(
        _ page: Span<UInt8>, _ patches: [Patch]
    ) throws(HTMLEditError) -> [UInt8] {
        var result: [UInt8] = []
        var copied = 0
        for patch in patches.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            guard patch.range.upperBound <= page.count else { throw .outOfBounds(patch.range) }
            guard patch.range.lowerBound >= copied else { throw .overlapping(patch.range) }
            result += page.copy(copied..<patch.range.lowerBound)
            result += patch.bytes
            copied = patch.range.upperBound
        }
        return result + page.copy(copied..<page.count)
    }

    // MARK: - Content of elements

    private static func contentPatch(
        _ range: Range<Int>, _ decoding: HTMLDecoding, _ name: HTMLName, _ value: [UInt8],
        _ page: Span<UInt8>
    ) throws(HTMLEditError) -> Patch {
        guard range.upperBound <= page.count else { throw .outOfBounds(range) }
        let bytes =
            switch decoding {
            case .raw, .cdata: value
            case .text, .rcdata, .attribute: HTMLValueEncoder.encodedText(value)
            }
        guard isWhole(bytes, decoding, name) else { throw .notRepresentable(range) }
        return Patch(range: range, bytes: bytes)
    }

    /// Whether a text would end where it should: no end tag in it, and no escape left open.
    private static func isWhole(
        _ bytes: [UInt8], _ decoding: HTMLDecoding, _ name: HTMLName
    ) -> Bool {
        if decoding == .cdata {
            return !(bytes + Array("]]".utf8)).contains(Array("]]>".utf8))
        }
        guard decoding == .raw, !bytes.isEmpty else { return true }
        let end = Array("</\(name)>".utf8)
        var tokenizer = HTMLTokenizer(
            range: 0..<(bytes.count + end.count),
            state: name == "script" ? .scriptData : .rawtext, lastStartTag: name)
        let whole = bytes + end
        let first = tokenizer.next(in: whole.span)
        return first?.kind == .text && first?.range == 0..<bytes.count
    }
}

/// Why an edit was refused.
package enum HTMLEditError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Two edits change the same bytes.
    case overlapping(Range<Int>)
    case outOfBounds(Range<Int>)
    /// The new text is not allowed here: U+0000, or the end tag of the surrounding element.
    case notRepresentable(Range<Int>)

    package var description: String {
        switch self {
        case .overlapping(let range):
            "two edits change bytes \(range.lowerBound) to \(range.upperBound)"
        case .outOfBounds(let range):
            "bytes \(range.lowerBound) to \(range.upperBound) are outside the page"
        case .notRepresentable(let range):
            "the new text is not allowed at bytes \(range.lowerBound) to \(range.upperBound)"
        }
    }
}
