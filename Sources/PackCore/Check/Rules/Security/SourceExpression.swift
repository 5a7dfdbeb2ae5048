import PackGround
package import PackProfile
package import PackURL

/// A value of a source list that matches URLs (section 6.7.2.8 of the standard).
package enum SourceExpression: Sendable {
    case any
    case own
    case scheme([UInt8])
    case host(Host)

    /// A host with optional scheme, port and path.
    package struct Host: Sendable {
        /// `nil` means the page's own scheme.
        let scheme: [UInt8]?
        /// In lower case.
        let name: String
        /// `nil` means the scheme's default port.
        let port: String?
        /// Percent-decoded; `nil` if every path matches.
        let path: [UInt8]?
    }

    /// - Returns: `nil` for keywords, and for values without a match.
    package init?(_ word: String) {
        let text = word.lowercased()
        if text == "*" {
            self = .any
        } else if text == "'self'" {
            self = .own
        } else if text.hasPrefix("'") {
            return nil
        } else if text.hasSuffix(":"), !text.dropLast().contains(":"), !text.contains("/") {
            let scheme = Array(text.dropLast().utf8)
            guard Reference.scheme(of: scheme + [UInt8(ascii: ":")]) != nil else { return nil }
            self = .scheme(scheme)
        } else if let host = Host(word) {
            self = .host(host)
        } else {
            return nil
        }
    }

    /// The hash in `'sha256-…'`.
    static func hash(_ word: String) -> SubresourceIntegrity.Hash? {
        guard let inner = quoted(word) else { return nil }
        return SubresourceIntegrity.hash(inner)
    }

    /// The nonce in `'nonce-…'`.
    static func nonce(_ word: String) -> Substring? {
        guard let inner = quoted(word), inner.lowercased().hasPrefix("nonce-") else { return nil }
        return inner.dropFirst(6)
    }

    private static func quoted(_ word: String) -> Substring? {
        guard word.count > 2, word.hasPrefix("'"), word.hasSuffix("'") else { return nil }
        return word.dropFirst().dropLast()
    }

    // MARK: - Matching

    /// "Does url match expression in origin", without redirects.
    ///
    /// `'self'` compares scheme, host and port of the page, like WebKit's `updateSourceSelf`, so in
    /// a custom-scheme page it matches the page's own host.
    ///
    /// - Parameter directive: The directive's name: WebKit's `*` matches `data:` in `img-src`.
    func matches(
        _ url: URLRecord, page: URLRecord, profile: Profile, in directive: String
    ) -> Bool {
        switch self {
        case .any:
            return url.isNetwork || url.scheme == page.scheme
                || Self.matchedByStar[directive]?.contains(
                    String(decoding: url.scheme, as: UTF8.self)) ?? false
        case .own:
            if profile.isSameOrigin(url, page) { return true }
            return url.host == page.host && page.isNetwork
                && url.scheme.elementsEqual("https".utf8)
        case .scheme(let scheme): return Self.scheme(scheme, matches: url.scheme)
        case .host(let host): return host.matches(url, page: page, profile)
        }
    }

    /// Parses and matches a value; `false` for a value without a match.
    package static func matches(
        _ word: String, _ url: URLRecord, page: URLRecord, profile: Profile,
        in directive: String = ""
    ) -> Bool {
        SourceExpression(word)?.matches(url, page: page, profile: profile, in: directive) ?? false
    }

    /// The schemes matched by `*` in WebKit beyond the standard
    /// (ContentSecurityPolicySourceList.cpp).
    private static let matchedByStar: [String: Set<String>] = [
        "img-src": ["data"], "media-src": ["data", "blob"],
    ]

    fileprivate static func scheme(_ pattern: [UInt8], matches scheme: [UInt8]) -> Bool {
        if pattern == scheme { return true }
        let upgrades = ["http": "https", "ws": "wss"]
        return upgrades[String(decoding: pattern, as: UTF8.self)]
            == String(decoding: scheme, as: UTF8.self)
    }
}

extension SourceExpression.Host {
    /// Parses `scheme://host:port/path`; anything after `?` or `#` is ignored, as in WebKit.
    init?(_ word: String) {
        var rest = word[...].prefix { $0 != "?" && $0 != "#" }
        var scheme: [UInt8]?
        if let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix("://") {
            let name = Array(rest[..<colon].lowercased().utf8)
            guard Reference.scheme(of: name + [UInt8(ascii: ":")]) != nil else { return nil }
            scheme = name
            rest = rest[colon...].dropFirst(3)
        }
        let slash = rest.firstSlash
        let authority = rest[..<(slash ?? rest.endIndex)]
        let colon = authority.firstIndex(of: ":")
        let name = authority[..<(colon ?? authority.endIndex)].lowercased()
        let port = colon.map { String(authority[authority.index(after: $0)...]) }
        guard Self.isHost(name), port.map({ $0 == "*" || UInt16($0) != nil }) ?? true,
            // WebKit rejects `*:8080`.
            name != "*" || scheme != nil || port == nil
        else { return nil }
        self.scheme = scheme
        self.name = name
        self.port = port
        path = slash.flatMap {
            rest[$0...] == "/" ? nil : PercentEncoding.decode(Array(rest[$0...].utf8))
        }
    }

    /// Letters, digits, `-`, `.` and `_`, after an optional `*.`; or `*`.
    private static func isHost(_ name: String) -> Bool {
        if name == "*" { return true }
        let rest = name.hasPrefix("*.") ? name.dropFirst(2) : name[...]
        return !rest.isEmpty
            && rest.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0)
                    || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_")
            }
    }

    fileprivate func matches(_ url: URLRecord, page: URLRecord, _ profile: Profile) -> Bool {
        let host = String(decoding: url.host?.serialized ?? [], as: UTF8.self).lowercased()
        // If no host is configured, a policy with any host may be correct.
        let isUnknown = profile.hosts.isEmpty && host == profile.pageHost
        guard SourceExpression.scheme(scheme ?? page.scheme, matches: url.scheme),
            isUnknown || matches(host: host)
        else { return false }
        if let port {
            guard port == "*" || port == url.port.map({ "\($0)" }) ?? Self.defaultPort(url.scheme)
            else { return false }
        } else if url.port != nil {
            return false
        }
        guard let path else { return true }
        let asked = PercentEncoding.decode(url.path)
        return path.last == UInt8(ascii: "/") ? asked.starts(with: path) : asked == path
    }

    private func matches(host: String) -> Bool {
        if name == "*" { return !host.isEmpty }
        guard name.hasPrefix("*.") else { return name == host }
        return host.hasSuffix(name.dropFirst(1)) && host.count > name.count - 1
    }

    private static func defaultPort(_ scheme: [UInt8]) -> String {
        switch String(decoding: scheme, as: UTF8.self) {
        case "http", "ws": "80"
        case "https", "wss": "443"
        default: ""
        }
    }
}

extension URLRecord {
    fileprivate var isNetwork: Bool {
        ["http", "https", "ws", "wss"].contains(String(decoding: scheme, as: UTF8.self))
    }
}
