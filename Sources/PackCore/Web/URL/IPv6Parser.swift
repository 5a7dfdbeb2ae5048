/// Reads the text between the brackets of an IPv6 host (URL standard, "IPv6 parser").
struct IPv6Parser {
    private let bytes: ArraySlice<UInt8>
    private var pieces = [UInt16](repeating: 0, count: 8)
    private var count = 0
    /// The number of pieces before the `::`.
    private var compression: Int?

    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    private var current: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    mutating func parse() -> IPv6Address? {
        if current == UInt8(ascii: ":") {
            guard bytes.dropFirst().first == UInt8(ascii: ":") else { return nil }
            position += 2
            count = 1
            compression = 1
        }
        while let byte = current {
            if count == 8 { return nil }
            if byte == UInt8(ascii: ":") {
                if compression != nil { return nil }
                position += 1
                count += 1
                compression = count
                continue
            }
            guard let isLast = piece() else { return nil }
            if isLast { break }
        }
        return address()
    }

    /// Reads one piece and the colon after it, or a final IPv4 address.
    ///
    /// - Returns: Whether the input has ended, `nil` for failure.
    private mutating func piece() -> Bool? {
        let start = position
        var value: UInt16 = 0
        while position - start < 4, let digit = current.flatMap(hexadecimalDigit) {
            value = value << 4 | UInt16(digit)
            position += 1
        }
        let length = position - start
        if current == UInt8(ascii: ".") {
            if length == 0 { return nil }
            position = start
            if count > 6 { return nil }
            return ipv4() ? true : nil
        }
        if current == UInt8(ascii: ":") {
            position += 1
            if current == nil { return nil }
        } else if current != nil {
            return nil
        }
        pieces[count] = value
        count += 1
        return false
    }

    private mutating func ipv4() -> Bool {
        var seen = 0
        while current != nil {
            if seen > 0 {
                guard current == UInt8(ascii: "."), seen < 4 else { return false }
                position += 1
            }
            guard let part = ipv4Part() else { return false }
            pieces[count] = pieces[count] << 8 | part
            seen += 1
            if seen == 2 || seen == 4 { count += 1 }
        }
        return seen == 4
    }

    private mutating func ipv4Part() -> UInt16? {
        var value: UInt16?
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            let digit = UInt16(byte - UInt8(ascii: "0"))
            if value == 0 { return nil }
            let next = (value ?? 0) * 10 + digit
            if next > 255 { return nil }
            value = next
            position += 1
        }
        return value
    }

    /// The address, with the pieces after the `::` moved to the end.
    private mutating func address() -> IPv6Address? {
        guard let compression else {
            return count == 8 ? IPv6Address(pieces: pieces) : nil
        }
        let moved = pieces[compression..<max(compression, count)]
        let head = pieces[..<compression]
        let zeros = [UInt16](repeating: 0, count: max(0, 8 - head.count - moved.count))
        return IPv6Address(pieces: Array(head + zeros + moved))
    }
}
