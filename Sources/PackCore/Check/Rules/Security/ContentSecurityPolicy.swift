import PackGround

/// A Content Security Policy (docs/sources.md#csp): its directives and their precedence.
package struct ContentSecurityPolicy: Sendable {
    /// One directive: its name in lower case, its values, and its range in the policy's text.
    package struct Directive: Sendable {
        package let name: String
        package let values: [String]
        package let range: Range<Int>
        package let sources: SourceList

        /// The values with their ranges in the policy's text.
        func words(in text: [UInt8]) -> [(text: String, range: Range<Int>)] {
            text[range.clamped(to: text.indices)].split(whereSeparator: { $0 <= 0x20 })
                .dropFirst().map {
                    (String(decoding: $0, as: UTF8.self), $0.startIndex..<$0.endIndex)
                }
        }
    }

    /// The effective directives.
    package let directives: [Directive]
    /// The directives ignored by browsers, with reasons.
    let ignored: [(directive: Directive, reason: Ignored)]
    private let byName: [String: Int]

    /// The reason why a directive is ignored.
    enum Ignored: Sendable {
        /// An earlier directive has the same name.
        case duplicate
        /// WebKit ignores directives with non-ASCII characters.
        case notASCII
    }

    /// The maximum number of values read from a directive: every URL is matched against all of
    /// them.
    private static let mostValues = 1000

    /// Parses one serialized policy; if two directives have the same name, the first one counts
    /// (section 2.2.1).
    package init(_ text: [UInt8]) { self.init(text[...]) }

    private init(_ text: ArraySlice<UInt8>) {
        var directives: [Directive] = []
        var ignored: [(directive: Directive, reason: Ignored)] = []
        var byName: [String: Int] = [:]
        for piece in text.split(separator: UInt8(ascii: ";")) {
            let words = piece.split(whereSeparator: { $0 <= 0x20 })
            guard let first = words.first, let last = words.last else { continue }
            let name = String(decoding: first, as: UTF8.self).lowercased()
            let values = words.dropFirst().prefix(Self.mostValues).map {
                String(decoding: $0, as: UTF8.self)
            }
            let directive = Directive(
                name: name, values: values, range: first.startIndex..<last.endIndex,
                sources: SourceList(values))
            if piece.contains(where: { $0 >= 0x80 }) {
                ignored.append((directive, .notASCII))
            } else if byName[name] != nil {
                ignored.append((directive, .duplicate))
            } else {
                byName[name] = directives.count
                directives.append(directive)
            }
        }
        self.directives = directives
        self.ignored = ignored
        self.byName = byName
    }

    /// Splits a text at commas into policies, as WebKit also does in `meta`.
    static func list(_ text: [UInt8], atMost limit: Int) -> [ContentSecurityPolicy] {
        text.split(separator: UInt8(ascii: ","), maxSplits: limit - 1)
            .map { ContentSecurityPolicy($0.prefix { $0 != UInt8(ascii: ",") }) }
            .filter { !$0.directives.isEmpty || !$0.ignored.isEmpty }
    }

    /// The directive that applies to a kind of action, including fallbacks (section 6.8.3).
    package func directive(governing name: String) -> Directive? {
        for candidate in Self.fallbacks[name] ?? [name] {
            if let index = byName[candidate] { return directives[index] }
        }
        return nil
    }

    private static let fallbacks: [String: [String]] = [
        "script-src": ["script-src", "default-src"],
        "script-src-elem": ["script-src-elem", "script-src", "default-src"],
        "script-src-attr": ["script-src-attr", "script-src", "default-src"],
        "style-src-elem": ["style-src-elem", "style-src", "default-src"],
        "style-src-attr": ["style-src-attr", "style-src", "default-src"],
        "worker-src": ["worker-src", "child-src", "script-src", "default-src"],
        "connect-src": ["connect-src", "default-src"],
        "img-src": ["img-src", "default-src"], "font-src": ["font-src", "default-src"],
        "media-src": ["media-src", "default-src"],
        "object-src": ["object-src", "default-src"],
        "manifest-src": ["manifest-src", "default-src"],
        "frame-src": ["frame-src", "child-src", "default-src"],
    ]

    /// Directives whose values are sources.
    static let sourceDirectives: Set<String> = [
        "default-src", "script-src", "script-src-elem", "script-src-attr", "style-src",
        "style-src-elem", "style-src-attr", "img-src", "font-src", "media-src", "object-src",
        "manifest-src", "connect-src", "worker-src", "child-src", "frame-src", "prefetch-src",
        "base-uri", "form-action", "fenced-frame-src",
    ]

    /// Directives not allowed in a `meta` policy (section 3.3).
    static let ignoredInMeta: Set<String> = ["frame-ancestors", "sandbox", "report-uri"]

    /// Directives without sources.
    static let otherDirectives: Set<String> = [
        "upgrade-insecure-requests", "block-all-mixed-content", "report-to", "plugin-types",
        "require-trusted-types-for", "trusted-types", "require-sri-for", "navigate-to", "referrer",
        "reflected-xss", "webrtc",
    ]
}

/// The values of a directive, grouped by kind.
package struct SourceList: Sendable {
    struct Keywords: OptionSet, Sendable {
        let rawValue: UInt8

        static let unsafeInline = Keywords(rawValue: 1)
        static let unsafeEval = Keywords(rawValue: 2)
        static let unsafeHashes = Keywords(rawValue: 4)
        static let strictDynamic = Keywords(rawValue: 8)
    }

    let keywords: Keywords
    /// The values that match URLs.
    let urls: [SourceExpression]
    let nonces: Set<String>
    private let digests: [SubresourceIntegrity.Algorithm: Set<[UInt8]>]

    init(_ values: [String]) {
        var keywords: Keywords = []
        var urls: [SourceExpression] = []
        var nonces: Set<String> = []
        var digests: [SubresourceIntegrity.Algorithm: Set<[UInt8]>] = [:]
        for value in values {
            if let keyword = Self.keywords[value.lowercased()] {
                keywords.insert(keyword)
            } else if let nonce = SourceExpression.nonce(value) {
                nonces.insert(String(nonce))
            } else if let hash = SourceExpression.hash(value) {
                digests[hash.algorithm, default: []].insert(hash.digest)
            } else if let expression = SourceExpression(value) {
                urls.append(expression)
            }
        }
        self.keywords = keywords
        self.urls = urls
        self.nonces = nonces
        self.digests = digests
    }

    private static let keywords: [String: Keywords] = [
        "'unsafe-inline'": .unsafeInline, "'unsafe-eval'": .unsafeEval,
        "'unsafe-hashes'": .unsafeHashes, "'strict-dynamic'": .strictDynamic,
    ]

    var hasHashOrNonce: Bool { !nonces.isEmpty || !digests.isEmpty }

    /// Whether inline content needs neither a hash nor a nonce (section 6.7.3.2).
    func allowsAllInline(script: Bool) -> Bool {
        keywords.contains(.unsafeInline) && !hasHashOrNonce
            && !(script && keywords.contains(.strictDynamic))
    }

    /// Whether the hash of some content is listed.
    func contains(hashOf content: [UInt8]) -> Bool {
        digests.contains { $0.value.contains($0.key.digest(of: content)) }
    }

    /// Whether all hashes of an `integrity` value are listed; a single unlisted one blocks the
    /// script.
    func contains(_ integrity: SubresourceIntegrity) -> Bool {
        !integrity.hashes.isEmpty
            && integrity.hashes.allSatisfy { digests[$0.algorithm]?.contains($0.digest) ?? false }
    }
}
