import PackProfile
import PackWeb

extension Rule {
    /// The custom scheme in visible text.
    static let rewrittenOutsideURL = Rule(
        "rewritten-outside-url", group: .markup, level: .customScheme(.warning), fix: .safe,
        document: { document, sink in
            guard document.html != nil else { return }
            let bytes = document.bytes
            let needle = document.profile.canonicalScheme + Array("://".utf8)
            let hits = TextSearch.occurrences(of: needle, in: bytes)
            guard !hits.isEmpty else { return }
            let readable = ReadableText.ranges(document)
            // HTML parsers treat `<?xml-stylesheet?>` as a comment, but its URL is loaded.
            let sheets = document.references.filter { $0.kind == .data(.xmlStyleSheet) }
            for hit in hits {
                guard readable.contains(where: { $0.contains(hit) }),
                    !sheets.contains(where: { $0.range.contains(hit) })
                else { continue }
                let range = hit..<(hit + needle.count)
                sink.report(
                    at: range, "this is text, not a URL that is loaded",
                    fix: Fix(.safe, "write 'https://'", edits: [ByteEdit(range, "https://")]))
            }
        })
}

enum TextSearch {
    /// The offsets of `needle` (in lower case), ignoring case.
    static func occurrences(of needle: [UInt8], in bytes: [UInt8]) -> [Int] {
        guard let first = needle.first, bytes.count >= needle.count else { return [] }
        var found: [Int] = []
        let span = bytes.span
        var position = 0
        let last = bytes.count - needle.count
        while position <= last {
            if span[position] | 0x20 == first | 0x20 {
                var length = 1
                while length < needle.count {
                    let byte = span[position + length]
                    let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
                    if lower != needle[length] { break }
                    length += 1
                }
                if length == needle.count {
                    found.append(position)
                    position += length
                    continue
                }
            }
            position += 1
        }
        return found
    }
}

private enum ReadableText {
    private static let attributes: [HTMLName] = [
        "alt", "title", "placeholder", "aria-label", "summary", "label", "aria-description",
    ]

    /// Text, comments and visible attributes, without the parts containing references.
    static func ranges(_ document: DocumentContext) -> [Range<Int>] {
        let page = document.bytes.span
        let taken = Set((document.html?.fragments ?? []).map(\.range.lowerBound))
        var ranges: [Range<Int>] = []
        var reader = HTMLReader(range: 0..<page.count)
        while let token = reader.next(in: page) {
            switch token.kind {
            case .text where !taken.contains(token.content.lowerBound) && token.decoding != .raw:
                ranges.append(token.content)
            case .comment: ranges.append(token.content)
            case .startTag:
                for name in attributes {
                    if let attribute = reader.attributes.first(name, in: page) {
                        ranges.append(attribute.value)
                    }
                }
            default: break
            }
        }
        return ranges
    }
}
