extension SiteIndex {
    /// What is worth knowing of a request that finds no file: the name looked up, the file meant.
    package func hints(for resolution: Resolution) -> [String] {
        var hints: [String] = []
        if let url = resolution.url {
            hints.append("it resolves to \(printable(url.serialized()))")
        }
        if let name = resolution.lookedUp {
            hints.append("the handler looks for '\(printable(name))'")
        }
        if case .fallback(let url?) = resolution.outcome {
            hints.append("not finding it, it asks the network for \(printable(url.serialized()))")
        }
        if resolution.file == nil, let meant = meantFile(resolution) {
            hints.append("did you mean '\(printable(path(meant).bytes))'?")
        }
        return hints
    }

    /// The packaged file that a URL most likely means: the same path or name but for encoding, case
    /// or normal form.
    package func meantFile(_ resolution: Resolution) -> Int? {
        guard let url = resolution.url else { return nil }
        let decoded = PercentEncoding.decode(url.path)
        let name =
            decoded.lastIndex(of: UInt8(ascii: "/")).map { decoded[($0 + 1)...] }
            ?? decoded[...]
        guard !name.isEmpty else { return nil }
        let candidates = listing.indices(foldedName: name)
        let folded = AssetPath.foldedKey(
            PercentEncoding.decode(profile.packagePath(of: url) ?? url.path[...])[...])
        return candidates.first { AssetPath.foldedKey(path($0).bytes[...]) == folded }
            ?? candidates.first
    }
}
