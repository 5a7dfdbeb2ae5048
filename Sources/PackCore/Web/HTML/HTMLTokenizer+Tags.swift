extension HTMLTokenizer {
    // MARK: - Tags

    /// Tag name, attribute and self-closing start tag states; `start` is the `<`.
    mutating func tag(_ bytes: Span<UInt8>, at start: Int, isEnd: Bool) -> HTMLToken {
        if !attributes.isEmpty { attributes.removeAll(keepingCapacity: true) }
        let count = bytes.count
        let nameStart = start &+ (isEnd ? 2 : 1)
        var position = nameStart
        while position < count, !bytes[position].endsTagName { position &+= 1 }
        let name = nameStart..<position
        if reports { reportNulls(bytes, name) }
        var isSelfClosing = false
        while position < count {
            let byte = bytes[position]
            if byte == UInt8(ascii: ">") {
                steps &+= position &- start
                return emit(
                    bytes, start..<(position &+ 1), name: name, isEnd: isEnd,
                    isSelfClosing: isSelfClosing)
            }
            if byte.isHTMLSpace {
                position &+= 1
            } else if byte == UInt8(ascii: "/") {
                position &+= 1
                guard position < count else { break }
                if bytes[position] == UInt8(ascii: ">") {
                    isSelfClosing = true
                } else {
                    report(.unexpectedSolidusInTag, at: position)
                }
            } else {
                position = attribute(bytes, at: position)
            }
        }
        steps &+= count &- start
        report(.eofInTag, at: count)
        return HTMLToken(kind: .discarded, range: start..<count, content: name)
    }

    private mutating func emit(
        _ bytes: Span<UInt8>, _ range: Range<Int>, name: Range<Int>, isEnd: Bool,
        isSelfClosing: Bool
    ) -> HTMLToken {
        let packed = HTMLName(bytes, name)
        if isEnd {
            if !attributes.isEmpty { report(.endTagWithAttributes, at: range.upperBound &- 1) }
            if isSelfClosing { report(.endTagWithTrailingSolidus, at: range.upperBound &- 1) }
            state = .data
        } else {
            lastStartTag = packed
        }
        return HTMLToken(
            kind: isEnd ? .endTag : .startTag, isSelfClosing: isSelfClosing, range: range,
            content: name, name: packed)
    }

    // MARK: - Attributes

    /// Before attribute name to after attribute value states; returns the next position in the tag.
    private mutating func attribute(_ bytes: Span<UInt8>, at start: Int) -> Int {
        let count = bytes.count
        var position = start
        var hash: UInt32 = 0x811C_9DC5
        if bytes[position] == UInt8(ascii: "=") {
            report(.unexpectedEqualsSignBeforeAttributeName, at: position)
            hash = (hash ^ 0x3D) &* 0x0100_0193
            position &+= 1
        }
        while position < count {
            let byte = bytes[position]
            if byte.endsAttributeName { break }
            hash = (hash ^ UInt32(byte | 0x20)) &* 0x0100_0193
            position &+= 1
        }
        let name = start..<position
        if reports { reportName(bytes, name) }
        let isDuplicate = isRepeated(bytes, name, hash: hash)
        if isDuplicate { report(.duplicateAttribute, at: position) }

        let after = bytes.positionAfterSpace(from: position)
        guard after < count, bytes[after] == UInt8(ascii: "=") else {
            append(name, value: position..<position, .missing, isDuplicate, hash)
            return after
        }
        let valueStart = bytes.positionAfterSpace(from: after &+ 1)
        guard valueStart < count else {
            append(name, value: valueStart..<valueStart, .unquoted, isDuplicate, hash)
            return count
        }
        let first = bytes[valueStart]
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            let value = (valueStart &+ 1)..<bytes.position(of: first, from: valueStart &+ 1)
            append(
                name, value: value, first == UInt8(ascii: "'") ? .single : .double, isDuplicate,
                hash)
            return afterQuoted(bytes, value)
        }
        let value = unquotedValue(bytes, at: valueStart)
        append(name, value: value, .unquoted, isDuplicate, hash)
        return value.upperBound
    }

    @inline(__always)
    private mutating func append(
        _ name: Range<Int>, value: Range<Int>, _ quote: HTMLQuote, _ isDuplicate: Bool,
        _ hash: UInt32
    ) {
        attributes.append(
            HTMLAttribute(
                name: name, value: value, quote: quote, isDuplicate: isDuplicate, nameHash: hash))
    }

    /// Attribute value (quoted) and after attribute value (quoted) states.
    private mutating func afterQuoted(_ bytes: Span<UInt8>, _ value: Range<Int>) -> Int {
        if reports { reportCharacters(bytes, value, .attribute) }
        let next = value.upperBound &+ 1
        guard next < bytes.count else { return bytes.count }
        if reports, !bytes[next].endsTagName {
            report(.missingWhitespaceBetweenAttributes, at: next)
        }
        return next
    }

    /// Attribute value (unquoted) state.
    private mutating func unquotedValue(_ bytes: Span<UInt8>, at start: Int) -> Range<Int> {
        var position = start
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: ">") || byte.isHTMLSpace { break }
            position &+= 1
        }
        let value = start..<position
        guard reports else { return value }
        if value.isEmpty { report(.missingAttributeValue, at: start) }
        for offset in value {
            switch bytes[offset] {
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: "="),
                UInt8(ascii: "`"):
                report(.unexpectedCharacterInUnquotedValue, at: offset)
            default: break
            }
        }
        reportCharacters(bytes, value, .attribute)
        return value
    }

    private mutating func reportName(_ bytes: Span<UInt8>, _ name: Range<Int>) {
        for offset in name {
            switch bytes[offset] {
            case 0: report(.unexpectedNullCharacter, at: offset)
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"):
                report(.unexpectedCharacterInAttributeName, at: offset)
            default: break
            }
        }
    }

    /// Whether an earlier attribute of this tag has the same name.
    private mutating func isRepeated(
        _ bytes: Span<UInt8>, _ name: Range<Int>, hash: UInt32
    ) -> Bool {
        // A linear search is fastest for usual tags, but quadratic in the number of attributes.
        if attributes.count >= AttributeNameIndex.threshold {
            return nameIndex.insert(bytes, name, after: attributes, steps: &steps)
        }
        for attribute in attributes where attribute.nameHash == hash {
            steps &+= 1
            if bytes.equalIgnoringCase(attribute.name, name) { return true }
        }
        return false
    }
}

extension UInt8 {
    /// White space, `/` or `>`.
    @inline(__always)
    var endsTagName: Bool {
        self <= 0x3E && (self == 0x3E || self == 0x2F || isHTMLSpace)
    }

    /// White space, `/`, `>` or `=`.
    @inline(__always)
    var endsAttributeName: Bool {
        self <= 0x3E && (self == 0x3D || self == 0x3E || self == 0x2F || isHTMLSpace)
    }
}
