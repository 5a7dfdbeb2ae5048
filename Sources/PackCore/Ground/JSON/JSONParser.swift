/// A strict reader of JSON (docs/sources.md#rfc8259).
///
/// Foundation's `JSONDecoder` silently merges duplicate keys and accepts numbers that it cannot
/// represent. A client and a publisher that read these differently would install different things.
package struct JSONParser {
    /// The deepest nesting accepted.
    static let deepest = 16

    private let bytes: [UInt8]
    private(set) var position = 0
    /// The position where reading stops: the end of the text, or of a bounded value.
    private var end: Int

    /// Reads one JSON value that fills the whole text, with white space around it.
    package static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        var parser = try JSONParser(bytes)
        let value = try parser.value(depth: 0)
        try parser.finish()
        return value
    }

    /// Starts at the first value of a text.
    init(_ bytes: [UInt8]) throws(JSONError) {
        self.bytes = bytes
        end = bytes.count
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { throw error(.byteOrderMark) }
        skipSpace()
    }

    /// Throws if anything but white space follows the value.
    mutating func finish() throws(JSONError) {
        skipSpace()
        guard position == bytes.count else { throw error(.trailingBytes) }
    }

    /// Reads a value of at most `limit` bytes.
    mutating func bounded<Value>(
        by limit: Int, _ body: (inout JSONParser) throws(JSONError) -> Value
    ) throws(JSONError) -> Value {
        end = limit < bytes.count - position ? position + limit : bytes.count
        let value = try body(&self)
        end = bytes.count
        return value
    }

    func error(_ reason: JSONError.Reason) -> JSONError {
        JSONError(reason: reason, offset: position)
    }

    private mutating func skipSpace() {
        while position < end {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    func peek() throws(JSONError) -> UInt8 {
        guard position < end else {
            throw error(end < bytes.count ? .elementTooLarge : .unexpectedEnd)
        }
        return bytes[position]
    }

    private mutating func expect(_ byte: UInt8) throws(JSONError) {
        guard try peek() == byte else { throw error(.unexpectedByte) }
        position += 1
    }

    private mutating func expect(word text: StaticString) throws(JSONError) {
        for byte in text.description.utf8 {
            guard try peek() == byte else { throw error(.unexpectedByte) }
            position += 1
        }
    }

    mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        guard depth < Self.deepest else { throw error(.tooDeep) }
        switch try peek() {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"):
            try expect(word: "true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try expect(word: "false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try expect(word: "null")
            return .null
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        var members: [JSONValue.Member] = []
        var names = SeenNames()
        var isMore = try enter(UInt8(ascii: "{"))
        while isMore {
            let name = try newName(&names, after: members)
            members.append(.init(name, try value(depth: depth + 1)))
            isMore = try next(in: UInt8(ascii: "{"))
        }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        var elements: [JSONValue] = []
        var isMore = try enter(UInt8(ascii: "["))
        while isMore {
            elements.append(try value(depth: depth + 1))
            isMore = try next(in: UInt8(ascii: "["))
        }
        return .array(elements)
    }

    /// Enters an object or array, which starts with `open`.
    ///
    /// - Returns: Whether it has an element; the position is then at its start.
    mutating func enter(_ open: UInt8) throws(JSONError) -> Bool {
        try expect(open)
        skipSpace()
        return try !isLeft(open)
    }

    /// Continues after an element.
    ///
    /// - Returns: Whether another one follows; the position is then at its start.
    mutating func next(in open: UInt8) throws(JSONError) -> Bool {
        skipSpace()
        if try isLeft(open) { return false }
        try expect(UInt8(ascii: ","))
        skipSpace()
        return true
    }

    private mutating func isLeft(_ open: UInt8) throws(JSONError) -> Bool {
        // In ASCII, each closing bracket follows its opening bracket by two.
        guard try peek() == open + 2 else { return false }
        position += 1
        return true
    }

    /// Reads a member's name, which must be new in its object, and the colon.
    mutating func newName(
        _ names: inout SeenNames, after members: [JSONValue.Member]
    ) throws(JSONError) -> String {
        let start = position
        let name = try string()
        guard names.insert(name, after: members) else {
            throw JSONError(reason: .duplicateName(name), offset: start)
        }
        try colon()
        return name
    }

    /// Reads a member's name and the colon.
    mutating func anyName() throws(JSONError) -> String {
        let name = try string()
        try colon()
        return name
    }

    private mutating func colon() throws(JSONError) {
        skipSpace()
        try expect(UInt8(ascii: ":"))
        skipSpace()
    }

    private mutating func string() throws(JSONError) -> String {
        try expect(UInt8(ascii: "\""))
        // Most strings have no escape, so their bytes are used unchanged.
        var start = position
        var content: [UInt8] = []
        while true {
            position = endOfPlain()
            let byte = try peek()
            switch byte {
            case UInt8(ascii: "\""):
                let rest = bytes[start..<position]
                position += 1
                guard !content.isEmpty else { return String(decoding: rest, as: UTF8.self) }
                return String(decoding: content + rest, as: UTF8.self)
            case UInt8(ascii: "\\"):
                content += bytes[start..<position]
                position += 1
                try escape(into: &content)
                start = position
            case 0..<0x20: throw error(.controlInString)
            default:
                let (scalar, length) = decodeScalar(bytes, at: position)
                guard scalar != nil else { throw error(.invalidUTF8) }
                position += length
            }
        }
    }

    /// The end of the ASCII characters before a quote or an escape.
    private func endOfPlain() -> Int {
        let text = bytes.span
        var index = position
        while index < end, (0x20..<0x80).contains(text[index]), text[index] != UInt8(ascii: "\""),
            text[index] != UInt8(ascii: "\\")
        {
            index += 1
        }
        return index
    }

    private mutating func escape(into content: inout [UInt8]) throws(JSONError) {
        let byte = try peek()
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"): try codePoint(into: &content)
        default:
            position -= 1
            throw error(.invalidEscape)
        }
    }

    private mutating func codePoint(into content: inout [UInt8]) throws(JSONError) {
        var unit = try fourDigits()
        if (0xD800..<0xDC00).contains(unit) {
            try expect(word: "\\u")
            let low = try fourDigits()
            guard (0xDC00..<0xE000).contains(low) else { throw error(.invalidEscape) }
            unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(unit) else { throw error(.invalidEscape) }
        content += Array(String(scalar).utf8)
    }

    private mutating func fourDigits() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            let byte = try peek()
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error(.invalidEscape)
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = position
        if try peek() == UInt8(ascii: "-") { position += 1 }
        if try peek() == UInt8(ascii: "0") { position += 1 } else { try digits() }
        var isInteger = true
        if position < end, bytes[position] == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            try digits()
        }
        if position < end, bytes[position] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            position += 1
            let sign = try peek()
            if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard isInteger else { return .decimal(text) }
        guard let value = Int(text), value.magnitude < 1 << 53 else {
            throw JSONError(reason: .numberTooLarge, offset: start)
        }
        return .integer(value)
    }

    private mutating func digits() throws(JSONError) {
        let start = position
        while position < end,
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position])
        {
            position += 1
        }
        // A number ends at a byte that is not a digit, at the end of the text, or at its own limit.
        if position == start || position == end && end < bytes.count {
            _ = try peek()
            throw error(.unexpectedByte)
        }
    }
}
