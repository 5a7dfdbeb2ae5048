/// What a URL may contain unencoded (URL standard, "URL units").
enum URLUnits {
    /// The bytes of a component that are not URL units, each with its reason and position.
    static func errors(
        in bytes: ArraySlice<UInt8>
    ) -> [(kind: URLValidationError.Kind, position: Int)] {
        var errors: [(kind: URLValidationError.Kind, position: Int)] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte < 0x80 {
                if byte == UInt8(ascii: "%") {
                    if PercentEncoding.value(of: bytes[(index + 1)...]) == nil {
                        errors.append((.invalidPercentSequence, index))
                    }
                } else if !isASCIICodePoint(byte) {
                    errors.append((.invalidURLUnit, index))
                }
                index += 1
                continue
            }
            let sequence = UTF8Sequence(in: bytes, at: index)
            if let scalar = sequence.scalar {
                if !isCodePoint(scalar) { errors.append((.invalidURLUnit, index)) }
            } else {
                errors.append((.notUTF8, index))
            }
            index += sequence.length
        }
        return errors
    }

    private static func isASCIICodePoint(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "$"),
            UInt8(ascii: "&")...UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: ";"),
            UInt8(ascii: "="), UInt8(ascii: "?"), UInt8(ascii: "@"), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// From U+00A0 on, all but the noncharacters.
    private static func isCodePoint(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0xA0 && scalar.value & 0xFFFE != 0xFFFE
            && !(0xFDD0...0xFDEF).contains(scalar.value)
    }
}
