import PackWeb

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
}
