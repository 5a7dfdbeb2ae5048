package import PackURL

/// The path that a handler looks up for a URL.
///
/// The model of ``Resolver`` and the handler of PackPages share it.
extension Profile {
    /// The path of the file that answers a URL, for handlers that look up whole paths.
    ///
    /// - Returns: `nil` for a URL outside the root. The result need not be a valid path.
    package func filePath(of url: URLRecord) -> [UInt8]? {
        packagePath(of: url) == nil ? nil : filePath(lookedUpName(url))
    }

    /// The name or path derived by the handler from the URL.
    package func lookedUpName(_ url: URLRecord) -> [UInt8] {
        let keepsFragment = client.fragment == .keep
        var name: [UInt8]
        switch (client.lookUp, client.query) {
        case (.basename, .afterLastSlash):
            let text = url.serialized(includingFragment: keepsFragment)
            let last = text.lastIndex(of: UInt8(ascii: "/")).map { text[($0 + 1)...] } ?? text[...]
            name = Array(last.prefix { $0 != UInt8(ascii: "?") })
            if client.decodesPercent { name = PercentEncoding.decode(name) }
            return name
        case (.basename, _):
            let path = url.path
            name = path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[($0 + 1)...]) } ?? path
        case (.path, _):
            name = Array(packagePath(of: url) ?? url.path[...])
        }
        if client.decodesPercent { name = PercentEncoding.decode(name) }
        if client.query == .keep, let query = url.query {
            name.append(UInt8(ascii: "?"))
            name += query
        }
        if keepsFragment, let fragment = url.fragment {
            name.append(UInt8(ascii: "#"))
            name += fragment
        }
        return name
    }

    /// The path as the file system interprets it: repeated slashes are merged, and leading ones are
    /// removed.
    ///
    /// `url.path`, used by Capacitor and Cordova on iOS, has no trailing slash: `/x.js/` finds `x.js`.
    func filePath(_ name: [UInt8]) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        // Android's assets are looked up exactly.
        if isIntercepted, framework != nil { return name }
        let losesSlash =
            client.indexFile == .startPage && !isIntercepted && name.last == slash
        guard
            losesSlash || name.first == slash
                || zip(name, name.dropFirst()).contains(where: { $0 == slash && $1 == slash })
        else { return name }
        var path: [UInt8] = []
        for byte in name where byte != slash || !path.isEmpty && path.last != slash {
            path.append(byte)
        }
        if losesSlash, path.last == slash { path.removeLast() }
        return path
    }
}
