/// The characters of a text or an attribute's value, with the source bytes of each.
///
/// Character references, CR LF and U+0000 change lengths; this maps offsets of the decoded bytes to
/// the bytes of the page to replace.
package struct HTMLDecodedText: Equatable, Sendable, MappedText {
    /// The decoded bytes, including invalid UTF-8 unchanged.
    package let bytes: [UInt8]
    /// The source bytes of the whole text.
    package let source: Range<Int>
    /// The positions with differences between source and decoded bytes, in order.
    private let changes: [Change]

    /// Decoded bytes that replace different source bytes as a whole.
    private struct Change: Equatable, Sendable {
        let decoded: Range<Int>
        let source: Range<Int>
    }

    /// Decodes part of a page; ``HTMLDecoding`` has the rules.
    package init(_ page: Span<UInt8>, _ range: Range<Int>, as decoding: HTMLDecoding) {
        source = range.clamped(to: 0..<page.count)
        let bytes = page.extracting(0..<source.upperBound)
        var decoded: [UInt8] = []
        var changes: [Change] = []
        var copied = source.lowerBound
        var position = Self.nextSpecial(bytes, from: copied, decoding)
        while position < bytes.count {
            let (scalars, end) = Self.special(bytes, at: position, decoding)
            if let scalars {
                bytes.append(copied..<position, to: &decoded)
                let start = decoded.count
                decoded.append(scalar: scalars.0)
                if let second = scalars.1 { decoded.append(scalar: second) }
                changes.append(Change(decoded: start..<decoded.count, source: position..<end))
                copied = end
            }
            position = Self.nextSpecial(bytes, from: end, decoding)
        }
        bytes.append(copied..<bytes.count, to: &decoded)
        self.bytes = decoded
        self.changes = changes
    }

    /// The next byte that may need decoding: `&`, CR or U+0000.
    private static func nextSpecial(
        _ bytes: Span<UInt8>, from start: Int, _ decoding: HTMLDecoding
    ) -> Int {
        var position = start
        while position < bytes.count {
            let byte = bytes[position]
            if byte <= 0x26, byte == 0x26 || byte == 0x0D || byte == 0 { break }
            position &+= 1
        }
        return position
    }

    /// The decoded form of a special byte and those after it; `nil` if it is unchanged.
    private static func special(
        _ bytes: Span<UInt8>, at position: Int, _ decoding: HTMLDecoding
    ) -> (scalars: (UInt32, UInt32?)?, end: Int) {
        switch bytes[position] {
        case 0:
            return (decoding.keepsNull ? nil : (0xFFFD, nil), position &+ 1)
        case 0x0D:
            let isPair = position &+ 1 < bytes.count && bytes[position &+ 1] == 0x0A
            return ((0x0A, nil), position &+ (isPair ? 2 : 1))
        default:
            guard decoding.hasReferences else { return (nil, position &+ 1) }
            let match = CharacterReferences.match(
                bytes, at: position, end: bytes.count, inAttribute: decoding == .attribute)
            return (match.scalars, match.end)
        }
    }

    // MARK: - Back to the source

    package func sourceOffset(of offset: Int, up: Bool) -> Int {
        // The last change that starts before the offset.
        var low = 0
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].decoded.lowerBound < offset {
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard low > 0 else { return source.lowerBound + offset }
        let change = changes[low - 1]
        if offset < change.decoded.upperBound {
            return up ? change.source.upperBound : change.source.lowerBound
        }
        return change.source.upperBound + (offset - change.decoded.upperBound)
    }

    /// Whether a decoded offset is also a boundary in the source, not inside a reference.
    func isBoundary(_ offset: Int) -> Bool {
        sourceOffset(of: offset, up: false) == sourceOffset(of: offset, up: true)
    }
}

extension CharacterReferences {
    /// The characters of part of a page as UTF-8; ``HTMLDecodedText`` also has offsets.
    static func decode(
        _ page: Span<UInt8>, _ range: Range<Int>, as decoding: HTMLDecoding
    ) -> [UInt8] {
        HTMLDecodedText(page, range, as: decoding).bytes
    }
}
