/// The character encoding of a style sheet, and its source (docs/sources.md#css-syntax, section
/// 3.2).
package struct CSSEncoding: Hashable, Sendable {
    /// The source of an encoding.
    package enum Origin: UInt8, Sendable {
        case byteOrderMark
        /// A `Content-Type` header or similar.
        case protocolLabel
        /// `@charset "…";` as the very first bytes.
        case charsetRule
        /// The encoding of the document that refers to the style sheet.
        case environment
        case standard
    }

    /// The reliability of reading the bytes without decoding them.
    package enum Reading: UInt8, Sendable {
        /// UTF-8: exact.
        case exact
        /// An encoding whose ASCII bytes are always ASCII.
        ///
        /// The structure and all ASCII text can be read; other characters are U+FFFD or misread as
        /// UTF-8.
        case structure
        /// An encoding that uses ASCII bytes, including `\` and braces, inside other characters.
        ///
        /// Results are likely, but not certain.
        case guess
        /// UTF-16 and encodings that browsers reject: nothing can be read.
        case none
    }

    /// The name from the Encoding standard, in lower case.
    package let name: String
    package let origin: Origin
    /// The start of the style sheet, after a byte order mark.
    package let start: Int
    /// The label of an `@charset` at the very start, whether or not it is used.
    package let charsetLabel: Range<Int>?

    package var reading: Reading {
        switch name {
        case "utf-8": .exact
        case "utf-16le", "utf-16be", "replacement": .none
        // The second byte of a character can be any of `@`…`~` (or a digit); ISO-2022-JP writes all
        // characters as ASCII bytes.
        case "gbk", "gb18030", "big5", "shift_jis", "iso-2022-jp": .guess
        default: .structure
        }
    }

    /// Finds the encoding as a browser does.
    package static func detect(
        _ source: Span<UInt8>, protocolLabel: String? = nil, environmentLabel: String? = nil
    ) -> CSSEncoding {
        let label = charsetLabel(source)
        func found(_ name: String, _ origin: Origin, start: Int = 0) -> CSSEncoding {
            CSSEncoding(name: name, origin: origin, start: start, charsetLabel: label)
        }
        if starts(source, with: [0xEF, 0xBB, 0xBF]) {
            return found("utf-8", .byteOrderMark, start: 3)
        }
        if starts(source, with: [0xFE, 0xFF]) {
            return found("utf-16be", .byteOrderMark, start: 2)
        }
        if starts(source, with: [0xFF, 0xFE]) {
            return found("utf-16le", .byteOrderMark, start: 2)
        }
        if let name = protocolLabel.flatMap({ EncodingLabel.name(of: $0.utf8) }) {
            return found(name, .protocolLabel)
        }
        if let label, let name = EncodingLabel.name(of: label.map { source[$0] }) {
            // An author who can write `@charset` in ASCII bytes does not write UTF-16.
            let isUTF16 = name == "utf-16le" || name == "utf-16be"
            return found(isUTF16 ? "utf-8" : name, .charsetRule)
        }
        if let name = environmentLabel.flatMap({ EncodingLabel.name(of: $0.utf8) }) {
            return found(name, .environment)
        }
        return found("utf-8", .standard)
    }

    private static func starts(_ source: Span<UInt8>, with bytes: [UInt8]) -> Bool {
        source.count >= bytes.count && bytes.indices.allSatisfy { source[$0] == bytes[$0] }
    }

    /// The label in `@charset "…";`, which must be exactly these bytes within the first 1024.
    private static func charsetLabel(_ source: Span<UInt8>) -> Range<Int>? {
        let opening = Array("@charset \"".utf8)
        guard starts(source, with: opening) else { return nil }
        var end = opening.count
        while end + 1 < min(source.count, 1024), source[end] < 0x80 {
            if source[end] == UInt8(ascii: "\"") {
                return source[end + 1] == UInt8(ascii: ";") ? opening.count..<end : nil
            }
            end += 1
        }
        return nil
    }
}
