import PackWeb

extension SiteIndex {
    /// Notes about a request that finds no file: the name that was looked up, the file that was
    /// meant.
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
        if resolution.file == nil, let meant = meantFile(resolution) {
            hints.append("did you mean '\(printable(path(meant).bytes))'?")
        }
        return hints
    }
}
