import PackGround
package import PackProfile
import PackURL

/// A reference with its resolution: one line of `--dump-urls`, which shows why a URL does not load.
package struct URLReport: Equatable, Sendable {
    /// The name of the profile, if a build was checked for several.
    package internal(set) var profile: String?
    package let path: String
    /// 1-based.
    package let line: Int
    /// 1-based, in bytes.
    package let column: Int
    package let kind: String
    package let use: ReferenceUse
    package let value: String
    /// The absolute URL.
    package let url: String?
    /// The name looked up by the handler.
    package let lookedUp: String?
    /// `file`, `start-page`, `fallback`, `other-origin`, `crash`, or the reason why there is no
    /// request.
    package let verdict: String
    /// The packaged file, or the handler's fallback URL.
    package let target: String?

    /// Every reference of a document, in document order.
    static func all(in context: DocumentContext) -> [URLReport] {
        guard !context.references.isEmpty else { return [] }
        let lines = LineIndex(context.text)
        return context.references.map { URLReport($0, lines.place(of: $0.range), in: context) }
    }

    private init(_ reference: Reference, _ place: Place, in context: DocumentContext) {
        let resolution = reference.resolution
        path = printable(context.path.bytes)
        line = place.line
        column = place.column
        kind = reference.kind.name
        use = reference.use
        value = reference.text
        url = resolution.url?.href
        lookedUp = resolution.lookedUp.map { printable($0) }
        (verdict, target) = resolution.verdict(in: context.site.listing)
    }
}

extension Resolution {
    /// The outcome as a keyword, and the target of the request.
    package func verdict(in listing: PackageListing) -> (word: String, target: String?) {
        switch outcome {
        case .file(let index): ("file", printable(listing.paths[index].bytes))
        case .startPage(let index), .startPageInstead(let index):
            ("start-page", printable(listing.paths[index].bytes))
        case .fallback: ("fallback", fallback?.href)
        case .otherOrigin: ("other-origin", twin.map { printable(listing.paths[$0].bytes) })
        case .notARequest(let reason): ("no-request:\(reason.rawValue)", nil)
        case .crash(let crash): ("crash:\(crash.rawValue)", nil)
        }
    }
}
