/// Why a JSON text was refused, and at which byte.
package struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Reason: Equatable, Sendable {
        case unexpectedEnd, unexpectedByte, trailingBytes, tooDeep, invalidUTF8, byteOrderMark
        case duplicateName(String)
        case numberTooLarge, invalidEscape, controlInString
        case tooManyMembers, elementTooLarge
    }

    package let reason: Reason
    /// Offset in bytes from the start of the text.
    package let offset: Int

    package var description: String {
        let what =
            switch reason {
            case .unexpectedEnd: "the text ends too early"
            case .unexpectedByte: "this is not JSON"
            case .trailingBytes: "something follows the value"
            case .tooDeep: "values are nested deeper than \(JSONParser.deepest)"
            case .invalidUTF8: "the text is not UTF-8"
            case .byteOrderMark: "the text starts with a byte order mark"
            case .duplicateName(let name):
                "the key \"\(printable(name.utf8))\" stands twice in one object"
            case .numberTooLarge: "a number is beyond 2^53 - 1"
            case .invalidEscape: "a string has an escape that JSON does not know"
            case .controlInString: "a string holds a raw control character"
            case .tooManyMembers: "an object or list has more members than are read"
            case .elementTooLarge: "a value is larger than \(JSONParser.largestElement >> 10) KiB"
            }
        return "\(what) (byte \(offset))"
    }
}

/// A strict reader of RFC 8259 texts.
///
/// Foundation's `JSONDecoder` merges duplicate keys silently and takes numbers it cannot hold; a client
/// and a publisher that disagree on either install different things.
package struct JSONParser {
    /// The deepest nesting that is read.
    static let deepest = 16

    /// The most bytes of a value that is read as a whole while a text is read piece by piece.
    static let largestElement = 64 << 10

    private let bytes: [UInt8]
    private var position = 0
    /// Where reading stops.
    private var end: Int

    /// Reads one JSON value that fills the whole text, white space around it allowed.
    package static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw JSONError(reason: .byteOrderMark, offset: 0)
        }
        var parser = JSONParser(bytes: bytes)
        parser.skipSpace()
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.position == bytes.count else { throw parser.error(.trailingBytes) }
        return value
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        end = bytes.count
    }

    private func error(_ reason: JSONError.Reason) -> JSONError {
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

    private func peek() throws(JSONError) -> UInt8 {
        guard position < end else {
            throw error(end < bytes.count ? .elementTooLarge : .unexpectedEnd)
        }
        return bytes[position]
    }

    private mutating func expect(_ text: StaticString) throws(JSONError) {
        for byte in text.description.utf8 {
            guard try peek() == byte else { throw error(.unexpectedByte) }
            position += 1
        }
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        guard depth < Self.deepest else { throw error(.tooDeep) }
        switch try peek() {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"):
            try expect("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try expect("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try expect("null")
            return .null
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        try expect("{")
        var members: [JSONValue.Member] = []
        var seen: Set<[UInt8]> = []
        skipSpace()
        if try peek() == UInt8(ascii: "}") {
            position += 1
            return .object([])
        }
        while true {
            skipSpace()
            let start = position
            let name = try string()
            guard seen.insert(Array(name.utf8)).inserted else {
                throw JSONError(reason: .duplicateName(name), offset: start)
            }
            skipSpace()
            try expect(":")
            skipSpace()
            members.append(.init(name, try value(depth: depth + 1)))
            skipSpace()
            if try peek() == UInt8(ascii: "}") { break }
            try expect(",")
        }
        position += 1
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        try expect("[")
        var elements: [JSONValue] = []
        skipSpace()
        if try peek() == UInt8(ascii: "]") {
            position += 1
            return .array([])
        }
        while true {
            skipSpace()
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if try peek() == UInt8(ascii: "]") { break }
            try expect(",")
        }
        position += 1
        return .array(elements)
    }

    private mutating func string() throws(JSONError) -> String {
        try expect("\"")
        var content: [UInt8] = []
        while true {
            let byte = try peek()
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: content, as: UTF8.self)
            case UInt8(ascii: "\\"):
                position += 1
                try escape(into: &content)
            case 0..<0x20: throw error(.controlInString)
            case 0..<0x80:
                content.append(byte)
                position += 1
            default:
                let (scalar, length) = decodeScalar(bytes, at: position)
                guard scalar != nil else { throw error(.invalidUTF8) }
                content += bytes[position..<(position + length)]
                position += length
            }
        }
    }

    private mutating func escape(into content: inout [UInt8]) throws(JSONError) {
        let byte = try peek()
        let plain: [UInt8: UInt8] = [
            UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F,
            UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
            UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
        ]
        if let character = plain[byte] {
            content.append(character)
            position += 1
            return
        }
        guard byte == UInt8(ascii: "u") else { throw error(.invalidEscape) }
        position += 1
        var unit = try fourDigits()
        if (0xD800..<0xDC00).contains(unit) {
            try expect("\\u")
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
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            try digits()
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
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
        while position < bytes.count,
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position])
        {
            position += 1
        }
        guard position > start else {
            throw position < bytes.count ? error(.unexpectedByte) : error(.unexpectedEnd)
        }
    }
}

extension JSONParser {
    /// Reads an object whose long lists are handed on element by element: they are never in memory as a tree,
    /// which takes up to thirty times as much as the text.
    ///
    /// - Parameters:
    ///   - lists: the members that are read so, with how many elements each may have.
    ///   - receive: told the member, the element's name where the member is an object, and its value. Names
    ///     of such an object that come twice are for the caller to find.
    /// - Returns: the other members; of a list that was read so an empty one.
    static func parse(
        _ bytes: [UInt8], lists: [String: Int],
        receive: (_ member: String, _ name: String?, JSONValue) throws -> Void
    ) throws -> JSONValue {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw JSONError(reason: .byteOrderMark, offset: 0)
        }
        var parser = JSONParser(bytes: bytes)
        var members: [JSONValue.Member] = []
        var seen: Set<[UInt8]> = []
        parser.skipSpace()
        // What is no object is small, or it is refused.
        guard try parser.peek() == UInt8(ascii: "{") else {
            return try parser.bounded { parser throws(JSONError) in
                try parser.value(depth: 0)
            }
        }
        try parser.forEach(in: "{", "}") { parser in
            guard seen.count < 1000 else { throw parser.error(.tooManyMembers) }
            let start = parser.position
            let name = try parser.name()
            guard seen.insert(Array(name.utf8)).inserted else {
                throw JSONError(reason: .duplicateName(name), offset: start)
            }
            guard let limit = lists[name] else {
                let value = try parser.bounded { parser throws(JSONError) in
                    try parser.value(depth: 1)
                }
                members.append(.init(name, value))
                return
            }
            members.append(.init(name, try parser.list(name, atMost: limit, receive)))
        }
        parser.skipSpace()
        guard parser.position == bytes.count else { throw parser.error(.trailingBytes) }
        return .object(members)
    }

    private mutating func list(
        _ member: String, atMost limit: Int,
        _ receive: (_ member: String, _ name: String?, JSONValue) throws -> Void
    ) throws -> JSONValue {
        let first = try peek()
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
            return try bounded { parser throws(JSONError) in try parser.value(depth: 1) }
        }
        let isObject = first == UInt8(ascii: "{")
        var count = 0
        try forEach(in: isObject ? "{" : "[", isObject ? "}" : "]") { parser in
            guard count < limit else { throw parser.error(.tooManyMembers) }
            count += 1
            let (name, value) = try parser.bounded { parser throws(JSONError) in
                (isObject ? try parser.name() : nil, try parser.value(depth: 2))
            }
            try receive(member, name, value)
        }
        return isObject ? .object([]) : .array([])
    }

    /// A member's name with its colon.
    private mutating func name() throws(JSONError) -> String {
        let name = try string()
        skipSpace()
        try expect(":")
        skipSpace()
        return name
    }

    /// Calls `body` where each element of a container starts.
    private mutating func forEach(
        in open: StaticString, _ close: Unicode.Scalar,
        _ body: (inout JSONParser) throws -> Void
    ) throws {
        try expect(open)
        skipSpace()
        if try peek() == UInt8(ascii: close) {
            position += 1
            return
        }
        while true {
            skipSpace()
            try body(&self)
            skipSpace()
            if try peek() == UInt8(ascii: close) { break }
            try expect(",")
        }
        position += 1
    }

    /// Reads what may be no longer than ``largestElement``.
    private mutating func bounded<Value>(
        _ body: (inout JSONParser) throws(JSONError) -> Value
    ) throws(JSONError) -> Value {
        end = min(bytes.count, position + Self.largestElement)
        let value = try body(&self)
        end = bytes.count
        return value
    }
}
