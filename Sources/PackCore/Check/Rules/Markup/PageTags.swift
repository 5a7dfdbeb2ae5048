import PackWeb

/// The start tags of a page, for rules about attributes without URLs.
enum PageTags {
    /// Calls the closure for each start tag, including those in `noscript`.
    static func visit(
        _ bytes: [UInt8],
        _ body: (Span<UInt8>, HTMLReader, HTMLToken, _ isInNoscript: Bool) -> Void
    ) {
        visit(bytes, 0..<bytes.count, isInNoscript: false, body)
    }

    private static func visit(
        _ bytes: [UInt8], _ range: Range<Int>, isInNoscript: Bool,
        _ body: (Span<UInt8>, HTMLReader, HTMLToken, Bool) -> Void
    ) {
        let page = bytes.span
        var reader = HTMLReader(range: range, isScriptingEnabled: !isInNoscript)
        var isNoscriptOpen = false
        while let token = reader.next(in: page) {
            switch token.kind {
            case .startTag:
                body(page, reader, token, isInNoscript)
                isNoscriptOpen = token.name == "noscript"
            case .text where isNoscriptOpen && !isInNoscript:
                visit(bytes, token.content, isInNoscript: true, body)
            case .endTag: isNoscriptOpen = false
            default: break
            }
        }
    }
}
