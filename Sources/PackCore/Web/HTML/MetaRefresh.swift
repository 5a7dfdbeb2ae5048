/// The value of `<meta http-equiv=refresh>` (HTML 4.2.5.3, "shared declarative refresh steps").
package struct MetaRefresh: Equatable, Sendable {
    /// The delay in whole seconds.
    package let seconds: Int
    /// The range of the URL in the decoded value; `nil` if the page reloads itself.
    package let url: Range<Int>?

    /// The longest delay that is represented, in seconds; more than a century.
    private static let longest = 1 << 32

    /// Reads a decoded `content` value; `nil` if browsers ignore it.
    package init?(_ value: [UInt8]) {
        var position = Self.afterSpace(value, 0)
        var seconds = 0
        let digits = position
        while position < value.count, let digit = value[position].digit(hexadecimal: false) {
            seconds = min(seconds * 10 + Int(digit), Self.longest)
            position += 1
        }
        // ".5" is read as 0.
        guard position > digits || position < value.count && value[position] == UInt8(ascii: ".")
        else { return nil }
        while position < value.count,
            value[position].isASCIIDigit || value[position] == UInt8(ascii: ".")
        {
            position += 1
        }
        self.seconds = seconds
        guard position < value.count else {
            url = nil
            return
        }
        guard value[position].isHTMLSpace || Self.isSeparator(value[position]) else { return nil }
        position = Self.afterSpace(value, position)
        if position < value.count, Self.isSeparator(value[position]) { position += 1 }
        position = Self.afterSpace(value, position)
        url = position < value.count ? Self.url(value, from: position) : nil
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",")
    }

    private static func afterSpace(_ value: [UInt8], _ start: Int) -> Int {
        value[start...].firstIndex { !$0.isHTMLSpace } ?? value.count
    }

    /// The URL after `url=`, which is optional, without its quotes.
    private static func url(_ value: [UInt8], from start: Int) -> Range<Int> {
        var position = start
        for letter in "url".utf8 {
            guard position < value.count, value[position].asciiLowercased == letter else {
                // A quote is allowed here only at the very start.
                return position == start ? unquoted(value, from: start) : start..<value.count
            }
            position += 1
        }
        position = afterSpace(value, position)
        guard position < value.count, value[position] == UInt8(ascii: "=") else {
            return start..<value.count
        }
        return unquoted(value, from: afterSpace(value, position + 1))
    }

    private static func unquoted(_ value: [UInt8], from start: Int) -> Range<Int> {
        guard start < value.count, value[start].isQuote else { return start..<value.count }
        let close = value[(start + 1)...].firstIndex(of: value[start]) ?? value.count
        return (start + 1)..<close
    }
}
