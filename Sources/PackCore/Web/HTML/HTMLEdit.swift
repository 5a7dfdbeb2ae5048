/// A change to a page that touches only the bytes of one value.
package struct HTMLEdit: Sendable {
    let attribute: HTMLAttribute
    /// Part of the attribute's decoded value; `nil` for all of it.
    let range: Range<Int>?
    /// The new characters, not encoded.
    let value: [UInt8]

    /// Replaces part of an attribute's decoded value, or all of it (`nil`).
    package init(_ attribute: HTMLAttribute, _ range: Range<Int>?, value: [UInt8]) {
        self.attribute = attribute
        self.range = range
        self.value = value
    }

    /// Replaces the URL of a reference.
    package init(_ reference: HTMLReference, value: [UInt8]) {
        self.init(reference.attribute, reference.decodedRange, value: value)
    }

    /// The source bytes to change, with their replacements; unordered.
    package static func patches(
        _ edits: [HTMLEdit], _ page: Span<UInt8>
    ) throws(HTMLEditError) -> [Patch] {
        var patches: [Patch] = []
        var byAttribute: [Int: (HTMLAttribute, [HTMLValueEncoder.Change])] = [:]
        for edit in edits {
            byAttribute[edit.attribute.name.lowerBound, default: (edit.attribute, [])].1
                .append(.init(range: edit.range, value: edit.value))
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
}

/// The reason why an edit was rejected.
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
