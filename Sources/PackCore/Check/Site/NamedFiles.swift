import PackGround
import PackProfile
import PackWeb

/// Finds the packaged files named by a script, by the end of their path or a name with a content
/// hash.
enum NamedFiles {
    /// Whether a name without its extension ends with a content hash, or is one.
    ///
    /// Stricter than ``ContentHash``, because scripts also contain names of modules and sounds.
    static func isHashed(_ stem: ArraySlice<UInt8>) -> Bool {
        guard let hash = ContentHash.part(of: Array(stem) + Array(".x".utf8)) else { return false }
        let hasDigit = hash.contains { (0x30...0x39).contains($0) }
        if hash.count == stem.count {
            return hash.count >= 8 && hasDigit
                && hash.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        }
        // As written by bundlers: last, after a dot or a hyphen.
        guard stem.suffix(hash.count).elementsEqual(hash), hash.count >= 6,
            let separator = stem.dropLast(hash.count).last,
            separator == UInt8(ascii: ".") || separator == UInt8(ascii: "-")
        else { return false }
        return hasDigit || hash.count == 8
    }

    /// The files whose path ends with the path of a relative URL.
    static func files(endingIn value: [UInt8], in site: SiteIndex) -> [Int] {
        var path = value.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        while path.starts(with: "./".utf8) { path = path.dropFirst(2) }
        while path.starts(with: "../".utf8) { path = path.dropFirst(3) }
        while path.first == UInt8(ascii: "/") { path = path.dropFirst() }
        let name = path.lastIndex(of: UInt8(ascii: "/")).map { path[($0 + 1)...] } ?? path
        guard !name.isEmpty else { return [] }
        return site.listing.indices(named: name).prefix(mostAlike).filter {
            let file = site.path($0).bytes
            return file.count >= path.count && file.suffix(path.count).elementsEqual(path)
        }
    }

    /// Whether a path's name has a content hash, and the package has a file with this name.
    static func isHashedFile(_ path: [UInt8], in site: SiteIndex) -> Bool {
        let name = path.lastIndex(of: UInt8(ascii: "/")).map { path[($0 + 1)...] } ?? path[...]
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex,
            isHashed(name[..<dot])
        else { return false }
        return !site.listing.indices(named: name).isEmpty
    }

    /// The files named by a document's scripts, with any prefix: all for which `js-asset-missing`
    /// reports nothing.
    static func named(in document: DocumentContext) -> Set<Int> {
        var named: Set<Int> = []
        for found in document.scriptReferences {
            for fact in found.references where fact.value.contains(UInt8(ascii: ".")) {
                named.formUnion(files(endingIn: fact.value, in: document.site))
                // A name with a content hash identifies the file.
                let path = fact.value.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
                let name = path.lastIndex(of: UInt8(ascii: "/")).map { path[($0 + 1)...] } ?? path
                guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex,
                    isHashed(name[..<dot])
                else { continue }
                named.formUnion(document.site.listing.indices(named: name))
            }
        }
        return named
    }

    /// The maximum number of files compared with a name.
    private static let mostAlike = 100
}
