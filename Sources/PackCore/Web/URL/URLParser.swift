/// The basic URL parser of the URL standard, without its state overrides.
///
/// A state of the standard that runs over a component is one method here; the method's comment names
/// it. Failure is `false`.
struct URLParser {
    /// The text, see ``text(of:)``.
    let input: [UInt8]
    let base: URLRecord?

    var url = URLRecord()
    /// Whether the scheme of ``url`` is special; cached, since every byte of a path needs it.
    private(set) var isSpecial = false
    var position = 0

    init(_ original: [UInt8], base: URLRecord?) {
        self.base = base
        input = Self.text(of: original)
    }

    /// The input after the first step of parsing.
    ///
    /// Removes leading and trailing C0 controls and spaces, and tabs and newlines everywhere.
    private static func text(of original: [UInt8]) -> [UInt8] {
        let start = original.firstIndex { $0 > 0x20 } ?? original.endIndex
        let end = original.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? original.endIndex
        let trimmed = original[start..<max(start, end)]
        guard trimmed.contains(where: isTabOrNewline) else {
            return trimmed.count == original.count ? original : Array(trimmed)
        }
        return trimmed.filter { !isTabOrNewline($0) }
    }

    private static func isTabOrNewline(_ byte: UInt8) -> Bool {
        byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    mutating func parse() -> URLRecord? {
        let isParsed: Bool
        if let colon = schemeEnd() {
            setScheme(input[..<colon].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
            position = colon + 1
            isParsed = afterScheme()
        } else {
            isParsed = withoutScheme()
        }
        return isParsed ? url : nil
    }

    // MARK: Looking at the input

    /// The byte at the position, `nil` at the end.
    var current: UInt8? { position < input.count ? input[position] : nil }

    var startsWithTwoSlashes: Bool {
        input[position...].starts(with: "//".utf8)
    }

    /// Whether a byte separates components of a path here: `\` only in special URLs.
    func isSlash(_ byte: UInt8?) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") && isSpecial
    }

    /// The position of the first `/`, `?`, `#` (and `\` in special URLs), or the end.
    func authorityEnd() -> Int {
        input[position...].firstIndex {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
                || $0 == UInt8(ascii: "\\") && isSpecial
        } ?? input.count
    }

    // MARK: Scheme

    /// The position of the colon after a scheme; `nil` if the input has no scheme (scheme start
    /// state, scheme state).
    private func schemeEnd() -> Int? {
        guard let first = input.first, isASCIILetter(first) else { return nil }
        for (index, byte) in input.enumerated() {
            switch byte {
            case UInt8(ascii: ":"): return index
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "."):
                continue
            default:
                if !isASCIILetter(byte) { return nil }
            }
        }
        return nil
    }

    private mutating func setScheme(_ scheme: [UInt8]) {
        url.scheme = scheme
        isSpecial = url.isSpecial
    }

    /// The end of the scheme state.
    private mutating func afterScheme() -> Bool {
        if SpecialScheme.isFile(url.scheme) { return file() }
        if isSpecial {
            if startsWithTwoSlashes {
                position += 2
                return authorityAfterSlashes()
            }
            // Special relative or authority state.
            if let base, base.scheme == url.scheme { return relative(to: base) }
            return authorityAfterSlashes()
        }
        if current == UInt8(ascii: "/") {
            // Path or authority state.
            position += 1
            guard current == UInt8(ascii: "/") else { return path() }
            position += 1
            return authority()
        }
        return opaquePath()
    }

    /// No scheme state.
    private mutating func withoutScheme() -> Bool {
        guard let base else { return false }
        if base.hasOpaquePath {
            guard current == UInt8(ascii: "#") else { return false }
            url = base
            return fragment()
        }
        setScheme(base.scheme)
        return SpecialScheme.isFile(base.scheme) ? file() : relative(to: base)
    }

    // MARK: Relative references

    /// Relative state.
    private mutating func relative(to base: URLRecord) -> Bool {
        if isSlash(current) {
            position += 1
            return relativeAfterSlash(to: base)
        }
        url = base
        url.fragment = nil
        switch current {
        case UInt8(ascii: "?"): return query()
        case UInt8(ascii: "#"): return fragment()
        case nil: return true
        default:
            url.query = nil
            shortenPath()
            return path()
        }
    }

    /// Relative slash state.
    private mutating func relativeAfterSlash(to base: URLRecord) -> Bool {
        if isSpecial, isSlash(current) {
            position += 1
            return authorityAfterSlashes()
        }
        if current == UInt8(ascii: "/") {
            position += 1
            return authority()
        }
        url.username = base.username
        url.password = base.password
        url.host = base.host
        url.port = base.port
        return path()
    }

    // MARK: Authority

    /// Special authority ignore slashes state.
    private mutating func authorityAfterSlashes() -> Bool {
        while let byte = current, byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") {
            position += 1
        }
        return authority()
    }

    /// Authority state: user name and password, then the host.
    private mutating func authority() -> Bool {
        let end = authorityEnd()
        guard let at = input[position..<end].lastIndex(of: UInt8(ascii: "@")) else {
            return host(upTo: end)
        }
        let userinfo = input[position..<at]
        let colon = userinfo.firstIndex(of: UInt8(ascii: ":")) ?? at
        url.username = PercentEncoding.encode(userinfo[..<colon], .userinfo)
        url.password = PercentEncoding.encode(userinfo[colon...].dropFirst(), .userinfo)
        position = at + 1
        if position == end { return false }
        return host(upTo: end)
    }

    /// Host state.
    private mutating func host(upTo end: Int) -> Bool {
        var isInsideBrackets = false
        var hostEnd = end
        scan: for index in position..<end {
            switch input[index] {
            case UInt8(ascii: "["): isInsideBrackets = true
            case UInt8(ascii: "]"): isInsideBrackets = false
            case UInt8(ascii: ":") where !isInsideBrackets:
                hostEnd = index
                break scan
            default: break
            }
        }
        let hasPort = hostEnd < end
        if hostEnd == position, hasPort || isSpecial { return false }
        guard let host = parseHost(position..<hostEnd) else { return false }
        url.host = host
        if hasPort, !port(hostEnd + 1..<end) { return false }
        position = end
        return pathStart()
    }

    /// The host parser.
    func parseHost(_ range: Range<Int>) -> URLHost? {
        URLHostParser(input[range]).parse(isOpaque: !isSpecial)
    }

    /// Port state.
    private mutating func port(_ range: Range<Int>) -> Bool {
        var value = 0
        for index in range {
            let byte = input[index]
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return false }
            // Clamped: a value that is too large remains too large.
            value = min(value * 10 + Int(byte - UInt8(ascii: "0")), 1 << 20)
        }
        if range.isEmpty { return true }
        guard let port = UInt16(exactly: value) else { return false }
        if port != SpecialScheme.defaultPort(of: url.scheme) { url.port = port }
        return true
    }
}

func isASCIILetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20)
}
