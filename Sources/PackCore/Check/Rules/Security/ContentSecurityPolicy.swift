/// A Content Security Policy, as far as a build can evaluate it (docs/sources.md#csp).
package struct ContentSecurityPolicy: Sendable {
    /// One directive: its name in lower case, its values, and its place in the policy's text.
    package struct Directive: Sendable {
        package let name: String
        package let values: [String]
        package let range: Range<Int>

        /// Whether inline content needs a hash or a nonce, or is blocked altogether.
        var refusesInlineWithoutHash: Bool {
            let words = values.map { $0.lowercased() }
            return hasHashOrNonce || !words.contains("'unsafe-inline'")
        }

        var hasHashOrNonce: Bool {
            values.contains {
                SourceExpression.hash($0) != nil || SourceExpression.nonce($0) != nil
            }
        }
    }

    package let directives: [Directive]
    private let byName: [String: Int]

    /// The maximum number of values that are read from a directive: every URL is matched against
    /// all of them.
    private static let mostValues = 1000

    /// Parses a serialized policy; of two directives with the same name the first counts (section
    /// 2.2.1).
    package init(_ text: [UInt8]) {
        var directives: [Directive] = []
        var byName: [String: Int] = [:]
        for piece in text.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) {
            let words = piece.split(whereSeparator: { $0 <= 0x20 })
            guard let first = words.first, let last = words.last else { continue }
            let name = String(decoding: first, as: UTF8.self).lowercased()
            guard byName[name] == nil else { continue }
            byName[name] = directives.count
            directives.append(
                Directive(
                    name: name,
                    values: words.dropFirst().prefix(Self.mostValues).map {
                        String(decoding: $0, as: UTF8.self)
                    },
                    range: first.startIndex..<last.endIndex))
        }
        self.directives = directives
        self.byName = byName
    }

    /// The directive that applies to a kind of request, including fallbacks (section 6.8.3).
    package func directive(governing name: String) -> Directive? {
        for candidate in Self.fallbacks[name] ?? [name] {
            if let index = byName[candidate] { return directives[index] }
        }
        return nil
    }

    private static let fallbacks: [String: [String]] = [
        "script-src-elem": ["script-src-elem", "script-src", "default-src"],
        "style-src-elem": ["style-src-elem", "style-src", "default-src"],
        "img-src": ["img-src", "default-src"], "font-src": ["font-src", "default-src"],
        "media-src": ["media-src", "default-src"],
        "object-src": ["object-src", "default-src"],
        "manifest-src": ["manifest-src", "default-src"],
        "frame-src": ["frame-src", "child-src", "default-src"],
    ]

    /// The directive that applies to a reference; `nil` if no policy does.
    static func directiveName(for reference: Reference) -> String? {
        switch reference.kind {
        case .html(let kind):
            switch kind {
            case .script, .moduleScript, .modulePreload: "script-src-elem"
            case .styleSheet: "style-src-elem"
            case .image, .icon, .backgroundImage, .svgImage, .imagePreload: "img-src"
            case .media, .textTrack: "media-src"
            case .fontPreload: "font-src"
            case .frame: "frame-src"
            case .object, .embed: "object-src"
            case .manifest: "manifest-src"
            case .formSubmission: "form-action"
            default: nil
            }
        case .css(let role):
            switch role {
            case .importedSheet: "style-src-elem"
            case .fontSource: "font-src"
            case .image, .cursor, .mask: "img-src"
            default: nil
            }
        case .script, .data: nil
        }
    }
}

/// One value of a source list.
package enum SourceExpression {
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

    /// "Does url match expression in origin" (section 6.7.2.8), without redirects.
    ///
    /// `'self'` compares scheme, host and port of the page, as WebKit's `updateSourceSelf` does, so in
    /// a page of the custom scheme it matches the page's own host.
    package static func matches(_ word: String, _ url: URLRecord, page: URLRecord, profile: Profile)
        -> Bool
    {
        let text = word.lowercased()
        if text == "*" {
            return isNetworkScheme(url.scheme) || url.scheme == page.scheme
        }
        if text == "'self'" {
            if profile.isSameOrigin(url, page) { return true }
            return url.host == page.host && isNetworkScheme(page.scheme)
                && url.scheme.elementsEqual("https".utf8)
        }
        if text.hasPrefix("'") { return false }
        if text.hasSuffix(":"), !text.dropLast().contains(":"), !text.contains("/") {
            return schemeMatches(Array(text.dropLast().utf8), url.scheme)
        }
        return matchesHost(word, url, page: page)
    }

    private static func matchesHost(_ word: String, _ url: URLRecord, page: URLRecord) -> Bool {
        var rest = word[...]
        if let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix("://") {
            guard schemeMatches(Array(rest[..<colon].lowercased().utf8), url.scheme) else {
                return false
            }
            rest = rest[colon...].dropFirst(3)
        } else if !schemeMatches(page.scheme, url.scheme) {
            return false
        }
        let slash = rest.firstIndex(of: "/")
        let authority = rest[..<(slash ?? rest.endIndex)]
        let colon = authority.firstIndex(of: ":")
        let host = authority[..<(colon ?? authority.endIndex)].lowercased()
        let target = String(decoding: url.host?.serialized ?? [], as: UTF8.self).lowercased()
        guard hostMatches(host, target) else { return false }
        if let colon {
            let port = authority[authority.index(after: colon)...]
            guard port == "*" || port == url.port.map({ "\($0)" }) ?? defaultPort(url.scheme) else {
                return false
            }
        } else if url.port != nil {
            return false
        }
        guard let slash, rest[slash...] != "/" else { return true }
        let path = PercentEncoding.decode(Array(rest[slash...].utf8))
        let asked = PercentEncoding.decode(url.path)
        return path.last == UInt8(ascii: "/") ? asked.starts(with: path) : asked == path
    }

    private static func hostMatches(_ pattern: String, _ host: String) -> Bool {
        if pattern == "*" { return !host.isEmpty }
        guard pattern.hasPrefix("*.") else { return pattern == host }
        return host.hasSuffix(pattern.dropFirst(1)) && host.count > pattern.count - 1
    }

    private static func schemeMatches(_ pattern: [UInt8], _ scheme: [UInt8]) -> Bool {
        if pattern == scheme { return true }
        let upgrades = ["http": "https", "ws": "wss"]
        return upgrades[String(decoding: pattern, as: UTF8.self)]
            == String(decoding: scheme, as: UTF8.self)
    }

    private static func isNetworkScheme(_ scheme: [UInt8]) -> Bool {
        ["http", "https", "ws", "wss"].contains(String(decoding: scheme, as: UTF8.self))
    }

    private static func defaultPort(_ scheme: [UInt8]) -> String {
        switch String(decoding: scheme, as: UTF8.self) {
        case "http", "ws": "80"
        case "https", "wss": "443"
        default: ""
        }
    }
}

extension DocumentContext {
    /// A policy in the page, with what is needed to report and change it.
    struct Policy {
        let policy: ContentSecurityPolicy
        let text: HTMLDecodedText
        let attribute: HTMLAttribute
        /// References before this offset are not checked.
        let start: Int
    }

    /// The maximum number of policies of a page: everything in the page is matched against each.
    private static let mostPolicies = 16

    /// The policies of the page that browsers enforce: a report-only one in `meta` is ignored
    /// (section 4.4).
    var policies: [Policy] {
        guard let html else { return [] }
        var found: [Policy] = []
        for fragment in html.fragments where found.count < Self.mostPolicies {
            guard fragment.kind == .contentSecurityPolicy, let attribute = fragment.attribute else {
                continue
            }
            let element = html.elements[fragment.element]
            guard keyword("http-equiv", of: element) == "content-security-policy",
                !element.isInTemplate, !element.isInNoscript
            else { continue }
            let text = fragment.decoded(in: bytes.span)
            found.append(
                Policy(
                    policy: ContentSecurityPolicy(text.bytes), text: text, attribute: attribute,
                    start: element.tag.upperBound))
        }
        return found
    }
}
