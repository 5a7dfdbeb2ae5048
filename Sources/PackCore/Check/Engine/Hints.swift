import PackGround
package import PackProfile
import PackURL

extension SiteIndex {
    /// Notes about a request that finds no file: the looked-up name, and the file probably
    /// intended.
    package func hints(for resolution: Resolution) -> [String] {
        var hints: [String] = []
        if let url = resolution.url {
            hints.append("it resolves to \(printable(url.serialized()))")
        }
        if let name = resolution.lookedUp {
            hints.append("the handler looks for '\(printable(name))'")
        }
        if let url = resolution.fallback {
            hints.append("if it is missing, the handler requests \(printable(url.serialized()))")
        }
        if resolution.file == nil, let name = resolution.lookedUp,
            let entry = leftOut.entry(for: Array(name))
        {
            hints.append("the pattern '\(printable(entry.pattern.utf8))' excludes this file")
        }
        if let mark = unescapedMark(resolution) {
            hints.append(
                """
                the package has '\(printable(path(mark.file).bytes))': in a URL, write \
                '\(mark.character)' as '\(mark.escape)'
                """)
        } else if let copy = compressedCopy(resolution) {
            hints.append(
                """
                the package has only '\(printable(path(copy).bytes))', which no handler decompresses
                """)
        } else if resolution.file == nil, let meant = meantFile(resolution) {
            hints.append("did you mean '\(printable(path(meant).bytes))'?")
        }
        return hints
    }

    /// The compressed copy of a missing file, if any.
    private func compressedCopy(_ resolution: Resolution) -> Int? {
        guard resolution.file == nil, let url = resolution.url,
            let path = profile.packagePath(of: url).map({ PercentEncoding.decode($0) })
        else { return nil }
        return Self.compressedEndings.lazy
            .compactMap { listing.index(of: path + Array(".\($0)".utf8)) }
            .first
    }

    /// The extensions of copies that web servers send with Content-Encoding.
    static let compressedEndings = ["gz", "br", "zst"]

    /// The unescaped `?` or `#` that ends the URL's path but belongs to the file's name.
    private func unescapedMark(
        _ resolution: Resolution
    ) -> (file: Int, character: String, escape: String)? {
        guard resolution.file == nil, let url = resolution.url,
            let start = profile.packagePath(of: url).map({ PercentEncoding.decode($0) })
        else { return nil }
        var path = start
        if let query = url.query {
            path += Array("?".utf8) + PercentEncoding.decode(query)
            if let file = listing.index(of: path) { return (file, "?", "%3F") }
        }
        guard let fragment = url.fragment else { return nil }
        path += Array("#".utf8) + PercentEncoding.decode(fragment)
        return listing.index(of: path).map { ($0, "#", "%23") }
    }
}
