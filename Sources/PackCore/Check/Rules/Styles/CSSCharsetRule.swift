import PackGround
import PackWeb

extension Rule {
    /// A style sheet decoded by browsers in another encoding than it was written in.
    static let cssCharset = Rule(
        "css-charset", group: .styles, level: .always(.warning),
        document: { document, sink in
            guard let css = document.css, let encoding = css.encoding else { return }
            if encoding.reading == .none {
                sink.report(
                    at: nil, "the style sheet is \(encoding.name), which was not checked")
                return
            }
            if let label = encoding.charsetLabel, encoding.name != "utf-8" {
                sink.report(
                    at: label, "the style sheet is \(encoding.name); write it in UTF-8")
            } else if encoding.name == "utf-8", encoding.origin == .standard,
                let place = CSSBytes.firstOutsideUTF8(document.bytes)
            {
                sink.report(
                    at: place..<(place + 1),
                    "the style sheet is not UTF-8 and does not declare its encoding")
            }
            for reference in css.references where reference.role == .charset {
                guard reference.range != encoding.charsetLabel else { continue }
                let start = CSSBytes.startOfRule(reference.range.lowerBound, document.bytes)
                sink.report(
                    at: start..<reference.range.upperBound,
                    "@charset only counts at the very start of the file")
            }
        })
}

private enum CSSBytes {
    static func firstOutsideUTF8(_ bytes: [UInt8]) -> Int? {
        guard bytes.contains(where: { $0 >= 0x80 }), String(validating: bytes, as: UTF8.self) == nil
        else { return nil }
        var position = 0
        while position < bytes.count {
            if bytes[position] < 0x80 {
                position += 1
                continue
            }
            let (scalar, length) = decodeScalar(bytes, at: position)
            if scalar == nil { return position }
            position += length
        }
        return nil
    }

    /// The offset of the at-rule containing a string.
    static func startOfRule(_ position: Int, _ bytes: [UInt8]) -> Int {
        var start = min(position, bytes.count)
        while start > 0, bytes[start - 1] != UInt8(ascii: "@") { start -= 1 }
        return max(0, start - 1)
    }
}
