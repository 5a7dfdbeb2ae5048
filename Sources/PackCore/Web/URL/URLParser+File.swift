/// `file` URLs, with the standard's rules for Windows drive letters.
extension URLParser {
    /// File state.
    mutating func file() -> Bool {
        url.host = .empty
        let fileBase = base.flatMap { SpecialScheme.isFile($0.scheme) ? $0 : nil }
        if isSlash(current) {
            position += 1
            return fileAfterSlash(base: fileBase)
        }
        guard let fileBase else { return path() }
        url = fileBase
        url.fragment = nil
        switch current {
        case UInt8(ascii: "?"): return query()
        case UInt8(ascii: "#"): return fragment()
        case nil: return true
        default:
            url.query = nil
            if startsWithDriveLetter {
                url.path = []
            } else {
                shortenPath()
            }
            return path()
        }
    }

    /// File slash state.
    private mutating func fileAfterSlash(base: URLRecord?) -> Bool {
        if isSlash(current) {
            position += 1
            return fileHost()
        }
        if let base {
            url.host = base.host
            if !startsWithDriveLetter, let first = base.pathComponents.first,
                Self.isDriveLetter(first), first.last == UInt8(ascii: ":")
            {
                url.path = [UInt8(ascii: "/")] + first
            }
        }
        return path()
    }

    /// File host state.
    private mutating func fileHost() -> Bool {
        let end = authorityEnd()
        let name = input[position..<end]
        if Self.isDriveLetter(name) {
            // There is no host: the drive letter is the first component of the path.
            return path()
        }
        if !name.isEmpty {
            guard let host = parseHost(position..<end) else { return false }
            url.host = host == .domain(Array("localhost".utf8)) ? .empty : host
        }
        position = end
        return pathStart()
    }

    /// Whether the rest of the input starts with a Windows drive letter as a whole component.
    private var startsWithDriveLetter: Bool {
        let rest = input[position...]
        guard Self.isDriveLetter(rest.prefix(2)) else { return false }
        guard let next = rest.dropFirst(2).first else { return true }
        return isSlash(next) || next == UInt8(ascii: "?") || next == UInt8(ascii: "#")
    }

    /// A letter and `:` or `|`.
    static func isDriveLetter(_ component: ArraySlice<UInt8>) -> Bool {
        guard component.count == 2, let letter = component.first, let mark = component.last else {
            return false
        }
        return isASCIILetter(letter) && (mark == UInt8(ascii: ":") || mark == UInt8(ascii: "|"))
    }
}
