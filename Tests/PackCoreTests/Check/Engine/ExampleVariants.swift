import PackCheck
import PackGround
import PackWeb
import TestSupport

/// Other spellings of an example that keep its meaning or remove it entirely.
enum ExampleVariants {
    /// The marked content in a variant's form; `nil` if the variant does not apply to the file.
    static func apply(_ variant: Example.Variant, to example: Example) -> String? {
        let content = example.markedContent
        guard let path = try? AssetPath(example.path), let kind = DocumentKind(path) else {
            return nil
        }
        switch (variant, kind) {
        case (.byteOrderMark, .html), (.byteOrderMark, .css): return "\u{FEFF}" + content
        case (.crlf, .html), (.crlf, .css), (.crlf, .script):
            return content.unicodeScalars.contains("\r")
                ? nil
                : String(
                    content.split(separator: "\n", omittingEmptySubsequences: false)
                        .joined(separator: "\r\n"))
        case (.upperCaseTags, .html): return changeTags(content) { .init(name: $0, value: nil) }
        case (.singleQuotes, .html): return requote(content)
        case (.entities, .html): return encode(content)
        case (.comment, .html):
            return content.contains("--") || content.contains("<!") ? nil : "<!-- \(content) -->"
        case (.comment, .css):
            return content.contains("*/") || content.contains("@charset") ? nil : "/* \(content) */"
        case (.template, .html):
            return isFragment(content) ? "<template>\(content)</template>" : nil
        case (.noscript, .html):
            return isFragment(content) && !content.lowercased().contains("noscript")
                ? "<noscript>\(content)</noscript>" : nil
        case (.string, .html):
            guard isFragment(content), !content.contains("`"), !content.contains("\\") else {
                return nil
            }
            let escaped = content.replacing("</", with: "<\\/").replacing("<!--", with: "<\\!--")
            return "<script>var page = `\(escaped)`</script>"
        case (.backticks, .script): return useTemplates(content)
        default: return nil
        }
    }

    /// Replaces the strings of a script with templates, like Rolldown's minifier.
    private static func useTemplates(_ content: String) -> String? {
        let bytes = Array(content.utf8)
        var result = bytes
        var followsImport = false
        var tokenizer = JavaScriptTokenizer(bytes.span)
        while case let token = tokenizer.next(in: bytes.span), token.kind != .end {
            if token.isComment { continue }
            let isSpecifier = followsImport
            followsImport = token.is("from", in: bytes.span) || token.is("import", in: bytes.span)
            let text = bytes[token.content(in: bytes.span)]
            guard token.kind == .string, !isSpecifier, !token.traits.contains(.unterminated),
                !text.contains(UInt8(ascii: "`")), !text.contains(UInt8(ascii: "$")),
                !isKey(after: token, bytes)
            else { continue }
            result[token.start] = UInt8(ascii: "`")
            result[token.end - 1] = UInt8(ascii: "`")
        }
        return result == bytes ? nil : String(decoding: result, as: UTF8.self)
    }

    /// Whether a string is the name of a member: `{"a": 1}`.
    private static func isKey(after token: JavaScriptToken, _ bytes: [UInt8]) -> Bool {
        var tokenizer = JavaScriptTokenizer(bytes.span, in: token.end..<bytes.count)
        let next = tokenizer.next(in: bytes.span)
        guard next.is(":", in: bytes.span) else { return false }
        let start = bytes[..<token.start].last { $0 > 0x20 }
        return start == UInt8(ascii: "{") || start == UInt8(ascii: ",")
    }

    /// Whether the example can be inserted in a body without changing its meaning.
    private static func isFragment(_ content: String) -> Bool {
        let lower = content.lowercased()
        return !["<base", "<meta", "<!doctype", "<html", "<body", "<head", "<template"]
            .contains { lower.contains($0) }
    }

    private struct Change {
        let name: [UInt8]
        let value: [UInt8]?
    }

    /// Upper-cases the names of tags and attributes outside svg and math, whose names are
    /// case-sensitive.
    private static func changeTags(_ content: String, _ change: ([UInt8]) -> Change) -> String? {
        let lower = content.lowercased()
        guard !lower.contains("<svg"), !lower.contains("<math") else { return nil }
        let bytes = Array(content.utf8)
        var result = bytes
        var reader = HTMLReader(range: 0..<bytes.count)
        while let token = reader.next(in: bytes.span) {
            guard token.kind == .startTag || token.kind == .endTag else { continue }
            var ranges = reader.attributes.map(\.name)
            ranges.append(nameRange(of: token, bytes))
            for range in ranges {
                for index in range where (0x61...0x7A).contains(bytes[index]) {
                    result[index] = bytes[index] & ~0x20
                }
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func nameRange(of token: HTMLToken, _ bytes: [UInt8]) -> Range<Int> {
        var start = token.range.lowerBound + 1
        if start < bytes.count, bytes[start] == UInt8(ascii: "/") { start += 1 }
        var end = start
        while end < token.range.upperBound, bytes[end] > 0x20, bytes[end] != UInt8(ascii: ">"),
            bytes[end] != UInt8(ascii: "/")
        {
            end += 1
        }
        return start..<end
    }

    private static func requote(_ content: String) -> String? {
        let bytes = Array(content.utf8)
        var result = bytes
        var isChanged = false
        var reader = HTMLReader(range: 0..<bytes.count)
        while let token = reader.next(in: bytes.span) {
            guard token.kind == .startTag else { continue }
            for attribute in reader.attributes where attribute.quote == .double {
                guard !bytes[attribute.value].contains(UInt8(ascii: "'")) else { return nil }
                result[attribute.value.lowerBound - 1] = UInt8(ascii: "'")
                result[attribute.value.upperBound] = UInt8(ascii: "'")
                isChanged = true
            }
        }
        return isChanged ? String(decoding: result, as: UTF8.self) : nil
    }

    /// Replaces `/`, `:` and `.` in quoted values with character references.
    private static func encode(_ content: String) -> String? {
        let bytes = Array(content.utf8)
        var result: [UInt8] = []
        var copied = 0
        var reader = HTMLReader(range: 0..<bytes.count)
        while let token = reader.next(in: bytes.span) {
            guard token.kind == .startTag else { continue }
            for attribute in reader.attributes where attribute.quote.byte != nil {
                result += bytes[copied..<attribute.value.lowerBound]
                for byte in bytes[attribute.value] {
                    switch byte {
                    case UInt8(ascii: "/"): result += "&#x2F;".utf8
                    case UInt8(ascii: ":"): result += "&colon;".utf8
                    case UInt8(ascii: "."): result += "&#46;".utf8
                    default: result.append(byte)
                    }
                }
                copied = attribute.value.upperBound
            }
        }
        guard copied > 0 else { return nil }
        result += bytes[copied...]
        return String(decoding: result, as: UTF8.self)
    }
}

extension String {
    /// Replaces every occurrence of a piece.
    func replacing(_ piece: String, with other: String) -> String {
        var result = ""
        var rest = self[...]
        while !rest.isEmpty {
            if rest.hasPrefix(piece) {
                result += other
                rest = rest.dropFirst(piece.count)
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result
    }
}
