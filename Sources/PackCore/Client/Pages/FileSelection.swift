/// The part of a file that a GET or HEAD selects by its conditions (RFC 9110, sections 13 and 14).
package enum FileSelection: Equatable, Sendable {
    /// The page already has the content: status 304.
    case notModified
    case bytes(ByteRange)

    /// Evaluates the headers of a request.
    ///
    /// - Parameters:
    ///   - tag: The entity tag of the file, with its quotes.
    ///   - header: The value of a header by its lower-case name.
    package init(
        method: String, tag: String?, size: UInt64, header: (String) -> String?
    ) {
        if let tag, let known = header("if-none-match"), Self.lists(known, tag) {
            self = .notModified
            return
        }
        // Only GET has ranges (section 14.2).
        let isConditional = header("if-range").map { $0 != tag } ?? false
        let range = method == "GET" && !isConditional ? header("range") : nil
        self = .bytes(ByteRange(range, size: size))
    }

    /// Whether an `If-None-Match` lists a tag; weak tags also match, because caches may weaken
    /// them.
    private static func lists(_ header: String, _ tag: String) -> Bool {
        header == "*"
            || header.split(separator: ",").contains { part in
                var part = part.drop { $0 == " " }
                if part.hasPrefix("W/") { part = part.dropFirst(2) }
                return part.prefix { $0 != " " } == tag
            }
    }
}
