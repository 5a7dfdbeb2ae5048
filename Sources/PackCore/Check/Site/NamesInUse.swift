import PackGround
import PackWeb

/// The classes and ids in the pages and scripts of a build.
///
/// They are read when a style sheet needs a missing file.
final class NamesInUse: Sendable {
    /// The best place where an element can get the names of a selector.
    enum Place: Comparable {
        case nowhere
        /// A script, or data: the element may never be made.
        case script
        case page
    }

    private struct Names {
        var ofPages: Set<[UInt8]> = []
        /// The hashes of all words in pages, scripts and data.
        var words: Set<UInt64> = []
        /// Whether the build was too large to be read, or has no page.
        var isUnknown = false
    }

    private let names = Locked<Names?>(nil)
    /// The largest number of bytes read.
    private static let limit = 128 << 20

    /// The best place for one of the selectors of a rule: an element needs all names of one.
    func place(of selectors: [UInt8], in site: SiteIndex) -> Place {
        let names = names.withLock { known in
            if let known { return known }
            let read = Self.read(site)
            known = read
            return read
        }
        guard !names.isUnknown else { return .page }
        var best = Place.nowhere
        for selector in Self.names(of: selectors) {
            best = max(best, selector.map { Self.place(of: $0, names) }.min() ?? .page)
        }
        return best
    }

    private static func place(of name: [UInt8], _ names: Names) -> Place {
        if names.ofPages.contains(name) { return .page }
        if names.words.contains(hash(name[...])) { return .script }
        // Scripts compose names: `"icon-" + kind`.
        for index in name.indices.dropFirst() where isJoint(name[index]) {
            if names.words.contains(hash(name[...index])) { return .script }
        }
        return .nowhere
    }

    // MARK: Selectors

    /// The classes and ids of each selector in a list, except in `:not()`.
    ///
    /// A selector with an escape has none, as if it matched.
    static func names(of selectors: [UInt8]) -> [[[UInt8]]] {
        var all: [[[UInt8]]] = [[]]
        var depth = 0
        var index = 0
        var isKnown = true
        while index < selectors.count {
            let byte = selectors[index]
            index += 1
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\\"):
                all[all.count - 1] = []
                isKnown = false
            case UInt8(ascii: ",") where depth == 0:
                all.append([])
                isKnown = true
            case UInt8(ascii: "."), UInt8(ascii: "#"):
                let start = index
                while index < selectors.count, isWord(selectors[index]) { index += 1 }
                if depth == 0, isKnown, start < index {
                    all[all.count - 1].append(Array(selectors[start..<index]))
                }
            default: break
            }
        }
        return all
    }

    // MARK: Reading

    private static func read(_ site: SiteIndex) -> Names {
        var names = Names()
        var size = 0
        var hasPage = false
        for (index, file) in site.files.enumerated() {
            switch file.kind {
            case .html, .script, .json, .svg, .text: break
            default: continue
            }
            size += Int(clamping: file.size)
            guard size <= limit, file.size <= UInt64(SiteSource.documentLimit),
                let bytes = try? site.content(of: index)
            else {
                names.isUnknown = true
                return names
            }
            if file.kind == .html {
                hasPage = true
                addAttributes(of: bytes, to: &names)
            }
            addWords(of: bytes.span, to: &names)
        }
        names.isUnknown = !hasPage
        return names
    }

    private static func addAttributes(of page: [UInt8], to names: inout Names) {
        var reader = HTMLReader(range: 0..<page.count)
        while let token = reader.next(in: page.span) {
            guard token.kind == .startTag else { continue }
            for attribute in reader.attributes {
                let name = page[within: attribute.name].map {
                    (0x41...0x5A).contains($0) ? $0 | 0x20 : $0
                }
                guard name.elementsEqual("class".utf8) || name.elementsEqual("id".utf8) else {
                    continue
                }
                for word in page[within: attribute.value].split(whereSeparator: { !isWord($0) }) {
                    names.ofPages.insert(Array(word))
                }
            }
        }
    }

    private static func addWords(of source: Span<UInt8>, to names: inout Names) {
        var hash = seed
        var length = 0
        for index in source.indices {
            let byte = source[index]
            if isWord(byte) {
                hash = step(hash, byte)
                length += 1
            } else if length > 0 {
                if length <= longestName { names.words.insert(hash) }
                hash = seed
                length = 0
            }
        }
        if length > 0, length <= longestName { names.words.insert(hash) }
    }

    private static let longestName = 80

    private static func isJoint(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
            true
        default: isJoint(byte)
        }
    }

    // FNV-1a
    private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325
    private static func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
        (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }

    private static func hash(_ name: ArraySlice<UInt8>) -> UInt64 { name.reduce(seed, step) }
}
