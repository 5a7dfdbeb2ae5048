package import PackURL

/// An entry of `check.external`: a host with its subdomains, or a URL prefix.
///
/// Examples: `cdn.example.com`, `//cdn.example.com/lib/` and `https://cdn.example.com/lib/x.js`.
package struct ExternalAddress: Equatable, Sendable {
    package let host: [UInt8]
    /// The path prefix; empty for the whole host.
    private let path: [UInt8]

    package init(_ text: String) {
        var rest = Array(text.utf8)[...]
        for start in ["https://", "//"] where rest.starts(with: start.utf8) {
            rest = rest.dropFirst(start.utf8.count)
            break
        }
        let name = rest.prefix { $0 != UInt8(ascii: "/") }
        host = name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        path = Array(rest.dropFirst(name.count))
    }

    /// Whether a URL matches, regardless of its scheme.
    package func covers(_ url: URLRecord) -> Bool {
        guard let name = url.host?.inLowerCase, url.path.starts(with: path) else { return false }
        if host.starts(with: "*.".utf8) { return name.hasSuffix(host.dropFirst()) }
        return name.elementsEqual(host) || name.hasSuffix([UInt8(ascii: ".")] + host)
    }
}

extension Collection<UInt8> {
    fileprivate func hasSuffix(_ end: some Collection<UInt8>) -> Bool {
        count >= end.count && suffix(end.count).elementsEqual(end)
    }
}

extension CheckOptions {
    /// Whether pages may load a URL from the network.
    func expects(_ url: URLRecord) -> Bool {
        external.contains { ExternalAddress($0).covers(url) }
    }
}
