import PackGround

/// A file that a web server has to answer with, and how.
struct ExpectedFile: Sendable {
    /// How long caches may keep a file (`docs/formats.md`).
    enum Lifetime: Sendable {
        /// It is replaced by publishes.
        case short
        /// Its name never changes what it means.
        case long
    }

    let place: String
    let content: FileDigest
    let lifetime: Lifetime
    /// The media type without parameters.
    let type: String

    init(_ place: String, _ content: FileDigest, _ lifetime: Lifetime, type: String) {
        self.place = place
        self.content = content
        self.lifetime = lifetime
        self.type = type
    }

    /// Whether servers and CDNs compress or rewrite files of this kind.
    var isText: Bool {
        type.hasPrefix("text/") || type.hasSuffix("json") || type.hasSuffix("xml")
            || type.contains("javascript")
    }
}
