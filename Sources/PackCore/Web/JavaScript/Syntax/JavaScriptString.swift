/// Decodes and encodes the characters of string literals and templates.
package enum JavaScriptString {
    /// The value of a string's or template's content (ECMA-262 12.9.4.2), in UTF-8.
    ///
    /// Half a surrogate pair becomes U+FFFD, as in a URL; so does an invalid escape.
    package static func decode(
        _ source: Span<UInt8>, _ content: Range<Int>, isTemplate: Bool = false
    ) -> [UInt8] {
        let content = content.clamped(to: 0..<source.count)
        var value: [UInt8] = []
        value.reserveCapacity(content.count)
        var decoder = Decoder(limit: content.upperBound, position: content.lowerBound)
        while decoder.position < content.upperBound {
            let byte = source[decoder.position]
            if byte == UInt8(ascii: "\\") {
                decoder.escape(source, into: &value)
            } else {
                decoder.flush(into: &value)
                decoder.position &+= 1
                if isTemplate, byte == 0x0D {
                    if decoder.byte(source) == 0x0A { decoder.position &+= 1 }
                    value.append(0x0A)
                } else {
                    value.append(byte)
                }
            }
        }
        decoder.flush(into: &value)
        return value
    }

    private struct Decoder {
        let limit: Int
        var position: Int
        /// The first half of a surrogate pair, if the previous escape was one.
        private var high: UInt32?

        init(limit: Int, position: Int) {
            self.limit = limit
            self.position = position
        }

        func byte(_ source: Span<UInt8>) -> UInt8? { position < limit ? source[position] : nil }

        mutating func flush(into value: inout [UInt8]) {
            guard high != nil else { return }
            high = nil
            value += [0xEF, 0xBF, 0xBD]
        }

        /// Appends a code point, joining surrogates.
        private mutating func append(_ code: UInt32, to value: inout [UInt8]) {
            if let first = high, (0xDC00..<0xE000).contains(code) {
                high = nil
                let joined = 0x10000 &+ ((first &- 0xD800) &<< 10) &+ (code &- 0xDC00)
                return scalar(joined, to: &value)
            }
            flush(into: &value)
            if (0xD800..<0xDC00).contains(code) {
                high = code
            } else {
                scalar(code, to: &value)
            }
        }

        private func scalar(_ code: UInt32, to value: inout [UInt8]) {
            let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
            value.append(contentsOf: String(scalar).utf8)
        }

        mutating func escape(_ source: Span<UInt8>, into value: inout [UInt8]) {
            position &+= 1
            guard let byte = byte(source) else { return flush(into: &value) }
            position &+= 1
            switch byte {
            case UInt8(ascii: "u"): unicode(source, into: &value)
            case UInt8(ascii: "x"):
                append(digits(source, exactly: 2) ?? 0xFFFD, to: &value)
            case UInt8(ascii: "0")...UInt8(ascii: "7"): octal(source, byte, into: &value)
            case 0x0D:
                if self.byte(source) == 0x0A { position &+= 1 }
            case 0x0A: break
            case 0xE2 where isLineSeparator(source): position &+= 2
            default:
                flush(into: &value)
                value.append(Self.single(byte))
            }
        }

        private static func single(_ byte: UInt8) -> UInt8 {
            switch byte {
            case UInt8(ascii: "n"): 0x0A
            case UInt8(ascii: "t"): 0x09
            case UInt8(ascii: "r"): 0x0D
            case UInt8(ascii: "b"): 0x08
            case UInt8(ascii: "f"): 0x0C
            case UInt8(ascii: "v"): 0x0B
            default: byte
            }
        }

        /// Whether the bytes after 0xE2 are U+2028 or U+2029.
        private func isLineSeparator(_ source: Span<UInt8>) -> Bool {
            position &+ 1 < limit && source[position] == 0x80
                && (source[position &+ 1] == 0xA8 || source[position &+ 1] == 0xA9)
        }

        private mutating func digits(_ source: Span<UInt8>, exactly count: Int) -> UInt32? {
            var code: UInt32 = 0
            for _ in 0..<count {
                guard let digit = byte(source).flatMap(JavaScriptByte.hexadecimalValue) else {
                    return nil
                }
                code = code &<< 4 | digit
                position &+= 1
            }
            return code
        }

        private mutating func unicode(_ source: Span<UInt8>, into value: inout [UInt8]) {
            guard byte(source) == UInt8(ascii: "{") else {
                return append(digits(source, exactly: 4) ?? 0xFFFD, to: &value)
            }
            position &+= 1
            var code: UInt32 = 0
            while let digit = byte(source).flatMap(JavaScriptByte.hexadecimalValue) {
                code = min(code &<< 4 | digit, 0x11_0000)
                position &+= 1
            }
            if byte(source) == UInt8(ascii: "}") { position &+= 1 }
            append(code, to: &value)
        }

        /// `\0`, and the octal escapes of old scripts (ECMA-262 B.1.2).
        private mutating func octal(
            _ source: Span<UInt8>, _ first: UInt8, into value: inout [UInt8]
        ) {
            var code = UInt32(first &- 0x30)
            let most = first <= UInt8(ascii: "3") ? 2 : 1
            for _ in 0..<most {
                guard let byte = byte(source), (0x30...0x37).contains(byte) else { break }
                code = code &* 8 &+ UInt32(byte &- 0x30)
                position &+= 1
            }
            append(code, to: &value)
        }
    }
}
