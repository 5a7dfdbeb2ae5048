/// A string in data that looks like the path of a file.
package struct DataPath: Sendable {
    /// Without quotes.
    package let range: Range<Int>
    package let value: [UInt8]
    /// The offset of the innermost bracket around it, and of the bracket around that one.
    package let bracket: Int?
    package let outer: Int?
    /// The name of its member.
    package let word: [UInt8]?
    /// Whether it is the name of a member itself.
    package let isName: Bool

    /// The longest text that is searched, in bytes.
    private static let longestText = 1 << 20

    /// The paths in a JSON text.
    package static func json(_ source: Span<UInt8>) -> [DataPath] {
        var found: [DataPath] = []
        JSONStrings.walk(source, wanted: { isPath(source.extracting($0)) }) { string in
            let word = string.isName ? nil : string.path.last { $0 != "[]" }
            // `{"app.js": "app.1f0c92.js"}`: the name of another file.
            let taken = word.map { Array($0.utf8) }
            if let last = found.last, last.isName, last.value == taken { found.removeLast() }
            found.append(
                DataPath(
                    range: string.range, value: string.value, bracket: string.bracket,
                    outer: string.outer, word: taken,
                    isName: string.isName))
            return true
        }
        return found
    }

    /// The paths in a text of lines, attributes or words: playlists, texture atlases, materials.
    package static func text(_ source: Span<UInt8>) -> [DataPath] {
        guard source.count <= longestText else { return [] }
        var found: [DataPath] = []
        var start = 0
        for index in 0...source.count {
            let isEnd = index == source.count
            guard isEnd || source[index] <= 0x20 || isSeparator(source[index]) else { continue }
            let bytes = source.extracting(start..<index)
            if isPath(bytes) {
                found.append(
                    DataPath(
                        range: start..<index, value: (start..<index).map { source[$0] },
                        bracket: 0, outer: nil, word: nil, isName: false))
            }
            start = index + 1
        }
        return found
    }

    /// The value of an attribute, if it has the form of a path.
    package static func attribute(
        _ attribute: HTMLAttribute, in page: Span<UInt8>
    ) -> [UInt8]? {
        guard isPath(page.extracting(attribute.value)) else { return nil }
        return CharacterReferences.decode(page, attribute.value, as: .attribute)
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"),
            UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "|"), UInt8(ascii: ";"),
            UInt8(ascii: "("), UInt8(ascii: ")"):
            true
        default: false
        }
    }

    /// Whether a text has the form of a path to a file, without scheme and host.
    private static func isPath(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 2, !bytes.holds("//", at: 0),
            JavaScriptLiteralShape.looksLikeAddress(bytes)
        else { return false }
        for index in 0..<bytes.count where bytes[index] == UInt8(ascii: ":") { return false }
        return true
    }
}
