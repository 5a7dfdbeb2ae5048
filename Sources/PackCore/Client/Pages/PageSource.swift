package import PackGround
import PackProfile
import PackRelease
import PackURL

/// A release on this device, for the requests below a host and a path prefix.
public struct PageSource: Sendable {
    /// The answer to requests without a file in the release, and to methods other than
    /// GET and HEAD.
    public enum Missing: Equatable, Sendable {
        /// 404, or 405 for other methods.
        case notFound
        /// The network's answer, see ``PageSource/network``.
        case network
    }

    /// The web origins whose pages may read the files.
    public enum Access: Equatable, Sendable {
        case any
        /// Web origins such as `https://www.example.com`; the pages of ``PageSource/host`` need no
        /// permission.
        case origins([String])
    }

    public let host: String
    /// The path of the release in URLs, with a slash at both ends.
    public let prefix: String
    /// The version of the release, for entity tags.
    public let version: String
    /// The https URL of the same pages, with a slash at the end.
    public let network: String
    /// The first page of the app, as a path in the release.
    ///
    /// A request for `/` is not answered with it.
    public var launch = "index.html"
    public var missing = Missing.notFound
    public var access = Access.any
    /// Lives as long as any page may request files of the release.
    ///
    /// The provider must not remove the files before.
    public var lease: (any AnyObject & Sendable)?

    let directory: Directory
    let networkURL: URLRecord

    /// Opens the files of a release.
    ///
    /// - Parameters:
    ///   - prefix: A path with a slash at both ends, percent-encoded as in URLs.
    ///   - path: The directory of the release's files.
    ///   - network: An https URL; `nil` for the same host and prefix.
    /// - Throws: ``PageError`` `pages.invalid-source` for a wrong argument, `pages.unreadable` if
    ///   the directory cannot be opened.
    public init(
        host: String, prefix: String = "/", directory path: String, version: String,
        network: String? = nil
    ) throws(PageError) {
        let directory: Directory
        do {
            directory = try Directory.open(path)
        } catch {
            throw PageError("unreadable", error.description)
        }
        try self.init(
            host: host, prefix: prefix, directory: directory, version: version, network: network)
    }

    /// Uses an open directory.
    package init(
        host: String, prefix: String = "/", directory: Directory, version: String,
        network: String? = nil
    ) throws(PageError) {
        guard prefix.utf8.first == UInt8(ascii: "/"), prefix.utf8.last == UInt8(ascii: "/") else {
            throw PageError("invalid-source", "the prefix '\(prefix)' needs a slash at both ends")
        }
        guard !version.isEmpty, version.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x22 })
        else {
            throw PageError("invalid-source", "the version '\(version)' is no entity tag")
        }
        let text = network ?? "https://\(host)\(prefix)"
        guard var url = URLRecord.parse(text), url.scheme.elementsEqual("https".utf8),
            !url.hasCredentials, url.query == nil, url.fragment == nil
        else {
            throw PageError("invalid-source", "'\(text)' is not an https URL without a query")
        }
        if url.path.last != UInt8(ascii: "/") { url.path.append(UInt8(ascii: "/")) }
        self.host = host
        self.prefix = prefix
        self.version = version
        self.network = url.href
        self.directory = directory
        networkURL = url
    }

    // MARK: URLs

    /// The rules of `packtool check` for looking up URLs.
    func profile(_ scheme: String) -> Profile {
        Profile.pathStrict.with {
            $0.scheme = scheme
            $0.hosts = [host]
            $0.root = prefix
        }
    }

    /// The https URL for a URL of the release; `nil` if it would lead out of ``network``.
    func networkURL(of url: URLRecord, _ profile: Profile) -> URLRecord? {
        guard let rest = profile.packagePath(of: url) else { return nil }
        var text = networkURL.serialized()
        for byte in rest {
            // In https URLs, unlike in others, a backslash is a slash.
            if byte == UInt8(ascii: "\\") { text += "%5C".utf8 } else { text.append(byte) }
        }
        if let query = url.query {
            text.append(UInt8(ascii: "?"))
            text += query
        }
        guard let found = URLRecord.parse(text), found.host == networkURL.host,
            found.port == networkURL.port, found.path.starts(with: networkURL.path)
        else { return nil }
        return found
    }

    /// The URL with the app's scheme for an https URL; `nil` if it is not below ``network``.
    func pageURL(of url: URLRecord, scheme: String) -> URLRecord? {
        guard url.scheme == networkURL.scheme, url.host == networkURL.host,
            url.port == networkURL.port, url.path.starts(with: networkURL.path)
        else { return nil }
        var text = Array("\(scheme)://\(host)\(prefix)".utf8)
        text += url.path[networkURL.path.count...]
        if let query = url.query {
            text.append(UInt8(ascii: "?"))
            text += query
        }
        if let fragment = url.fragment {
            text.append(UInt8(ascii: "#"))
            text += fragment
        }
        return URLRecord.parse(text)
    }

    // MARK: Headers

    var tag: String { "\"\(version)\"" }

    /// The headers for pages of other web origins.
    func accessHeaders(for origin: String?) -> [PageHeader] {
        let exposed = PageHeader(
            "Access-Control-Expose-Headers", "Accept-Ranges, Content-Range, ETag")
        switch access {
        case .any: return [PageHeader("Access-Control-Allow-Origin", "*"), exposed]
        case .origins(let origins):
            let vary = PageHeader("Vary", "Origin")
            guard let origin, origins.contains(where: { $0.lowercased() == origin.lowercased() })
            else { return [vary] }
            return [vary, PageHeader("Access-Control-Allow-Origin", origin), exposed]
        }
    }
}
