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
    private let elements: Elements?

    /// Elements that are not kept.
    private struct Elements {
        let name: String
        let visit: (Int, JSONValue) -> Void
    }

    /// Reads one JSON value that fills the whole text, white space around it allowed.
    package static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        try parse(JSONParser(bytes: bytes))
    }

    /// The same for an object with a long array, whose elements are not kept.
    ///
    /// - Parameters:
    ///   - name: the array's key in the object that is the whole text.
    ///   - visit: takes each element with its number; what follows in the text can still be refused.
    /// - Returns: the value, in which this array is empty.
    package static func parse(
        _ bytes: [UInt8], elementsOf name: String, _ visit: (Int, JSONValue) -> Void
    ) throws(JSONError) -> JSONValue {
        let result: Result<JSONValue, JSONError> = withoutActuallyEscaping(visit) { visit in
            do throws(JSONError) {
                let elements = Elements(name: name, visit: visit)
                return .success(try parse(JSONParser(bytes: bytes, elements: elements)))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func parse(_ start: JSONParser) throws(JSONError) -> JSONValue {
        var parser = start
        if parser.bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw JSONError(reason: .byteOrderMark, offset: 0)
        }
        parser.skipSpace()
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.position == parser.bytes.count else { throw parser.error(.trailingBytes) }
        return value
    }

    private init(bytes: [UInt8], elements: Elements? = nil) {
        self.bytes = bytes
        self.elements = elements
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

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
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
        try expect(UInt8(ascii: "{"))
        var members: [JSONValue.Member] = []
        var names = SeenNames()
        skipSpace()
        if try peek() == UInt8(ascii: "}") {
            position += 1
            return .object([])
        }
        while true {
            skipSpace()
            let start = position
            let name = try string()
            guard names.insert(name, after: members) else {
                throw JSONError(reason: .duplicateName(name), offset: start)
            }
            skipSpace()
            try expect(UInt8(ascii: ":"))
            skipSpace()
            if depth == 0, let elements, elements.name == name, try peek() == UInt8(ascii: "[") {
                members.append(.init(name, .array([])))
                try array(depth: depth + 1, elements.visit)
            } else {
                members.append(.init(name, try value(depth: depth + 1)))
            }
            skipSpace()
            if try peek() == UInt8(ascii: "}") { break }
            try expect(UInt8(ascii: ","))
        }
        position += 1
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        var elements: [JSONValue] = []
        try array(depth: depth) { _, element in elements.append(element) }
        return .array(elements)
    }

    private mutating func array(
        depth: Int, _ visit: (Int, JSONValue) -> Void
    ) throws(JSONError) {
        try expect(UInt8(ascii: "["))
        skipSpace()
        if try peek() == UInt8(ascii: "]") {
            position += 1
            return
        }
        var number = 0
        while true {
            skipSpace()
            visit(number, try value(depth: depth + 1))
            number += 1
            skipSpace()
            if try peek() == UInt8(ascii: "]") { break }
            try expect(UInt8(ascii: ","))
        }
        position += 1
    }

    private mutating func string() throws(JSONError) -> String {
        try expect(UInt8(ascii: "\""))
        // Most strings have no escape: their bytes are taken as they are.
        var start = position
        var content: [UInt8] = []
        while true {
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
            case 0..<0x80: position += 1
            default:
                let (scalar, length) = decodeScalar(bytes, at: position)
                guard scalar != nil else { throw error(.invalidUTF8) }
                position += length
            }
        }
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

/// The names of an object, each of which may occur once; names are bytes.
private struct SeenNames {
    /// Filled when there are too many to compare one by one.
    private var set: Set<[UInt8]> = []

    private static let few = 16

    /// - Parameter members: those with the names that were inserted before.
    /// - Returns: Whether the name is new.
    mutating func insert(_ name: String, after members: [JSONValue.Member]) -> Bool {
        if members.count < Self.few {
            return !members.contains { $0.name.utf8.elementsEqual(name.utf8) }
        }
        if set.isEmpty { set = Set(members.map { Array($0.name.utf8) }) }
        return set.insert(Array(name.utf8)).inserted
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
        try expect(UInt8(ascii: ":"))
        skipSpace()
        return name
    }

    /// Calls `body` where each element of a container starts.
    private mutating func forEach(
        in open: Unicode.Scalar, _ close: Unicode.Scalar,
        _ body: (inout JSONParser) throws -> Void
    ) throws {
        try expect(UInt8(ascii: open))
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
            try expect(UInt8(ascii: ","))
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
