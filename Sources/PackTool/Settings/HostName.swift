import PackGround
import PackURL

/// Validates `host`: a bare host name, as in a URL between `//` and the next slash.
enum HostName {
    static func fault(of word: String) -> WordFault? {
        let fault = { (problem: String) in
            WordFault(problem: problem, example: suggestion(word) ?? "shop.example.com")
        }
        if word.isEmpty { return fault("is empty") }
        if word.contains("://") { return fault("has a scheme; a host is the name alone") }
        if word.contains("/") { return fault("has a slash; a host is the name alone") }
        if word.unicodeScalars.contains(where: { $0.isUnprintable || $0 == " " }) {
            return fault("has a space or a control character")
        }
        if word.contains("*") { return fault("has a wildcard; name each host") }
        // The host parser of the URL standard handles IPv6 addresses and forbidden characters.
        guard let url = URLRecord.parse(Array("x://\(word)/".utf8)), url.host != nil,
            !word.contains("@"), !word.contains("?"), !word.contains("#")
        else { return fault("has a character that no host may have") }
        if url.port != nil || word.hasSuffix(":") {
            return fault("has a port; a host is the name alone")
        }
        return nil
    }

    /// Also accepts the prefix of a URL as in a page: `//cdn.example.com/x.js`.
    static func fault(ofAddress word: String) -> WordFault? {
        guard word.contains("//") else { return fault(of: word) }
        let text = word.hasPrefix("//") ? "https:\(word)" : word
        let problem: String? =
            if !text.hasPrefix("https://") {
                "is not loaded over https, which web views require"
            } else if word.unicodeScalars.contains(where: { $0.isUnprintable || $0 == " " }) {
                "has a space or a control character"
            } else if word.contains("?") || word.contains("#") {
                "has a query or a fragment; an address ends with its path"
            } else if let host = suggestion(text), fault(of: host) == nil {
                nil
            } else {
                "has no valid host"
            }
        return problem.map {
            WordFault(problem: $0, example: suggestion(text) ?? "//cdn.example.com/lib/")
        }
    }

    /// The host in a possible URL, without scheme, user, port and path.
    private static func suggestion(_ word: String) -> String? {
        var rest = word[...]
        if let slashes = rest.firstRange(of: "://") { rest = rest[slashes.upperBound...] }
        rest = rest.prefix { !"/?#".contains($0) }
        if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        if !rest.hasPrefix("["), let colon = rest.lastIndex(of: ":") { rest = rest[..<colon] }
        let host = String(rest)
        return host != word && !host.isEmpty && fault(of: host) == nil ? host : nil
    }
}
