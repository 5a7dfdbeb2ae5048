import PackURL

/// A cookie of the web view's cookie store.
public struct PageCookie: Equatable, Sendable {
    public var name: String
    public var value: String
    /// With a dot at the start if subdomains also get it.
    public var domain: String
    public var path: String
    /// Seconds since 1970; `nil` for a cookie of the session.
    public var expires: Double?

    public init(
        name: String, value: String, domain: String, path: String = "/", expires: Double? = nil
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.path = path
        self.expires = expires
    }

    /// The `Cookie` header for an https URL (RFC 6265, section 5.4); `nil` without cookies.
    ///
    /// - Parameter now: Seconds since 1970.
    public static func header(
        _ cookies: [PageCookie], for url: String, now: Double
    ) -> String? {
        guard let url = URLRecord.parse(url), let host = url.host else { return nil }
        let fitting = cookies.enumerated().filter { _, cookie in
            cookie.fits(host: host, path: url.path) && cookie.expires.map { $0 > now } ?? true
        }
        // Longer paths first, otherwise in the order of the store.
        let sorted = fitting.sorted {
            ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset)
        }
        let text = sorted.map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
        return text.isEmpty ? nil : text
    }

    private func fits(host: URLHost, path: [UInt8]) -> Bool {
        fitsHost(host) && fitsPath(path)
    }

    private func fitsHost(_ host: URLHost) -> Bool {
        let name = host.inLowerCase
        let domain = self.domain.lowercased()
        guard domain.utf8.first == UInt8(ascii: ".") else { return domain.utf8.elementsEqual(name) }
        if domain.utf8.dropFirst().elementsEqual(name) { return true }
        // Addresses have no subdomains.
        guard case .domain = host else { return false }
        return name.count > domain.utf8.count
            && name.suffix(domain.utf8.count).elementsEqual(domain.utf8)
    }

    private func fitsPath(_ path: [UInt8]) -> Bool {
        let own = Array(self.path.utf8)
        guard path.starts(with: own) else { return false }
        return path.count == own.count || own.last == UInt8(ascii: "/")
            || path[own.count] == UInt8(ascii: "/")
    }
}
