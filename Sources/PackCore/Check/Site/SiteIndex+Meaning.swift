extension SiteIndex {
    /// The packaged file that a URL most likely means: the same path or name except for encoding,
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
}
