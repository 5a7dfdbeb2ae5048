/// The host of a URL (URL standard, "hosts").
package enum URLHost: Hashable, Sendable {
    /// The host of a special URL that is a name, in lower case.
    ///
    /// A browser maps a non-ASCII domain by UTS 46, which needs Unicode tables that packtool does
    /// not include.
    /// Such a domain is stored as UTF-8 with its ASCII letters in lower case; it equals no domain
    /// written as `xn--…`.
    case domain([UInt8])
    case ipv4(UInt32)
    case ipv6(IPv6Address)
    /// The host of a URL that is not special: case and percent-encoding are kept.
    case opaque([UInt8])
    /// The host between the slashes of `file:///x` or `scheme:///x`.
    case empty

    /// Its serialization in lower case, because WebKit compares the hosts of web origins in this
    /// form.
    package var inLowerCase: [UInt8] {
        serialized.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Whether it is this machine: `localhost`, 127.0.0.0/8 or `::1`, but not a name such as
    /// `127.example.com`.
    package var isLoopback: Bool {
        switch self {
        case .domain(let bytes): bytes.elementsEqual("localhost".utf8)
        case .ipv4(let address): address >> 24 == 127
        case .ipv6: serialized.elementsEqual("[::1]".utf8)
        case .opaque, .empty: false
        }
    }

    /// The form in a URL (URL standard, "host serializer").
    package var serialized: [UInt8] {
        switch self {
        case .domain(let bytes), .opaque(let bytes): bytes
        case .ipv4(let address):
            Array(
                [24, 16, 8, 0].map { String(address >> UInt32($0) & 0xFF) }.joined(separator: ".")
                    .utf8)
        case .ipv6(let address): Array("[\(address)]".utf8)
        case .empty: []
        }
    }
}

/// Eight pieces of 16 bits.
package struct IPv6Address: Hashable, Sendable, CustomStringConvertible {
    /// Always eight.
    let pieces: [UInt16]

    /// Lower case, the first longest run of at least two zero pieces as `::` (RFC 5952).
    package var description: String {
        let run = longestZeroRun
        var text = ""
        var index = 0
        while index < pieces.count {
            if let run, run.lowerBound == index {
                text += index == 0 ? "::" : ":"
                index = run.upperBound
                continue
            }
            text += String(pieces[index], radix: 16)
            index += 1
            if index < pieces.count { text += ":" }
        }
        return text
    }

    private var longestZeroRun: Range<Int>? {
        var longest: Range<Int>?
        var start = 0
        while start < pieces.count {
            var end = start
            while end < pieces.count, pieces[end] == 0 { end += 1 }
            if end - start > max(1, longest?.count ?? 0) { longest = start..<end }
            start = end + 1
        }
        return longest
    }
}
