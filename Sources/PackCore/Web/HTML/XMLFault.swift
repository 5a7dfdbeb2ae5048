/// The reason why a file is not well-formed XML; a web view shows nothing of such an SVG file.
///
/// Reports only errors that WebKit's parser (libxml) rejects in tests. Names and entities that a
/// document type may declare are assumed to be declared.
package struct XMLFault: Equatable, Sendable {
    package let message: String
    package let offset: Int

    /// The first fault of a text in UTF-8.
    package static func first(in text: Span<UInt8>) -> XMLFault? {
        var scanner = XMLScanner(end: text.count)
        return scanner.scan(text)
    }
}

/// One pass; constant memory except for open elements.
private struct XMLScanner {
    private struct Element {
        let name: Range<Int>
        let prefixes: [[UInt8]]
    }

    private let end: Int
    private var position = 0
    private var open: [Element] = []
    /// The number of open declarations of each prefix.
    private var declared: [[UInt8]: Int] = [Array("xml".utf8): 1, Array("xmlns".utf8): 1]
    private var hasRoot = false
    private var hasSubset = false

    init(end: Int) { self.end = end }

    mutating func scan(_ text: Span<UInt8>) -> XMLFault? {
        if text.matches("\u{FEFF}", at: 0) { position = 3 }
        let start = position
        while position < end {
            let fault: XMLFault? =
                if text[position] == UInt8(ascii: "<") {
                    markup(text, isStart: position == start)
                } else {
                    character(text)
                }
            if let fault { return fault }
        }
        if let element = open.last {
            return fault("'\(name(element.name, text))' is not closed", element.name.lowerBound)
        }
        return hasRoot ? nil : fault("there is no element", 0)
    }

    private func fault(_ message: String, _ offset: Int) -> XMLFault {
        XMLFault(message: message, offset: min(offset, max(0, end - 1)))
    }

    private func name(_ range: Range<Int>, _ text: Span<UInt8>) -> String {
        String(decoding: text.copy(range).prefix(60), as: UTF8.self)
    }

    // MARK: - Text

    private mutating func character(_ text: Span<UInt8>) -> XMLFault? {
        let byte = text[position]
        if open.isEmpty, !byte.isXMLSpace {
            return fault("text outside the root element", position)
        }
        if byte == UInt8(ascii: "&") { return reference(text) }
        if byte < 0x20, !byte.isXMLSpace { return fault("a control character", position) }
        position += 1
        return nil
    }

    private mutating func reference(_ text: Span<UInt8>) -> XMLFault? {
        let start = position
        var stop = start + 1
        while stop < end, stop - start < 64, text[stop] != UInt8(ascii: ";") { stop += 1 }
        let word = text.copy((start + 1)..<min(stop, end))
        guard stop < end, text[stop] == UInt8(ascii: ";"), let first = word.first,
            first == UInt8(ascii: "#") ? word.count > 1 : first.isXMLNameStart
        else { return fault("'&' is not written as '&amp;'", start) }
        let known = ["amp", "lt", "gt", "quot", "apos"]
        guard
            first == UInt8(ascii: "#") || hasSubset
                || known.contains(where: { $0.utf8.elementsEqual(word) })
        else {
            return fault("XML has no '&\(String(decoding: word, as: UTF8.self));'", start)
        }
        position = stop + 1
        return nil
    }

    // MARK: - Markup

    private mutating func markup(_ text: Span<UInt8>, isStart: Bool) -> XMLFault? {
        let start = position
        if text.matches("<!--", at: start) {
            guard let dashes = find("--", text, start + 4), dashes + 2 < end,
                text[dashes + 2] == UInt8(ascii: ">")
            else { return fault("the comment contains '--' or does not end", start) }
            position = dashes + 3
            return nil
        }
        if text.matches("<![cdata[", at: start) {
            guard !open.isEmpty, let close = find("]]>", text, start + 9) else {
                return fault("CDATA does not end", start)
            }
            position = close + 3
            return nil
        }
        if text.matches("<!doctype", at: start) { return documentType(text) }
        if text.matches("<?", at: start) {
            if text.matches("<?xml", at: start), start + 5 < end, text[start + 5].isXMLSpace,
                !isStart
            {
                return fault("'<?xml' is not at the very start", start)
            }
            guard let close = find("?>", text, start + 2) else {
                return fault("'<?' does not end", start)
            }
            position = close + 2
            return nil
        }
        if text.matches("</", at: start) { return endTag(text) }
        return startTag(text)
    }

    private func find(_ word: StaticString, _ text: Span<UInt8>, _ start: Int) -> Int? {
        var place = start
        while place < end {
            if text.matches(word, at: place) { return place }
            place += 1
        }
        return nil
    }

    private mutating func documentType(_ text: Span<UInt8>) -> XMLFault? {
        let start = position
        var quote: UInt8?
        var isInside = false
        while position < end {
            let byte = text[position]
            position += 1
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "[") {
                isInside = true
                hasSubset = true
            } else if byte == UInt8(ascii: "]") {
                isInside = false
            } else if byte == UInt8(ascii: ">"), !isInside {
                return nil
            }
        }
        // Perhaps an apostrophe in a comment of the subset, so no fault is reported.
        return hasSubset ? nil : fault("the document type does not end", start)
    }

    private mutating func takeName(_ text: Span<UInt8>) -> Range<Int>? {
        let start = position
        guard start < end, text[start].isXMLNameStart else { return nil }
        while position < end, text[position].isXMLName { position += 1 }
        return start..<position
    }

    private mutating func skipSpace(_ text: Span<UInt8>) {
        while position < end, text[position].isXMLSpace { position += 1 }
    }

    private mutating func endTag(_ text: Span<UInt8>) -> XMLFault? {
        let start = position
        position += 2
        guard let found = takeName(text) else { return fault("'</' without a name", start) }
        skipSpace(text)
        guard position < end, text[position] == UInt8(ascii: ">") else {
            return fault("the tag does not end", start)
        }
        position += 1
        guard let element = open.popLast() else {
            return fault("'\(name(found, text))' was not opened", start)
        }
        guard text.copy(found) == text.copy(element.name) else {
            return fault(
                "'</\(name(found, text))>' where '\(name(element.name, text))' is open", start)
        }
        for prefix in element.prefixes { declared[prefix, default: 1] -= 1 }
        return nil
    }

    private mutating func startTag(_ text: Span<UInt8>) -> XMLFault? {
        let start = position
        position += 1
        guard let element = takeName(text) else {
            return fault("'<' is not written as '&lt;'", start)
        }
        if open.isEmpty, hasRoot { return fault("a second root element", start) }
        hasRoot = true
        var names: Set<[UInt8]> = []
        var prefixes: [[UInt8]] = []
        while true {
            let before = position
            skipSpace(text)
            guard position < end else { return fault("the tag does not end", start) }
            if text[position] == UInt8(ascii: ">") || text.matches("/>", at: position) { break }
            let place = position
            guard before < position, let range = takeName(text) else {
                return fault("the tag is not XML", place)
            }
            let attribute = text.copy(range)
            guard names.insert(attribute).inserted else {
                return fault("'\(name(range, text))' is there twice", place)
            }
            if attribute.starts(with: "xmlns:".utf8) {
                prefixes.append(Array(attribute.dropFirst(6)))
            }
            if let fault = value(text, range) { return fault }
        }
        for prefix in prefixes { declared[prefix, default: 0] += 1 }
        for used in [text.copy(element)] + names {
            guard let colon = used.firstIndex(of: UInt8(ascii: ":")), !hasSubset,
                declared[Array(used[..<colon]), default: 0] <= 0
            else { continue }
            let prefix = String(decoding: used[..<colon].prefix(60), as: UTF8.self)
            return fault("the prefix '\(prefix)' is not declared (xmlns:\(prefix))", start)
        }
        if text[position] == UInt8(ascii: ">") {
            position += 1
            open.append(Element(name: element, prefixes: prefixes))
        } else {
            position += 2
            for prefix in prefixes { declared[prefix, default: 1] -= 1 }
        }
        return nil
    }

    private mutating func value(_ text: Span<UInt8>, _ attribute: Range<Int>) -> XMLFault? {
        skipSpace(text)
        guard position < end, text[position] == UInt8(ascii: "=") else {
            return fault("'\(name(attribute, text))' has no value", attribute.lowerBound)
        }
        position += 1
        skipSpace(text)
        guard position < end,
            text[position] == UInt8(ascii: "\"") || text[position] == UInt8(ascii: "'")
        else {
            return fault(
                "the value of '\(name(attribute, text))' has no quotes", attribute.lowerBound)
        }
        let quote = text[position]
        position += 1
        while position < end, text[position] != quote {
            switch text[position] {
            case UInt8(ascii: "<"):
                return fault("'<' in the value of '\(name(attribute, text))'", position)
            case UInt8(ascii: "&"):
                if let fault = reference(text) { return fault }
            default: position += 1
            }
        }
        guard position < end else { return fault("the value does not end", attribute.lowerBound) }
        position += 1
        return nil
    }
}

extension UInt8 {
    fileprivate var isXMLSpace: Bool {
        self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09
    }

    fileprivate var isXMLNameStart: Bool {
        self >= 0x80 || (0x61...0x7A).contains(self | 0x20) || self == 0x5F || self == 0x3A
    }

    fileprivate var isXMLName: Bool {
        isXMLNameStart || (0x30...0x39).contains(self) || self == 0x2D || self == 0x2E
    }
}
