import PackGround
import PackWeb

extension Rule {
    /// White space in a URL.
    static let urlWhitespace = Rule(
        "url-whitespace", group: .scheme, level: .always(.warning), fix: .safe,
        document: { document, sink in
            for reference in document.references where reference.use.isFetched {
                guard reference.isEffective,
                    let trimmed = URLWhitespace.cleaned(reference.value), !trimmed.isEmpty
                else { continue }
                sink.report(
                    at: URLWhitespace.visible(reference, document),
                    "this URL contains white space",
                    fix: document.safeFix(reference, to: String(decoding: trimmed, as: UTF8.self)),
                    severity: reference.traits.contains(.inNoscript) ? .hint : nil)
            }
        })
}

private enum URLWhitespace {
    private static let invisible: [[UInt8]] = ["\u{A0}", "\u{200B}", "\u{FEFF}", "\u{3000}"].map {
        Array(String($0).utf8)
    }

    /// The value without white space; `nil` if it has none.
    static func cleaned(_ value: [UInt8]) -> [UInt8]? {
        // A data: URL may be wrapped over several lines.
        if Reference.scheme(of: value) == Array("data".utf8) { return nil }
        let start = value.drop { $0 <= 0x20 }
        let end = start.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? start.startIndex
        var result = start[..<end].filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        if result.contains(where: { $0 >= 0x80 }) {
            for piece in invisible {
                while let range = result.firstRange(of: piece) { result.removeSubrange(range) }
            }
        }
        return result.count == value.count ? nil : result
    }

    /// The range of the URL without leading white space.
    static func visible(_ reference: Reference, _ document: DocumentContext) -> Range<Int> {
        let bytes = document.bytes[within: reference.range]
        return bytes.drop { $0 <= 0x20 }.startIndex..<bytes.endIndex
    }
}
