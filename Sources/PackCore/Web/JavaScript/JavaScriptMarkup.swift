/// Finds the URLs in markup and style sheets that a string or template contains.
///
/// This is not an HTML reader: it knows only attributes that load something, and accepts only
/// values that are complete in the literal. A template's pieces are read in sequence, so a tag may
/// continue after a substitution.
struct JavaScriptMarkup {
    /// A URL that the markup loads.
    struct Address {
        /// Its bytes in the script.
        let range: Range<Int>
        let value: [UInt8]
        /// Whether the element replaces or hides itself if the file is missing.
        var isHandled = false
    }

    private enum Tag {
        /// `img`, `script`, `video` and other elements that load their `src`.
        case source
        case link
        /// `object`.
        case object
        /// `use` and `image` of SVG.
        case vector
        case other
    }

    /// The tag around the current position; `nil` between tags.
    private var tag: Tag?
    /// The quote of an attribute's unfinished value.
    private var openQuote: UInt8?
    private var isStyleSheet = false
    /// Whether the tag has a handler for a missing file.
    private var isHandled = false
    /// The number of addresses found before the tag.
    private var firstOfTag = 0
    private var linked: Range<Int>?
    private(set) var found: [Address] = []

    private static let mostAddresses = 64

    /// The possible content of a literal.
    struct Content: OptionSet {
        let rawValue: UInt8
        /// URLs of markup or a style sheet.
        static let addresses = Content(rawValue: 1)
        /// The code of a worker.
        static let workerCode = Content(rawValue: 2)
    }

    /// The possible content of a literal; most are empty, and are not read.
    static func content(of source: Span<UInt8>, _ content: Range<Int>) -> Content {
        var found: Content = []
        guard content.count >= 7 else { return found }
        for index in content.lowerBound &+ 3..<content.upperBound {
            switch source[index] {
            case UInt8(ascii: "="):
                let isAttribute =
                    switch source[index &- 1] {
                    case UInt8(ascii: "c"): source.holds("src", at: index &- 3)
                    case UInt8(ascii: "f"): source.holds("href", at: index &- 4)
                    case UInt8(ascii: "t"): source.holds("srcset", at: index &- 6)
                    case UInt8(ascii: "r"): source.holds("poster", at: index &- 6)
                    default: false
                    }
                if isAttribute { found.insert(.addresses) }
            case UInt8(ascii: "("):
                if source.holds("url", at: index &- 3) {
                    found.insert(.addresses)
                } else if source.holds("importScripts", at: index &- 13)
                    || source.holds("fetch", at: index &- 5)
                {
                    found.insert(.workerCode)
                }
            default: break
            }
        }
        return found
    }

    /// Reads a literal, or the next piece of a template.
    mutating func read(_ source: Span<UInt8>, _ content: Range<Int>) {
        found.removeAll(keepingCapacity: true)
        firstOfTag = 0
        var index = content.lowerBound
        let end = content.upperBound
        if let quote = openQuote {
            while index < end, source[index] != quote { index &+= 1 }
            guard index < end else { return }
            openQuote = nil
            index &+= 1
        }
        while index < end {
            if tag != nil {
                index = attribute(source, index, end)
            } else if source[index] == UInt8(ascii: "<") {
                index = startTag(source, index &+ 1, end)
            } else {
                if source[index] == UInt8(ascii: "(") { style(source, index, end) }
                index &+= 1
            }
        }
        finishLink(source)
    }

    /// Reads the name of a tag.
    ///
    /// - Returns: The start of the tag's attributes.
    private mutating func startTag(_ source: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
        var index = start
        while index < end, JavaScriptByte.isName(source[index]) { index &+= 1 }
        guard index > start, !JavaScriptByte.isDigit(source[start]) else { return start }
        tag = Self.tag(source.extracting(start..<index))
        isStyleSheet = false
        isHandled = false
        firstOfTag = found.count
        linked = nil
        return index
    }

    private static func tag(_ name: Span<UInt8>) -> Tag {
        func `is`(_ text: StaticString) -> Bool {
            name.count == text.utf8CodeUnitCount && name.holds(text, at: 0)
        }
        switch name[0] {
        case UInt8(ascii: "i"):
            if `is`("img") || `is`("input") || `is`("iframe") { return .source }
            return `is`("image") ? .vector : .other
        case UInt8(ascii: "s"): return `is`("script") || `is`("source") ? .source : .other
        case UInt8(ascii: "v"): return `is`("video") ? .source : .other
        case UInt8(ascii: "a"): return `is`("audio") ? .source : .other
        case UInt8(ascii: "t"): return `is`("track") ? .source : .other
        case UInt8(ascii: "e"): return `is`("embed") ? .source : .other
        case UInt8(ascii: "l"): return `is`("link") ? .link : .other
        case UInt8(ascii: "o"): return `is`("object") ? .object : .other
        case UInt8(ascii: "u"): return `is`("use") ? .vector : .other
        default: return .other
        }
    }

    // MARK: - Attributes

    /// Reads one attribute, or the end of the tag.
    private mutating func attribute(_ source: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
        var index = Self.skipSpace(source, start, end)
        guard index < end else { return end }
        if source[index] == UInt8(ascii: ">") {
            finishLink(source)
            tag = nil
            return index &+ 1
        }
        let name = index
        while index < end, Self.isAttributeName(source[index]) { index &+= 1 }
        guard index > name else { return index &+ 1 }
        let nameEnd = index
        index = Self.skipSpace(source, index, end)
        guard index < end, source[index] == UInt8(ascii: "=") else { return index }
        index &+= 1
        while index < end, source[index] <= 0x20 { index &+= 1 }
        guard index < end else { return end }
        // The quote may be escaped for the string around it.
        if source[index] == UInt8(ascii: "\\"), index &+ 1 < end { index &+= 1 }
        let quote = source[index]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let value = index &+ 1
            index = value
            while index < end, source[index] != quote { index &+= 1 }
            guard index < end else {
                openQuote = quote
                return end
            }
            let isEscaped = index > value && source[index &- 1] == UInt8(ascii: "\\")
            take(source, name..<nameEnd, value..<(isEscaped ? index &- 1 : index))
            return index &+ 1
        }
        let value = index
        while index < end, source[index] > 0x20, source[index] != UInt8(ascii: ">") { index &+= 1 }
        if index < end { take(source, name..<nameEnd, value..<index) }
        return index
    }

    private static func skipSpace(_ source: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
        var index = start
        while index < end {
            if source[index] <= 0x20 || source[index] == UInt8(ascii: "/") {
                index &+= 1
            } else if source[index] == UInt8(ascii: "\\"), index &+ 1 < end,
                source[index &+ 1] <= 0x20 || source[index &+ 1] == UInt8(ascii: "n")
                    || source[index &+ 1] == UInt8(ascii: "t")
                    || source[index &+ 1] == UInt8(ascii: "r")
            {
                index &+= 2
            } else {
                break
            }
        }
        return index
    }

    private static func isAttributeName(_ byte: UInt8) -> Bool {
        JavaScriptByte.isName(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ":")
            || byte == UInt8(ascii: "@")
    }

    private mutating func take(_ source: Span<UInt8>, _ name: Range<Int>, _ value: Range<Int>) {
        let bytes = source.extracting(name)
        func `is`(_ text: StaticString) -> Bool {
            name.count == text.utf8CodeUnitCount && bytes.holds(text, at: 0)
        }
        if `is`("onerror"), tag != .other {
            let code = source.extracting(value)
            isHandled =
                code.contains("src") || code.contains("href") || code.contains("display")
                || code.contains("remove") || code.contains("hidden") || code.contains("visibility")
            if isHandled { for index in firstOfTag..<found.count { found[index].isHandled = true } }
            return
        }
        switch tag {
        case .source:
            if `is`("src") || `is`("poster") { return add(source, value) }
            if `is`("srcset") { return addCandidates(source, value) }
        case .link:
            if `is`("rel") { isStyleSheet = source.extracting(value).contains("stylesheet") }
            if `is`("href") { linked = value }
        case .object: if `is`("data") { return add(source, value) }
        case .vector: if `is`("href") || `is`("xlink:href") { return add(source, value) }
        case .other, nil: break
        }
        if `is`("style") {
            for index in value where source[index] == UInt8(ascii: "(") {
                style(source, index, value.upperBound)
            }
        }
    }

    /// Adds the URL of a link if it is a style sheet; `rel` may follow `href`.
    private mutating func finishLink(_ source: Span<UInt8>) {
        if isStyleSheet, let linked { add(source, linked) }
        linked = nil
    }

    // MARK: - Values

    /// `url(…)`, with the parenthesis at a position.
    private mutating func style(_ source: Span<UInt8>, _ open: Int, _ end: Int) {
        guard source.holds("url", at: open &- 3) else { return }
        var start = open &+ 1
        while start < end, source[start] <= 0x20 { start &+= 1 }
        if start < end, source[start] == UInt8(ascii: "\\") { start &+= 1 }
        guard start < end else { return }
        let quote = source[start]
        let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        if isQuoted { start &+= 1 }
        let closing = isQuoted ? quote : UInt8(ascii: ")")
        var index = start
        while index < end, source[index] != closing, source[index] != UInt8(ascii: ")") {
            index &+= 1
        }
        guard index < end else { return }
        while index > start, source[index &- 1] <= 0x20 || source[index &- 1] == UInt8(ascii: "\\")
        {
            index &-= 1
        }
        add(source, start..<index)
    }

    private mutating func addCandidates(_ source: Span<UInt8>, _ range: Range<Int>) {
        let value = range.map { source[$0] }
        guard !value.contains(UInt8(ascii: "\\")) else { return }
        for candidate in SrcsetCandidate.parse(value) where candidate.isValid {
            add(
                source,
                range.lowerBound &+ candidate.url.lowerBound..<range.lowerBound
                    &+ candidate.url.upperBound)
        }
    }

    private mutating func add(_ source: Span<UInt8>, _ range: Range<Int>) {
        guard !range.isEmpty, range.count <= 2048, found.count < Self.mostAddresses else { return }
        var value = JavaScriptString.decode(source, range)
        let isComplete = value.allSatisfy {
            switch $0 {
            case 0...0x20, UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "<"),
                UInt8(ascii: ">"), UInt8(ascii: "$"), UInt8(ascii: "["), UInt8(ascii: "]"),
                UInt8(ascii: "*"), UInt8(ascii: "|"), UInt8(ascii: "^"), UInt8(ascii: "`"):
                false
            default: true
            }
        }
        guard isComplete else { return }
        if let ampersand = value.firstIndex(of: UInt8(ascii: "&")),
            value[ampersand...].starts(with: "&amp;".utf8)
        {
            value.removeSubrange(ampersand + 1..<ampersand + 5)
        }
        found.append(Address(range: range, value: value, isHandled: isHandled))
    }
}

extension Span<UInt8> {
    /// Whether the bytes contain a text.
    func contains(_ text: StaticString) -> Bool {
        for start in 0..<Swift.max(0, count &- text.utf8CodeUnitCount &+ 1)
        where holds(text, at: start) {
            return true
        }
        return false
    }
}
