/// Rewrites parts of one attribute's value and leaves the rest unchanged.
struct HTMLValueEncoder {
    /// New characters for part of the decoded value, or for all of it.
    struct Change {
        let range: Range<Int>?
        let value: [UInt8]
    }

    private let attribute: HTMLAttribute
    private let text: HTMLDecodedText

    init(attribute: HTMLAttribute, page: Span<UInt8>) {
        self.attribute = attribute
        text = HTMLDecodedText(page, attribute.value, as: .attribute)
    }

    /// The source bytes to replace, and their replacement.
    func patch(
        _ changes: [Change], _ page: Span<UInt8>
    ) throws(HTMLEditError) -> HTMLEdit.Patch {
        let changes = try ordered(changes)
        guard !changes.contains(where: { $0.value.contains(0) }) else {
            throw .notRepresentable(attribute.value)
        }
        let expected = pieces(changes).flatMap { piece in
            switch piece {
            case .kept(let range): Array(text.bytes[range])
            case .new(let value): value
            }
        }
        guard expected != text.bytes else {
            return HTMLEdit.Patch(range: attribute.value, bytes: page.copy(attribute.value))
        }
        let quote = quote(for: changes.map(trimmed), page)
        let bytes = encoded(pieces(changes.map(trimmed)), quote, page)
        let startsQuoted = quote == .unquoted && bytes.first?.isQuote == true
        if Self.decoded(bytes) == expected, !startsQuoted, !Self.endsNoscript(bytes) {
            return enclosed(bytes, quote)
        }
        // Adjacent parts can form a reference that neither contained before; then the whole value
        // is replaced.
        let safe = quote == .unquoted ? .double : quote
        return enclosed(Self.encoded(expected, safe), safe)
    }

    private func ordered(_ changes: [Change]) throws(HTMLEditError) -> [Change] {
        let whole = 0..<text.bytes.count
        let sorted = changes.sorted {
            ($0.range ?? whole).lowerBound < ($1.range ?? whole).lowerBound
        }
        var end = 0
        for change in sorted {
            let range = change.range ?? whole
            guard range.upperBound <= whole.upperBound else { throw .outOfBounds(attribute.value) }
            guard range.lowerBound >= end else { throw .overlapping(attribute.value) }
            end = range.upperBound
        }
        return sorted.map { Change(range: $0.range ?? whole, value: $0.value) }
    }

    // MARK: - Pieces

    private enum Piece {
        case kept(Range<Int>)
        case new([UInt8])
    }

    /// Splits the value into kept and new pieces.
    private func pieces(_ changes: [Change]) -> [Piece] {
        var pieces: [Piece] = []
        var position = 0
        for change in changes {
            guard let range = change.range else { continue }
            if range.lowerBound > position { pieces.append(.kept(position..<range.lowerBound)) }
            pieces.append(.new(change.value))
            position = range.upperBound
        }
        if position < text.bytes.count { pieces.append(.kept(position..<text.bytes.count)) }
        return pieces
    }

    /// Removes equal text at the start and end of a change.
    private func trimmed(_ change: Change) -> Change {
        guard let range = change.range else { return change }
        let old = text.bytes[range]
        var start = zip(old, change.value).prefix { $0 == $1 }.count
        // Never between the bytes of a reference.
        while start > 0, !text.isBoundary(range.lowerBound + start) { start -= 1 }
        let longest = min(old.count, change.value.count) - start
        var end = zip(old.reversed(), change.value.reversed()).prefix(longest)
            .prefix { $0 == $1 }.count
        while end > 0, !text.isBoundary(range.upperBound - end) { end -= 1 }
        return Change(
            range: (range.lowerBound + start)..<(range.upperBound - end),
            value: Array(change.value[start..<(change.value.count - end)]))
    }

    private func encoded(
        _ pieces: [Piece], _ quote: HTMLQuote, _ page: Span<UInt8>
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .kept(let range):
                let source = page.copy(text.sourceRange(of: range))
                bytes += quote == attribute.quote ? source : Self.escaped(source, quote)
            case .new(let value): bytes += Self.encoded(value, quote)
            }
        }
        return bytes
    }

    // MARK: - Quotes

    /// The quotes around the new value.
    private func quote(for changes: [Change], _ page: Span<UInt8>) -> HTMLQuote {
        switch attribute.quote {
        case .double, .single: return attribute.quote
        case .missing, .unquoted:
            let isEmpty = pieces(changes).allSatisfy {
                if case .new(let value) = $0 { value.isEmpty } else { false }
            }
            let needsQuotes =
                attribute.quote == .missing || isEmpty
                || changes.contains { $0.value.contains(where: \.needsQuotes) }
            guard needsQuotes else { return .unquoted }
            let rest = page.copy(attribute.value) + changes.flatMap(\.value)
            let hasDouble = rest.contains(UInt8(ascii: "\""))
            return hasDouble && !rest.contains(UInt8(ascii: "'")) ? .single : .double
        }
    }

    private func enclosed(_ bytes: [UInt8], _ quote: HTMLQuote) -> HTMLEdit.Patch {
        guard quote != attribute.quote, let byte = quote.byte else {
            return HTMLEdit.Patch(range: attribute.value, bytes: bytes)
        }
        let sign: [UInt8] = attribute.quote == .missing ? [UInt8(ascii: "=")] : []
        return HTMLEdit.Patch(range: attribute.value, bytes: sign + [byte] + bytes + [byte])
    }

    // MARK: - Encoding

    private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        HTMLDecodedText(bytes.span, 0..<bytes.count, as: .attribute).bytes
    }

    /// Encodes characters for a value with the given quotes.
    static func encoded(_ value: [UInt8], _ quote: HTMLQuote) -> [UInt8] {
        var bytes: [UInt8] = []
        let span = value.span
        for (position, byte) in value.enumerated() {
            switch byte {
            case UInt8(ascii: "&"):
                let match = CharacterReferences.match(
                    span, at: position, end: span.count, inAttribute: true)
                bytes += match.scalars == nil ? [byte] : Array("&amp;".utf8)
            case 0x0D: bytes += Array("&#13;".utf8)
            case UInt8(ascii: "<") where span.matches("</noscript", at: position):
                bytes += Array("&lt;".utf8)
            default: bytes += byte == quote.byte ? escaped([byte], quote) : [byte]
            }
        }
        return bytes
    }

    /// Whether a value would end a `noscript` around it.
    ///
    /// With scripting on, its content is raw text, and quotes do not protect it.
    private static func endsNoscript(_ bytes: [UInt8]) -> Bool {
        bytes.indices.contains { bytes.span.matches("</noscript", at: $0) }
    }

    /// Encodes source bytes of a value for the given quotes.
    private static func escaped(_ source: [UInt8], _ quote: HTMLQuote) -> [UInt8] {
        let name = quote == .double ? "&quot;" : "&#39;"
        return source.flatMap { $0 == quote.byte ? Array(name.utf8) : [$0] }
    }
}

extension UInt8 {
    /// Whether a value with this character needs quotes (HTML 13.1.2.3).
    fileprivate var needsQuotes: Bool {
        if isHTMLSpace || isQuote { return true }
        return self == UInt8(ascii: "=") || self == UInt8(ascii: "<")
            || self == UInt8(ascii: ">") || self == UInt8(ascii: "`")
    }
}
