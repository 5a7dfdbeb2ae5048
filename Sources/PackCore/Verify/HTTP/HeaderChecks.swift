import PackGround
import PackOrigin

extension AuditFindings {
    // MARK: Lifetime

    /// A year less a day: some servers round.
    private static let longEnough = 31_449_600
    /// What `docs/guide/origin.md` says for files that are replaced, and what is too much in any case.
    private static let shortLifetime = 60
    private static let farTooLong = 3600

    /// Checks how long caches may keep what is at a place, by the answer that has it.
    mutating func checkLifetime(
        _ place: String, _ lifetime: ExpectedFile.Lifetime, _ head: HTTPHead
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
                    .notCached, .warning, place,
                    "has \(shown), although it never changes", head)
            }
        case .short:
            guard let longest = control.isNeverKept ? 0 : control.longestLifetime else {
                add(
                    .cachedTooLong, .warning, place,
                    "has no lifetime in Cache-Control: caches choose one, and updates are late",
                    head)
                return
            }
            if longest > Self.farTooLong || control.isImmutable {
                add(.cachedTooLong, .error, place, "has \(shown): updates are late", head)
            } else if longest > Self.shortLifetime || control.staleLifetime > Self.shortLifetime {
                add(
                    .cachedTooLong, .warning, place,
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
    /// Types that engines treat alike.
    private static let alike = [
        scripts, ["application/xml", "text/xml"],
        ["image/vnd.microsoft.icon", "image/x-icon"], ["application/json", "text/json"],
        ["font/woff", "application/font-woff"], ["font/woff2", "application/font-woff2"],
        ["text/markdown", "text/plain"], ["audio/mp4", "audio/x-m4a"],
        ["application/zip", "application/x-zip-compressed"],
    ]
    /// Types that an engine insists on.
    private static let strict = [
        "text/css", "text/html", "text/javascript", "image/svg+xml", "application/wasm",
        "application/xhtml+xml",
    ]

    /// Checks the media type of what is at a place, by the answer that has it.
    ///
    /// - Parameter wanted: without parameters.
    mutating func checkType(_ place: String, _ wanted: String, _ head: HTTPHead) {
        let text = head["content-type"] ?? ""
        let parts = text.lowercased().split(separator: ";")
        let type = trimmed(parts.first ?? "")
        let shown =
            type.isEmpty
            ? "no Content-Type" : "Content-Type '\(printable(text.utf8.prefix(100)))'"
        if type != wanted,
            !Self.alike.contains(where: { $0.contains(type) && $0.contains(wanted) })
        {
            // What a file's name does not tell, a server may call what it likes, but no page.
            let isUnknown = wanted == "application/octet-stream"
            if isUnknown, type != "text/html" { return }
            let isError = type == "text/html" || Self.strict.contains(wanted)
            add(
                .wrongType, isError ? .error : .warning, place,
                "has \(shown) instead of '\(wanted)'", head)
            return
        }
        for parameter in parts.dropFirst() where wanted.hasPrefix("text/") {
            let charset = trimmed(parameter)
            if charset.hasPrefix("charset="), !charset.contains("utf-8") {
                add(
                    .wrongType, .warning, place,
                    "has \(shown), which overrides the encoding that the file states", head)
            }
        }
    }

    private func trimmed(_ text: some StringProtocol) -> String {
        String(String(text.drop { $0 == " " }.reversed()).drop { $0 == " " }.reversed())
    }

    // MARK: Redirects

    /// Checks that a place was not answered by another one.
    mutating func checkRedirects(_ place: String, _ answer: ProbeAnswer, _ address: HTTPAddress) {
        // Without the path, so that one redirect of everything is one finding.
        guard let other = answer.locations.lazy.compactMap(address.otherHost).first else {
            if !answer.locations.isEmpty {
                add(
                    .redirect, .warning, place, "is redirected, which costs each client a request",
                    answer.head)
            }
            return
        }
        add(.redirect, .error, place, "is redirected to another host ('\(other)')", answer.head)
    }
}

/// What a `Cache-Control` header says (RFC 9111).
struct CacheControl {
    /// Seconds that a device may keep it; `nil` if it does not say.
    private var ownLifetime: Int?
    /// Seconds that a CDN may, if it is another time.
    private var sharedLifetime: Int?
    /// Seconds that it may be used after that.
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

    /// Seconds that a CDN may keep it; `nil` if it does not say.
    var lifetime: Int? { sharedLifetime ?? ownLifetime }

    /// The longest time that anybody may keep it.
    var longestLifetime: Int? {
        guard let ownLifetime, let sharedLifetime else { return lifetime }
        return max(ownLifetime, sharedLifetime)
    }
}
