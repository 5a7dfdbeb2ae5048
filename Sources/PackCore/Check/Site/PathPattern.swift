import PackGround
import PackProfile
import PackURL

/// A path of which parts are unknown: `img/`, something, `.png`.
struct PathPattern {
    /// The texts, with something unknown between each two.
    private let texts: [[UInt8]]

    /// `nil` if the pattern is not that of a file of the package: an unknown start, another host, or
    /// no known extension at its end.
    init?(_ pattern: [[UInt8]]) {
        var texts = pattern
        // A query ends the path.
        if let index = texts.firstIndex(where: { text in text.contains(where: Self.endsPath) }) {
            texts[index] = Array(texts[index].prefix { !Self.endsPath($0) })
            texts.removeSubrange((index + 1)...)
        }
        guard texts.count > 1, let first = texts.first, let last = texts.last,
            Reference.scheme(of: first) == nil, !Reference.isProtocolRelative(first),
            FileEnding.kind(of: PathString.ending(of: last)) != .other
        else { return nil }
        texts[0] = Self.normalized(first)
        guard !texts[0].isEmpty else { return nil }
        self.texts = texts
    }

    /// The start of a path, decoded and without `.`, `..` and empty parts.
    private static func normalized(_ start: [UInt8]) -> [UInt8] {
        var parts: [ArraySlice<UInt8>] = []
        let all = PercentEncoding.decode(start).split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for part in all.dropLast() where !part.isEmpty && !part.elementsEqual(".".utf8) {
            if !part.elementsEqual("..".utf8) {
                parts.append(part)
            } else if !parts.isEmpty {
                parts.removeLast()
            }
        }
        return Array(parts.flatMap { $0 + [UInt8(ascii: "/")] } + (all.last ?? []))
    }

    private static func endsPath(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// The kind of its files.
    var kind: FileEnding.Kind { FileEnding.kind(of: PathString.ending(of: texts.last ?? [])) }

    /// The directory at its start, with a slash; empty if it has none.
    var directory: ArraySlice<UInt8> {
        guard let slash = texts[0].lastIndex(of: UInt8(ascii: "/")) else { return [] }
        return texts[0][...slash]
    }

    /// The number of known bytes without the extension and slashes.
    var knownBytes: Int {
        texts.joined().count { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ".") }
            - PathString.ending(of: texts.last ?? []).count
    }

    /// The pattern with `…` for what is unknown.
    var description: String {
        texts.map { printable($0) }.joined(separator: "…")
    }

    /// Whether a file of the package may be meant: its path, or the end of it, fits.
    func fits(in site: SiteIndex) -> Bool { site.files.contains { fits($0.path.bytes) } }

    private func fits(_ path: [UInt8]) -> Bool {
        var starts = [0]
        for (index, byte) in path.enumerated() where byte == UInt8(ascii: "/") {
            starts.append(index + 1)
        }
        return starts.contains { fits(path[$0...]) }
    }

    private func fits(_ path: ArraySlice<UInt8>) -> Bool {
        guard path.starts(with: texts[0]), let last = texts.last, path.count >= last.count,
            path.suffix(last.count).elementsEqual(last)
        else { return false }
        var rest = path.dropFirst(texts[0].count)
        for text in texts.dropFirst().dropLast() {
            guard let range = rest.firstRange(of: text) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.count >= last.count
    }
}
