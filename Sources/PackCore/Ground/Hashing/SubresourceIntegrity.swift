import Crypto

/// The value of an `integrity` attribute: hashes that a subresource must match.
///
/// See docs/sources.md#sri, section 3.3. Browsers use the strongest algorithm in the value, and
/// ignore unknown ones.
package struct SubresourceIntegrity: Equatable, Sendable {
    /// The algorithms that browsers support, weakest first.
    package enum Algorithm: String, CaseIterable, Comparable, Sendable {
        case sha256, sha384, sha512

        package static func < (one: Algorithm, other: Algorithm) -> Bool {
            one.rawValue < other.rawValue
        }

        /// The hash of some content.
        package func digest(of content: [UInt8]) -> [UInt8] {
            switch self {
            case .sha256: Array(SHA256.hash(data: content))
            case .sha384: Array(SHA384.hash(data: content))
            case .sha512: Array(SHA512.hash(data: content))
            }
        }

        /// The form in `integrity` and in a Content Security Policy: `sha384-…`.
        package func expression(of content: [UInt8]) -> String {
            expression(digest: digest(of: content))
        }

        /// The same form for a computed hash.
        package func expression(digest: [UInt8]) -> String {
            "\(rawValue)-\(Base64.string(digest))"
        }
    }

    /// One hash of the value.
    package struct Hash: Equatable, Sendable {
        package let algorithm: Algorithm
        package let digest: [UInt8]
    }

    package private(set) var hashes: [Hash] = []
    /// Words that browsers ignore: unknown algorithms and hashes of the wrong length.
    package private(set) var ignored: [String] = []

    /// Parses a value; words that cannot be parsed are ``ignored``.
    package init(_ value: some Sequence<UInt8>) {
        let text = String(decoding: Array(value), as: UTF8.self)
        for word in text.split(whereSeparator: { $0.isWhitespace }) {
            if let hash = Self.hash(word) {
                hashes.append(hash)
            } else {
                ignored.append(String(word))
            }
        }
    }

    /// Parses one hash as it appears in `integrity` and, in quotes, in a policy.
    package static func hash(_ word: some StringProtocol) -> Hash? {
        guard let dash = word.firstIndex(of: "-"),
            let algorithm = Algorithm(rawValue: word[..<dash].lowercased())
        else { return nil }
        var text = word[word.index(after: dash)...].prefix { $0 != "?" }
            .map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        while text.last == "=" { text.removeLast() }
        while text.count % 4 != 0 { text.append("=") }
        let length = algorithm == .sha256 ? 32 : algorithm == .sha384 ? 48 : 64
        guard let digest = Base64.decode(String(text).utf8), digest.count == length else {
            return nil
        }
        return Hash(algorithm: algorithm, digest: digest)
    }

    /// The strongest algorithm in the value; `nil` if browsers check nothing.
    package var strongest: Algorithm? { hashes.map(\.algorithm).max() }

    /// Whether browsers accept content with this hash, computed with the ``strongest`` algorithm.
    package func accepts(digest: [UInt8]) -> Bool {
        guard let strongest else { return true }
        return hashes.contains { $0.algorithm == strongest && $0.digest == digest }
    }
}
