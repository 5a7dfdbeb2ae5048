/// The web origin of a URL, which determines the pages that may read its content (HTML standard,
/// "origin").
package enum URLOrigin: Hashable, Sendable {
    case tuple(scheme: [UInt8], host: URLHost, port: UInt16?)
    /// By the standard equal to no web origin, including itself.
    ///
    /// `==` compares kinds here; use ``isSameOrigin(as:)``.
    case opaque

    /// Whether two web origins are the same by the HTML standard.
    package func isSameOrigin(as other: URLOrigin) -> Bool {
        self != .opaque && self == other
    }
}

extension URLRecord {
    /// The origin by the URL standard: opaque for `file` and for every scheme that is not special.
    package var origin: URLOrigin {
        if scheme.elementsEqual("blob".utf8) {
            guard let inner = URLRecord.parse(path), inner.isHTTP else { return .opaque }
            return inner.origin
        }
        guard isSpecial, !SpecialScheme.isFile(scheme), let host else { return .opaque }
        return .tuple(scheme: scheme, host: host, port: port)
    }

    /// The web origin in a web view that handles some schemes itself.
    ///
    /// In WebKit a URL whose scheme has a registered handler has the tuple of scheme, host and port
    /// (`SecurityOriginData.cpp`), while it is `null` by the standard and in `new URL(…).origin`.
    package func origin(inWebViewHandling schemes: Set<[UInt8]>) -> URLOrigin {
        guard let host, schemes.contains(scheme) else { return origin }
        return .tuple(scheme: scheme, host: host, port: port)
    }

    private var isHTTP: Bool {
        scheme.elementsEqual("http".utf8) || scheme.elementsEqual("https".utf8)
    }
}
