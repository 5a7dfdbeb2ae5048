/// The parts after the host: path, query and fragment.
extension URLParser {
    /// Path start state.
    mutating func pathStart() -> Bool {
        if isSpecial {
            if isSlash(current) { position += 1 }
            return path()
        }
        switch current {
        case UInt8(ascii: "?"): return query()
        case UInt8(ascii: "#"): return fragment()
        case nil: return true
        default:
            if current == UInt8(ascii: "/") { position += 1 }
            return path()
        }
    }

    /// Path state; the position is after the slash.
    mutating func path() -> Bool {
        while true {
            let start = position
            while let byte = current, !isSlash(byte), byte != UInt8(ascii: "?"),
                byte != UInt8(ascii: "#")
            {
                position += 1
            }
            let isLast = !isSlash(current)
            appendComponent(start..<position, isLast: isLast)
            if isLast { break }
            position += 1
        }
        switch current {
        case UInt8(ascii: "?"): return query()
        case UInt8(ascii: "#"): return fragment()
        default: return true
        }
    }

    private mutating func appendComponent(_ range: Range<Int>, isLast: Bool) {
        let component = input[range]
        let dots = Self.dots(component)
        if dots == 2 { shortenPath() }
        if dots > 0 {
            if isLast { url.path.append(UInt8(ascii: "/")) }
            return
        }
        var text = PercentEncoding.encode(input[range], .path)
        if SpecialScheme.isFile(url.scheme), url.path.isEmpty, Self.isDriveLetter(component) {
            text[1] = UInt8(ascii: ":")
        }
        url.path.append(UInt8(ascii: "/"))
        url.path += text
    }

    /// 1 for `.`, 2 for `..`, with each dot literal or as `%2e`; else 0 (single-dot and double-dot
    /// URL path segments).
    private static func dots(_ component: ArraySlice<UInt8>) -> Int {
        guard component.count <= 6 else { return 0 }
        var rest = component
        var dots = 0
        while let first = rest.first {
            if first == UInt8(ascii: ".") {
                rest = rest.dropFirst()
            } else if rest.count >= 3, first == UInt8(ascii: "%"),
                PercentEncoding.value(of: rest.dropFirst()) == UInt8(ascii: ".")
            {
                rest = rest.dropFirst(3)
            } else {
                return 0
            }
            dots += 1
        }
        return dots <= 2 ? dots : 0
    }

    /// Removes the last component of the path, but never a single drive letter ("shorten").
    mutating func shortenPath() {
        if SpecialScheme.isFile(url.scheme), url.path.count == 3,
            Self.isDriveLetter(url.path[1...]), url.path[2] == UInt8(ascii: ":")
        {
            return
        }
        guard let slash = url.path.lastIndex(of: UInt8(ascii: "/")) else { return }
        url.path.removeSubrange(slash...)
    }

    /// Opaque path state.
    mutating func opaquePath() -> Bool {
        url.hasOpaquePath = true
        let start = position
        let end =
            input[start...].firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
            ?? input.count
        url.path = PercentEncoding.encode(input[start..<end], .control)
        // A space that would end the path if query and fragment were removed is encoded.
        if end < input.count, url.path.last == 0x20 {
            url.path.removeLast()
            url.path += "%20".utf8
        }
        position = end
        switch current {
        case UInt8(ascii: "?"): return query()
        case UInt8(ascii: "#"): return fragment()
        default: return true
        }
    }

    /// Query state; the position is at the `?`.
    mutating func query() -> Bool {
        let start = position + 1
        let end = input[start...].firstIndex(of: UInt8(ascii: "#")) ?? input.count
        url.query = PercentEncoding.encode(input[start..<end], isSpecial ? .specialQuery : .query)
        position = end
        return current == nil ? true : fragment()
    }

    /// Fragment state; the position is at the `#`.
    mutating func fragment() -> Bool {
        url.fragment = PercentEncoding.encode(input[(position + 1)...], .fragment)
        position = input.count
        return true
    }
}
