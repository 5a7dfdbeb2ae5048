/// A part of a pattern for one path component.
enum GlobToken: Sendable, Equatable {
    case byte(UInt8)
    /// `?`: any one byte.
    case any
    /// `*`: any number of bytes, or none.
    case many
    /// `[a-z]`: one byte of a set.
    case oneOf(ByteSet)

    /// Parses the pattern of one path component.
    ///
    /// - Throws: ``PatternFault`` for patterns that git's matcher rejects and never matches.
    static func parse(_ part: [UInt8]) throws(PatternFault) -> [GlobToken] {
        var tokens: [GlobToken] = []
        var index = 0
        while index < part.count {
            switch part[index] {
            case UInt8(ascii: "\\"):
                index += 1
                guard index < part.count else {
                    throw PatternFault("ends with a backslash, which escapes nothing")
                }
                tokens.append(.byte(part[index]))
            case UInt8(ascii: "?"): tokens.append(.any)
            case UInt8(ascii: "*"): if tokens.last != .many { tokens.append(.many) }
            case UInt8(ascii: "["): tokens.append(.oneOf(try ByteSet(part, after: &index)))
            case let byte: tokens.append(.byte(byte))
            }
            index += 1
        }
        return tokens
    }

    /// Whether the tokens match a whole component.
    static func match(_ tokens: [GlobToken], _ component: ArraySlice<UInt8>) -> Bool {
        var (token, byte) = (0, component.startIndex)
        var retry: (token: Int, byte: Int)?
        while byte < component.endIndex {
            if token < tokens.count {
                if tokens[token] == .many {
                    retry = (token, byte)
                    token += 1
                    continue
                }
                if tokens[token].matches(component[byte]) {
                    (token, byte) = (token + 1, byte + 1)
                    continue
                }
            }
            guard let back = retry else { return false }
            (token, byte) = (back.token + 1, back.byte + 1)
            retry = (back.token, back.byte + 1)
        }
        return tokens[token...].allSatisfy { $0 == .many }
    }

    private func matches(_ byte: UInt8) -> Bool {
        switch self {
        case .byte(let own): own == byte
        case .any: true
        case .many: false
        case .oneOf(let set): set.contains(byte)
        }
    }
}

/// The bytes that a bracket expression such as `[!a-z[:digit:]]` matches.
struct ByteSet: Sendable, Equatable {
    private var bits: [Bool]

    func contains(_ byte: UInt8) -> Bool { bits[Int(byte)] }

    /// Reads an expression as git does.
    ///
    /// - Parameter index: The position of the `[`; on return, of the `]`.
    init(_ part: [UInt8], after index: inout Int) throws(PatternFault) {
        bits = [Bool](repeating: false, count: 256)
        let unclosed = PatternFault("has a '[' without its ']'", example: "[ab].map")
        index += 1
        var isNegative = false
        if index < part.count, part[index] == UInt8(ascii: "!") || part[index] == UInt8(ascii: "^")
        {
            isNegative = true
            index += 1
        }
        var previous: UInt8?
        var isFirst = true
        while true {
            guard index < part.count else { throw unclosed }
            var byte = part[index]
            if byte == UInt8(ascii: "]"), !isFirst { break }
            isFirst = false
            if byte == UInt8(ascii: "["), index + 1 < part.count,
                part[index + 1] == UInt8(ascii: ":"),
                let name = try Self.className(part, after: index)
            {
                guard let members = Self.classes[name.text] else {
                    throw PatternFault("names an unknown class '[:\(name.text):]'")
                }
                for byte in UInt8.min...UInt8.max where byte < 0x80 && members(byte) {
                    bits[Int(byte)] = true
                }
                (index, previous) = (name.end, nil)
                continue
            }
            if byte == UInt8(ascii: "-"), let low = previous, index + 1 < part.count,
                part[index + 1] != UInt8(ascii: "]")
            {
                index += 1
                byte = part[index]
                if byte == UInt8(ascii: "\\") {
                    index += 1
                    guard index < part.count else { throw unclosed }
                    byte = part[index]
                }
                guard low <= byte else {
                    throw PatternFault("has a range that runs backwards", example: "[a-z].map")
                }
                for member in low...byte { bits[Int(member)] = true }
                previous = nil
            } else {
                if byte == UInt8(ascii: "\\") {
                    index += 1
                    guard index < part.count else { throw unclosed }
                    byte = part[index]
                }
                bits[Int(byte)] = true
                previous = byte
            }
            index += 1
        }
        if isNegative { bits = bits.map { !$0 } }
    }

    /// The name in `[:name:]` and the position after it; `nil` if the `[` is an ordinary member.
    private static func className(
        _ part: [UInt8], after start: Int
    ) throws(PatternFault) -> (text: String, end: Int)? {
        guard let close = part[(start + 2)...].firstIndex(of: UInt8(ascii: "]")) else {
            throw PatternFault("has a '[' without its ']'", example: "[ab].map")
        }
        guard close > start + 2, part[close - 1] == UInt8(ascii: ":") else { return nil }
        return (String(decoding: part[(start + 2)..<(close - 1)], as: UTF8.self), close + 1)
    }

    private static let classes: [String: @Sendable (UInt8) -> Bool] = [
        "alnum": { isLetter($0) || isDigit($0) },
        "alpha": isLetter,
        "blank": { $0 == 0x20 || $0 == 0x09 },
        "cntrl": { $0 < 0x20 || $0 == 0x7F },
        "digit": isDigit,
        "graph": { (0x21..<0x7F).contains($0) },
        "lower": { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) },
        "print": { (0x20..<0x7F).contains($0) },
        "punct": { (0x21..<0x7F).contains($0) && !isLetter($0) && !isDigit($0) },
        "space": { $0 == 0x20 || (0x09...0x0D).contains($0) },
        "upper": { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) },
        "xdigit": {
            isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0 | 0x20)
        },
    ]

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
