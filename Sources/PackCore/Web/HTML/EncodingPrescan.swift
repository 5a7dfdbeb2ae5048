/// "Prescan a byte stream to determine its encoding" (HTML 13.2.3.2).
///
/// This is not the tokenizer: the standard has separate rules for this algorithm, which differ in
/// scripts, comments and character references, and browsers follow them.
struct EncodingPrescan {
    struct Declaration {
        let name: String
        let source: HTMLEncoding.Source
        let label: Range<Int>?
    }

    /// The first unknown label.
    private(set) var unknownLabel: Range<Int>?
    private var position = 0

    /// Elements of the head; another tag ends the search (WebKit's `HTMLMetaCharsetParser`).
    private static let headElements: Set<[UInt8]> = Set(
        [
            "html", "head", "title", "base", "link", "meta", "style", "script", "noscript",
            "object",
        ].map { Array($0.utf8) })
    private var isInHead = true

    /// The encoding that the first `meta` declares; `nil` if there is none before the end of the
    /// head.
    ///
    /// Within the first bytes, the search continues after the head.
    mutating func run(_ bytes: Span<UInt8>, _ first: Int) -> Declaration? {
        if let utf16 = Self.utf16Declaration(bytes) { return utf16 }
        while position < bytes.count {
            position = bytes.position(of: UInt8(ascii: "<"), from: position)
            if position >= first, !isInHead { return nil }
            if bytes.matches("<!--", at: position) {
                skipComment(bytes)
            } else if bytes.matches("<meta", at: position), position + 5 < bytes.count,
                bytes[position + 5].isHTMLSpace || bytes[position + 5] == UInt8(ascii: "/")
            {
                position += 5
                if let declaration = meta(bytes) { return declaration }
            } else if isTag(bytes) {
                let isEnd = bytes[position + 1] == UInt8(ascii: "/")
                let start = position + (isEnd ? 2 : 1)
                while position < bytes.count, !bytes[position].isHTMLSpace,
                    bytes[position] != UInt8(ascii: ">")
                {
                    position += 1
                }
                if isInHead {
                    let name = (start..<min(position, start + 16)).map { bytes[$0].asciiLowercased }
                    isInHead = Self.headElements.contains(name)
                }
                while attribute(bytes) != nil {}
            } else if bytes.matches("<!", at: position) || bytes.matches("</", at: position)
                || bytes.matches("<?", at: position)
            {
                position = bytes.position(of: UInt8(ascii: ">"), from: position)
            }
            position += 1
        }
        return nil
    }

    private func isTag(_ bytes: Span<UInt8>) -> Bool {
        guard position + 1 < bytes.count else { return false }
        if bytes[position + 1] != UInt8(ascii: "/") { return bytes[position + 1].isASCIILetter }
        return position + 2 < bytes.count && bytes[position + 2].isASCIILetter
    }

    /// Moves to the `>` of the first `-->`, whose dashes may overlap those of `<!--`.
    private mutating func skipComment(_ bytes: Span<UInt8>) {
        position += 4
        while position < bytes.count {
            position = bytes.position(of: UInt8(ascii: ">"), from: position)
            if bytes.matches("-->", at: position - 2) { return }
            position += 1
        }
    }

    // MARK: - meta

    private mutating func meta(_ bytes: Span<UInt8>) -> Declaration? {
        var seen: Set<[UInt8]> = []
        var isPragma = false
        var needsPragma: Bool?
        var label: Range<Int>?
        while let (name, value) = attribute(bytes) {
            guard seen.insert(name).inserted else { continue }
            switch String(decoding: name, as: UTF8.self) {
            case "http-equiv":
                isPragma =
                    isPragma
                    || bytes.matches("content-type", at: value.lowerBound)
                        && value.count == 12
            case "content":
                if label == nil, let found = Self.charset(in: bytes, value),
                    encoding(bytes, found) != nil
                {
                    label = found
                    needsPragma = true
                }
            case "charset":
                label = value
                needsPragma = false
            default: break
            }
        }
        // A tag that is cut off declares nothing.
        guard position < bytes.count, let label, let needsPragma, isPragma || !needsPragma,
            let name = encoding(bytes, label)
        else { return nil }
        return Declaration(
            name: Self.declared(name), source: needsPragma ? .metaContentType : .metaCharset,
            label: label)
    }

    private mutating func encoding(_ bytes: Span<UInt8>, _ label: Range<Int>) -> String? {
        let name = EncodingLabel.name(of: bytes.copy(label))
        if name == nil, unknownLabel == nil { unknownLabel = label }
        return name
    }

    /// The effective encoding of a declaration written in ASCII bytes.
    private static func declared(_ name: String) -> String {
        switch name {
        case "utf-16le", "utf-16be": "utf-8"
        case "x-user-defined": "windows-1252"
        default: name
        }
    }

    /// "Get an attribute": its name in lower case and the range of its value.
    private mutating func attribute(
        _ bytes: Span<UInt8>
    ) -> (name: [UInt8], value: Range<Int>)? {
        while position < bytes.count,
            bytes[position].isHTMLSpace || bytes[position] == UInt8(ascii: "/")
        {
            position += 1
        }
        guard position < bytes.count, bytes[position] != UInt8(ascii: ">") else { return nil }
        var name: [UInt8] = []
        while position < bytes.count, !bytes[position].endsTagName,
            bytes[position] != UInt8(ascii: "=") || name.isEmpty
        {
            name.append(bytes[position].asciiLowercased)
            position += 1
        }
        let nameEnd = position
        position = bytes.positionAfterSpace(from: position)
        guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else {
            return position < bytes.count ? (name, nameEnd..<nameEnd) : nil
        }
        position = bytes.positionAfterSpace(from: position + 1)
        guard position < bytes.count else { return nil }
        if bytes[position].isQuote {
            let start = position + 1
            let close = bytes.position(of: bytes[position], from: start)
            position = close + 1
            return close < bytes.count ? (name, start..<close) : nil
        }
        let start = position
        while position < bytes.count, !bytes[position].isHTMLSpace,
            bytes[position] != UInt8(ascii: ">")
        {
            position += 1
        }
        return position < bytes.count ? (name, start..<position) : nil
    }

    /// "Extracting a character encoding from a meta element": the range of its label.
    static func charset(in bytes: Span<UInt8>, _ value: Range<Int>) -> Range<Int>? {
        let text = bytes.extracting(0..<value.upperBound)
        var position = value.lowerBound
        while position < text.count {
            guard text.matches("charset", at: position) else {
                position += 1
                continue
            }
            position = text.positionAfterSpace(from: position + 7)
            guard position < text.count, text[position] == UInt8(ascii: "=") else { continue }
            position = text.positionAfterSpace(from: position + 1)
            guard position < text.count else { return nil }
            if text[position].isQuote {
                let close = text.position(of: text[position], from: position + 1)
                return close < text.count ? (position + 1)..<close : nil
            }
            var end = position
            while end < text.count, !text[end].isHTMLSpace, text[end] != UInt8(ascii: ";") {
                end += 1
            }
            return position..<end
        }
        return nil
    }

    // MARK: - XML

    /// `<?x` in UTF-16 without a byte order mark.
    private static func utf16Declaration(_ bytes: Span<UInt8>) -> Declaration? {
        guard bytes.count >= 6 else { return nil }
        let start = bytes.copy(0..<6)
        if start == [0x3C, 0, 0x3F, 0, 0x78, 0] {
            return Declaration(name: "utf-16le", source: .xmlDeclaration, label: nil)
        }
        if start == [0, 0x3C, 0, 0x3F, 0, 0x78] {
            return Declaration(name: "utf-16be", source: .xmlDeclaration, label: nil)
        }
        return nil
    }

    /// "Get an XML encoding", used if no `meta` declares one.
    static func xmlDeclaration(_ page: Span<UInt8>) -> Declaration? {
        guard page.count >= 5, page.copy(0..<5) == Array("<?xml".utf8) else { return nil }
        let close = page.position(of: UInt8(ascii: ">"), from: 5)
        guard close < page.count else { return nil }
        let bytes = page.extracting(0..<close)
        var position = 5
        let word = Array("encoding".utf8)
        while position < bytes.count, bytes.copy(position..<(position + 8)) != word {
            position += 1
        }
        position += 8
        while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
        guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { return nil }
        position += 1
        while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
        guard position < bytes.count, bytes[position].isQuote else { return nil }
        let start = position + 1
        let end = bytes.position(of: bytes[position], from: start)
        guard end < bytes.count else { return nil }
        let label = bytes.copy(start..<end)
        guard !label.contains(where: { $0 <= 0x20 }),
            let name = EncodingLabel.name(of: label)
        else { return nil }
        return Declaration(name: declared(name), source: .xmlDeclaration, label: start..<end)
    }
}
