/// Invalid DER.
///
/// It contains no bytes of the input, because some are secret.
package struct DERError: Error, Equatable {
    package let problem: String

    package init(problem: String) { self.problem = problem }
}

/// Reads DER (docs/sources.md#x690) element by element: definite lengths in their shortest form, no
/// trailing bytes.
///
/// Every length is checked against the remaining bytes before use, so no input reads past the end.
package struct DERReader {
    package enum Tag: UInt8 {
        case integer = 0x02
        case bitString = 0x03
        case octetString = 0x04
        case null = 0x05
        case objectIdentifier = 0x06
        case sequence = 0x30
        case context0 = 0xA0
        case context1 = 0xA1
        /// `[1]` of a primitive type.
        case primitive1 = 0x81
    }

    private let bytes: [UInt8]
    private var position: Int
    private let end: Int

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = 0
        end = bytes.count
    }

    private init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    package var isAtEnd: Bool { position == end }

    /// Whether the next element has a tag.
    package func nextIs(_ tag: Tag) -> Bool { position < end && bytes[position] == tag.rawValue }

    /// The content of the next element.
    package mutating func element(_ tag: Tag) throws(DERError) -> [UInt8] {
        Array(bytes[try range(tag)])
    }

    /// A reader of the content of the next element.
    package mutating func inner(_ tag: Tag) throws(DERError) -> DERReader {
        DERReader(bytes, try range(tag))
    }

    /// A non-negative integer of at most 31 bits.
    package mutating func integer() throws(DERError) -> Int {
        let content = try element(.integer)
        guard let first = content.first, content.count <= 4, first < 0x80,
            content.count == 1 || first != 0 || content[1] >= 0x80
        else { throw DERError(problem: "a number is negative, too large or not in shortest form") }
        return content.reduce(0) { $0 << 8 | Int($1) }
    }

    package func finish() throws(DERError) {
        guard isAtEnd else { throw DERError(problem: "an element is followed by other bytes") }
    }

    private mutating func range(_ tag: Tag) throws(DERError) -> Range<Int> {
        guard position < end else { throw DERError(problem: "it ends too early") }
        guard bytes[position] == tag.rawValue else {
            throw DERError(problem: "an element has another type than expected")
        }
        position += 1
        let length = try self.length()
        guard length <= end - position else { throw DERError(problem: "it ends too early") }
        let range = position..<(position + length)
        position = range.upperBound
        return range
    }

    /// A length of at most 16 bits: key files are small.
    private mutating func length() throws(DERError) -> Int {
        let first = try byte()
        switch first {
        case 0..<0x80: return Int(first)
        case 0x81:
            let length = Int(try byte())
            if length >= 0x80 { return length }
        case 0x82:
            let length = Int(try byte()) << 8 | Int(try byte())
            if length > 0xFF { return length }
        default: break
        }
        throw DERError(problem: "a length is too large or not in shortest form")
    }

    private mutating func byte() throws(DERError) -> UInt8 {
        guard position < end else { throw DERError(problem: "it ends too early") }
        position += 1
        return bytes[position - 1]
    }
}

/// Writes DER.
package enum DERWriter {
    package static func element(_ tag: DERReader.Tag, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            count < 0x80
            ? [UInt8(count)]
            : count <= 0xFF
                ? [0x81, UInt8(count)]
                : [0x82, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
        return [tag.rawValue] + length + content
    }

    package static func sequence(_ parts: [UInt8]...) -> [UInt8] {
        element(.sequence, parts.flatMap { $0 })
    }

    /// A non-negative integer.
    package static func integer(_ value: Int) -> [UInt8] {
        var content: [UInt8] = []
        var rest = value
        repeat {
            content.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        } while rest > 0
        if content[0] >= 0x80 { content.insert(0, at: 0) }
        return element(.integer, content)
    }
}
