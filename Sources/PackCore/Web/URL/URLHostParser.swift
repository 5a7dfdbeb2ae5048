/// Reads the host of a URL (URL standard, "host parsing").
struct URLHostParser {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// The host; `nil` on failure.
    func parse(isOpaque: Bool) -> URLHost? {
        if bytes.first == UInt8(ascii: "[") {
            guard bytes.last == UInt8(ascii: "]") else { return nil }
            var parser = IPv6Parser(bytes.dropFirst().dropLast())
            return parser.parse().map { .ipv6($0) }
        }
        return isOpaque ? opaqueHost() : domain()
    }

    // MARK: Opaque hosts

    private func opaqueHost() -> URLHost? {
        if bytes.contains(where: Self.isForbiddenInHost) { return nil }
        if bytes.isEmpty { return .empty }
        return .opaque(PercentEncoding.encode(bytes, .control))
    }

    /// URL standard, "forbidden host code point".
    private static func isForbiddenInHost(_ byte: UInt8) -> Bool {
        switch byte {
        case 0, 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: "#"), UInt8(ascii: "/"), UInt8(ascii: ":"),
            UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "?"), UInt8(ascii: "@"),
            UInt8(ascii: "["), UInt8(ascii: "\\"), UInt8(ascii: "]"), UInt8(ascii: "^"),
            UInt8(ascii: "|"):
            true
        default: false
        }
    }

    // MARK: Domains

    private func domain() -> URLHost? {
        let domain = PercentEncoding.decode(bytes).map {
            (0x41...0x5A).contains($0) ? $0 | 0x20 : $0
        }
        let isForbidden = domain.contains {
            $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "%") || Self.isForbiddenInHost($0)
        }
        if domain.isEmpty || isForbidden || !Self.isMappable(domain) { return nil }
        return endsInNumber(domain) ? ipv4(domain) : .domain(domain)
    }

    /// Whether the bytes are UTF-8 without U+FFFD, which no mapping accepts.
    private static func isMappable(_ domain: [UInt8]) -> Bool {
        var index = 0
        while index < domain.count {
            let sequence = UTF8Sequence(in: domain[...], at: index)
            guard let scalar = sequence.scalar, scalar != "\u{FFFD}" else { return false }
            index += sequence.length
        }
        return true
    }

    // MARK: IPv4

    private func endsInNumber(_ domain: [UInt8]) -> Bool {
        var parts = domain.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if parts.last?.isEmpty == true { parts.removeLast() }
        guard let last = parts.last else { return false }
        if !last.isEmpty, last.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
        return IPv4Number(last) != nil
    }

    private func ipv4(_ domain: [UInt8]) -> URLHost? {
        var parts = domain.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if parts.last?.isEmpty == true, parts.count > 1 { parts.removeLast() }
        if parts.count > 4 { return nil }
        var numbers: [UInt64] = []
        for part in parts {
            guard let number = IPv4Number(part) else { return nil }
            numbers.append(number.value)
        }
        guard let last = numbers.popLast(), numbers.allSatisfy({ $0 <= 255 }),
            last < 1 << (8 * UInt64(4 - numbers.count))
        else { return nil }
        var address = UInt32(last)
        for (index, number) in numbers.enumerated() {
            address += UInt32(number) << UInt32(8 * (3 - index))
        }
        return .ipv4(address)
    }
}

/// One part of an IPv4 address: decimal, octal after `0`, hexadecimal after `0x`.
private struct IPv4Number {
    /// Clamped: all values beyond 32 bits are out of range.
    let value: UInt64

    init?(_ part: ArraySlice<UInt8>) {
        guard let first = part.first else { return nil }
        var digits = part
        var radix: UInt64 = 10
        if part.count >= 2, first == UInt8(ascii: "0") {
            let isHexadecimal = part[part.startIndex + 1] | 0x20 == UInt8(ascii: "x")
            radix = isHexadecimal ? 16 : 8
            digits = part.dropFirst(isHexadecimal ? 2 : 1)
        }
        var value: UInt64 = 0
        for byte in digits {
            guard let digit = hexadecimalDigit(byte), digit < radix else { return nil }
            value = min(value * radix + UInt64(digit), 1 << 40)
        }
        self.value = value
    }
}
