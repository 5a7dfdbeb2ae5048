import PackGround
import PackProfile

/// Recognizes misspelled schemes and their corrections.
enum SchemeSpelling {
    /// Whether a word differs from the scheme by at most two letters.
    static func isNear(_ word: String, to scheme: String) -> Bool {
        let scheme = scheme.lowercased()
        guard scheme.utf8.count > 3 else { return false }
        let plain = word.filter { $0 != "_" && $0 != "-" }
        return plain == scheme.filter { $0 != "_" && $0 != "-" } && word != scheme
            || word != scheme && abs(word.utf8.count - scheme.utf8.count) <= 2
                && editDistance(word, scheme) <= 2
    }

    /// The word before `://` if it cannot be a scheme.
    static func wordBeforeSlashes(_ value: [UInt8]) -> String? {
        guard let end = value.firstRange(of: Array("://".utf8))?.lowerBound, end > 0, end <= 64,
            value[..<end].allSatisfy({
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0)
                    || "_+-.".utf8.contains($0)
            })
        else { return nil }
        return String(decoding: value[..<end], as: UTF8.self)
    }

    /// The corrected URL if `cs:` is followed by another absolute URL or by too many slashes; `nil`
    /// for a correct URL.
    static func nested(_ rest: [UInt8], _ profile: Profile) -> String? {
        let scheme = String(decoding: profile.canonicalScheme, as: UTF8.self)
        let slashes = rest.prefix { $0 == UInt8(ascii: "/") }.count
        let inner = Array(rest[slashes...])
        let meant = { (tail: [UInt8]) in
            "\(scheme)://" + String(decoding: tail, as: UTF8.self)
        }
        for word in ["https", "http", scheme] {
            let head = Array("\(word):".utf8)
            guard AssetPath.lowercasedASCII(Array(inner.prefix(head.count))) == head else {
                continue
            }
            let tail = inner[head.count...].drop { $0 == UInt8(ascii: "/") }
            guard inner.count - head.count - tail.count >= 1 else { continue }
            return meant(Array(tail))
        }
        if slashes > 3 { return meant(inner) }
        if slashes == 2, let end = inner.firstIndex(of: UInt8(ascii: "/")),
            inner[(end + 1)...].first == UInt8(ascii: "/")
        {
            let tail = inner[end...].drop { $0 == UInt8(ascii: "/") }
            return meant(Array(inner[...end]) + tail)
        }
        return nil
    }

    /// `https:cs://h/x`: the custom URL inside.
    static func customInside(_ rest: [UInt8], _ profile: Profile) -> String? {
        let inner = Array(rest.drop { $0 == UInt8(ascii: "/") })
        let head = profile.canonicalScheme + Array(":".utf8)
        guard AssetPath.lowercasedASCII(Array(inner.prefix(head.count))) == head else {
            return nil
        }
        let tail = inner[head.count...]
        guard tail.starts(with: "//".utf8) else { return nil }
        return String(decoding: head + tail, as: UTF8.self)
    }

    /// The URL with the pages' host inserted; `nil` if no host is configured.
    static func withHost(_ rest: [UInt8], _ profile: Profile) -> String? {
        guard let host = profile.hosts.first else { return nil }
        let scheme = String(decoding: profile.canonicalScheme, as: UTF8.self)
        let path = rest.drop { $0 == UInt8(ascii: "/") }
        return "\(scheme)://\(host)/" + String(decoding: path, as: UTF8.self)
    }

    /// A reference with its scheme replaced; `nil` if it has none.
    package static func replacing(_ reference: Reference, with scheme: String) -> String? {
        guard let written = reference.writtenScheme else { return nil }
        let value = reference.value.drop { $0 <= 0x20 }
        return scheme + String(decoding: value.dropFirst(written.count), as: UTF8.self)
    }
}
