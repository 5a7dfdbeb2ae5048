import PackGround
import PackOrigin

extension AuditFindings {
    // MARK: Lifetime

    /// In seconds: one year minus one day, because some servers round.
    private static let longEnough = 31_449_600
    /// In seconds: the lifetime of replaced files in `docs/guide/origin.md`, and the limit for an
    /// error.
    private static let shortLifetime = 60
    private static let farTooLong = 3600

    /// Checks the cache lifetime in an answer's headers.
    mutating func checkLifetime(
        _ path: String, _ lifetime: ExpectedFile.Lifetime, _ head: HTTPHead
    ) {
        let text = head["cache-control"] ?? ""
        let control = CacheControl(text)
        let shown =
            text.isEmpty
            ? "no Cache-Control" : "Cache-Control '\(printable(text.utf8.prefix(100)))'"
        switch lifetime {
        case .long:
            if control.isNeverKept || (control.lifetime ?? 0) < Self.longEnough {
                add(
                    .notCached, .warning, path,
                    "has \(shown), although it never changes", head)
            }
        case .short:
            guard let longest = control.isNeverKept ? 0 : control.longestLifetime else {
                add(
                    .cachedTooLong, .warning, path,
                    "has no lifetime in Cache-Control: caches choose one, and updates are late",
                    head)
                return
            }
            if longest > Self.farTooLong || control.isImmutable {
                add(.cachedTooLong, .error, path, "has \(shown): updates are late", head)
            } else if longest > Self.shortLifetime || control.staleLifetime > Self.shortLifetime {
                add(
                    .cachedTooLong, .warning, path,
                    "has \(shown), more than \(Self.shortLifetime) seconds: updates are late",
                    head)
            }
        }
    }

    // MARK: Type

    private static let scripts = [
        "text/javascript", "application/javascript", "application/x-javascript",
        "text/ecmascript", "application/ecmascript",
    ]
    /// Groups of equivalent media types.
    private static let alike = [
        scripts, ["application/xml", "text/xml"],
        ["image/vnd.microsoft.icon", "image/x-icon"], ["application/json", "text/json"],
        ["font/woff", "application/font-woff"], ["font/woff2", "application/font-woff2"],
        ["text/markdown", "text/plain"], ["audio/mp4", "audio/x-m4a"],
        ["application/zip", "application/x-zip-compressed"],
    ]
    /// Media types that engines enforce.
    private static let strict = [
        "text/css", "text/html", "text/javascript", "image/svg+xml", "application/wasm",
        "application/xhtml+xml",
    ]

    /// Checks the media type in an answer's headers.
    ///
    /// - Parameter wanted: The media type without parameters.
    mutating func checkType(_ path: String, _ wanted: String, _ head: HTTPHead) {
        let text = head["content-type"] ?? ""
        let parts = text.lowercased().split(separator: ";")
        let type = trimmed(parts.first ?? "")
        let shown =
            type.isEmpty
            ? "no Content-Type" : "Content-Type '\(printable(text.utf8.prefix(100)))'"
        if type != wanted,
            !Self.alike.contains(where: { $0.contains(type) && $0.contains(wanted) })
        {
            // For unknown file types, any type but HTML is accepted.
            let isUnknown = wanted == "application/octet-stream"
            if isUnknown, type != "text/html" { return }
            let isError = type == "text/html" || Self.strict.contains(wanted)
            add(
                .wrongType, isError ? .error : .warning, path,
                "has \(shown) instead of '\(wanted)'", head)
            return
        }
        for parameter in parts.dropFirst() where wanted.hasPrefix("text/") {
            let charset = trimmed(parameter)
            if charset.hasPrefix("charset="), !charset.contains("utf-8") {
                add(
                    .wrongType, .warning, path,
                    "has \(shown), which overrides the encoding that the file states", head)
            }
        }
    }

    private func trimmed(_ text: some StringProtocol) -> String {
        String(String(text.drop { $0 == " " }.reversed()).drop { $0 == " " }.reversed())
    }

    // MARK: Redirects

    /// Checks that no request was redirected.
    mutating func checkRedirects(_ path: String, _ answer: ProbeAnswer, _ address: HTTPAddress) {
        // Omit the path, so that redirecting the whole host gives one finding.
        guard let other = answer.locations.lazy.compactMap(address.otherHost).first else {
            if !answer.locations.isEmpty {
                add(
                    .redirect, .warning, path, "is redirected, which costs each client a request",
                    answer.head)
            }
            return
        }
        add(.redirect, .error, path, "is redirected to another host ('\(other)')", answer.head)
    }
}

/// A parsed `Cache-Control` header (RFC 9111).
struct CacheControl {
    /// `max-age` in seconds; 0 for `no-cache`; `nil` if neither is set.
    private var ownLifetime: Int?
    /// `s-maxage` in seconds, for shared caches such as CDNs.
    private var sharedLifetime: Int?
    /// `stale-while-revalidate` in seconds.
    private(set) var staleLifetime = 0
    private(set) var isNeverKept = false
    private(set) var isImmutable = false

    init(_ text: String) {
        for part in text.lowercased().split(separator: ",") {
            let words = part.split(separator: "=", maxSplits: 1).map { word in
                String(word.filter { $0 != " " && $0 != "\"" })
            }
            let seconds = words.count > 1 ? Int(words[1]) : nil
            switch words.first ?? "" {
            case "max-age": ownLifetime = seconds
            case "s-maxage": sharedLifetime = seconds
            case "stale-while-revalidate": staleLifetime = max(staleLifetime, seconds ?? 0)
            case "no-store", "private": isNeverKept = true
            case "no-cache": ownLifetime = 0
            case "immutable": isImmutable = true
            default: break
            }
        }
    }

    /// How long a CDN may keep the answer, in seconds.
    ///
    /// `nil` if not stated.
    var lifetime: Int? { sharedLifetime ?? ownLifetime }

    /// The longest lifetime in any cache, in seconds.
    var longestLifetime: Int? {
        guard let ownLifetime, let sharedLifetime else { return lifetime }
        return max(ownLifetime, sharedLifetime)
    }
}
