import PackGround
package import PackProfile
import PackURL

extension SiteIndex {
    /// The packaged file most likely intended by a URL: the same path or name except for encoding,
    /// case or normal form.
    package func meantFile(_ resolution: Resolution) -> Int? {
        guard let url = resolution.url else { return nil }
        let decoded = PercentEncoding.decode(url.path)
        let name =
            decoded.lastIndex(of: UInt8(ascii: "/")).map { decoded[($0 + 1)...] }
            ?? decoded[...]
        guard !name.isEmpty else { return nil }
        let path = PercentEncoding.decode(profile.packagePath(of: url) ?? url.path[...])
        return listing.index(foldedPath: path) ?? listing.indices(foldedName: name).first
    }

    /// The page linked without its extension: servers answer `/about` with `about.html` or
    /// `about/index.html`, handlers do not.
    package func shortenedPage(_ resolution: Resolution) -> Int? {
        guard resolution.file == nil, let url = resolution.url,
            let path = profile.packagePath(of: url).map({ PercentEncoding.decode($0) }),
            let last = path.last, last != UInt8(ascii: "/")
        else { return nil }
        return listing.index(of: path + Array(".html".utf8))
            ?? listing.index(of: path + Array("/index.html".utf8))
    }

    /// The cause shared by all references to the same missing file.
    package func targetName(_ resolution: Resolution) -> String? {
        guard let url = resolution.url else { return nil }
        return printable(
            profile.packagePath(of: url).map { PercentEncoding.decode($0) } ?? url.serialized())
    }
}
