import PackGround
import PackWeb

extension Rule {
    /// Invisible characters in a URL, which browsers keep.
    static let urlWhitespace = Rule(
        "url-whitespace", group: .scheme, level: .always(.warning), fix: .safe,
        document: { document, sink in
            for reference in document.references where reference.use.isFetched {
                guard reference.isEffective,
                    let cleaned = URLWhitespace.cleaned(reference.value), !cleaned.isEmpty
                else { continue }
                sink.report(
                    at: URLWhitespace.visible(reference, document),
                    "this URL contains an invisible character",
                    fix: document.safeFix(reference, to: String(decoding: cleaned, as: UTF8.self)),
                    severity: reference.traits.contains(.inNoscript) ? .hint : nil)
            }
        })
}

private enum URLWhitespace {
    private static let invisible: [[UInt8]] = ["\u{A0}", "\u{200B}", "\u{FEFF}", "\u{3000}"].map {
        Array(String($0).utf8)
    }

    /// The value without invisible characters and the white space that browsers ignore; `nil` if
    /// it has no such character.
    static func cleaned(_ value: [UInt8]) -> [UInt8]? {
        guard value.contains(where: { $0 >= 0x80 }),
            Reference.scheme(of: value) != Array("data".utf8),
            invisible.contains(where: { value.firstRange(of: $0) != nil })
        else { return nil }
        var result = value
        for piece in invisible {
            while let range = result.firstRange(of: piece) { result.removeSubrange(range) }
        }
        let start = result.drop { $0 <= 0x20 }
        let end = start.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? start.startIndex
        return start[..<end].filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    }

    /// The range of the URL without leading white space.
    static func visible(_ reference: Reference, _ document: DocumentContext) -> Range<Int> {
        let bytes = document.bytes[within: reference.range]
        return bytes.drop { $0 <= 0x20 }.startIndex..<bytes.endIndex
    }
}
